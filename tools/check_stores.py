#!/usr/bin/env python3
"""Checks that the two stores have one shape: if you know one, you find everything in the other.

Both have the same rooms. Each method of the interface is in the file of the same name, and so is each query that both
have; each file of queries has its twin.

usage: check_stores.py [root]
"""

import re
import sys
from pathlib import Path

# Each dialect, and the class that implements the interface there.
DIALECTS = {"postgres": "PostgresStore", "sqlite": "SqliteStore"}

# Files of queries for what only one dialect does.
LONE_QUERIES = {
    "sqlite": ["archive.sql", "blocked.sql"],  # PostgreSQL does both within larger statements
}

QUERY = re.compile(r"^-- name: (\w+)$", re.M)


def rooms_of(root: Path, dialect: str) -> set[str]:
    folder = root / "src/store" / dialect
    return {path.name for path in folder.iterdir() if path.is_dir()} if folder.is_dir() else set()


def methods_of(root: Path, dialect: str) -> dict[str, tuple[str, int]]:
    """Where each method is defined: the file, relative to the dialect's folder, and the line."""
    folder = root / "src/store" / dialect
    definition = re.compile(rf"^\S.*\b{DIALECTS[dialect]}::(\w+)\(", re.M)
    found = {}
    for path in sorted(folder.glob("*/*.cc")):
        text = path.read_text(encoding="utf-8")
        for match in definition.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found[match[1]] = (path.relative_to(folder).as_posix(), line)
    return found


def queries_of(root: Path, dialect: str) -> dict[str, tuple[str, int]]:
    found = {}
    for path in sorted((root / "sql" / dialect / "queries").glob("*.sql")):
        text = path.read_text(encoding="utf-8")
        for match in QUERY.finditer(text):
            found[match[1]] = (path.name, text.count("\n", 0, match.start()) + 1)
    return found


def check_rooms(root: Path) -> list[str]:
    problems = []
    for dialect, other in pairs():
        for room in sorted(rooms_of(root, dialect) - rooms_of(root, other)):
            problems.append(f"src/store/{dialect}/{room}:1: store/{other} has no room of this name")
    return problems


def check_methods(root: Path) -> list[str]:
    ours, theirs = (methods_of(root, dialect) for dialect in DIALECTS)
    return [
        f"src/store/postgres/{file}:{line}: {name} is in {theirs[name][0]} of store/sqlite; "
        "give it the same place in both"
        for name, (file, line) in ours.items()
        if name in theirs and theirs[name][0] != file
    ]


def check_queries(root: Path) -> list[str]:
    problems = []
    ours, theirs = (queries_of(root, dialect) for dialect in DIALECTS)
    for name, (file, line) in ours.items():
        if name in theirs and theirs[name][0] != file:
            problems.append(
                f"sql/postgres/queries/{file}:{line}: {name} is in {theirs[name][0]} of sqlite; "
                "give it the same place in both"
            )
    for dialect, other in pairs():
        files = {path.name for path in (root / "sql" / dialect / "queries").glob("*.sql")}
        twins = {path.name for path in (root / "sql" / other / "queries").glob("*.sql")}
        for file in sorted(files - twins - set(LONE_QUERIES.get(dialect, []))):
            problems.append(f"sql/{dialect}/queries/{file}:1: there is no such file for {other}")
    return problems


def pairs() -> list[tuple[str, str]]:
    first, second = DIALECTS
    return [(first, second), (second, first)]


def check(root: Path) -> list[str]:
    return check_rooms(root) + check_methods(root) + check_queries(root)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
