"""croniter: nanoseconds per next fire time, and a checksum of the first 200.

usage: croniter_bench.py <expressions file> <version of croniter>
"""

import datetime
import functools
import math
import sys
import time

import pytz
from croniter import croniter

START = 1767225600  # 2026-01-01T00:00:00Z
HORIZON = START + 3_000_000_000
MEASURE_SECONDS = 0.1
PASSES = 3  # over the whole list; the best counts, so that a busy machine is no handicap
CHECKED = 200


def checksum(chain):
    total = 0
    for _ in range(CHECKED):
        total = (total + int(chain.get_next(float))) % 10**15
    return total


def nanos_per_next(start_chain):
    chain = start_chain()
    count = 0
    began = time.perf_counter()
    while True:
        for _ in range(20):
            instant = chain.get_next(float)
        count += 20
        if instant > HORIZON:
            chain = start_chain()
        elapsed = time.perf_counter() - began
        if elapsed > MEASURE_SECONDS:
            return elapsed * 1e9 / count


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        expressions = file.read().split("\n")[:-1]
    library = f"croniter {sys.argv[2]} (Python {sys.version_info.major}.{sys.version_info.minor})"

    chains = {}  # (zone, expression) -> what starts a chain
    for zone in ("UTC", "America/New_York"):
        first = datetime.datetime.fromtimestamp(START, pytz.timezone(zone))
        for expression in expressions:
            chains[zone, expression] = functools.partial(croniter, expression, first)

    best = {}
    for _ in range(PASSES):
        for key, start_chain in chains.items():
            best[key] = min(nanos_per_next(start_chain), best.get(key, math.inf))
    for key, start_chain in chains.items():
        print(library, *key, f"{best[key]:.1f}", checksum(start_chain()), sep="\t")


main()
