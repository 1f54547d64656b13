"""The checker is judged first: a sound history passes, and each falsified one is noticed, by the property it breaks."""

import dataclasses
import unittest
from typing import Callable

from chaos.checker.history import SECOND, Attempt, Call, Cursor, Effect, End, Fault, Grant, History, Partition, Receipt, Run, Seen, Skip
from chaos.checker.liveness import Bounds
from chaos.checker.verdict import Rules, judge
from chaos.tests.sound import CALM, COLD, HOOK, JOB, NODES, at, sound

Falsify = Callable[[History], object]
FALSE: dict[str, tuple[str, Falsify]] = {}
STRICT = Rules(Bounds(max_late=1.0, max_recovery=1.0, small_tenant_within=1.0), steady_owners=True)


def breaks(rule: str) -> Callable[[Falsify], Falsify]:
    def add(falsify: Falsify) -> Falsify:
        FALSE[falsify.__name__] = (rule, falsify)
        return falsify

    return add


def change(items: list, index: int, **facts: object) -> None:
    items[index] = dataclasses.replace(items[index], **facts)


def index(history: History, job: int, second: float) -> int:
    return next(i for i, run in enumerate(history.runs) if run.job == job and run.scheduled_for == at(second))


def forget(history: History, run: Run) -> None:
    """Every trace of it."""
    history.runs.remove(run)
    for name in ("attempts", "grants", "ends", "seen", "effects", "receipts"):
        setattr(history, name, [each for each in getattr(history, name) if each.run != run.id])


# ---- Ticks


@breaks("S1")
def a_tick_is_lost(h: History) -> None:
    forget(h, h.runs[index(h, JOB, 4)])


@breaks("S1")
def the_last_tick_is_lost(h: History) -> None:
    forget(h, h.runs[index(h, JOB, 10)])


@breaks("S1")
def the_first_tick_is_lost(h: History) -> None:
    forget(h, h.runs[index(h, HOOK, 2)])


@breaks("S4")
def a_delayed_run_starts_before_its_calendar_opens(h: History) -> None:
    change(h.runs, index(h, COLD, 6), started_at=at(6.5))


@breaks("S10")
def what_was_to_be_delayed_is_skipped(h: History) -> None:
    forget(h, h.runs[index(h, COLD, 6)])
    h.skips.append(Skip(COLD, at(6), at(6), 1, "calendar", 1))


@breaks("S10")
def a_tick_runs_that_another_stands_for(h: History) -> None:
    h.skips = [skip for skip in h.skips if skip.job != COLD]
    run = h.runs[index(h, COLD, 8)]
    h.runs.append(dataclasses.replace(run, key=at(4), scheduled_for=at(4), decided_at=at(4.1), started_at=at(4.2), fence=300))


@breaks("S10")
def a_tick_at_an_open_time_is_skipped_for_the_calendar(h: History) -> None:
    forget(h, h.runs[index(h, COLD, 8)])
    h.skips.append(Skip(COLD, at(8), at(8), 1, "calendar_coalesced", 1))


@breaks("S1")
def a_tick_has_a_run_and_a_skip(h: History) -> None:
    h.skips.append(Skip(JOB, at(4), at(4), 1, "misfire_expired", 1))


@breaks("S1")
def a_tick_has_two_runs(h: History) -> None:
    h.runs.append(dataclasses.replace(h.runs[index(h, JOB, 4)], key=at(4) + 1))


@breaks("S1")
def a_tick_lies_in_two_skips(h: History) -> None:
    h.skips.append(Skip(CALM, at(6), at(6), 1, "paused", 1))


@breaks("S1")
def a_run_has_no_tick(h: History) -> None:
    h.runs.append(dataclasses.replace(h.runs[index(h, JOB, 4)], key=at(5), scheduled_for=at(5), decided_at=at(5)))


@breaks("S1")
def an_unknown_job_ran(h: History) -> None:
    change(h.runs, index(h, HOOK, 4), job=0x90009)


@breaks("S8")
def it_ran_while_paused(h: History) -> None:
    h.runs.append(dataclasses.replace(h.runs[index(h, CALM, 2)], key=at(4), scheduled_for=at(4), decided_at=at(4), started_at=at(4)))
    change(h.skips, 0, first=at(6), count=1)


@breaks("S8")
def it_was_skipped_as_paused_but_was_not(h: History) -> None:
    forget(h, h.runs[index(h, CALM, 8)])
    change(h.skips, 0, last=at(8), count=3)


@breaks("S8")
def a_pause_is_called_a_misfire(h: History) -> None:
    change(h.skips, 0, reason="misfire_coalesced")


@breaks("S9")
def an_edit_reaches_back(h: History) -> None:
    h.revisions.append(dataclasses.replace(h.revisions[0], number=2, effective_from=at(9), schedule={"every": 3 * SECOND}))
    forget(h, h.runs[index(h, JOB, 10)])
    h.runs.append(dataclasses.replace(h.runs[index(h, JOB, 4)], key=at(3), scheduled_for=at(3), decided_at=at(9.5), started_at=at(9.5)))


