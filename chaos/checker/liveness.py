"""L1 to L8, as far as they show outside: how late, how soon again, and that nothing is stuck once all is healed."""

from collections import Counter
from dataclasses import dataclass

from chaos.checker.history import LIVE, SECOND, History, Violation

SLACK = 5 * SECOND


@dataclass(frozen=True)
class Bounds:
    """What a scenario asks for, in seconds; None: it is only reported."""

    max_late: float | None = None
    max_recovery: float | None = None
    max_again: float | None = None  # from the first write of a new primary until all partitions fire again
    small_tenant_within: float | None = None


def lateness(history: History) -> list[int]:
    """Of the ticks of the present and of those that were caught up, by decision."""
    return sorted(max(0, run.decided_at - run.scheduled_for) for run in history.runs
                  if run.origin == "schedule" and history.begin <= run.scheduled_for <= history.horizon)


def recovery(history: History) -> int:
    """After the end of the fault that took longest: when the last tick that it had made late was decided."""
    worst = 0
    for fault in history.faults:
        touched = [run.decided_at for run in history.runs if run.origin == "schedule" and fault.begin <= run.decided_at
                   and run.scheduled_for <= fault.end and run.decided_at - run.scheduled_for > SECOND]
        worst = max(worst, max(touched, default=0) - fault.end)
    return worst


def again(history: History) -> int | None:
    """After the first write that a new primary took: until each partition that had ticks due has decided one."""
    worst = None
    for writable in history.writable:
        first: dict[int, int] = {}
        due = set()
        for run in history.runs:
            if run.origin == "schedule" and run.decided_at >= writable:
                first[run.partition] = min(run.decided_at, first.get(run.partition, run.decided_at))
                if run.scheduled_for <= writable:
                    due.add(run.partition)
        worst = max(worst or 0, max((first[partition] - writable for partition in due), default=0))
    return worst


def check(history: History, bounds: Bounds) -> list[Violation]:
    violations = [*_owned(history), *_stuck(history)]
    late = lateness(history)
    if bounds.max_late is not None and late and late[-1] > bounds.max_late * SECOND:
        violations.append(Violation("L2", f"a tick was decided {late[-1] / SECOND:.1f} s late; at most {bounds.max_late} s"))
    if bounds.max_recovery is not None and recovery(history) > bounds.max_recovery * SECOND:
        violations.append(Violation("L6", f"it took {recovery(history) / SECOND:.1f} s to catch up; at most {bounds.max_recovery} s"))
    found = again(history)
    if bounds.max_again is not None and (found is None or found > bounds.max_again * SECOND):
        told = "no new primary took a write" if found is None else f"{found / SECOND:.1f} s after the new primary's first write"
        violations.append(Violation("L2", f"firing again: {told}; at most {bounds.max_again} s"))
    if bounds.small_tenant_within is not None:
        violations += _fair(history, bounds.small_tenant_within)
    return violations


def _owned(history: History) -> list[Violation]:
    violations = [Violation("L4", f"partition {p.id} is nobody's") for p in history.partitions if p.owner not in history.live_nodes]
    shares = Counter(p.owner for p in history.partitions if p.owner in history.live_nodes)
    if history.live_nodes and len(history.partitions) >= len(history.live_nodes):
        spread = max(shares[node] for node in history.live_nodes) - min(shares[node] for node in history.live_nodes)
        if spread > 2:
            violations.append(Violation("L4", f"the shares of the nodes differ by {spread}: {dict(shares)}"))
    return violations


def _stuck(history: History) -> list[Violation]:
    violations = []
    for run in history.runs:
        if run.state == "RUNNING" and run.lease_until is not None and run.lease_until < history.end - SLACK:
            violations.append(Violation("L3", f"run {run.id} is RUNNING, {history.end - run.lease_until} µs after its lease"))
        due = run.due_at if run.due_at is not None else run.scheduled_for
        waits = run.state in LIVE and run.state != "RUNNING" and due <= history.horizon
        if waits:
            violations.append(Violation("L8", f"run {run.id} is {run.state}, due since {history.end - due} µs"))
    return violations


def _fair(history: History, within: float) -> list[Violation]:
    """L5: the runs of the small tenant's jobs begin soon, whatever the large one has due."""
    begun = {seen.run: seen.at for seen in history.seen if seen.event == "begin"}
    small = {revision.job for revision in history.revisions if revision.name.startswith("small-")}
    return [Violation("L5", f"run {run.id} of the small tenant did not begin within {within} s")
            for run in history.runs if run.job in small and run.scheduled_for <= history.horizon
            and begun.get(run.id, history.end) - run.scheduled_for > within * SECOND]
