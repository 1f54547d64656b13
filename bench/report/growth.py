#!/usr/bin/env python3
"""Draws the curves of `./dev bench growth`: a picture for each axis, p50 and p99 of the start lag over what grows.

usage: growth.py build/bench/growth.json FOLDER
"""

import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # no screen
import matplotlib.pyplot as plot  # noqa: E402

from figures import Answer, read


def points(part: Answer, measure: str) -> tuple[list[float], list[float]]:
    found = [figures for row in part["rows"] for figures in row["figures"] if figures.get(measure) is not None]
    found.sort(key=lambda figures: figures["x"])
    return [figures["x"] for figures in found], [figures[measure] for figures in found]


def file_name(title: str) -> str:
    return title.split(",")[0].replace(" ", "-") + ".png"


def draw(answer: Answer, part: Answer, target: Path) -> None:
    picture, axes = plot.subplots(figsize=(6, 3.5), dpi=120)
    for measure, style in (("p99", "o-"), ("p50", "o--")):
        axes.plot(*points(part, measure), style, label=measure)
    largest = max(points(part, "p99")[0], default=1)
    if largest > 100 and "," not in part["name"]:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(part["name"])
    axes.set_ylabel("start lag, ms")
    machine, versions = answer["machine"], answer["versions"]
    axes.set_title(f"{machine['cores']} cores, PostgreSQL {versions['PostgreSQL']}, commit {versions['commit']}", fontsize=8)
    axes.grid(alpha=0.3)
    axes.legend()
    picture.tight_layout()
    picture.savefig(target)
    plot.close(picture)


def main(source: Path, folder: Path) -> None:
    answer = read(source)
    folder.mkdir(parents=True, exist_ok=True)
    for part in answer["parts"]:
        if not points(part, "p99")[0]:
            print(f"nothing measured: {part['name']}")
            continue
        target = folder / file_name(part["name"])
        draw(answer, part, target)
        print(f"wrote {target}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
