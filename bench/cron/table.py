#!/usr/bin/env python3
"""Turns the rows of the cron bench (stdin) into one table per zone, fastest first, and a verdict.

A row:  library <TAB> zone <TAB> expression <TAB> nanoseconds per next <TAB> checksum of the first 200 instants
        (checksum "-": the library ended before 200)
   or:  library <TAB> not measured <TAB> reason
Rows of several rounds may follow each other: the best of each counts.

Rows whose library begins with "belfry" are ours; the first such library is the one the peers are compared with.
Exit code: 0 the goals are met, 1 one is missed, 2 there is nothing to compare.
"""

import math
import sys
from collections import defaultdict

GOALS = {"UTC": 10, "America/New_York": 10}  # times the fastest peer


class Result:
    """What one library reached in one zone."""

    def __init__(self, library):
        self.library = library
        self.nanos = {}  # by expression
        self.checksums = {}

    @property
    def per_second(self):
        return 1e9 * len(self.nanos) / sum(self.nanos.values())

    @property
    def slowest_per_second(self):
        return 1e9 / max(self.nanos.values())

    def differences(self, ours):
        """The expressions whose instants are not ours, each as the table shows it."""
        return [
            f"`{expression}`" + (" (ended early)" if checksum == "-" else "")
            for expression, checksum in self.checksums.items()
            if checksum != ours.checksums[expression]
        ]


def read(lines):
    zones = defaultdict(dict)  # zone -> library -> Result
    not_measured = {}  # library -> reason
    for line in lines:
        row = line.rstrip("\n").split("\t")
        if len(row) == 3 and row[1] == "not measured":
            not_measured[row[0]] = row[2]
        elif len(row) == 5:
            library, zone, expression, nanos, checksum = row
            result = zones[zone].setdefault(library, Result(library))
            result.nanos[expression] = min(float(nanos), result.nanos.get(expression, math.inf))
            result.checksums[expression] = checksum
        else:
            sys.exit(fail(f"not a row: {line!r}"))
    return zones, not_measured


def is_ours(library):
    return library.startswith("belfry")


def print_zone(zone, results, ours, not_measured):
    width = max(len(name) for name in [*(r.library for r in results), *not_measured])
    print(f"\n{zone}")
    print(f"  {'library':{width}}  {'next/s':>12}  {'slowest/s':>12}  {'belfry is':>10}  instants that differ from belfry's")
    for result in sorted(results, key=lambda r: -r.per_second):
        ratio = "" if is_ours(result.library) else f"{ours.per_second / result.per_second:,.1f} x"
        differences = result.differences(ours)
        differ = f"{len(differences)} of {len(result.checksums)}: {', '.join(differences)}" if differences else "none"
        print(
            f"  {result.library:{width}}  {result.per_second:12,.0f}  {result.slowest_per_second:12,.0f}"
            f"  {ratio:>10}  {'' if result is ours else differ}".rstrip()
        )
    for library, reason in not_measured.items():
        print(f"  {library:{width}}  not measured: {reason}")


def verdict(zone, results, ours, not_measured):
    """Prints the verdict; returns whether the goal is met."""
    fastest = max((r for r in results if not is_ours(r.library)), key=lambda r: r.per_second)
    times = ours.per_second / fastest.per_second
    goal = GOALS.get(zone)
    met = goal is None or times >= goal
    line = f"{zone}: belfry is {times:.1f} times the fastest peer ({fastest.library})"
    if goal is not None:
        line += f"; goal {goal}" + ("" if met else ": MISSED")
    if not_measured:
        line += f"; not measured: {', '.join(not_measured)}"
    print(line)
    return met


def main():
    zones, not_measured = read(sys.stdin)
    compared = []
    for zone, by_library in zones.items():
        results = list(by_library.values())
        expressions = {expression for r in results for expression in r.nanos}
        ours = next((r for r in results if is_ours(r.library)), None)
        if ours is None or all(is_ours(r.library) for r in results):
            return fail(f"{zone}: needs rows of belfry and of at least one peer")
        for result in results:
            if set(result.nanos) != expressions:  # a mean over different work compares nothing
                return fail(f"{zone}: {result.library} has rows for {len(result.nanos)} of {len(expressions)} expressions")
        compared.append((zone, results, ours, not_measured))
    missing = [zone for zone in GOALS if zone not in zones]
    if missing:
        return fail(f"no rows for {', '.join(missing)}")

    for zone in compared:
        print_zone(*zone)
    print()
    return 0 if all([verdict(*zone) for zone in compared]) else 1


def fail(message):
    print(f"table.py: {message}", file=sys.stderr)
    return 2


sys.exit(main())
