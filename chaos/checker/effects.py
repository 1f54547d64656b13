"""S5, S7, S12: what reaches the world: stale effects are refused, forbidden overlap never happens, messages have runs."""

from collections import defaultdict

from chaos.checker.history import SECOND, History, Violation

EXCLUSIVE = ("FORBID", "QUEUE_ONE", "REPLACE")
COURIERS = ("webhook", "async", "redis", "nats")
DONE_AGAIN = ("LEASE_LOST", "FAILED", "TIMED_OUT", "CANCELLED")


def check(history: History) -> list[Violation]:
    return [*_stale(history), *_repeats(history), *_overlaps(history), *_messages(history)]


def _stale(history: History) -> list[Violation]:
    violations, highest = [], dict[str, int]()
    for effect in sorted(history.effects, key=lambda e: e.at):
        if effect.accepted and effect.fence < highest.get(effect.run, 0):
            violations.append(Violation("S5", f"the effect of {effect.run} under {effect.fence} was accepted after {highest[effect.run]}"))
        highest[effect.run] = max(effect.fence, highest.get(effect.run, 0))
    return violations


def _repeats(history: History) -> list[Violation]:
    """A run begins again only after its attempt before was declared over, or was never begun."""
    begun: dict[str, list[int]] = defaultdict(list)
    for seen in history.seen:
        if seen.event == "begin" and seen.at < history.end:  # the ledger does not know what came later
            begun[seen.run].append(seen.fence)
    outcomes = {(each.run, each.fence): each.outcome for each in history.attempts}
    returned = {(seen.run, seen.fence) for seen in history.seen if seen.event == "gave_up"}
    violations = []
    for run, fences in begun.items():
        for fence in sorted(set(fences))[:-1]:
            if outcomes.get((run, fence)) not in DONE_AGAIN and (run, fence) not in returned:
                violations.append(Violation("S5", f"run {run} was begun again, though its attempt under {fence} was {outcomes.get((run, fence))}"))
    return violations


def _overlaps(history: History) -> list[Violation]:
    exclusive = {revision.name for revision in history.revisions if revision.overlap in EXCLUSIVE}
    ends = {(seen.run, seen.fence): seen.at for seen in history.seen if seen.event in ("end", "gave_up")}
    spans: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)
    for seen in history.seen:
        if seen.event == "begin" and seen.job in exclusive:
            # One that was killed says no more: it is known to have worked when it began.
            spans[seen.job].append((seen.at, ends.get((seen.run, seen.fence), seen.at), seen.run, seen.worker))
    violations = []
    for job, all_of_it in spans.items():
        latest = (0, "", "")
        for begin, end, run, worker in sorted(all_of_it):
            if begin < latest[0] and not _stood_still(history, latest[2], begin):
                violations.append(Violation("S7", f"{job}: {run} began at {begin}, while {latest[1]} went on until {latest[0]}"))
            latest = max(latest, (end, run, worker))
    return violations


def _stood_still(history: History, worker: str, at: int) -> bool:
    """A frozen worker cannot stop in time; its effects must be fenced instead."""
    return any(fault.kind in ("freeze_worker", "cpu") and fault.target in (worker, "all") and fault.begin <= at <= fault.end + SECOND
               for fault in history.faults)


def _messages(history: History) -> list[Violation]:
    known = {run.id for run in history.runs}
    kinds = {revision.job: revision.kind for revision in history.revisions}
    violations = [Violation("S12", f"{receipt.way} got {receipt.run}, which is no run")
                  for receipt in history.receipts if receipt.run not in known and receipt.at < history.end]
    arrived = {receipt.run for receipt in history.receipts}
    for run in history.runs:
        if kinds.get(run.job) in COURIERS and run.state == "SUCCEEDED" and run.id not in arrived:
            violations.append(Violation("S12", f"run {run.id} of {kinds[run.job]} is done, but nothing arrived"))
    return violations
