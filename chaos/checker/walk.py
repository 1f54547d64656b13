"""The ticks of a schedule by brute force: every second is asked. It shares no code with the product.

Of cron it knows what the workloads use: five or six fields of `*`, numbers, ranges, lists and steps. A time of day that
the clocks jump over belongs to the first instant after the gap; of a time that comes twice the first counts, unless
the hour is a wildcard, which follows real time.
"""

import datetime
import functools
import zoneinfo
from typing import Any, Iterator, Mapping

from chaos.checker.history import SECOND

_LIMITS = ((0, 59), (0, 59), (0, 23), (1, 31), (1, 12), (0, 7))
_UTC = datetime.timezone.utc


def ticks(schedule: Mapping[str, Any], after: int, through: int) -> list[int]:
    """Those in (after, through]."""
    first = max(after + 1, int(schedule.get("start_at") or 0))
    last = min(through, int(schedule.get("end_at") or through))
    if schedule.get("every"):
        return list(_every(int(schedule["every"]), int(schedule.get("start_at") or 0), first, last))
    if schedule.get("cron"):
        return list(_cron(str(schedule["cron"]), str(schedule.get("zone") or "UTC"), first, last))
    once = int(schedule["run_at"])
    return [once] if first <= once <= last else []


def _every(interval: int, anchor: int, first: int, last: int) -> Iterator[int]:
    step = max(0, -((anchor - first) // interval))  # the first multiple that is not before `first`
    tick = anchor + step * interval
    while tick < first:
        tick += interval
    yield from range(tick, last + 1, interval)


@functools.lru_cache(maxsize=1000)
def _fields(expression: str) -> tuple[tuple[frozenset[int], bool], ...]:
    parts = expression.split()
    if len(parts) == 5:
        parts = ["0", *parts]
    if len(parts) != 6:
        raise ValueError(f"not a cron expression this walk knows: {expression!r}")
    return tuple((_set(part, *limits), part.startswith("*")) for part, limits in zip(parts, _LIMITS))


def _set(field: str, low: int, high: int) -> frozenset[int]:
    found: set[int] = set()
    for item in field.split(","):
        span, _, step = item.partition("/")
        begin, end = (low, high) if span == "*" else (int(span.partition("-")[0]), int(span.partition("-")[2] or span.partition("-")[0]))
        if step and span != "*" and "-" not in span:
            end = high
        found.update(range(begin, end + 1, int(step or 1)))
    return frozenset(found)


def _matches(expression: str, local: datetime.datetime) -> bool:
    (second, _), (minute, _), (hour, _), (day, any_day), (month, _), (weekday, any_weekday) = _fields(expression)
    by_day = local.day in day
    by_weekday = local.isoweekday() % 7 in {number % 7 for number in weekday}
    days = by_day and by_weekday if any_day or any_weekday else by_day or by_weekday
    return local.second in second and local.minute in minute and local.hour in hour and days and local.month in month


def _cron(expression: str, zone: str, first: int, last: int) -> Iterator[int]:
    place = zoneinfo.ZoneInfo(zone)
    wild_hour = _fields(expression)[2][1]
    second = -(-first // SECOND)
    before = datetime.datetime.fromtimestamp(second - 1, _UTC).astimezone(place)
    while second * SECOND <= last:
        local = datetime.datetime.fromtimestamp(second, _UTC).astimezone(place)
        twice = local.fold == 1 and not wild_hour
        jumped = not wild_hour and _leaps(expression, before, local)
        if (_matches(expression, local) and not twice) or jumped:
            yield second * SECOND
        before, second = local, second + 1


def _leaps(expression: str, before: datetime.datetime, local: datetime.datetime) -> bool:
    """Whether the clocks jumped over a match between two neighbouring seconds."""
    lost = (local.replace(tzinfo=None) - before.replace(tzinfo=None)).total_seconds()
    if lost <= 1:
        return False
    start = before.replace(tzinfo=None)
    return any(_matches(expression, start + datetime.timedelta(seconds=n)) for n in range(1, int(lost)))
