#!/usr/bin/env python3
"""Says what a program written for one version of the API would lose with another: what was removed or narrowed.

It compares api/openapi.yaml and the files of api/proto. The promise behind it is in docs/operating/upgrade.md; the
documents of the last release are kept in tests/api/released, and tests/api/test_compatibility.py compares with them.

usage: compatibility.py OLD_FOLDER NEW_FOLDER    # folders like api/
"""

import sys
from pathlib import Path
from typing import Any, Iterator

import yaml

sys.path.insert(0, str(Path(__file__).resolve().parent))
from proto_outline import outline  # noqa: E402

METHODS = ("get", "put", "post", "patch", "delete")
# Who may call what: an access word admits these scopes (root may do everything).
SCOPES = {
    "public": {"nobody", "viewer", "operator", "admin", "worker", "metrics", "root"},
    "read": {"viewer", "operator", "admin", "root"},
    "operate": {"operator", "admin", "root"},
    "work": {"worker", "operator", "admin", "root"},
    "administer": {"admin", "root"},
    "metrics": {"metrics", "root"},
    "root": {"root"},
}
UPPER = ("maxLength", "maximum", "maxItems", "maxProperties", "exclusiveMaximum")
LOWER = ("minLength", "minimum", "minItems", "minProperties", "exclusiveMinimum")


class Side:
    """One of the two documents."""

    def __init__(self, folder: Path) -> None:
        self.raw: dict = yaml.safe_load((folder / "openapi.yaml").read_text(encoding="utf-8"))

    def resolve(self, node: Any) -> Any:
        while isinstance(node, dict) and "$ref" in node:
            target: Any = self.raw
            for part in node["$ref"][2:].split("/"):
                target = target[part.replace("~1", "/").replace("~0", "~")]
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
        return node

    def types(self, schema: Any) -> set[str] | None:
        """What kinds of JSON it may be. None: any."""
        schema = self.resolve(schema)
        if not isinstance(schema, dict):
            return None
        if branches := schema.get("oneOf", schema.get("anyOf")):
            each = [self.types(branch) for branch in branches]
            return None if None in each else set().union(*each)  # type: ignore[arg-type]
        kind = schema.get("type")
        if kind is None:
            return None
        kinds = {kind} if isinstance(kind, str) else set(kind)
        return kinds | {"integer"} if "number" in kinds else kinds

    def operations(self) -> dict[str, tuple[dict, dict[tuple[str, str], dict]]]:
        """By `METHOD path`: the operation, and its parameters by place and name."""
        found = {}
        for path, item in self.raw["paths"].items():
            for method in METHODS:
                if method in item:
                    named = [self.resolve(each) for each in item.get("parameters", []) + item[method].get("parameters", [])]
                    found[f"{method.upper()} {path}"] = (item[method], {(each["in"], each["name"]): each for each in named})
        return found


def values(schema: dict) -> list[Any]:
    """The only ones it takes; empty: it does not name them."""
    return [schema["const"]] if "const" in schema else list(schema.get("enum", []))


def name_of(schema: Any) -> str:
    """What tells one branch of a choice from the others: its name, or the word that its `kind` has to be."""
    if "$ref" in schema:
        return str(schema["$ref"])
    kind = schema.get("properties", {}).get("kind", {})
    return str(kind.get("const", kind.get("enum", schema.get("title", schema.get("type", "?")))))


