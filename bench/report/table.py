#!/usr/bin/env python3
"""The answer of one bench as tables: the median of each measure, and what it is beside Belfry.

usage: table.py build/bench/NAME.json
"""

import sys
from pathlib import Path

from figures import Answer, Row, goals_of, main_measure, median, number, ratio_beside, read, values, verdict


def goal_text(answer: Answer, part: Answer, row: Row) -> str:
    if answer["size"] != "full":
        return ""  # a goal is for the full size
    texts = []
    for goal in goals_of(part, row):
        measure = answer["measures"][goal["measure"]]
        sign = "<=" if measure["better"] == "low" else ">="
        word = {True: "met", False: "MISSED", None: "not measured"}[verdict(answer, goal, row)]
        texts.append(f"{measure['title']} {sign} {goal['limit']:,}: {word}")
    return "; ".join(texts)


def beside_text(answer: Answer, part: Answer, row: Row) -> str:
    ratio = ratio_beside(answer, part, row)
    return "" if ratio is None else f"x {ratio:.2f}"


def spread_text(answer: Answer, part: Answer, row: Row) -> str:
    """Lowest and highest of the main measure; nothing if there was one round."""
    measure = main_measure(answer, part)
    digits = answer["measures"][measure]["digits"]
    found = values(row, measure)
    return f"{number(min(found), digits)}..{number(max(found), digits)}" if len(found) > 1 else ""


def shown_measures(answer: Answer, part: Answer) -> dict[str, Answer]:
    """Those that a row of the part has, and the main one."""
    main = main_measure(answer, part)
    return {
        name: measure
        for name, measure in answer["measures"].items()
        if name == main or any(values(row, name) for row in part["rows"])
    }


def cells(answer: Answer, part: Answer, row: Row) -> list[str]:
    measures = shown_measures(answer, part).items()
    if not row["figures"]:
        reason = row["errors"][0] if row["errors"] else "not measured"
        return [row["who"], *("-" for _ in measures), "", "", reason]
    shown = [number(median(row, name), measure["digits"]) for name, measure in measures]
    failed = f"{len(row['errors'])} rounds failed" if row["errors"] else ""
    remarks = [goal_text(answer, part, row), row["settings"], failed]
    remark = "; ".join(text for text in remarks if text)
    return [row["who"], *shown, spread_text(answer, part, row), beside_text(answer, part, row), remark]


def head(answer: Answer, part: Answer) -> list[str]:
    titles = [measure["title"] for measure in shown_measures(answer, part).values()]
    main = answer["measures"][main_measure(answer, part)]["title"]
    return ["who", *titles, f"{main}, all", "Belfry is", "remarks"]


def plain(rows: list[list[str]]) -> str:
    """Columns of one width; names and remarks to the left, figures to the right."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    last = len(widths) - 1

    def line(row: list[str]) -> str:
        parts = [
            cell.ljust(width) if place in (0, last) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths))
        ]
        return "  ".join(parts).rstrip()

    return "\n".join(map(line, rows))


def tables(answer: Answer) -> str:
    lines = [f"{answer['question']}  (size {answer['size']}, {answer['rounds']} rounds; medians)"]
    for part in filter(lambda part: part["rows"], answer["parts"]):
        rows = [head(answer, part), *(cells(answer, part, row) for row in part["rows"])]
        lines += ["", part["name"], plain(rows)]
    return "\n".join(lines)


if __name__ == "__main__":
    print(tables(read(Path(sys.argv[1]))))
