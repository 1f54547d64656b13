"""A small history in which everything is right, for tests that make one thing wrong."""

import dataclasses

from chaos.checker.history import (SECOND, Attempt, Call, Cursor, Effect, End, Grant, History, Partition, Receipt, Revision, Run,
                                   Seen, Skip)

BASE = 1_800_000_000 * SECOND
JOB, HOOK, CALM, COLD = 0x10001, 0x20002, 0x30003, 0x40004
NODES = ("a" * 32, "b" * 32)


def at(seconds: float) -> int:
    return BASE + int(seconds * SECOND)


def run_of(job: int, tick: int, fence: int, kind: str = "rest") -> Run:
    partition = job & 0xFFFF
    return Run(job, tick, "schedule", "SUCCEEDED", tick, tick + 5000, tick + 6000, tick + 90_000, 1, fence, partition, 1, NODES[0], 1)


def sound() -> History:
    """Two jobs that tick every two seconds for ten: one for workers, one for webhooks; one that was paused; and one whose
    calendar was closed from 3 to 7, so that its tick at 6 ran at 7, for the one at 4 as well."""
    history = History(begin=at(0), horizon=at(10), end=at(12))
    every = {"every": 2 * SECOND, "start_at": None, "end_at": None}
    history.revisions = [
        Revision(JOB, 1, at(0.5), "ACTIVE", "job", "rest", every),
        Revision(HOOK, 1, at(0.5), "ACTIVE", "hook", "webhook", every),
        Revision(CALM, 1, at(0.5), "ACTIVE", "calm", "rest", every, overlap="FORBID", misfire="FIRE_ONCE", max_attempts=2),
        Revision(CALM, 2, at(2.5), "PAUSED", "calm", "rest", every, overlap="FORBID", misfire="FIRE_ONCE", max_attempts=2),
        Revision(CALM, 3, at(6.5), "ACTIVE", "calm", "rest", every, overlap="FORBID", misfire="FIRE_ONCE", max_attempts=2),
    ]
    history.revisions.append(Revision(COLD, 1, at(0.5), "ACTIVE", "cold", "rest", every | {"windows": [(at(3), at(7))], "delays": True}))
    history.skips = [Skip(CALM, at(4), at(6), 2, "paused", 1), Skip(COLD, at(4), at(4), 1, "calendar_coalesced", 1)]
    fence = 100
    for second in (2, 4, 6, 8, 10):
        for job in (JOB, HOOK, CALM):
            if job == CALM and second in (4, 6):
                continue
            fence += 1
            _add_run(history, run_of(job, at(second), fence))
    for number, second in enumerate((2, 6, 8, 10)):
        run = run_of(COLD, at(second), 200 + number)
        _add_run(history, run if second != 6 else dataclasses.replace(run, started_at=at(7.001), finished_at=at(7.09)))
    for partition in (1, 2, 3, 4):
        history.cursors += [Cursor(partition, 1, NODES[0], at(n), at(n + 2)) for n in (0, 2, 4, 6, 8)]
    history.partitions = [Partition(1, NODES[0], 1, at(10)), Partition(2, NODES[1], 1, at(10)), Partition(3, NODES[0], 1, at(10)),
                          Partition(4, NODES[1], 1, at(10))]
    history.live_nodes = list(NODES)
    history.calls = [Call(at(0.5), "create", "job", "yes", schedule={"every": 2 * SECOND}), Call(at(2.5), "pause", "calm", "yes")]
    return history


def _add_run(history: History, run: Run) -> None:
    begin = (run.started_at or 0) - 6000  # its tick, or when its calendar opened
    history.runs.append(run)
    history.attempts.append(Attempt(run.id, 1, run.fence, "SUCCEEDED", "w", begin + 6000, begin + 90_000))
    history.grants.append(Grant(run.id, run.job, run.fence, 1, begin + 6000))
    history.ends.append(End(run.id, "SUCCEEDED", run.fence, begin + 90_000))
    name = {JOB: "job", HOOK: "hook", CALM: "calm", COLD: "cold"}[run.job]
    if run.job == HOOK:
        history.receipts.append(Receipt(begin + 7000, run.id, name, "webhook"))
        return
    history.seen += [Seen("begin", begin + 7000, run.id, run.fence, "w", name),
                     Seen("end", begin + 80_000, run.id, run.fence, "w", name),
                     Seen("answer", begin + 95_000, run.id, run.fence, "w", name, answer="OK", status="SUCCEEDED")]
    history.effects.append(Effect(begin + 70_000, run.id, run.fence, True))
