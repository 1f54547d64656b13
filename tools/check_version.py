#!/usr/bin/env python3
"""Checks that everything that is released carries the version of CMakeLists.txt.

Packages of other languages need the number in files of their own; each is a row below. Change it in
CMakeLists.txt, then run this, and it names the others.

usage: check_version.py [root]
"""

import re
import sys
from pathlib import Path

SOURCE = ("CMakeLists.txt", r"project\(belfry VERSION (\S+)")
COPIES = [
    ("clients/python/pyproject.toml", r'^version = "([^"]+)"'),
    ("clients/python/belfry/client.py", r'^VERSION = "([^"]+)"'),
    ("clients/go/client.go", r'^const Version = "([^"]+)"'),
    ("clients/java/src/belfry/Client.java", r'^    public static final String VERSION = "([^"]+)"'),
    ("clients/typescript/package.json", r'^  "version": "([^"]+)"'),
    ("clients/typescript/package-lock.json", r'\A[^{]*{[^{]*"version": "([^"]+)"'),
    ("clients/typescript/src/client.ts", r'^export const VERSION = "([^"]+)"'),
    ("deploy/compose/compose.yaml", r"image: belfry:(\S+)"),
    ("docs/operating/install.md", r"(?<!/)belfry[:-](\d+\.\d+\.\d+)"),
    ("deploy/kubernetes/belfry.yaml", r"image: belfry:(\S+)"),
    ("deploy/helm/belfry/Chart.yaml", r"^(?:version|appVersion): (\S+)"),
]


def versions_in(root: Path, file: str, pattern: str) -> list[str | None]:
    """Of each place in the file; at least one is wanted."""
    return re.findall(pattern, (root / file).read_text(encoding="utf-8"), re.MULTILINE) or [None]


def check(root: Path) -> list[str]:
    wanted = versions_in(root, *SOURCE)[0]
    return [
        f"{file}:1: version {found}; use {wanted} instead ({SOURCE[0]} says so)"
        for file, pattern in COPIES
        for found in dict.fromkeys(versions_in(root, file, pattern))
        if found != wanted
    ]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
