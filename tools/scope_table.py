#!/usr/bin/env python3
"""Writes the table of scopes in docs/security.md from api/openapi.yaml and api/proto: scope_table.py [--check]

Who may make a call is written down once, as `x-belfry-access` of its operation or as `access` of its method;
tests/api/test_matrix.py and tests/rpc/matrix_test.cc hold the server to it. A method that says nothing is an error here.
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


def methods() -> list[tuple[str, str]]:
    """Each of our gRPC methods, and its access."""
    text = (ROOT / "api" / "proto" / "belfry" / "v1" / "dispatcher.proto").read_text(encoding="utf-8")
    service = re.search(r"^service (\w+)", text, re.M)[1]
    package = re.search(r"^package ([\w.]+);", text, re.M)[1]
    found = re.findall(r'^  rpc (\w+)\([^)]*\) returns \([^)]*\)(?: \{\s*option \(access\) = "(\w+)";)?', text, re.M)
    for name, access in found:
        if access not in ALLOWED:
            sys.exit(f"api/proto: nobody says who may call {service}.{name}: give it `option (access)`")
    return [(f"{package}.{service}/{name}", access) for name, access in found]


def row(call: str, access: str) -> str:
    marks = ["yes" if scope in ALLOWED[access] else "" for scope in SCOPES]
    return f"| `{call}` | " + " | ".join(marks) + f" | {'yes' if access == 'public' else ''} |"


def table() -> str:
    lines = ["| call | " + " | ".join(SCOPES) + " | no key |", "|---" * (len(SCOPES) + 2) + "|"]
    lines += [row(f"{method} {path}", access) for method, path, access in operations()]
    lines += [row(f"gRPC {name}", access) for name, access in methods()]
    return "\n".join(re.sub(r" {2,}", " ", line) for line in lines)


def main() -> int:
    text = PAGE.read_text(encoding="utf-8")
    fresh = re.sub(r"(<!-- scopes:[^\n]*-->\n).*?(<!-- /scopes -->)", lambda m: m[1] + "\n" + table() + "\n\n" + m[2], text, flags=re.S)
    if "--check" not in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    if fresh == text:
        return 0
    print("docs/security.md does not say what api/openapi.yaml and api/proto say of scopes; run tools/scope_table.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
