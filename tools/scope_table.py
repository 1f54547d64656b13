#!/usr/bin/env python3
"""Writes the table of scopes in docs/security.md from api/openapi.yaml: scope_table.py [--check]

Who may make a call is written down once, as `x-belfry-access` of its operation; tests/api/test_matrix.py holds the server to it.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "security.md"
SCOPES = ("viewer", "operator", "admin", "worker", "metrics", "root")
ALLOWED = {
    "public": SCOPES,
    "read": ("viewer", "operator", "admin", "root"),
    "operate": ("operator", "admin", "root"),
    "work": ("worker", "operator", "admin", "root"),
    "administer": ("admin", "root"),
    "metrics": ("metrics", "root"),
    "root": ("root",),
}


def operations() -> list[tuple[str, str, str]]:
    """Method, path and access of each, in the order of the document."""
    found, path, method = [], "", ""
    for line in (ROOT / "api" / "openapi.yaml").read_text(encoding="utf-8").splitlines():
        if match := re.fullmatch(r"  (/\S*):", line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|put|post|patch|delete):", line):
            method = match[1].upper()
        elif match := re.fullmatch(r"      x-belfry-access: (\w+)", line):
            found.append((method, path, match[1]))
    return found


def table() -> str:
    lines = ["| call | " + " | ".join(SCOPES) + " | no key |", "|---" * (len(SCOPES) + 2) + "|"]
    for method, path, access in operations():
        marks = ["yes" if scope in ALLOWED[access] else "" for scope in SCOPES]
        lines.append(f"| `{method} {path}` | " + " | ".join(marks) + f" | {'yes' if access == 'public' else ''} |")
    return "\n".join(re.sub(r" {2,}", " ", line) for line in lines)


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    fresh = re.sub(r"(<!-- scopes:[^\n]*-->\n).*?(<!-- /scopes -->)", lambda m: m[1] + "\n" + table() + "\n\n" + m[2], text, flags=re.S)
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    if fresh == text:
        return 0
    print("docs/security.md does not say what api/openapi.yaml says of scopes; run tools/scope_table.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
