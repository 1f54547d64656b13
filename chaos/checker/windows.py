"""What a calendar makes of a tick. It knows windows between two instants, which is what the workloads use."""

from typing import Any, Mapping

from chaos.checker.walk import ticks


def _opens(windows: list[tuple[int, int]], at: int) -> int:
    """The first instant from `at` on that no window covers."""
    while around := [end for begin, end in windows if begin <= at < end]:
        at = max(around)
    return at


def fate(schedule: Mapping[str, Any], tick: int) -> tuple[str | None, int]:
    """Why a tick gets no run, if it gets none; and when it starts otherwise."""
    opens = _opens(schedule.get("windows") or [], tick)
    if opens == tick:
        return None, tick
    if not schedule.get("delays"):
        return "calendar", tick
    return ("calendar_coalesced", tick) if ticks(schedule, tick, opens) else (None, opens)
