"""What the rounds of a bench come to: medians, ratios beside Belfry, goals. Reads what bench/lib/question.mjs writes."""

import json
import statistics
from pathlib import Path
from typing import Any, Iterator

Answer = dict[str, Any]  # a whole bench
Row = dict[str, Any]  # one contestant of a part


def read(path: Path) -> Answer:
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def values(row: Row, measure: str) -> list[float]:
    """Of all rounds that yielded the measure."""
    found = [figures.get(measure) for figures in row["figures"]]
    return [value for value in found if value is not None]


def median(row: Row, measure: str) -> float | None:
    found = values(row, measure)
    return statistics.median(found) if found else None


def main_measure(answer: Answer, part: Answer) -> str:
    """The one that the part names first for comparison; else the first that it has a value of."""
    if part.get("compare"):
        return part["compare"][0]
    found = (name for name in answer["measures"] if any(values(row, name) for row in part["rows"]))
    return next(found, next(iter(answer["measures"])))


def best(rows: list[Row], kind: str, measure: str, better: str) -> Row | None:
    """The best row of a kind; None if none of them has the measure."""
    with_value = [row for row in rows if row["kind"] == kind and median(row, measure) is not None]
    if not with_value:
        return None
    choose = min if better == "low" else max
    return choose(with_value, key=lambda row: median(row, measure))


def times_better(ours: float | None, theirs: float | None, better: str) -> float | None:
    """How many times better ours is; below 1 it is worse."""
    if ours is None or theirs is None or min(ours, theirs) <= 0:
        return None
    return theirs / ours if better == "low" else ours / theirs


def ratio_beside(answer: Answer, part: Answer, row: Row) -> float | None:
    """How many times better Belfry's best row is than this one, by the main measure."""
    measure = main_measure(answer, part)
    better = answer["measures"][measure]["better"]
    ours = best(part["rows"], "belfry", measure, better)
    if ours is None or row["kind"] == "belfry":
        return None
    return times_better(median(ours, measure), median(row, measure), better)


def verdict(answer: Answer, goal: Answer, row: Row) -> bool | None:
    """Whether a goal is met; None if it was not measured."""
    value = median(row, goal["measure"])
    if value is None:
        return None
    low = answer["measures"][goal["measure"]]["better"] == "low"
    return value <= goal["limit"] if low else value >= goal["limit"]


def goals_of(part: Answer, row: Row) -> Iterator[Answer]:
    return (goal for goal in part["goals"] if goal["who"] == row["who"])


def number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"
