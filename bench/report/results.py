#!/usr/bin/env python3
"""Writes bench/RESULTS.md from the files that the benches left in build/bench. No figure comes from anywhere else.

usage: results.py [folder of the files] [file to write]
"""

import sys
from pathlib import Path

from figures import Answer, read
from table import cells, head

# The questions of the table, in its order, and what asks them.
QUESTIONS = {
    "jitter": "How late does a run reach its worker, and what does it cost?",
    "herd": "How soon has a herd of jobs on one moment started?",
    "drain": "How fast is a backlog worked off, to the last confirmation?",
    "register": "How fast are jobs registered?",
    "load": "What do ten million stored jobs cost: at a start, in memory, in an idle minute?",
    "failover": "How late is the latest tick when nodes come and go?",
    "bulk": "How fast are many jobs changed by one call, and who notices?",
    "horizon": "What does a transaction that somebody left open do to the others?",
}

INTRODUCTION = """# Results

Written by `./dev bench report` from what the benches measured; not by hand. Everything runs on one machine: node,
database, peers and load share its cores, so **read ratios, not absolutes**. Figures are medians over the rounds;
"Belfry is × 3" says that Belfry's best row is three times as good as this one by the first measure. What was not
measured says so.
"""


def escaped(cell: str) -> str:
    text = cell.replace("|", "\\|")
    return text.replace("x ", "× ", 1) if text.startswith("x ") else text


def markdown_table(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(map(escaped, row)) + " |" for row in rows]
    lines.insert(1, "|" + "---|" * len(rows[0]))
    return "\n".join(lines)


def circumstances(answer: Answer) -> str:
    machine, versions = answer["machine"], dict(answer["versions"])
    commit = versions.pop("commit")
    named = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    load = f"load {answer['load_before']} before, {answer.get('load_after', 'unfinished')} after"
    return (
        f"{answer['date'][:16].replace('T', ' ')} UTC, commit {commit}, size {answer['size']}, "
        f"{answer['rounds']} rounds, {load}.\n{machine['cores']} cores ({machine['model']}), "
        f"{machine['memory_gib']} GiB, Linux {machine['kernel']}.\n{named}."
    )


def section(name: str, question: str, folder: Path) -> str:
    whole, part_of_it = folder / f"{name}.json", folder / f"{name}-only.json"
    file = whole if whole.exists() else part_of_it
    lines = [f"## {question}", "", f"`./dev bench {name}`"]
    if not file.exists():
        return "\n".join([*lines, "", "Not measured yet."])
    answer = read(file)
    lines += ["", circumstances(answer)]
    if answer["size"] != "full":
        lines += ["", "**Not of full size: these figures only show that it runs.**"]
    if file == part_of_it:
        lines += ["", "**Some rows only (`--only`); the others were not measured.**"]
    for part in (part for part in answer["parts"] if part["rows"]):
        rows = [head(answer, part), *(cells(answer, part, row) for row in part["rows"])]
        lines += ["", f"**{part['name']}**", "", markdown_table(rows)]
    return "\n".join(lines)


def document(folder: Path) -> str:
    sections = [section(name, question, folder) for name, question in QUESTIONS.items()]
    return "\n".join([INTRODUCTION, "\n\n".join(sections), ""])


if __name__ == "__main__":
    top = Path(__file__).resolve().parent.parent.parent
    source = Path(sys.argv[1]) if len(sys.argv) > 1 else top / "build/bench"
    target = Path(sys.argv[2]) if len(sys.argv) > 2 else top / "bench/RESULTS.md"
    target.write_text(document(source), encoding="utf-8")
    print(f"wrote {target}")
