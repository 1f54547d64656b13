#!/usr/bin/env python3
"""Style as a test: each rule says what it found, what to use instead, and why.

A rule is a row of BANS below, with the files it does not apply to named one by one. To make an exception, add a file
there, where a reviewer sees it; never put a comment in the source.

usage: check_style.py [root]
"""

import re
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Iterator

from text_rules import Complaint, Tree, check_text


@dataclass(frozen=True)
class Ban:
    pattern: str  # looked for in the code, without comments and string literals
    what: str
    use: str
    why: str
    within: tuple[str, ...] = ("*",)
    allow: tuple[str, ...] = ()


BANS = [
    Ban(
        r"\b(system_clock|high_resolution_clock|utc_clock)::now\b|\b(clock_gettime|gettimeofday)\b"
        r"|\btime\s*\(\s*(nullptr|NULL|0)\s*\)",
        what="real clock",
        use="the Clock of base/clock.h",
        why="time that is handed in can be simulated",
        allow=("src/base/real_clock.cc", "src/base/clock_test.cc"),
    ),
    Ban(
        r"\bsteady_clock::now\b",
        what="real clock",
        use="the Clock of base/clock.h",
        why="time that is handed in can be simulated",
        allow=("src/base/real_clock.cc", "bench/*"),
    ),
    Ban(
        r"\bthis_thread::sleep_(for|until)\b|(?<!\w)::(u|nano)?sleep\s*\(|\bclock_nanosleep\b"
        r"|(?<![\w.>:])(?<!void )(sleep|usleep|nanosleep|sleep_for|sleep_until)\s*\(",
        what="sleep",
        use="a wait with a deadline, or in tests a simulated clock",
        why="a sleep is either too short or too long, and nothing can wake it",
        allow=("src/base/real_clock.cc",),
    ),
    Ban(
        r"(?<![\w.>])s?rand\s*\(|\b(random_device|getrandom)\b",
        what="randomness without a seed",
        use="base/rng.h",
        why="a run that cannot be repeated cannot be debugged",
        allow=("src/base/rng.cc",),
    ),
    Ban(
        r"\b(mt19937(_64)?|minstd_rand0?|default_random_engine)\b",
        what="random engine",
        use="base/rng.h",
        why="one seed must determine a whole simulation",
        within=("src/*",),
        allow=("*_test.cc",),
    ),
    Ban(
        r"\bstd::(\w*mutex|lock_guard|unique_lock|scoped_lock|shared_lock|condition_variable\w*)\b"
        r"|\bpthread_(mutex|cond|rwlock)_",
        what="unchecked lock",
        use="base/mutex.h or base/condition.h",
        why="clang checks at compile time who holds that one",
        allow=("src/base/mutex.h", "src/base/condition.h"),
    ),
    Ban(
        r"\bstd::(jthread|thread)\b(?!::)|\bstd::async\b|\bpthread_create\b",
        what="thread",
        use="a duty of engine/runner.h",
        why="few places own threads, so everything else is plain code a simulation can call",
        within=("src/*",),
        allow=("src/engine/runner.*", "src/net/*", "src/deliver/*", "src/server/*", "src/trace/exporter.h", "src/worker/worker.cc", "src/rpc/rpc_server.cc", "src/rpc/stream_transport.cc", "*_test.cc"),
    ),
    Ban(
        r"\b(localtime|gmtime|mktime|timegm|strftime)(_r)?\s*\(",
        what="C calendar",
        use="core/schedule/civil.h and core/schedule/zone.h",
        why="it depends on the process's zone and on the year 2038",
    ),
    Ban(
        r"\bstd::(cout|cerr|clog)\b|(?<![\w.>])v?f?printf\s*\(|(?<![\w.>])f?puts\s*\("
        r"|\bfmt::print(ln)?\s*\(",
        what="printing",
        use="base/log/log.h",
        why="stdout carries the data of a command, and logs have one form",
        within=("src/*",),
        allow=("src/cli/*", "src/server/*", "src/base/assert.cc", "src/base/log/log.cc"),
    ),
]

# What people here write by hand; rows of data, lock files and pictures may look as they like.
CXX = (".h", ".cc")
SOURCES = (*CXX, ".py", ".sh", ".sql", ".cmake", ".proto", ".js", ".mjs", ".ts", ".css", ".html")
SOURCE_NAMES = ("CMakeLists.txt", "dev", "run")

# Files to which the rules other than BANS do not apply.
ALLOW_SQL = ("*_test.cc",)
ALLOW_LONG = ("*/data/*", "*/testdata/*", "third_party/*")
ALLOW_TODO = ("tools/check_style.py", "tools/test_checks.py")
ALLOW_MACHINE_PATH = ("tools/test_checks.py",)

WARN_LINES, MAX_LINES = 400, 800
MAX_CXX = 100  # characters in a line