@breaks("S9")
def an_old_definition_goes_on(h: History) -> None:
    h.revisions.append(dataclasses.replace(h.revisions[0], number=2, effective_from=at(7), schedule={"every": 5 * SECOND}))


@breaks("S10")
def a_skip_counts_wrong(h: History) -> None:
    change(h.skips, 0, count=3)


@breaks("S10")
def a_policy_is_not_obeyed(h: History) -> None:
    forget(h, h.runs[index(h, CALM, 8)])
    h.skips.append(Skip(CALM, at(8), at(8), 1, "misfire_skipped", 1))


@breaks("S10")
def runs_that_may_overlap_were_skipped_for_it(h: History) -> None:
    forget(h, h.runs[index(h, JOB, 8)])
    h.skips.append(Skip(JOB, at(8), at(8), 1, "overlap", 1))


# ---- Owners


@breaks("S2")
def a_cursor_goes_back(h: History) -> None:
    h.cursors.append(Cursor(1, 1, NODES[0], at(10), at(9)))


@breaks("S2")
def a_cursor_leaves_a_hole(h: History) -> None:
    h.cursors.append(Cursor(1, 1, NODES[0], at(11), at(12)))


@breaks("S3")
def an_epoch_falls(h: History) -> None:
    h.cursors.append(Cursor(1, 2, NODES[1], at(10), at(10)))
    h.cursors.append(Cursor(1, 1, NODES[0], at(10), at(11)))


@breaks("S3")
def two_nodes_move_a_cursor_in_one_epoch(h: History) -> None:
    h.cursors.append(Cursor(1, 1, NODES[1], at(10), at(11)))


@breaks("S3")
def two_nodes_write_runs_in_one_epoch(h: History) -> None:
    change(h.runs, index(h, JOB, 8), node=NODES[1])


# ---- Attempts


@breaks("S4")
def a_run_was_decided_early(h: History) -> None:
    change(h.runs, index(h, JOB, 4), decided_at=at(3.9))


@breaks("S4")
def a_run_started_early(h: History) -> None:
    change(h.runs, index(h, JOB, 4), started_at=at(3.99))


@breaks("S4")
def a_worker_began_early(h: History) -> None:
    change(h.seen, 0, at=at(1.5))


@breaks("S5")
def a_run_ended_twice(h: History) -> None:
    h.ends.append(End(h.runs[0].id, "DEAD", h.runs[0].fence, at(9)))


@breaks("S5")
def an_end_was_never_written(h: History) -> None:
    h.ends.pop(0)


@breaks("S5")
def a_run_ended_under_a_lower_fence(h: History) -> None:
    h.grants.append(Grant(h.runs[0].id, JOB, 999, 2, at(11)))


@breaks("S5")
def a_run_was_begun_twice_under_one_fence(h: History) -> None:
    h.seen.append(dataclasses.replace(h.seen[0], at=at(3), worker="w2"))


@breaks("S5")
def a_run_was_begun_again_for_no_reason(h: History) -> None:
    h.seen.append(Seen("begin", at(11), h.runs[0].id, 999, "w2", "job"))


@breaks("S5")
def ok_was_said_and_forgotten(h: History) -> None:
    change(h.attempts, 0, outcome="LEASE_LOST")


@breaks("S5")
def fenced_was_said_of_what_counted(h: History) -> None:
    change(h.seen, 2, answer="FENCED")


@breaks("S5")
def a_success_was_made_up(h: History) -> None:
    h.seen = [seen for seen in h.seen if seen.run != h.runs[0].id or seen.event == "begin"]


@breaks("S5")
def a_stale_effect_was_accepted(h: History) -> None:
    h.effects += [Effect(at(11), "r", 9, True), Effect(at(11.1), "r", 8, True)]


@breaks("S6")
def a_fence_was_given_twice(h: History) -> None:
    h.grants.append(dataclasses.replace(h.grants[0], run=h.runs[4].id, job=0x77))


@breaks("S6")
def fences_of_a_job_fall(h: History) -> None:
    h.grants.append(Grant("new", JOB, 50, 1, at(19)))


@breaks("S6")
def fences_of_a_job_whose_runs_go_one_by_one_fall(h: History) -> None:
    last = next(grant for grant in reversed(h.grants) if grant.job == CALM)
    h.grants.append(Grant("new", CALM, last.fence - 1000, 1, last.at + 1))


@breaks("S6")
def fences_of_a_run_fall(h: History) -> None:
    h.grants.append(Grant(h.runs[0].id, JOB, h.runs[0].fence - 50, 2, h.grants[0].at + 1))


@breaks("S7")
def a_forbidden_overlap(h: History) -> None:
    first = h.runs[index(h, CALM, 8)]
    h.seen = [seen for seen in h.seen if not (seen.run == first.id and seen.event == "end")]
    h.seen.append(Seen("end", at(10.5), first.id, first.fence, "w", "calm"))


@breaks("S11")
def too_many_attempts(h: History) -> None:
    change(h.runs, index(h, CALM, 8), attempt=3)


