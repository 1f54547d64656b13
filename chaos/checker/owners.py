"""S2, S3: cursors only go forward and without holes; under one epoch of a partition one node writes. L9: where no node
was harmed, each keeps its partitions."""

from collections import defaultdict

from chaos.checker.history import SECOND, Cursor, History, Violation

SETTLED = 2 * SECOND  # after the begin, every node has the share that it keeps


def check(history: History, steady_owners: bool = False) -> list[Violation]:
    return [*_cursors(history), *_writers(history), *(_moves(history) if steady_owners else [])]


def _cursors(history: History) -> list[Violation]:
    violations: list[Violation] = []
    last: dict[int, Cursor] = {}
    for cursor in history.cursors:
        where = f"partition {cursor.partition}"
        if cursor.through < cursor.before:
            violations.append(Violation("S2", f"the cursor of {where} went back from {cursor.before} to {cursor.through}"))
        if before := last.get(cursor.partition):
            if cursor.before != before.through:
                violations.append(Violation("S2", f"the cursor of {where} was at {before.through}, then moved from {cursor.before}"))
            if cursor.epoch < before.epoch:
                violations.append(Violation("S3", f"the epoch of {where} fell from {before.epoch} to {cursor.epoch}"))
            moved = cursor.through != cursor.before
            if moved and cursor.epoch == before.epoch and cursor.owner and before.owner and cursor.owner != before.owner:
                violations.append(Violation("S3", f"{where} changed hands within epoch {cursor.epoch}"))
        last[cursor.partition] = cursor
    return violations


def _writers(history: History) -> list[Violation]:
    writers: dict[tuple[int, int], set[str]] = defaultdict(set)
    for cursor in history.cursors:
        if cursor.owner:
            writers[cursor.partition, cursor.epoch].add(cursor.owner)
    for run in history.runs:
        if run.origin == "schedule":
            writers[run.partition, run.epoch].add(run.node)
    return [Violation("S3", f"partition {partition} had {len(nodes)} writers in epoch {epoch}: {sorted(nodes)}")
            for (partition, epoch), nodes in sorted(writers.items()) if len(nodes) > 1]


def _moves(history: History) -> list[Violation]:
    violations = []
    last: dict[int, Cursor] = {}
    for cursor in history.cursors:
        before = last.get(cursor.partition)
        if before and before.epoch != cursor.epoch and before.through >= history.begin + SETTLED:
            violations.append(Violation("L9", f"partition {cursor.partition} changed hands: epoch {before.epoch} became {cursor.epoch}"))
        last[cursor.partition] = cursor
    return violations