class Comparison:
    def __init__(self, old: Side, new: Side) -> None:
        self.old, self.new = old, new
        self.underway: set[tuple[int, int, bool]] = set()  # schemas may contain themselves

    def all(self) -> Iterator[str]:
        now = self.new.operations()
        for name, (operation, parameters) in self.old.operations().items():
            if name not in now:
                yield f"{name}: is gone"
                continue
            yield from self.operation(name, operation, parameters, *now[name])

    def operation(self, name: str, old: dict, had: dict, new: dict, has: dict) -> Iterator[str]:
        if old["operationId"] != new["operationId"]:
            yield f"{name}: is called {new['operationId']}, was {old['operationId']}"
        for scope in sorted(SCOPES[old["x-belfry-access"]] - SCOPES[new["x-belfry-access"]]):
            yield f"{name}: {scope} may not call it any more"
        for key, parameter in had.items():
            if key not in has:
                yield f"{name}: parameter {key[1]} is gone"
            else:
                yield from self.asked(f"{name}: parameter {key[1]}", parameter.get("schema", {}), has[key].get("schema", {}))
        for key, parameter in has.items():
            if parameter.get("required") and not had.get(key, {}).get("required"):
                yield f"{name}: parameter {key[1]} is required now"
        yield from self.body(name, self.old.resolve(old.get("requestBody", {})), self.new.resolve(new.get("requestBody", {})))
        yield from self.answers(name, old["responses"], new["responses"])

    def body(self, name: str, old: dict, new: dict) -> Iterator[str]:
        if new.get("required") and not old.get("required"):
            yield f"{name}: a body is required now"
        for kind, content in old.get("content", {}).items():
            if kind not in new.get("content", {}):
                yield f"{name}: takes no {kind} any more"
            else:
                yield from self.asked(f"{name}: body", content["schema"], new["content"][kind]["schema"])

    def answers(self, name: str, old: dict, new: dict) -> Iterator[str]:
        for status, answer in old.items():
            if not str(status).startswith("2"):
                continue  # refusals may come and go; their form is one schema, the problem's
            if status not in new:
                yield f"{name}: is not answered {status} any more"
                continue
            before, now = self.old.resolve(answer), self.new.resolve(new[status])
            for header in sorted(set(before.get("headers", {})) - set(now.get("headers", {}))):
                yield f"{name}: {status} has no header {header} any more"
            for kind, content in before.get("content", {}).items():
                if kind not in now.get("content", {}):
                    yield f"{name}: {status} is not {kind} any more"
                elif "schema" in content:
                    yield from self.answered(f"{name}: {status}", content["schema"], now["content"][kind].get("schema", {}))

    # ---- what callers send: everything that was accepted is accepted

    def asked(self, place: str, old: Any, new: Any) -> Iterator[str]:
        yield from self.guarded(True, place, old, new)

    def _asked(self, place: str, old: dict, new: dict) -> Iterator[str]:
        had, has = self.old.types(old), self.new.types(new)
        if has is not None and (had is None or not had <= has):
            yield f"{place}: has to be {'/'.join(sorted(has))} now, might be {'/'.join(sorted(had or {'anything'}))}"
        taken, was_taken = values(new), values(old) or ["anything else"]
        if taken and (lost := [str(each) for each in was_taken if each not in taken]):
            yield f"{place}: may not be {', '.join(lost)} any more"
        for limit in UPPER:
            if limit in new and new[limit] < old.get(limit, float("inf")):
                yield f"{place}: {limit} is {new[limit]} now, was {old.get(limit, 'none')}"
        for limit in LOWER:
            if limit in new and new[limit] > old.get(limit, float("-inf")) and (limit in old or new[limit] > 0):
                yield f"{place}: {limit} is {new[limit]} now, was {old.get(limit, 'none')}"
        if "pattern" in new and new["pattern"] != old.get("pattern"):
            yield f"{place}: has to match another pattern now"
        if "default" in old and new.get("default") != old["default"]:
            yield f"{place}: means {new.get('default')} where it is left out, was {old['default']}"
        for field in sorted(set(new.get("required", [])) - set(old.get("required", []))):
            yield f"{place}: {field} is required now"
        if new.get("additionalProperties") is False and old.get("additionalProperties") is not False and had in (None, {"object"}):
            yield f"{place}: takes no other fields any more"
        if ("oneOf" in new or "anyOf" in new) and not ("oneOf" in old or "anyOf" in old) and not self.same_somewhere(self.asked, old, new):
            yield f"{place}: fits none of the forms that it may have now"
        yield from self.members(self.asked, place, old, new, gone="is not accepted any more")

    # ---- what callers read: everything that was there is there, and of the kind it was

    def answered(self, place: str, old: Any, new: Any) -> Iterator[str]:
        yield from self.guarded(False, place, old, new)

    def _answered(self, place: str, old: dict, new: dict) -> Iterator[str]:
        had, has = self.old.types(old), self.new.types(new)
        if had is not None and (has is None or not has <= had):
            yield f"{place}: may be {'/'.join(sorted(has or {'anything'}))} now, was {'/'.join(sorted(had))}"
        for field in sorted(set(old.get("required", [])) - set(new.get("required", []))):
            if field in new.get("properties", {}):
                yield f"{place}: {field} may be missing now"
        yield from self.members(self.answered, place, old, new, gone="is gone")

    # ---- both

    def guarded(self, asked: bool, place: str, old: Any, new: Any) -> Iterator[str]:
        before, now = self.old.resolve(old), self.new.resolve(new)
        if not isinstance(before, dict) or not isinstance(now, dict):  # `true` accepts everything
            if asked and now is False and before is not False:
                yield f"{place}: is not accepted any more"
            return
        names = (name_of(old), name_of(new)) if "$ref" in old and "$ref" in new else None
        key = (hash(names), 0, asked) if names else (id(old), id(new), asked)
        if key in self.underway:
            return
        self.underway.add(key)
        yield from (self._asked if asked else self._answered)(place, before, now)
        if not names:
            self.underway.discard(key)  # named schemas are told of once, where they are met first

    def members(self, compare: Any, place: str, old: dict, new: dict, gone: str) -> Iterator[str]:
        fields = new.get("properties", {})
        for field, schema in old.get("properties", {}).items():
            if field not in fields:
                if not self.elsewhere(new, field):
                    yield f"{place}.{field}: {gone}"
            else:
                yield from compare(f"{place}.{field}", schema, fields[field])
        for part in ("items", "additionalProperties"):
            if part in old and part in new:
                yield from compare(f"{place}[]", old[part], new[part])
        for choice in ("oneOf", "anyOf", "allOf"):
            branches = {name_of(each): each for each in new.get(choice, [])}
            for each in old.get(choice, []):
                if name_of(each) in branches:
                    yield from compare(place, each, branches[name_of(each)])
                elif not self.same_somewhere(compare, each, new):
                    yield f"{place}: {name_of(each)} {gone}"

    def elsewhere(self, schema: dict, field: str) -> bool:
        """Whether a part that the schema is made of has the field."""
        parts = [self.new.resolve(part) for choice in ("allOf", "oneOf", "anyOf") for part in schema.get(choice, [])]
        return any(field in part.get("properties", {}) or self.elsewhere(part, field) for part in parts if isinstance(part, dict))

    def same_somewhere(self, compare: Any, old: Any, new: dict) -> bool:
        choices = [each for choice in ("oneOf", "anyOf", "allOf") for each in new.get(choice, [])] or [new]
        before = set(self.underway)  # what a wrong branch lacks is told of where it is met again
        fits = any(not list(compare("", self.old.resolve(old), self.new.resolve(each))) for each in choices)
        self.underway = before
        return fits


def rest(old: Path, new: Path) -> list[str]:
    return list(dict.fromkeys(Comparison(Side(old), Side(new)).all()))


def grpc(old: Path, new: Path) -> list[str]:
    """Names that are gone, and numbers, types and labels that are others: what the wire and generated code go by."""
    def lines(folder: Path) -> dict[str, str]:
        texts = [path.read_text(encoding="utf-8") for path in sorted((folder / "proto/belfry").rglob("*.proto"))]
        return {name: what for text in texts for name, what in outline(text)}

    had, has = lines(old), lines(new)
    return [f"{name}: was `{what}`, " + (f"is `{has[name]}`" if name in has else "is gone")
            for name, what in had.items() if has.get(name) != what]


def main() -> int:
    old, new = map(Path, sys.argv[1:3])
    found = rest(old, new) + grpc(old, new)
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
