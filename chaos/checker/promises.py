"""S13, S14: nobody sees another tenant's work; what was answered is there, what was not is there wholly or not at all."""

from collections import defaultdict

from chaos.checker.history import Call, History, Violation


def check(history: History) -> list[Violation]:
    return [*_tenants(history), *_durability(history), *_batches(history)]


def _tenants(history: History) -> list[Violation]:
    """Workers are named after the only tenant they may serve: `tenant/name`; others serve the default one."""
    violations = []
    for seen in history.seen:
        own = seen.worker.partition("/")[0] if "/" in seen.worker else "default"
        if seen.event == "begin" and seen.tenant != own:
            violations.append(Violation("S13", f"{seen.worker} was given {seen.run} of tenant {seen.tenant}"))
    return violations


def _durability(history: History) -> list[Violation]:
    violations = []
    statuses: dict[str, set[str]] = defaultdict(set)
    schedules: dict[str, list[dict[str, object]]] = defaultdict(list)
    for revision in history.revisions:
        statuses[revision.name].add(revision.status)
        schedules[revision.name].append(revision.schedule)
    runs = {run.id for run in history.runs}
    wanted = {"pause": "PAUSED", "delete": "DELETED", "cancel": "CANCELLED"}

    def is_there(call: Call) -> bool:
        if call.action in ("trigger", "retry"):
            return call.run in runs
        if call.action in wanted:
            return wanted[call.action] in statuses[call.name]
        if call.action in ("create", "edit"):
            return any(all(have.get(key) == value for key, value in call.schedule.items()) for have in schedules[call.name])
        return True

    for call in history.calls:
        if call.answered == "yes" and not is_there(call):
            violations.append(Violation("S14", f"{call.action} of {call.name or call.run} was answered, but is not there"))
    return violations


def _batches(history: History) -> list[Violation]:
    names: dict[str, set[str]] = defaultdict(set)
    for call in history.calls:
        if call.batch:
            names[call.batch].add(call.name)
    there = {revision.name for revision in history.revisions}
    return [Violation("S14", f"batch {batch}: {len(members & there)} of {len(members)} jobs are there")
            for batch, members in names.items() if members & there and members - there]
