"""S1, S8, S9, S10: every tick has exactly one fate, and it is the one that its revision and its policy allow."""

import bisect
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Iterator

from chaos.checker.history import History, Revision, Run, Skip, Violation
from chaos.checker.walk import ticks
from chaos.checker.windows import fate

_TICKING = ("ACTIVE", "PAUSED", "COMPLETED")
_OF_MISFIRE = {"FIRE_ONCE": {"misfire_coalesced", "misfire_expired"}, "SKIP": {"misfire_skipped"},
               "FIRE_ALL": {"misfire_expired", "misfire_limit"}}


@dataclass(frozen=True)
class Expected:
    tick: int
    revision: Revision

    @property
    def paused(self) -> bool:
        until = self.revision.paused_until
        return self.revision.status == "PAUSED" and (until is None or self.tick < until)

    @property
    def closed(self) -> str | None:
        """Why its calendar lets it have no run."""
        return fate(self.revision.schedule, self.tick)[0]

    @property
    def starts(self) -> int:
        return fate(self.revision.schedule, self.tick)[1]


def by_job(history: History) -> dict[int, list[Revision]]:
    jobs: dict[int, list[Revision]] = defaultdict(list)
    for revision in sorted(history.revisions, key=lambda r: (r.job, r.number)):
        jobs[revision.job].append(revision)
    return jobs


def expected_of(revisions: list[Revision], horizon: int) -> list[Expected]:
    """A tick belongs to the revision that was in force just before it: (from, until]."""
    found: dict[int, Expected] = {}
    for i, revision in enumerate(revisions):
        end = horizon if i + 1 == len(revisions) else min(horizon, revisions[i + 1].effective_from)
        if revision.status in _TICKING:
            for tick in ticks(revision.schedule, revision.effective_from, end):
                found.setdefault(tick, Expected(tick, revision))
    return [found[tick] for tick in sorted(found)]


class Ledger:
    """The fates of one job's ticks."""

    def __init__(self, runs: list[Run], skips: list[Skip]) -> None:
        self.runs = Counter(run.scheduled_for for run in runs if run.origin == "schedule")
        self.skips = sorted(skips, key=lambda skip: skip.first)
        self._firsts = [skip.first for skip in self.skips]

    def skips_at(self, tick: int) -> list[Skip]:
        # Ranges are disjoint in a sound ledger; two that are not begin within a few places of each other.
        at = bisect.bisect_right(self._firsts, tick)
        return [skip for skip in self.skips[max(0, at - 8) : at] if skip.first <= tick <= skip.last]


def check(history: History) -> tuple[list[Violation], Counter[str]]:
    runs: dict[int, list[Run]] = defaultdict(list)
    skips: dict[int, list[Skip]] = defaultdict(list)
    for run in history.runs:
        runs[run.job].append(run)
    for skip in history.skips:
        skips[skip.job].append(skip)
    violations: list[Violation] = []
    figures: Counter[str] = Counter()
    through = {partition.id: partition.through for partition in history.partitions}
    for job, revisions in by_job(history).items():
        ledger = Ledger(runs[job], skips[job])
        expected = expected_of(revisions, history.horizon)
        figures["ticks"] += len(expected)
        for kind, violation in [*_fates(ledger, expected, through.get(job & 0xFFFF, 0)), *_phantoms(ledger, expected, revisions, history), *_counts(ledger, expected, history)]:
            figures[kind] += 1
            violations.append(violation)
    known = set(by_job(history))
    for job in (set(runs) | set(skips)) - known:
        violations.append(Violation("S1", f"job {job:x} is in the ledger, but was never defined"))
    return violations, figures


def _fates(ledger: Ledger, expected: list[Expected], through: int) -> Iterator[tuple[str, Violation]]:
    for each in expected:
        name, skipped = each.revision.name, ledger.skips_at(each.tick)
        ran = ledger.runs[each.tick]
        if ran + len(skipped) == 0 and each.tick <= through:
            yield "missing", Violation("S1", f"{name} lost its tick {each.tick}")
        if ran + len(skipped) == 0 and each.tick > through:
            yield "undecided", Violation("L4", f"{name} is not decided at {each.tick}; its partition is at {through}")
        if ran + len(skipped) > 1:
            yield "doubled", Violation("S1", f"{name} has {ran} runs and {len(skipped)} skips for its tick {each.tick}")
        if ran and each.paused:
            yield "paused", Violation("S8", f"{name} ran at {each.tick}, when it was paused")
        if ran and each.closed:
            yield "closed", Violation("S10", f"{name} ran at {each.tick}, which was to be skipped as {each.closed}")
        for skip in skipped:
            yield from _reason(each, skip)


def _reason(each: Expected, skip: Skip) -> Iterator[tuple[str, Violation]]:
    revision, reason = each.revision, skip.reason
    said = f"{revision.name} skipped {each.tick} as {reason}"
    if reason == "paused" and revision.status != "PAUSED":
        yield "paused", Violation("S8", f"{said}, but was not paused")
    if reason.startswith("misfire") and reason not in _OF_MISFIRE[revision.misfire]:
        yield "reason", Violation("S10", f"{said}, which {revision.misfire} does not allow")
    if reason.startswith("overlap") and revision.overlap == "ALLOW":
        yield "reason", Violation("S10", f"{said}, but its runs may overlap")
    if (each.closed or reason.startswith("calendar")) and reason != each.closed:
        yield "reason", Violation("S10", f"{said}; its calendar says {each.closed}")
    if each.paused and not each.closed and reason not in ("paused", "cancelled", "schedule_changed"):
        yield "paused", Violation("S8", f"{said}, but it was paused")


def _phantoms(ledger: Ledger, expected: list[Expected], revisions: list[Revision], history: History) -> Iterator[tuple[str, Violation]]:
    known = {each.tick for each in expected}
    for tick in sorted(ledger.runs):
        if tick in known or tick > history.horizon or _was_new_instant(tick, revisions):
            continue
        of_another = [r for r in revisions if r.status in _TICKING and tick in ticks(r.schedule, tick - 1, tick)]
        rule = "S9" if of_another else "S1"
        yield "phantom", Violation(rule, f"{revisions[0].name} ran at {tick}, which is no tick of it then")


def _was_new_instant(tick: int, revisions: list[Revision]) -> bool:
    """A job of one instant runs although the instant passed while it was written down."""
    return any(r.schedule.get("run_at") == tick for r in revisions)


def _counts(ledger: Ledger, expected: list[Expected], history: History) -> Iterator[tuple[str, Violation]]:
    instants = [each.tick for each in expected]
    for skip in ledger.skips:
        if skip.last > history.horizon:
            continue
        there = bisect.bisect_right(instants, skip.last) - bisect.bisect_left(instants, skip.first)
        if there != skip.count:
            yield "count", Violation("S10", f"job {skip.job:x} skipped {skip.count} ticks from {skip.first} as {skip.reason}; there are {there}")
