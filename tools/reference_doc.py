#!/usr/bin/env python3
"""Writes docs/reference/job-fields.md and docs/reference/errors.md from the sources that decide them.

usage: reference_doc.py [--check]    without --check the pages are written
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


def exit_codes() -> list[tuple[str, str]]:
    source = read("docs/reference/cli.md")
    return re.findall(r"^\| (\d) \| (.*) \|$", source, re.MULTILINE)


def errors() -> str:
    schemas = yaml.safe_load(read("api/openapi.yaml"))["components"]["schemas"]
    codes: dict[str, set[str]] = {}
    for folder in ("src/api", "src/service"):
        for path in sorted((ROOT / folder).rglob("*.cc")):
            if path.name.endswith("_test.cc"):
                continue
            source = path.read_text(encoding="utf-8")
            for code in re.findall(r'\bcode = "([a-z_]+)"', source):
                codes.setdefault(code, set())
            for status, code in re.findall(r'\.status = (\d{3}),\s*\.code = "([a-z_]+)"', source):
                codes[code].add(status)
    fixes = dict(re.findall(r'code == "(\w+)"\)\s*\{?\s*return "([^"]+)"', read("src/client/problem.cc")))
    text = ["# Errors", "",
            "Made by `tools/reference_doc.py`. An error of the API is a problem (RFC 9457) with a stable `code`; the command line",
            "says it in words and ends with an exit code.", "",
            "| code | status | what to do |", "|---|---|---|"]
    for code in sorted(codes):
        text.append(f"| `{code}` | {', '.join(sorted(codes[code]))} | {fixes.get(code, '')} |")
    field_codes = re.search(r"A stable word: ([^.]*)\.", schemas["FieldError"]["properties"]["code"]["description"])
    assert field_codes
    text += ["", "The `errors` of an `invalid` problem name each field, with one of these words:",
             ", ".join(f"`{word}`" for word in field_codes[1].split(", ")) + ".", "", "## Exit codes", "",
             "| code | |", "|---:|---|"]
    text += [f"| {code} | {meaning} |" for code, meaning in exit_codes()]
    text += ["", "What is wrong with the *system* has codes of its own: [problems](../concepts/states.md#problems)."]
    return "\n".join(text) + "\n"


def main() -> int:
    wrong = 0
    for path, right in (("docs/reference/job-fields.md", job_fields()), ("docs/reference/errors.md", errors())):
        page = ROOT / path
        if "--check" in sys.argv:
            if not page.exists() or page.read_text(encoding="utf-8") != right:
                print(f"{path} is not what the sources say; run tools/reference_doc.py", file=sys.stderr)
                wrong = 1
        else:
            page.write_text(right, encoding="utf-8")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
