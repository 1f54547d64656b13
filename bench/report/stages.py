#!/usr/bin/env python3
"""Where the time of a run goes: stages of the node and of PostgreSQL, statements, and the database's log.

usage: stages.py FOLDER      (what bench/profile/bench.mjs left there); prints Markdown
"""

import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Iterable, Iterator

from figures import read

QUERIES = Path(__file__).resolve().parent.parent.parent / "sql/postgres/queries"

Frame = tuple[str, str]  # symbol, file

# Files whose code stands for a stage, whoever called it.
FILES = {
    "libpq": "libpq",
    "libgrpc": "gRPC",
    "libgpr": "gRPC",
    "libupb": "gRPC",
    "libprotobuf": "gRPC",
    "libsqlite3": "SQLite",
    "libcurl": "webhooks (curl)",
    "libssl": "TLS",
    "libcrypto": "TLS",
}
# Namespaces of the node's own file. One that is not here only helps its caller.
NAMESPACES = {"boost": "HTTP", "nlohmann": "JSON", "grpc": "gRPC", "google": "gRPC"}
MODULES = ("core", "store", "engine", "service", "net", "api", "rpc", "deliver", "worker", "client", "server")
MODULE_STAGES = {"net": "HTTP", "v1": "gRPC"}
NAMESPACE = re.compile(r"(?<![\w:])(std|tl|fmt|absl|boost|nlohmann|grpc|google|belfry)::(\w+)")

# What PostgreSQL's functions belong to, the first that matches.
DATABASE = [
    ("index", re.compile(r"^_?bt|index_|^FunctionCall|^scankey")),
    ("log (WAL)", re.compile(r"XLog|WAL|xlog")),
    ("heap", re.compile(r"^heap|Heap|^vm_|visibility|TransactionIdIs|^table")),
    ("buffers, locks", re.compile(r"Buffer|LWLock|Lock|SpinDelay|s_lock|Pin")),
    ("plans, parsing", re.compile(r"plan|Plan|parse|Parse|pathkeys|estimat|selec|Query|clause|yyparse|yylex|scanner|bms_")),
    ("execution", re.compile(r"^Exec|Exec|tuplestore|tuplesort|slot|Memory|Alloc|palloc|pfree|array|json|agg")),
]
LEAST_ALIKE = 25  # characters that make a statement one of ours
LIMIT = 14  # of statements and of kinds of records that are shown


def names(folder: Path) -> dict[str, str]:
    """The named statements of sql/postgres/queries: what each begins with, and its name."""
    found = {}
    for file in sorted(folder.glob("*.sql")):
        for part in file.read_text(encoding="utf-8").split("-- name: ")[1:]:
            name, _, text = part.partition("\n")
            found[" ".join(text.split())] = name.strip()
    return found


def name_of(statement: str, named: dict[str, str]) -> str:
    """By the longest common beginning: PostgreSQL has put parameters in the place of constants."""
    best, length = "", LEAST_ALIKE - 1
    for text, name in named.items():
        alike = len(os.path.commonprefix([text, statement]))
        if alike > length:
            best, length = name, alike
    return best or statement[:60].replace("|", " ")


def stage_of(stack: Iterable[Frame]) -> str:
    """From the innermost frame outwards: the first one that says whose work it is."""
    for symbol, file in stack:
        name = file.rsplit("/", 1)[-1]
        for prefix, stage in FILES.items():
            if name.startswith(prefix):
                return stage
        found = NAMESPACE.search(symbol)
        if found is None or not name.startswith("belfry"):
            continue  # the kernel, libc, an allocator: its caller counts
        space, inner = found.groups()
        if space in NAMESPACES:
            return NAMESPACES[space]
        if space == "belfry":
            return MODULE_STAGES.get(inner) or f"own code: {inner if inner in MODULES else 'base'}"
    return "no caller found"


def database_stage(stack: list[Frame]) -> str:
    symbol, file = stack[0] if stack else ("", "")
    if "kernel" in file or "[" in file:
        return "kernel: network, disk"
    if symbol == "[unknown]":
        return "functions without a name (Debian's PostgreSQL has no symbols for static ones)"
    for stage, pattern in DATABASE:
        if pattern.search(symbol):
            return stage
    return "other"


