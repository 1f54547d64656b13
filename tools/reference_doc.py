#!/usr/bin/env python3
"""Writes docs/reference/job-fields.md from api/openapi.yaml, and sees to it that docs/reference/problems.md has every
code of a problem that the sources can answer with.

usage: reference_doc.py [--check]    without --check the page is written
"""

import re
import sys
import textwrap
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def resolve(schema: dict, schemas: dict) -> dict:
    """A property with what it refers to; its own words come first."""
    target = schema.get("$ref", "").rsplit("/", 1)[-1]
    return {**schemas[target], **schema} if target else schema


def kind_of(schema: dict, schemas: dict) -> str:
    full = resolve(schema, schemas)
    reference = schema.get("$ref", "").rsplit("/", 1)[-1]
    if reference in ("Instant", "Duration"):
        return reference.lower()
    if "enum" in full:
        return ", ".join(f"`{word}`" for word in full["enum"])
    kind = full.get("type", "any JSON")
    if "minimum" in full and "maximum" in full:
        return f"{kind}, {full['minimum']} to {full['maximum']}"
    return str(kind)


def one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def rows(schema: dict, schemas: dict, prefix: str = "") -> list[str]:
    lines = []
    for name, field in schema["properties"].items():
        if field.get("readOnly") or field.get("const"):
            continue
        full = resolve(field, schemas)
        place = prefix + name
        default = field.get("default", "")
        shown = "" if default in ("", None, {}) or isinstance(default, dict) else f"`{default}`"
        lines.append(f"| `{place.replace('/', '.')}` | {kind_of(field, schemas)} | {shown} | "
                     f"{one_line(full.get('description', ''))} |")
    return lines


HEAD = ["| field | kind | default | |", "|---|---|---|---|"]


def job_fields() -> str:
    schemas = yaml.safe_load(read("api/openapi.yaml"))["components"]["schemas"]
    text = ["# Job fields", "",
            "Made by `tools/reference_doc.py` from `api/openapi.yaml`. A job in a file, in the API and in `belfry get -o yaml`",
            "has these fields; [the command line](cli.md) has flags for most.", "", "## A job", "", *HEAD,
            *rows(schemas["JobDefinition"], schemas), "", "## `retry`", "",
            one_line(schemas["Retry"]["description"]), "", *HEAD, *rows(schemas["Retry"], schemas, "retry/")]
    for name, title in (("HttpTarget", "HTTP"), ("TopicTarget", "TOPIC"), ("ExecTarget", "EXEC"), ("WorkerTarget", "WORKER")):
        text += ["", f"## `target` of kind {title}", "", *textwrap.wrap(one_line(schemas[name]["description"]), 118)]
        if own := rows(schemas[name], schemas, "target/"):
            text += ["", *HEAD, *own]
    return "\n".join(text) + "\n"


def codes() -> set[str]:
    found: set[str] = set()
    for folder in ("src/api", "src/service"):
        for path in (ROOT / folder).rglob("*.cc"):
            if not path.name.endswith("_test.cc"):
                found |= set(re.findall(r'\bcode = "([a-z_]+)"', path.read_text(encoding="utf-8")))
    return found


def main() -> int:
    page = ROOT / "docs/reference/job-fields.md"
    if "--check" not in sys.argv:
        page.write_text(job_fields(), encoding="utf-8")
        return 0
    wrong = []
    if not page.exists() or page.read_text(encoding="utf-8") != job_fields():
        wrong.append("docs/reference/job-fields.md:1: not what api/openapi.yaml says; run tools/reference_doc.py")
    told = set(re.findall(r"^## (\w+)$", read("docs/reference/problems.md"), re.MULTILINE))
    wrong += [f"docs/reference/problems.md:1: no word about `{code}`; add its heading" for code in sorted(codes() - told)]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
