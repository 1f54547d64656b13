"""Rules of check_style.py about text: comments, Markdown, and the files that they name."""

import os
import re
from fnmatch import fnmatch
from itertools import product
from pathlib import PurePosixPath
from typing import Iterable, Iterator

Complaint = tuple[int, str]  # the line, and what to do about it

MAX_MARKDOWN = 120
LONG_SENTENCE = 30  # shorter ones may be repeated
COMMENT_MARKS = {".h": "//", ".cc": "//", ".sql": "--", ".py": "#", ".sh": "#", ".cmake": "#"}

# Files that a rule does not apply to.
ALLOW_LONE_WORD = (
    "sql/*/migrations/*",  # landed migrations stay as they are
)
ALLOW_MISSING_FILE = (
    "docs/decisions/*",  # a record may name what once was
    "sql/*/migrations/*",
    "tools/test_text_rules.py",
)
PLACEHOLDERS = ("docs/decisions/NNNN-title.md",)

# A path as people write it: of words, with braces and stars for several.
PATH = re.compile(r"(?<![\w./:@$<{-])[\w.-]*\w(?:/[\w.*{},-]+)+/?")
BARE_NAME = re.compile(r"(?<![\w./*-])[\w-]+\.md\b|(?<=`)[\w-]+\.(?:h|cc|py|sql|sh)(?=`)")
LINK = re.compile(r"\]\(([^)#\s]+)")
# A path must begin with one of these to count as ours.
FOLDERS = ("bench", "clients", "cmake", "docs", "sql", "src", "tests", "tools")
OUR_ENDINGS = (".h", ".cc", ".md", ".sql", ".py", ".sh", ".proto", ".yaml")


