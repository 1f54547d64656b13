"""From a good value and its schema, every way to get it wrong that the schema knows of."""

import copy
import re
from dataclasses import dataclass
from typing import Any, Iterator

from document import Document

WRONG_TYPE = {"string": 17, "integer": "many", "boolean": "yes", "object": [], "array": {}}
# Tried in turn against a pattern; each fails most patterns.
MISFITS = ["not it!", " ", "a\tb", "", "="]


@dataclass
class Bad:
    what: str
    pointer: str  # where the refusal must point
    value: Any  # the whole value, wrong in that one place


def spoil(document: Document, schema: dict, value: Any) -> Iterator[Bad]:
    yield from _Spoiler(document).at(schema, value, "", "")


class _Spoiler:
    def __init__(self, document: Document) -> None:
        self.document = document

    def at(self, schema: dict, value: Any, pointer: str, name: str) -> Iterator[Bad]:
        schema = self._plain(schema, value)
        kind = schema.get("type")
        kind = next(each for each in kind if each != "null") if isinstance(kind, list) else kind
        if kind is None:
            if name in ("payload", "result"):
                yield Bad(f"{name} beyond 64 KiB", pointer, "x" * 66_000)
            return
        yield Bad(f"{name or 'body'} of another type", pointer, WRONG_TYPE[kind])
        yield from getattr(self, f"_{kind}")(schema, value, pointer, name)

    def _plain(self, schema: dict, value: Any) -> dict:
        """The one schema that is meant: without null, and of several the one that the value chose."""
        schema = self.document.resolve(schema)
        for choice in schema.get("anyOf", []):
            if self.document.resolve(choice).get("type") != "null":
                return self._plain(choice, value)
        if "oneOf" in schema:
            branches = [self.document.resolve(each) for each in schema["oneOf"]]
            if "discriminator" not in schema:
                return branches[0]  # the usual one comes first
            chosen = (value or {}).get("kind")
            return next((each for each in branches if each["properties"]["kind"]["const"] == chosen), {"type": "object"})
        return schema

    def _string(self, schema: dict, _value: Any, pointer: str, name: str) -> Iterator[Bad]:
        if "enum" in schema or "const" in schema:
            yield Bad(f"{name} with an unknown word", pointer, "NO_SUCH_WORD")
            return
        if name not in ("error", "log"):  # what a program said is taken as it is
            yield Bad(f"{name} with a zero byte", pointer, "a\0b")
        if "maxLength" in schema:
            yield Bad(f"{name} too long", pointer, "x" * (schema["maxLength"] + 1))
        if schema.get("minLength", 0) > 0:
            yield Bad(f"{name} empty", pointer, "")
        if "pattern" in schema:
            misfit = next(each for each in MISFITS if not re.search(schema["pattern"], each))
            yield Bad(f"{name} of a wrong form", pointer, misfit)

    def _integer(self, schema: dict, _value: Any, pointer: str, name: str) -> Iterator[Bad]:
        yield Bad(f"{name} not whole", pointer, 1.5)
        yield Bad(f"{name} beyond all numbers", pointer, 10**30)
        if "minimum" in schema:
            yield Bad(f"{name} too small", pointer, schema["minimum"] - 1)
        if "maximum" in schema:
            yield Bad(f"{name} too large", pointer, schema["maximum"] + 1)

    def _boolean(self, _schema: dict, _value: Any, pointer: str, name: str) -> Iterator[Bad]:
        yield Bad(f"{name} as a number", pointer, 1)

    def _array(self, schema: dict, value: Any, pointer: str, name: str) -> Iterator[Bad]:
        if schema.get("minItems", 0) > 0:
            yield Bad(f"{name} empty", pointer, [])
        if not value:
            return
        if "maxItems" in schema:
            yield Bad(f"{name} with too many entries", pointer, [value[0]] * (schema["maxItems"] + 1))
        for bad in self.at(schema["items"], value[0], f"{pointer}/0", name):
            yield Bad(bad.what, bad.pointer, [bad.value, *value[1:]])

    def _object(self, schema: dict, value: Any, pointer: str, name: str) -> Iterator[Bad]:
        value = value or {}
        if schema.get("additionalProperties") is False:
            yield Bad(f"{name or 'body'} with an unknown field", f"{pointer}/no_such_field", {**value, "no_such_field": 1})
        for field in schema.get("required", []):
            without = {key: each for key, each in value.items() if key != field}
            yield Bad(f"{field} missing", f"{pointer}/{field}", without)
        for field, part in schema.get("properties", {}).items():
            if self.document.resolve(part).get("readOnly"):
                continue
            if field not in value and self._plain(part, None).get("required"):
                continue  # nothing to begin with
            for bad in self.at(part, value.get(field), f"{pointer}/{field}", field):
                yield Bad(bad.what, bad.pointer, {**copy.deepcopy(value), field: bad.value})
        yield from self._map(schema, value, pointer, name)

    def _map(self, schema: dict, value: dict, pointer: str, name: str) -> Iterator[Bad]:
        entries = schema.get("additionalProperties")
        if not isinstance(entries, dict):
            return
        for bad in self.at(entries, None, f"{pointer}/x", f"an entry of {name}"):
            yield Bad(bad.what, bad.pointer, {**value, "x": bad.value})
        if "propertyNames" in schema:
            yield Bad(f"{name} with a wrong name", pointer, {**value, "a=b": "x"})
        if "maxProperties" in schema:
            yield Bad(f"{name} with too many entries", pointer, {f"n{i}": "x" for i in range(schema["maxProperties"] + 1)})
