#!/usr/bin/env python3
"""Lets clang read the sources for what g++ cannot see or does not check.

Locks: only clang understands the marks of base/mutex.h (BELFRY_GUARDED_BY and the like). A source is read if it can
meet such a mark, that is, if it sees base/mutex.h through whatever it includes.
Headers: each is read alone, so that its users need to know nothing else.
Nothing is compiled to code, so this takes a second or two for each file.

usage: check_threads.py [file...]    without files: everything; build/clang must be configured. With files: these,
and whatever the locks of changed headers concern
"""

import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = "src/base/mutex.h"
# std::stable_sort of g++ 12 uses what C++20 deprecates: not our affair.
FLAGS = ["-fsyntax-only", "-Wthread-safety", "-Wthread-safety-beta", "-Wno-deprecated-declarations"]
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)', re.MULTILINE)
# Wrong on purpose, built by somebody else's CMake, or only for fuzzing.
LEFT_OUT = ("tests/compile_fail/", "tests/install/", "tests/fuzz/")


class Sources:
    """The C++ files of a tree, and which of the others each one sees."""

    def __init__(self, root: Path, files: list[str]) -> None:
        self.root = root
        self.files = set(files)
        self.direct = {file: self.includes_of(file) for file in files}
        self.seen: dict[str, set[str]] = {}

    def includes_of(self, file: str) -> set[str]:
        text = (self.root / file).read_text(encoding="utf-8")
        named = {
            os.path.normpath(os.path.join(folder, header))
            for header in INCLUDE.findall(text)
            for folder in ("src", "", os.path.dirname(file))
        }
        return named & self.files

    def sees(self, file: str) -> set[str]:
        """The file and everything it includes, directly or not."""
        if file not in self.seen:
            found, open_ends = {file}, [file]
            while open_ends:
                for header in self.direct[open_ends.pop()] - found:
                    found.add(header)
                    open_ends.append(header)
            self.seen[file] = found
        return self.seen[file]

    def to_read(self, changed: set[str]) -> list[str]:
        """Changed headers, and every source in which the change can break a promise about a lock."""
        with_locks = {file for file in changed if LOCKS in self.sees(file)}
        return sorted(
            file
            for file in self.files
            if (file in changed and file.endswith(".h"))
            or (file.endswith(".cc") and self.sees(file) & with_locks)
        )

    def nearest_source(self, header: str, known: dict[str, list[str]]) -> str | None:
        """A source whose flags fit the header: the one beside it, or one that includes it."""
        beside = header.removesuffix(".h") + ".cc"
        folder = os.path.dirname(header) + "/"
        candidates = (
            [beside],
            sorted(file for file in self.files if header in self.direct[file]),
            sorted(file for file in self.files if header in self.sees(file)),
            sorted(file for file in self.files if file.startswith(folder)),
        )
        return next((file for files in candidates for file in files if file in known), None)


def tracked_sources(root: Path) -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.h", "*.cc"]
    listing = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return [
        file
        for file in listing.splitlines()
        if (root / file).is_file() and not file.startswith(LEFT_OUT)
    ]


def compile_commands(root: Path) -> dict[str, list[str]]:
    """How each source is compiled, without its own name and its output."""
    found = {}
    database = root / "build/clang/compile_commands.json"
    for entry in json.loads(database.read_text(encoding="utf-8")):
        unit = Path(entry["file"])
        if unit.is_relative_to(root):
            words = shlex.split(entry["command"])
            found[unit.relative_to(root).as_posix()] = words[: words.index("-o")]
    return found


def read(file: str, command: list[str]) -> bool:
    """Prints clang's complaints; true if there were none."""
    words, alone = [*command, *FLAGS, str(ROOT / file)], None
    if file.endswith(".h"):
        words, alone = [*command, *FLAGS, "-x", "c++", "-"], f'#include "{ROOT / file}"\n'
    done = subprocess.run(
        words, cwd=ROOT / "build/clang", input=alone, check=False, capture_output=True, text=True
    )
    sys.stderr.write(done.stderr)
    return done.returncode == 0


def main() -> int:
    sources = Sources(ROOT, tracked_sources(ROOT))
    changed = set(sys.argv[1:]) & sources.files if len(sys.argv) > 1 else sources.files
    known = compile_commands(ROOT)
    jobs, unknown = [], []
    for file in sources.to_read(changed):
        model = sources.nearest_source(file, known) if file.endswith(".h") else file
        if model in known:
            jobs.append((file, known[model]))
        else:
            unknown.append(file)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        good = sum(pool.map(lambda job: read(*job), jobs))
    headers = sum(file.endswith(".h") for file, _ in jobs)
    for file in unknown:
        print(f"{file}:1: no target compiles it", file=sys.stderr)
    print(f"clang read {headers} headers alone and {len(jobs) - headers} sources that see locks")
    return 0 if good == len(jobs) and not unknown else 1


if __name__ == "__main__":
    sys.exit(main())
