"""Draws the samples of `./dev soak`, a curve for each thing that was watched: python3 -m chaos.draw SAMPLES PICTURE"""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")  # no screen
import matplotlib.pyplot as plot  # noqa: E402

from chaos.soak import CURVES  # noqa: E402


def main(source: pathlib.Path, picture: pathlib.Path) -> None:
    with open(source, encoding="utf-8", newline="") as file:
        samples = list(csv.DictReader(file))
    minutes = [float(sample["minute"]) for sample in samples]
    figure, grid = plot.subplots(len(CURVES), 1, figsize=(7, 1.6 * len(CURVES)), dpi=100, sharex=True)
    for axes, curve in zip(grid, CURVES):
        axes.plot(minutes, [float(sample[curve.name]) for sample in samples], linewidth=1)
        axes.set_ylim(bottom=0)
        axes.set_title(curve.title, fontsize=9)
        axes.grid(alpha=0.3)
    grid[-1].set_xlabel("minute")
    figure.tight_layout()
    figure.savefig(picture)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
