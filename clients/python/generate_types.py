#!/usr/bin/env python3
"""Writes belfry/types.py from the schemas of api/openapi.yaml: generate_types.py [--check]

Run it after changing the document; the tests run it with --check."""

import keyword
import pathlib
import sys
import textwrap
from typing import Any

import yaml

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE.parents[1] / "api" / "openapi.yaml"
TYPES = HERE / "belfry" / "types.py"
HEAD = '''"""What the API takes and answers, for type checkers: the schemas of its document.

@generated from api/openapi.yaml by generate_types.py; change the document, not this file.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union
'''
NAMES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def union(parts: list[str]) -> str:
    return " | ".join(dict.fromkeys(parts))


def type_of(schema: dict) -> str:
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    for name in ("anyOf", "oneOf"):
        if name in schema:
            return union([type_of(each) for each in schema[name]])
    kinds = schema.get("type")
    if isinstance(kinds, list):
        return union([type_of({**schema, "type": kind}) for kind in kinds])
    if kinds == "array":
        return f"list[{type_of(schema['items'])}]"
    if kinds == "object":
        more = schema.get("additionalProperties", {})
        return f"dict[str, {type_of(more)}]" if isinstance(more, dict) and more else "dict[str, Any]"
    return NAMES[kinds] if kinds else "Any"


def words(text: str, indent: str) -> list[str]:
    """As a comment that belongs to the next line; its last line has more than one word."""
    lines: list[str] = []
    for width in (118, 110, 100):
        lines = textwrap.wrap(" ".join(text.split()), width, initial_indent=indent + "# ", subsequent_indent=indent + "# ")
        if len(lines) < 2 or len(lines[-1].split()) > 2:
            break
    return lines


def fields(schema: dict) -> dict[str, str]:
    required = schema.get("required", [])
    return {name: type_of(each) if name in required else f"NotRequired[{type_of(each)}]" for name, each in schema["properties"].items()}


def written(name: str, schema: dict) -> str:
    about = words(schema.get("description", ""), "")
    if "properties" not in schema:
        made = type_of(schema)
        parts = made.split(" | ")
        return "\n".join([*about, f"{name} = Union[{', '.join(repr(part) for part in parts)}]" if len(parts) > 1 else f"{name} = {made}"])
    if any(keyword.iskeyword(field) for field in schema["properties"]):  # such as `from`
        lines = [f'    "{field}": {kind!r},' for field, kind in fields(schema).items()]
        return "\n".join([*about, f'{name} = TypedDict(\n    "{name}",\n    {{', *("    " + line for line in lines), "    },\n)"])
    lines = [f"class {name}(TypedDict):"]
    for field, kind in fields(schema).items():
        lines += [*words(schema["properties"][field].get("description", ""), "    "), f"    {field}: {kind}"]
    return "\n".join([*about, *lines])


def generate() -> str:
    schemas = yaml.safe_load(DOCUMENT.read_text("utf-8"))["components"]["schemas"]
    ordered = sorted(schemas, key=lambda name: "properties" in schemas[name])  # what others are made of first
    return HEAD + "".join(f"\n{written(name, schemas[name])}\n" for name in ordered)


def main() -> int:
    text = generate()
    if "--check" not in sys.argv:
        TYPES.write_text(text, "utf-8")
    elif TYPES.read_text("utf-8") != text:
        print("belfry/types.py is not what api/openapi.yaml says; run clients/python/generate_types.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
