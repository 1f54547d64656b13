"""What is asked of the product's tables, in either store: plain SQL, none of the product's code."""

from dataclasses import dataclass
from typing import Callable

Rows = dict[str, list[dict[str, str]]]


@dataclass(frozen=True)
class Queries:
    """The stores differ in how they keep times and incarnations, and where the recorder's tables are."""

    micros: Callable[[str], str]
    text: Callable[[str], str]
    chaos: str
    now: str

    def _m(self, column: str) -> str:
        return f"{self.micros(column)} as {column}"

    def all(self) -> dict[str, str]:
        m = self._m
        run = ", ".join(["partition", "job_id", "run_key", "revision", "origin", "state", m("scheduled_for"), m("decided_at"),
                         m("started_at"), "attempt", "fence", "epoch", f"{self.text('node')} as node"])
        attempt = "job_id, run_key, attempt, fence"
        return {
            "revisions": f"select job_id, revision, {m('effective_from')}, status, job_type, schedule, name, {m('paused_until')}, "
                         "overlap, misfire, max_attempts, calendar_rules from job_revisions",
            "runs": f"select {run}, null as finished_at, {m('lease_until')}, {m('due_at')} from runs union all "
                    f"select {run}, {m('finished_at')}, null, null from history",
            "skips": f"select job_id, {m('first_tick')}, {m('last_tick')}, count, reason, epoch from skips",
            # On PostgreSQL a success is in the run's row only.
            "attempts": f"select {attempt}, outcome, worker, {m('started_at')}, {m('finished_at')} from attempts union all "
                        f"select {attempt}, 0, worker, {m('started_at')}, {m('finished_at')} from history h where state = 3 and "
                        "fence > 0 and not exists (select 1 from attempts a where a.fence = h.fence)",
            "cursors": f"select partition, epoch, owner, {m('through_before')}, {m('through')} from {self.chaos}cursors order by no",
            "grants": f"select job_id, run_key, fence, attempt, {m('at')} from {self.chaos}grants order by no",
            "ends": f"select job_id, run_key, state, fence, {m('at')} from {self.chaos}ends order by no",
            "partitions": f"select id, {self.text('owner')} as owner, epoch, {m('decided_through')} from partitions where id < 256",
            "nodes": f"select {self.text('incarnation')} as incarnation from nodes where lease_until > {self.now} and region = 0",
        }