def comments(text: str, mark: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and words of every comment; a mark in a string counts too, which is harmless."""
    pattern = re.compile(rf"(?:^|(?<=\s)){re.escape(mark)} ?(.*)$")
    for number, line in enumerate(text.split("\n"), 1):
        if found := pattern.search(line):
            yield number, found.start(), found[1]


def check_comments(file: str, text: str, mark: str) -> Iterator[Complaint]:
    if any(fnmatch(file, glob) for glob in ALLOW_LONE_WORD):
        return
    lines = text.split("\n")
    before = (0, 0, "")
    for number, column, words in comments(text, mark):
        continues = (
            before[:2] == (number - 1, column)
            and re.match(r"\S.*[^:]$", before[2])  # neither an example nor the line that introduces one
            and not lines[number - 1][:column].strip()
        )
        if continues and re.fullmatch(r"[-=]{3,}", words):
            yield number, (
                "the rest of a section's ruler; use one line, `// ---- Runs`, instead "
                "(a formatter broke this one)"
            )
        elif continues and re.fullmatch(r"\S+", words):
            yield number, (
                f"`{words}` alone on a comment's line; use lines that are wrapped anew instead "
                "(a formatter broke this one)"
            )
        before = (number, column, words)


def check_markdown(text: str) -> Iterator[Complaint]:
    in_code, before = False, ""
    for number, line in enumerate(text.split("\n"), 1):
        if re.match(r"\s*(```|~~~)", line):
            in_code = not in_code
        elif not in_code:
            words = re.sub(r"^\s*([-*+>]|\d+[.)])?\s*", "", line)
            if len(line) > MAX_MARKDOWN and " " in words and not words.startswith("|"):
                yield number, (
                    f"{len(line)} characters; use lines of at most {MAX_MARKDOWN} instead "
                    "(a diff shows whole lines)"
                )
            if line.strip() and line == before:
                yield number, "the line above once more; use it once instead"
        before = line


def check_twice(text: str) -> Iterator[Complaint]:
    """Sentences that a merge or an edit left twice in a paragraph."""
    start = 1
    for paragraph in text.split("\n\n"):
        if not re.search(r"^\s*(```|~~~|\|)", paragraph, re.MULTILINE):
            sentences = re.split(r"(?<=[.!?])\s", " ".join(paragraph.split()))
            long = [sentence for sentence in sentences if len(sentence) >= LONG_SENTENCE]
            if len(long) != len(set(long)):
                again = next(sentence for sentence in long if long.count(sentence) > 1)
                yield start, f"a sentence twice in a paragraph; use it once instead: {again}"
        start += paragraph.count("\n") + 2


class Tree:
    """The files of the tree; it answers whether a name means one of them."""

    def __init__(self, files: list[str]) -> None:
        self.files = set(files)
        folders = {os.path.dirname(file) for file in files}
        self.all = self.files.union(folders, *(map(str, PurePosixPath(one).parents) for one in folders))
        self.modules = {file.split("/")[1] for file in files if file.startswith("src/")}
        self.names = {PurePosixPath(file).name for file in files}

    def has(self, path: str) -> bool:
        """Whether the path is a file or folder; a header may be named without its ending, and stars match anything."""
        path = path.rstrip("/")
        if "*" in path:
            return any(fnmatch(one, path) for one in self.all)
        if re.search(r"/\d{4}$", path):  # a decision by its number
            return any(one.startswith(path + "-") for one in self.files)
        return any(path + ending in self.all for ending in ("", ".h", ".cc", ".py"))

    def knows(self, path: str, file: str) -> bool:
        """Looks from the top, from src/, and from the file's own folder and those above it."""
        ups = [str(up) for up in PurePosixPath(file).parents]
        return all(
            any(self.has(str(PurePosixPath(up, one))) for up in ("src", *ups))
            for one in expanded(path)
        )


def expanded(path: str) -> list[str]:
    """`a/{b,c}.h` as the paths that it stands for."""
    parts = re.split(r"\{([^}]*)\}", path)
    choices = [part.split(",") if odd % 2 else [part] for odd, part in enumerate(parts)]
    return ["".join(choice) for choice in product(*choices)]


def is_ours(path: str) -> bool:
    return path.split("/")[0] in FOLDERS or path.endswith(OUR_ENDINGS)


def missing(file: str, line: str, tree: Tree) -> Iterator[str]:
    """The files of ours that a line of prose names but that do not exist."""
    for found in PATH.finditer(line):
        path = found[0].rstrip(".,-")
        quoted = line[found.start() - 1 : found.start()] == "`"
        ours = is_ours(path) or (quoted and path.split("/")[0] in tree.modules)
        if ours and path not in PLACEHOLDERS and not tree.knows(path, file):
            yield path
    for found in BARE_NAME.finditer(line):
        if found[0] not in tree.names:
            yield found[0]


def check_names(file: str, lines: Iterable[tuple[int, str]], tree: Tree) -> Iterator[Complaint]:
    """`lines` are the lines of prose, with their numbers."""
    folder = PurePosixPath(file).parent
    for number, words in lines:
        for link in LINK.findall(words) if file.endswith(".md") else []:
            if not re.match(r"[a-z]+:", link) and not tree.has(normal(folder / link)):
                yield number, f"the link to `{link}` leads nowhere; use one that is there instead"
        for path in missing(file, LINK.sub("](", words), tree):
            yield number, f"`{path}` is not in the tree; use a file that is instead"


def normal(path: PurePosixPath) -> str:
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and parts:
            parts.pop()
        elif part != ".":
            parts.append(part)
    return "/".join(parts) or "."


def check_text(file: str, text: str, tree: Tree) -> Iterator[Complaint]:
    ending = PurePosixPath(file).suffix
    lines: Iterable[tuple[int, str]] = []
    if ending == ".md":
        yield from check_markdown(text)
        yield from check_twice(text)
        lines = enumerate(text.split("\n"), 1)
    elif mark := COMMENT_MARKS.get(ending):
        yield from check_comments(file, text, mark)
        lines = ((number, words) for number, _, words in comments(text, mark))
    if not any(fnmatch(file, glob) for glob in ALLOW_MISSING_FILE):
        yield from check_names(file, lines, tree)
