"""The table of what was run and what was seen. Rows of other scenarios that are there already stay, and so does what
people wrote below the table."""

import pathlib
import re
from dataclasses import dataclass

from chaos.checker.history import SECOND
from chaos.checker.verdict import Verdict
from chaos.rig.scenario import Scenario

HEAD = """# What the rig saw

Written by `./dev chaos`. *Missing*, *doubled*, *early* and *untried* count ticks and runs that break the promise, and
must be 0. *Late* is the latest decision of a tick, *recovery* the time from the end of a fault until the last tick that
it had made late was decided; both in seconds, and both on whatever else the machine did. Behind the slash: from the
first write that a new primary of the database took until every partition that had ticks due fired again. *Lost* counts
replies of the database that the proxy swallowed after their transaction took effect, over how many different
statements.

| scenario | of the matrix | seed | faults | calls | ticks | missing | doubled | early | untried | late | recovery | lost leases | lost | verdict |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Line:
    scenario: str
    cells: tuple[str, ...]

    def markdown(self) -> str:
        return f"| {self.scenario} | {' | '.join(self.cells)} |"

    def text(self) -> str:
        names = ("of", "seed", "faults", "calls", "ticks", "missing", "doubled", "early", "untried", "late", "recovery", "lost leases", "lost", "")
        return ", ".join(f"{name} {cell}".strip() for name, cell in zip(names, self.cells))


def line_of(scenario: Scenario, seed: int, verdict: Verdict, faults: int, calls: int,
            counts: dict[str, dict[str, int]]) -> Line:
    figures = verdict.figures
    lost = sum(each.get("lost_reply", 0) for each in counts.values())
    statements = max((each.get("statements", 0) for each in counts.values()), default=0)
    found = sorted({violation.property for violation in verdict.violations})
    known = sorted({violation.property for violation in verdict.known})
    doubled = sum(figures.get(name, 0) for name in ("doubled", "phantom", "begun_twice", "bb_extra"))
    missing = figures.get("missing", 0) + figures.get("bb_missed", 0)
    return Line(scenario.name, (
        " ".join(scenario.covers), str(seed), str(faults), str(calls), str(figures.get("ticks", 0)), str(missing), str(doubled),
        str(figures.get("early", 0)), str(figures.get("untried", 0)), f"{figures['late_max'] / SECOND:.1f}",
        f"{figures['recovery'] / SECOND:.1f}" + (f" / {figures['again'] / SECOND:.1f}" if "again" in figures else ""), str(figures.get("lease_lost", 0)), f"{lost} of {statements}" if lost else "–",
        "BAD: " + " ".join(found) if found else "known: " + " ".join(known) if known else "good"))


def write(path: pathlib.Path, lines: list[Line]) -> None:
    told = path.read_text("utf-8") if path.exists() else ""
    table, below, rest = told.partition("\n## ")
    rows = {found[1]: found[0] for found in re.finditer(r"^\| ([a-z0-9_]+) \|.*$", table, re.MULTILINE)}
    rows.pop("scenario", None)
    rows.update({line.scenario: line.markdown() for line in lines})
    path.write_text(HEAD + "".join(rows[name] + "\n" for name in sorted(rows)) + below + rest, "utf-8")
