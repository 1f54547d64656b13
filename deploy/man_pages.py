#!/usr/bin/env python3
"""Manual pages of the program and of each of its verbs, made from what `--help` says.

usage: man_pages.py BINARY VERSION FOLDER
"""

import re
import subprocess
import sys
from pathlib import Path


def help_of(binary: str, *verbs: str) -> str:
    return subprocess.run([binary, *verbs, "--help"], capture_output=True, text=True, check=True).stdout


def escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def sections(text: str) -> list[tuple[str, list[str]]]:
    """The help's paragraphs by their heading; what stands before the first one has none."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for line in text.splitlines():
        heading = re.fullmatch(r"([A-Z][a-z]+(?: [a-z]+)*):", line)
        usage = re.fullmatch(r"Usage: (.*)", line)
        remark = re.fullmatch(r"Also called: .*|Without a command: .*|`belfry --help` lists .*", line)
        if heading:
            found.append((heading[1], []))
        elif remark:
            found[0][1].append(line)
        elif usage:
            found.append(("Usage", [usage[1]]))
        else:
            found[-1][1].append(line)
    return found


def entries(lines: list[str]) -> list[tuple[str, str]]:
    """Two columns, as options and verbs are listed; a line further in goes on with the one before."""
    listed: list[tuple[str, str]] = []
    for line in lines:
        # A flag without a letter stands where those with one have their long name.
        entry = re.fullmatch(r"(?: {1,4}| {6}(?=--))(\S.*?)(?: {2,}(.*))?", line)
        if entry:
            listed.append((entry[1], entry[2] or ""))
        elif line.strip() and listed:
            name, words = listed[-1]
            listed[-1] = (name, f"{words} {line.strip()}".strip())
    return listed


def body_of(heading: str, lines: list[str]) -> list[str]:
    if heading == "Examples":
        return [".nf", *(escaped(line) for line in lines if line.strip()), ".fi"]
    out = []
    for name, words in entries(lines):
        out += [".TP", f"\\fB{escaped(name)}\\fR", escaped(words)]
    return out


def page(name: str, version: str, text: str) -> str:
    parts = sections(text)
    about = [line for line in parts[0][1] if line.strip()]
    out = [f'.TH {name.upper()} 1 "" "belfry {version}"', ".SH NAME", f"{escaped(name)} \\- {escaped(about[0] if about else name)}"]
    for heading, lines in parts[1:]:
        if heading == "Usage":
            out += [".SH SYNOPSIS", *(escaped(line) for line in lines if line.strip())]
        else:
            out += [f".SH {heading.upper()}", *body_of(heading, lines)]
    if len(about) > 1:
        out += [".SH DESCRIPTION", *(escaped(line) for line in about[1:])]
    return "\n".join(out) + "\n"


def verbs_of(text: str) -> list[str]:
    return [name for heading, lines in sections(text) if heading == "Commands" for name, _ in entries(lines)]


def main() -> int:
    binary, version, folder = sys.argv[1:4]
    whole = help_of(binary)
    Path(folder, "belfry.1").write_text(page("belfry", version, whole), "utf-8")
    for verb in verbs_of(whole):
        Path(folder, f"belfry-{verb}.1").write_text(page(f"belfry-{verb}", version, help_of(binary, verb)), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
