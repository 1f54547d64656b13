#!/usr/bin/env python3
"""A landed migration never changes: databases out there have run it, and will not run it again.

sql/landed.sha256 lists what has landed, as sha256sum writes it. Each listed file must exist, byte for byte, with a
database of its version to upgrade from (tests/store/upgrades). New migrations come after all listed ones.

usage: check_migrations.py [--land] [root]     --land: adds the new migrations to the list
"""

import hashlib
import re
import sys
from pathlib import Path
from typing import Iterator

DIALECTS = ("postgres", "sqlite")
LIST = "sql/landed.sha256"
LIST_LINE = re.compile(r"([0-9a-f]{64})  ((?:postgres|sqlite)/migrations/(\d{4})_\w+\.sql)")
FILE_NAME = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")
LAND = "tools/check_migrations.py --land"


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def number_of(file: str) -> int:
    return int(Path(file).name[:4])


def upgrade_of(file: str) -> str:
    """Where the database that this migration left is kept."""
    return f"tests/store/upgrades/{file.split('/')[0]}/{number_of(file):04}.sql"


def read_list(root: Path) -> tuple[dict[str, tuple[str, int]], list[str]]:
    """Hash and line of each landed file, by its path from sql/; and the errors in the list."""
    landed: dict[str, tuple[str, int]] = {}
    problems = []
    path = root / LIST
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    for line, text in enumerate(lines, 1):
        hit = LIST_LINE.fullmatch(text)
        if not hit:
            problems.append(f"{LIST}:{line}: no line of sha256sum for a migration; restore it from git")
        elif hit[2] in landed:
            problems.append(f"{LIST}:{line}: {hit[2]} is listed twice; restore the list from git")
        else:
            landed[hit[2]] = (hit[1], line)
    if list(landed) != sorted(landed):
        problems.append(f"{LIST}:1: not sorted; {LAND} keeps it in order")
    return landed, problems


def migrations_of(root: Path, dialect: str) -> list[str]:
    folder = root / "sql" / dialect / "migrations"
    return sorted(f"{dialect}/migrations/{file.name}" for file in folder.glob("*"))


def check_landed(root: Path, landed: dict[str, tuple[str, int]]) -> Iterator[str]:
    for file, (wanted, line) in landed.items():
        path = root / "sql" / file
        if not path.exists():
            yield (
                f"{LIST}:{line}: {file} has landed and is gone; restore it from git "
                "(to undo what it did, write a new migration instead)"
            )
        elif hash_of(path) != wanted:
            yield (
                f"sql/{file}:1: has landed and was changed; restore it and write a new migration instead "
                "(databases that have run it will not run it again)"
            )
        if not (root / upgrade_of(file)).exists():
            yield (
                f"{LIST}:{line}: {file} has no {upgrade_of(file)}; write the database that it leaves "
                "(each landed version is one to upgrade from)"
            )


def check_new(landed: dict[str, tuple[str, int]], files: list[str]) -> Iterator[str]:
    """What one dialect has beyond the list, and whether its numbers have no gap."""
    numbers: dict[int, str] = {}
    newest = max((number_of(file) for file in landed if file.split("/")[0] == files[0].split("/")[0]), default=0)
    for file in files:
        if not FILE_NAME.fullmatch(Path(file).name):
            yield f"sql/{file}:1: no name of a migration; use NNNN_what_it_is_about.sql instead"
            continue
        number = number_of(file)
        if number in numbers:
            yield f"sql/{file}:1: number {number} is {numbers[number]}, too; use another number instead"
        numbers.setdefault(number, Path(file).name)
        if file in landed:
            continue
        if number <= newest:
            yield (
                f"sql/{file}:1: is not in {LIST}, and {newest} has landed; write a new migration instead, "
                f"with a number above {newest} (databases at {newest} never look back)"
            )
        else:
            yield f"sql/{file}:1: warning: has not landed yet; when it does, {LAND} adds it to {LIST}"


def check_upgrades(root: Path, landed: dict[str, tuple[str, int]]) -> Iterator[str]:
    known = {upgrade_of(file) for file in landed}
    for dialect in DIALECTS:
        for path in sorted((root / "tests/store/upgrades" / dialect).glob("*.sql")):
            file = str(path.relative_to(root))
            if file not in known:
                yield f"{file}:1: its migration is not in {LIST}; restore the line, or land it with {LAND}"


def check(root: Path) -> list[str]:
    landed, problems = read_list(root)
    problems += check_landed(root, landed)
    for dialect in DIALECTS:
        if files := migrations_of(root, dialect):
            problems += check_new(landed, files)
    return problems + list(check_upgrades(root, landed))


def failures(problems: list[str]) -> list[str]:
    return [problem for problem in problems if ": warning: " not in problem]


def land(root: Path) -> list[str]:
    """Adds what is new; returns what is wrong with the rest, and then adds nothing."""
    landed, _ = read_list(root)
    new = [file for dialect in DIALECTS for file in migrations_of(root, dialect) if file not in landed]
    added = {upgrade_of(file) for file in new}
    wrong = [problem for problem in failures(check(root)) if problem.split(":")[0] not in added]
    wrong += [f"sql/{file}:1: first write {upgrade_of(file)}" for file in new if not (root / upgrade_of(file)).exists()]
    if wrong:
        return wrong
    hashes = {file: hash_of(root / "sql" / file) for file in [*landed, *new]}
    lines = [f"{hashes[file]}  {file}\n" for file in sorted(hashes)]
    (root / LIST).write_text("".join(lines), "utf-8")
    return []


def main() -> int:
    arguments = [argument for argument in sys.argv[1:] if argument != "--land"]
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    problems = land(root) if "--land" in sys.argv else check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if failures(problems) else 0


if __name__ == "__main__":
    sys.exit(main())
