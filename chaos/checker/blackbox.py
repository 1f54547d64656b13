"""The same question without ids, as Jepsen asked Chronos: does every tick's window hold a start of its own?

Only job names and the times at which work began are used. Windows of a job are equally long, so they begin and end in
the same order, and giving each start to the first open window that it fits is an optimal matching. It shows a scheduler
that labels runs with wrong ticks, which the ledger alone would not.
"""

from collections import Counter, defaultdict

from chaos.checker.history import LIVE, SECOND, History, Violation
from chaos.checker.ticks import by_job, expected_of

EARLY = SECOND // 5
BY_HAND = ("trigger", "retry", "backfill")


def match(ticks: list[int], starts: list[int], tolerance: int) -> tuple[list[int], list[int]]:
    """(ticks without a start, starts without a tick). Both lists are sorted."""
    missed: list[int] = []
    extra: list[int] = []
    at = 0
    for tick in ticks:
        while at < len(starts) and starts[at] < tick - EARLY:
            extra.append(starts[at])
            at += 1
        if at < len(starts) and starts[at] <= tick + tolerance:
            at += 1
        else:
            missed.append(tick)
    return missed, extra + starts[at:]


def starts_of(history: History) -> dict[str, list[int]]:
    starts: dict[str, list[int]] = defaultdict(list)
    for seen in history.seen:
        if seen.event == "begin" and seen.job:
            starts[seen.job].append(seen.at)
    return {job: sorted(times) for job, times in starts.items()}


def judged(history: History) -> dict[str, list[int]]:
    """The ticks, by name, of jobs whose every tick must run, and that nobody ran by hand."""
    by_hand = {call.name for call in history.calls if call.action in BY_HAND}
    redriven = {call.run[:16] for call in history.calls if call.action == "retry"}
    jobs: dict[str, list[int]] = {}
    for job, revisions in by_job(history).items():
        name = revisions[0].name
        if name in by_hand or f"{job:016x}" in redriven or any(r.overlap != "ALLOW" or r.misfire != "FIRE_ALL" for r in revisions):
            continue
        jobs[name] = [each.starts for each in expected_of(revisions, history.horizon) if not each.paused and not each.closed]
    return jobs


def check(history: History, kinds: tuple[str, ...], tolerance: int) -> tuple[list[Violation], Counter[str]]:
    violations: list[Violation] = []
    figures: Counter[str] = Counter()
    starts, again = starts_of(history), _allowed(history)
    kind_of = {revision.name: revision.kind for revision in history.revisions}
    cut, waiting = _cut_short(history), _waiting(history)
    for name, ticks in judged(history).items():
        if kind_of[name] not in kinds or name in cut:
            continue
        ticks = [tick for tick in ticks if tick < waiting.get(name, history.end)]
        early_enough = [start for start in starts.get(name, []) if not ticks or start <= history.horizon + tolerance]
        missed, extra = match(ticks, early_enough, tolerance)
        beyond = [start for start in extra if start <= history.horizon]
        figures["windows"] += len(ticks)
        figures["bb_missed"] += len(missed)
        violations += [Violation("S1", f"black box: {name} did not start for its tick {tick}") for tick in missed]
        if len(beyond) > again[name]:
            figures["bb_extra"] += len(beyond) - again[name]
            violations.append(Violation("S1", f"black box: {name} started {len(beyond)} times too often, {again[name]} allowed: {beyond[:5]}"))
    return violations, figures


def _allowed(history: History) -> Counter[str]:
    """Further attempts that the ledger knows, by job."""
    names = {revision.job: revision.name for revision in history.revisions}
    return Counter(names[int(each.run[:16], 16)] for each in history.attempts if each.outcome != "SUCCEEDED")


def _waiting(history: History) -> dict[str, int]:
    """From when on a job still has runs, or ticks, to come: late, which L4 and L8 tell, and not yet lost."""
    names = {revision.job: revision.name for revision in history.revisions}
    through = {partition.id: partition.through for partition in history.partitions}
    first = {names[job]: through[job & 0xFFFF] + 1 for job in names if job & 0xFFFF in through}
    for run in history.runs:
        if run.state in LIVE and run.job in names:
            first[names[run.job]] = min(run.scheduled_for, first.get(names[run.job], run.scheduled_for))
    return first


def _cut_short(history: History) -> set[str]:
    """Jobs that ended or paused: runs that had not started were cancelled with them, as documented."""
    return {revision.name for revision in history.revisions if revision.status in ("PAUSED", "CANCELLED", "DELETED")}
