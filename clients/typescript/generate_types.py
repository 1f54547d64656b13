"""Writes src/types.ts from the schemas of api/openapi.yaml: generate_types.py [--check | --to FILE]

Run it after changing the document; the tests run it with --check. The console's build writes its own copy, by --to."""

import json
import pathlib
import sys
from typing import Any

import yaml

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "api" / "openapi.yaml"
TYPES = HERE / "src" / "types.ts"
HEAD = """// @generated from api/openapi.yaml by generate_types.py; change the document, not this file.

"""
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def literal(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def union(parts: list[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


def type_of(schema: dict, indent: str = "") -> str:
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return literal(schema["const"])
    if "enum" in schema:
        return union([literal(each) for each in schema["enum"]])
    for name in ("anyOf", "oneOf"):
        if name in schema:
            return union([type_of(each, indent) for each in schema[name]])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return union([type_of({**schema, "type": kind}, indent) for kind in kinds])
    if kinds == "array":
        item = type_of(schema["items"], indent)
        return f"({item})[]" if " | " in item else f"{item}[]"
    if kinds == "object":
        return object_of(schema, indent)
    return NAMES[kinds] if kinds else "unknown"


def object_of(schema: dict, indent: str) -> str:
    properties = schema.get("properties")
    if properties is None:
        more = schema.get("additionalProperties", {})
        return f"Record<string, {type_of(more, indent) if isinstance(more, dict) else 'never'}>"
    inner = indent + "  "
    lines = []
    for name, each in properties.items():
        lines += comment(each, inner)
        optional = "" if name in schema.get("required", []) else "?"
        lines.append(f"{inner}{name}{optional}: {type_of(each, inner)};")
    return "\n".join(["{", *lines, indent + "}"])


def comment(schema: dict, indent: str = "") -> list[str]:
    words = " ".join(schema.get("description", "").split())
    return [f"{indent}/** {words} */"] if words else []


def generate() -> str:
    schemas = yaml.safe_load(DOCUMENT.read_text("utf-8"))["components"]["schemas"]
    parts = ["\n".join([*comment(schema), f"export type {name} = {type_of(schema)};"]) for name, schema in schemas.items()]
    return HEAD + "\n\n".join(parts) + "\n"


def main() -> int:
    text = generate()
    if "--to" in sys.argv:
        out = pathlib.Path(sys.argv[sys.argv.index("--to") + 1])
        if not out.exists() or out.read_text("utf-8") != text:
            out.write_text(text, "utf-8")
    elif "--check" not in sys.argv:
        TYPES.write_text(text, "utf-8")
    elif TYPES.read_text("utf-8") != text:
        print("src/types.ts is not what api/openapi.yaml says; run clients/typescript/generate_types.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
