"""The OpenAPI document as tests use it: operations with everything resolved, and validators for their messages."""

import functools
import json
import pathlib
from dataclasses import dataclass, field
from typing import Any, Iterator

import jsonschema
import yaml

PATH = pathlib.Path(__file__).resolve().parents[2] / "api" / "openapi.yaml"
METHODS = ("get", "put", "post", "patch", "delete")


@dataclass
class Operation:
    id: str
    method: str
    path: str
    access: str
    parameters: list[dict]
    bodies: dict[str, dict]  # schemas by content type; empty: takes none
    body_required: bool
    responses: dict[int, dict]
    raw: dict = field(repr=False)

    def parameters_in(self, place: str) -> dict[str, dict]:
        return {each["name"]: each for each in self.parameters if each["in"] == place}

    @property
    def body(self) -> dict | None:
        return next(iter(self.bodies.values()), None)


class Document:
    def __init__(self) -> None:
        self.raw: dict = yaml.safe_load(PATH.read_text("utf-8"))
        self.shared: dict = self.raw.pop("x-shared")
        self.operations = {operation.id: operation for operation in self._operations()}

    def resolve(self, node: Any) -> Any:
        """Follows $ref to what a node stands for. What stands beside $ref wins over what it points at."""
        while isinstance(node, dict) and "$ref" in node:
            beside = {key: value for key, value in node.items() if key != "$ref"}
            node = {**self.at(node["$ref"]), **beside}
        return node

    def at(self, reference: str) -> Any:
        node: Any = self.raw
        assert reference.startswith("#/"), reference
        for part in reference[2:].split("/"):
            node = node[part.replace("~1", "/").replace("~0", "~")]
        return node

    def _operations(self) -> Iterator[Operation]:
        for path, item in self.raw["paths"].items():
            for method in METHODS:
                if method in item:
                    yield self._operation(method, path, item)

    def _operation(self, method: str, path: str, item: dict) -> Operation:
        raw = item[method]
        body = self.resolve(raw.get("requestBody", {}))
        return Operation(
            id=raw["operationId"],
            method=method.upper(),
            path=path,
            access=raw["x-belfry-access"],
            parameters=[self.resolve(each) for each in item.get("parameters", []) + raw.get("parameters", [])],
            bodies={kind: content["schema"] for kind, content in body.get("content", {}).items()},
            body_required=body.get("required", False),
            responses={int(status): self.resolve(answer) for status, answer in raw["responses"].items()},
            raw=raw,
        )

    def complaints(self, schema: dict, value: Any) -> list[str]:
        """The objections of a schema to a value; empty if there are none."""
        errors = self._validator(json.dumps(schema, sort_keys=True)).iter_errors(value)
        return [f"{error.json_path}: {_innermost(error)}" for error in errors]

    @functools.lru_cache(maxsize=None)
    def _validator(self, schema: str) -> jsonschema.Draft202012Validator:
        return jsonschema.Draft202012Validator({"allOf": [json.loads(schema)], "components": self.raw["components"]})


def _innermost(error: jsonschema.ValidationError) -> str:
    """The message of each branch of a failed choice: "is not valid under any of the given schemas" helps nobody."""
    if not error.context:
        return error.message[:300]
    return " | ".join(f"{each.json_path}: {each.message[:200]}" for each in error.context)
