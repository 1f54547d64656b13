#!/usr/bin/env python3
"""The curves of `./dev bench horizon`: start lag and runs a second over time, printed and drawn side by side.

usage: horizon.py build/bench/horizon.json PICTURE.png
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # no screen
import matplotlib.pyplot as plot  # noqa: E402

from figures import Answer, Row, number, read

LINES = 14  # of a printed curve


def curve(row: Row) -> list[Answer]:
    return row["figures"][0]["curve"] if row["figures"] else []


def printed(part: Answer) -> str:
    """p99 and rate at some moments, a column for each contestant."""
    rows = [row for row in part["rows"] if curve(row)]
    seconds = [point["second"] for point in max(map(curve, rows), key=len, default=[])]
    step = max(1, -(-len(seconds) // LINES))
    lines = [f"{part['name']}: p99 ms (runs/s)", f"{'second':>8}" + "".join(f"{row['who']:>22}" for row in rows)]
    for index in range(0, len(seconds), step):
        cells = [curve(row)[index] if index < len(curve(row)) else {} for row in rows]
        texts = [f"{number(cell.get('p99'), 1)} ({number(cell.get('rate'), 0)})" for cell in cells]
        lines.append(f"{seconds[index]:8.0f}" + "".join(f"{text:>22}" for text in texts))
    return "\n".join(lines)


def draw(answer: Answer, target: Path) -> None:
    parts = [part for part in answer["parts"] if part["rows"]]
    picture, grid = plot.subplots(len(parts), 2, figsize=(11, 3.5 * len(parts)), dpi=120, squeeze=False)
    for part, pair in zip(parts, grid):
        for axes, measure, label in zip(pair, ("p99", "rate"), ("p99 of the start lag, ms", "runs/s")):
            for row in part["rows"]:
                points = [point for point in curve(row) if point[measure] is not None]
                axes.plot([point["second"] for point in points], [point[measure] for point in points], label=row["who"])
            axes.set_title(part["name"], fontsize=8)
            axes.set_xlabel("second")
            axes.set_ylabel(label)
            axes.grid(alpha=0.3)
            axes.legend(fontsize=7)
        pair[0].set_yscale("log")
    picture.tight_layout()
    picture.savefig(target)


if __name__ == "__main__":
    asked = read(Path(sys.argv[1]))
    for one in filter(lambda part: part["rows"], asked["parts"]):
        print(f"\n{printed(one)}")
    draw(asked, Path(sys.argv[2]))
    print(f"\nwrote {sys.argv[2]}")