def samples(text: Iterable[str]) -> Iterator[tuple[int, list[Frame]]]:
    """Process and stack of each sample, as `perf script -F comm,pid,ip,sym,dso` writes them."""
    frame = re.compile(r"^\s+[0-9a-f]+ (.*) \(([^()]*(?:\([^()]*\))?)\)$")
    flat = re.compile(r"^\s*(\S.*?)\s+(\d+)\s+[0-9a-f]+ (.*) \(([^()]*(?:\([^()]*\))?)\)$")
    head = re.compile(r"^\s*\S.*?\s+(\d+)\s*$")
    process, stack = 0, []
    for line in text:
        line = line.rstrip("\n")
        if found := frame.match(line):
            stack.append((found[1], found[2]))
        elif found := flat.match(line):
            yield int(found[2]), [(found[3], found[4])]
        elif found := head.match(line):
            if stack:
                yield process, stack
            process, stack = int(found[1]), []
    if stack:
        yield process, stack


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in lines)


def stage_table(title: str, stages: Counter[str], cpu_seconds: float, runs: int) -> str:
    total = sum(stages.values())
    rows = [
        [stage, f"{100 * count / total:.1f} %", f"{cpu_seconds * 1e6 / runs * count / total:.1f}"]
        for stage, count in stages.most_common()
    ]
    rows.append(["together", f"{total:,} samples", f"{cpu_seconds * 1e6 / runs:.1f}"])
    return table([title, "share", "CPU µs a run"], rows)


def statement_table(statements: list[dict[str, Any]], named: dict[str, str], runs: int) -> str:
    head = ["statement", "calls for 1,000", "rows", "µs", "buffer hits", "WAL records", "WAL bytes"]

    def row(name: str, each: list[dict[str, Any]]) -> list[str]:
        def per(key: str, factor: float = 1) -> float:
            return sum(one[key] for one in each) * factor / runs

        figures = [f"{per('calls', 1000):.2f}", f"{per('rows'):.2f}", f"{per('ms', 1000):.1f}"]
        figures += [f"{per('hits'):.1f}", f"{per('wal_records'):.2f}", f"{per('wal_bytes'):.0f}"]
        return [name, *figures]

    shown = [row(f"`{name_of(one['statement'], named)}`", [one]) for one in statements[:LIMIT]]
    return table(head, [*shown, row("all", statements)])


def record_table(records: list[dict[str, Any]], runs: int) -> str:
    """Index entries are the leaf inserts of the B-trees; every other kind is told as it is."""
    entries = sum(one["count"] for one in records if one["kind"] in ("Btree/INSERT_LEAF", "Btree/INSERT_POST"))
    total = sum(one["bytes"] + one["images"] for one in records)
    images = sum(one["images"] for one in records)
    largest = sorted(records, key=lambda one: -one["bytes"])[:LIMIT]
    rows = [[one["kind"], f"{one['count'] / runs:.3f}", f"{one['bytes'] / runs:.1f}"] for one in largest]
    sentence = (
        f"A run writes {entries / runs:.2f} index entries and {total / runs:,.0f} bytes of WAL, "
        f"{images / runs:,.0f} of them page images."
    )
    return sentence + "\n\n" + table(["record", "a run", "bytes a run"], rows)


def report(folder: Path) -> str:
    figures = read(folder / "figures.json")
    runs, used = figures["runs"], figures["used"]
    with open(folder / "node.stacks", encoding="utf-8", errors="replace") as file:
        node = Counter(stage_of(stack) for _, stack in samples(file))
    ours = set(figures["backends"])
    with open(folder / "database.stacks", encoding="utf-8", errors="replace") as file:
        database = Counter(database_stage(stack) for process, stack in samples(file) if process in ours)
    machine = figures["machine"]
    return "\n\n".join(
        [
            f"# Profile: {figures['load']}",
            f"Written by `./dev profile {figures['load']}`, {figures['date'][:16].replace('T', ' ')} UTC, commit "
            f"{figures['versions']['commit']},\n{machine['cores']} cores ({machine['model']}), PostgreSQL "
            f"{figures['versions']['PostgreSQL']}, size {figures['size']}.\n{runs:,} runs in {used['seconds']:.1f} s.",
            stage_table("node", node, used["nodes"], runs),
            stage_table("PostgreSQL", database, used["database"], runs),
            "## Statements, for each run",
            statement_table(figures["statements"], names(QUERIES), runs),
            "## The database's log",
            record_table(figures["records"], runs),
        ]
    )


if __name__ == "__main__":
    print(report(Path(sys.argv[1])))
