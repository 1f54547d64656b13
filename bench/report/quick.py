#!/usr/bin/env python3
"""Compares the ratios of a quick bench with the stored ones, and says what moved. Exit code 1 if one got worse.

usage: quick.py build/bench/quick.json bench/quick.json [--store]

A ratio is Belfry's figure beside that of a peer or of the bare database in the same minute: how many times better
Belfry is. So a slower machine moves both, and the ratio little. --store makes those of this run the stored ones.
"""

import json
import sys
from pathlib import Path
from typing import Iterator

from figures import Answer, Row, best, main_measure, median, read, times_better

TOLERANCE = 1.4  # machines are noisy, and rounds are few; a regression that matters is bigger


def ratios_of(rows: list[Row], name: str, measure: str, how: Answer) -> Iterator[tuple[str, float]]:
    others = [best(rows, kind, measure, how["better"]) for kind in ("peer", "raw")]
    for row in (row for row in rows if row["kind"] == "belfry"):
        for other in filter(None, others):
            ratio = times_better(median(row, measure), median(other, measure), how["better"])
            if ratio is not None:
                yield f"{name}, {how['title']}: {row['who']} beside {other['who']}", round(ratio, 4)


def ratios(answer: Answer) -> dict[str, float]:
    """Of each part: Belfry's rows, each beside the best of the peers and beside the bare database."""
    found = {}
    for part in answer["parts"]:
        for measure in part.get("compare") or [main_measure(answer, part)]:
            found.update(ratios_of(part["rows"], part["name"], measure, answer["measures"][measure]))
    return found


def compare(stored: dict[str, float], measured: dict[str, float], tolerance: float) -> tuple[list[str], bool]:
    """A line for each ratio, and whether none got worse by more than the tolerance or went missing."""
    lines, good = [], True
    for name, now in measured.items():
        before = stored.get(name)
        if before is None:
            lines.append(f"{now:8.3f}  new            {name}")
            continue
        change = now / before
        word = "same"
        if change < 1 / tolerance:
            word, good = "WORSE", False
        elif change > tolerance:
            word = "better"
        lines.append(f"{now:8.3f}  {word:6} x {change:5.2f}  {name} (stored {before:.3f})")
    for name in stored.keys() - measured.keys():
        lines.append(f"       -  MISSING         {name}")
        good = False
    return lines, good


def main(measured_file: Path, stored_file: Path, store: bool) -> int:
    answer = read(measured_file)
    measured = ratios(answer)
    if answer["size"] != "full":
        print("Only ratios of full size are stored or compared.")
        return 0
    if store:
        kept = {"commit": answer["versions"]["commit"], "date": answer["date"], "machine": answer["machine"]}
        stored_file.write_text(json.dumps({**kept, "ratios": measured}, indent=2) + "\n", encoding="utf-8")
        print(f"stored {len(measured)} ratios in {stored_file}")
        return 0
    stored = read(stored_file)["ratios"] if stored_file.exists() else {}
    lines, good = compare(stored, measured, TOLERANCE)
    print(f"How many times better Belfry is than what it stands beside (tolerance x {TOLERANCE}):")
    print("\n".join(lines))
    if not stored:
        print("Nothing is stored to compare with: `./dev bench quick --store` on a quiet machine does that.")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), "--store" in sys.argv[3:]))