STRING = r"""R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*\""""
TOKEN = re.compile(
    r"(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)"
    rf"|(?P<string>{STRING})"
    r"|(?P<number>(?<!\w)\d(?:'?[\w.])*)"  # a token of its own because of the quote in 86'400
    r"|(?P<character>'(?:\\.|[^'\\\n])+')",
    re.DOTALL,
)
# A sentence in small letters may start like a statement; only a statement has these marks.
SQL = re.compile(
    r"\s*(?=[A-Z]{4}|[a-z]{4}.*[*=$?(])"
    r"(?i:select\b.*\bfrom|insert\s+into|update\b.*\bset|delete\s+from|with\s+\w+\s+as\s*\("
    r"|(create|alter|drop)\s+(unique\s+)?(table|index))",
    re.DOTALL,
)
TODO = re.compile(r"\b(TODO|FIXME)\b(?!\(#\d+\))")
MACHINE_PATH = re.compile(r"(?<![\w.~})-])/(home|work|root)/")


def is_any(file: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatch(file, glob) for glob in globs)


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def without(text: str, *kinds: str) -> str:
    """The C++ text with tokens of these kinds emptied; what remains stays on its line."""

    def emptied(token: re.Match[str]) -> str:
        if token.lastgroup not in kinds:
            return token[0]
        quote = "" if token["comment"] else token[0][-1]
        return quote + "\n" * token[0].count("\n") + quote

    return TOKEN.sub(emptied, text)


def check_bans(file: str, code: str) -> Iterator[Complaint]:
    for ban in BANS:
        if is_any(file, ban.within) and not is_any(file, ban.allow):
            for hit in re.finditer(ban.pattern, code):
                found = hit[0].rstrip("( ")
                line = line_of(code, hit.start())
                yield line, f"{ban.what} `{found}`; use {ban.use} instead ({ban.why})"


def check_header(code: str) -> Iterator[Complaint]:
    if not re.search(r"^#pragma once$", code, re.MULTILINE):
        yield 1, "no include guard; use `#pragma once` instead (it cannot clash or be misspelt)"
    for hit in re.finditer(r"\busing\s+namespace\b", code):
        yield line_of(code, hit.start()), (
            "`using namespace` in a header; use qualified names instead "
            "(a header must not change what names mean elsewhere)"
        )


def check_sql(text: str) -> Iterator[Complaint]:
    # Adjacent literals are one, as for the compiler.
    for literals in re.finditer(rf"(?:(?:{STRING})\s*)+", text, re.DOTALL):
        statement = re.sub(r'R"[^(\s]*\(|"', " ", literals[0])
        if SQL.match(statement):
            yield line_of(text, literals.start()), (
                "SQL in a string literal; use a named query in sql/ instead "
                "(both dialects are read, tested and compared there)"
            )


def check_lines(file: str, text: str) -> Iterator[Complaint]:
    is_source = Path(file).suffix in SOURCES or Path(file).name in SOURCE_NAMES
    for number, line in enumerate(text.split("\n"), 1):
        if MACHINE_PATH.search(line) and not is_any(file, ALLOW_MACHINE_PATH):
            yield number, "a machine's own path; use a relative one instead (others lack it)"
        if not is_source:
            continue
        if "\t" in line:
            yield number, "tab; use blanks instead (every reader's tab has another width)"
        if line != line.rstrip():
            yield number, "blank at the end of the line; use none instead (it shows up in diffs)"
        if (todo := TODO.search(line)) and not is_any(file, ALLOW_TODO):
            yield number, (
                f"{todo[0]} without an issue; use `{todo[0]}(#123)` instead "
                "(a wish that nobody owns stays for ever)"
            )
    lines = text.count("\n")
    is_generated = "@generated" in text[:400]
    if is_source and lines > WARN_LINES and not is_generated and not is_any(file, ALLOW_LONG):
        severity = "" if lines > MAX_LINES else "warning: "
        yield 1, f"{severity}{lines} lines; use several files instead (one idea per file)"


def check_width(text: str) -> Iterator[Complaint]:
    for number, line in enumerate(without(text, "string").split("\n"), 1):
        if len(line) > MAX_CXX and not line.startswith("#include"):
            yield number, f"{len(line)} characters; use at most {MAX_CXX} instead (two fit side by side)"


def check_file(file: str, text: str, tree: Tree) -> Iterator[Complaint]:
    yield from check_lines(file, text)
    yield from check_text(file, text, tree)
    if not file.endswith(CXX):
        return
    code = without(text, "comment", "string", "character")
    yield from check_bans(file, code)
    yield from check_width(text)
    if file.endswith(".h"):
        yield from check_header(code)
    if file.startswith("src/") and not is_any(file, ALLOW_SQL):
        yield from check_sql(without(text, "comment", "character"))


def all_files(root: Path) -> list[str]:
    """The name of each file that is in the repository, or would be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    return [file for file in sorted(set(listing.split("\0")) - {""}) if (root / file).is_file()]


def text_files(root: Path, files: list[str]) -> Iterator[tuple[str, str]]:
    """Name and text of those that are texts."""
    for file in files:
        path = root / file
        if not path.is_symlink():
            content = path.read_bytes()
            if b"\0" not in content:
                yield file, content.decode("utf-8", errors="replace")


def check(root: Path) -> list[str]:
    names = all_files(root)
    files = dict(text_files(root, names))
    tree = Tree(names)  # pictures can be linked to, too
    return [
        f"{file}:{line}: {complaint}"
        for file, text in files.items()
        for line, complaint in sorted(check_file(file, text, tree))
    ]


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if any(": warning: " not in problem for problem in problems) else 0


if __name__ == "__main__":
    sys.exit(main())