@breaks("S11")
def an_attempt_began_before_the_last_was_over(h: History) -> None:
    h.attempts.append(Attempt(h.runs[0].id, 2, 998, "FAILED", "w", at(2.05), at(3)))


@breaks("S11")
def a_run_died_untried(h: History) -> None:
    run = h.runs[index(h, JOB, 8)]
    h.seen = [seen for seen in h.seen if seen.run != run.id]
    change(h.runs, index(h, JOB, 8), state="DEAD")


@breaks("S12")
def a_message_without_a_run(h: History) -> None:
    h.receipts.append(Receipt(at(3), "f" * 32, "hook", "webhook"))


@breaks("S12")
def a_delivery_that_never_arrived(h: History) -> None:
    h.receipts.pop()


@breaks("S13")
def a_worker_got_a_strangers_run(h: History) -> None:
    change(h.seen, 0, tenant="other")


@breaks("S14")
def a_registration_vanished(h: History) -> None:
    h.calls.append(Call(at(1), "create", "gone", "yes"))


@breaks("S14")
def an_edit_vanished(h: History) -> None:
    h.calls.append(Call(at(1), "edit", "job", "yes", schedule={"every": 7 * SECOND}))


@breaks("S14")
def a_trigger_vanished(h: History) -> None:
    h.calls.append(Call(at(1), "trigger", "job", "yes", run="e" * 32))


@breaks("S14")
def half_a_batch_is_there(h: History) -> None:
    h.calls += [Call(at(1), "create", "job", "unknown", batch="b"), Call(at(1), "create", "other", "unknown", batch="b")]


# ---- Liveness


@breaks("L2")
def a_tick_was_decided_late(h: History) -> None:
    change(h.runs, index(h, HOOK, 8), decided_at=at(9.9))


@breaks("L3")
def a_lease_is_over_and_nobody_cares(h: History) -> None:
    change(h.runs, index(h, HOOK, 2), state="RUNNING", lease_until=at(3))


@breaks("L4")
def a_partition_is_nobodys(h: History) -> None:
    h.partitions.append(Partition(9, "dead", 4, at(10)))


@breaks("L4")
def one_node_has_all(h: History) -> None:
    h.partitions += [Partition(n, NODES[0], 1, at(10)) for n in range(10, 20)]


@breaks("L4")
def a_partition_stands_still(h: History) -> None:
    forget(h, h.runs[index(h, JOB, 10)])
    change(h.partitions, 0, through=at(9))


@breaks("L5")
def a_small_tenant_waits(h: History) -> None:
    change(h.revisions, 0, name="small-1")
    h.seen = [seen for seen in h.seen if seen.job != "job"]


@breaks("L6")
def it_takes_long_to_catch_up(h: History) -> None:
    h.faults.append(Fault("kill_database", "postgres", at(3), at(5)))
    change(h.runs, index(h, HOOK, 4), decided_at=at(9))


@breaks("L8")
def a_run_is_stuck(h: History) -> None:
    change(h.runs, index(h, HOOK, 4), state="READY")


@breaks("L9")
def a_healthy_node_loses_a_partition(h: History) -> None:
    for i, cursor in enumerate(h.cursors):
        if cursor.partition == h.cursors[-1].partition and cursor.through >= at(6):
            change(h.cursors, i, epoch=cursor.epoch + 1)


# ---- Without ids


@breaks("S1")
def a_run_has_the_wrong_tick_on_its_label(h: History) -> None:
    """The ledger is perfect, but the work of the tick at 8 s began before it, together with that of 6 s."""
    change(h.seen, next(i for i, s in enumerate(h.seen) if s.event == "begin" and s.run == h.runs[index(h, JOB, 8)].id), at=at(6.2), run="")


@breaks("S1")
def a_start_that_no_tick_asked_for(h: History) -> None:
    h.seen.append(Seen("begin", at(5), "d" * 32, 5000, "w", "job"))


class CheckerTest(unittest.TestCase):
    def test_a_sound_history_passes(self) -> None:
        self.assertEqual(judge(sound(), STRICT).violations, [])

    def test_there_are_enough(self) -> None:
        self.assertGreaterEqual(len(FALSE), 30)

    def test_each_falsified_history_is_noticed(self) -> None:
        for name, (rule, falsify) in FALSE.items():
            with self.subTest(name):
                history = sound()
                falsify(history)
                found = judge(history, STRICT).violations
                self.assertIn(rule, {violation.property for violation in found}, found)

    def test_a_redriven_run_may_end_twice(self) -> None:
        history = sound()
        run = history.runs[0]
        history.ends.append(End(run.id, "SUCCEEDED", run.fence, at(9)))
        history.calls.append(Call(at(8), "retry", "job", "yes", run=run.id))
        self.assertEqual(judge(history, STRICT).violations, [])

    def test_a_frozen_worker_may_overlap(self) -> None:
        history = sound()
        a_forbidden_overlap(history)
        history.faults.append(Fault("freeze_worker", "w", at(8), at(10.2)))
        self.assertEqual([v for v in judge(history).violations if v.property == "S7"], [])


if __name__ == "__main__":
    unittest.main()
