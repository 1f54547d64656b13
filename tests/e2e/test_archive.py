"""History that leaves the database is in the archive first: test_archive.py BELFRY sqlite|postgres"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "deliver"), str(HERE.parent / "api")]
from node import Node  # noqa: E402
from stores import Database, store_named  # noqa: E402

BELFRY, STORE = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
PATIENCE = 600.0  # seconds; a limit for broken tests, never a measurement
JOBS, DAYS, OLDEST = 1_000, 365, 92  # the youngest of these days is older than the retention of 90 days

# One run a day for each job; one in 50 is dead. `at` is its tick, in microseconds.
COLUMNS = """partition, job_id, run_key, tenant_id, job_type, revision, origin, state, scheduled_for, decided_at, started_at,
  finished_at, stands_for, attempt, fence, worker, epoch, node, result, error, payload, reason"""
SQLITE_YEAR = """
with recursive days (d) as (select 1 union all select d + 1 from days where d < {days}),
ticks as (select j.*, d, ({today} - (d + {oldest}) * 86400 + 7200 + (j.id >> 16) % 3600) * 1000000 as at from jobs j cross join days)
insert into history ({columns})
select partition, id, at, tenant_id, job_type, 1, 0, iif(d % 50 = 7, 5, 3), at, at + 1500, at + 20000, at + 2000000 + d, 1, 1, d * 1000, 'w-1',
  1, x'00112233445566778899aabbccddeeff', '{{"day": ' || d || ',' || char(10) || ' "tenth": 0.1}}', iif(d % 50 = 7, 'it failed', ''), null,
  iif(d % 50 = 7, 1, 0)
from ticks"""
POSTGRES_YEAR = """
select make_history_days(to_timestamp({today} - ({days} + {oldest} + 1) * 86400), {days} + 1);
insert into history ({columns})
select partition, id, (extract(epoch from at) * 1000000)::bigint, tenant_id, job_type, 1, 0, case when d % 50 = 7 then 5 else 3 end, at,
  at + interval '1500 us', at + interval '20 ms', at + interval '2 s' + d * interval '1 us', 1, 1, d * 1000, 'w-1', 1,
  '00112233-4455-6677-8899-aabbccddeeff', ('{{"day": ' || d || ',' || chr(10) || ' "tenth": 0.1}}')::json,
  case when d % 50 = 7 then 'it failed' else '' end, null, case when d % 50 = 7 then 1 else 0 end
from jobs cross join generate_series(1, {days}) as d
cross join lateral (select to_timestamp({today} - (d + {oldest}) * 86400 + 7200 + (id >> 16) % 3600) as at) as t"""


def belfry(*words: str, code: int = 0, **environment: str) -> str:
    done = subprocess.run([BELFRY, *words], text=True, capture_output=True, timeout=PATIENCE, check=False,
                          env={**os.environ, **environment})
    assert done.returncode == code, (words, done.stdout[-2000:], done.stderr)
    return done.stdout


def until(what: str, look: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, what
        time.sleep(0.1)
    return found


class Archive(unittest.TestCase):
    def setUp(self) -> None:
        self.store = store_named(STORE)
        self.addCleanup(self.store.close)
        self.archive = self.store.folder / "archive"

    def node(self, *arguments: str) -> Node:
        node = Node(BELFRY, self.store.address, *arguments)
        self.addCleanup(node.stop)
        return node

    def add_jobs(self, count: int) -> None:
        node = self.node("--history-retention", "3000d")
        jobs = [{"job_name": f"daily-{i}", "cron_expression": "0 2 * * *", "job_type": "nobody"} for i in range(count)]
        node.call("POST", "/jobs:batch", {"jobs": jobs})
        node.stop()

    def add_days(self, days: int) -> None:
        today = int(time.time()) // 86400 * 86400
        sql = POSTGRES_YEAR if isinstance(self.store, Database) else SQLITE_YEAR
        self.store.rows(sql.format(columns=COLUMNS, days=days, oldest=OLDEST, today=today))

    def left(self) -> int:
        return int(self.store.rows("select count(*) from history")[0][0])

    def read(self, *words: str) -> list[dict[str, Any]]:
        return [json.loads(line) for line in belfry("history", "--archive", str(self.archive), "-o", "jsonl", *words).splitlines()]

    def test_a_year_of_history_is_archived_dropped_and_read_again(self) -> None:
        self.add_jobs(JOBS)
        self.add_days(DAYS)
        rows = {f"{int(job):016x}{int(key):016x}": "DEAD" if int(state) == 5 else "SUCCEEDED"
                for job, key, state in self.store.rows("select job_id, run_key, state from history")}
        self.assertEqual(len(rows), JOBS * DAYS)
        node = self.node("--history-retention", "3000d")
        server = f"http://{node.server.address}"
        live = {job: belfry("runs", "list", job, "--limit", "1000", "-o", "jsonl", "--server", server) for job in ("daily-0", f"daily-{JOBS - 1}")}
        node.stop()

        node = self.node("--archive-dir", str(self.archive))
        until("some days are archived", lambda: self.archive.exists() and len(list(self.archive.glob("runs-*"))) > 5)
        os.kill(node.server.process.pid, signal.SIGKILL)  # wherever it is
        node.server.process.wait()
        between = self.left()
        self.assertEqual({run["run_id"] for run in self.read("--limit", "0")} | self.ids_left(), rows.keys(), "some are neither here nor there")
        node = self.node("--archive-dir", str(self.archive))
        until("all is archived", lambda: self.left() == 0)
        self.assertGreater(between, 0, "it was over before the kill: nothing was tested")

        runs = self.read("--limit", "0")
        self.assertEqual(len(runs), len(rows))
        self.assertEqual({run["run_id"]: run["state"] for run in runs}, rows)
        ends = [run["finished_at"] for run in runs]
        self.assertEqual(ends, sorted(ends, key=parse, reverse=True))
        for job, text in live.items():
            self.assertEqual(belfry("history", "--archive", str(self.archive), job, "--limit", "1000", "-o", "jsonl"), text)
        dead = self.read("daily-7", "--state", "dead")
        self.assertEqual({run["reason"] for run in dead}, {"attempts"})
        self.assertIn("daily-7", belfry("history", "--archive", str(self.archive), "daily-7"))
        day = runs[0]["finished_at"][:10]
        self.assertEqual(len(self.read("--from", f"{day}T00:00:00Z", "--limit", "0")), JOBS)

    def ids_left(self) -> set[str]:
        return {f"{int(job):016x}{int(key):016x}" for job, key in self.store.rows("select job_id, run_key from history")}

    def test_an_archive_that_takes_nothing_stops_the_drop_and_is_told(self) -> None:
        self.add_jobs(3)
        node = self.node("--archive-dir", str(self.archive))
        self.archive.rmdir()
        self.archive.write_text("not a folder", "utf-8")
        self.add_days(4)
        def problems() -> list[dict[str, Any]]:
            return [each for each in node.call("GET", "/cluster")["problems"] if each["code"] == "archive_stuck"]
        told = until("it is told", problems)[0]
        self.assertIn("drops none", told["sentence"])
        self.assertIn("archive_stuck", belfry("doctor", "--server", f"http://{node.server.address}", "-o", "json", code=1))
        self.assertEqual(self.left(), 12)
        self.archive.unlink()
        self.archive.mkdir()
        until("it goes on", lambda: self.left() == 0)
        until("it is over", lambda: not problems())
        self.assertEqual(len(self.read()), 12)

    def test_a_folder_that_cannot_be_written_is_refused_at_the_start(self) -> None:
        self.archive.write_text("not a folder", "utf-8")
        with self.assertRaisesRegex(RuntimeError, "archive_dir"):
            Node(BELFRY, self.store.address, "--archive-dir", str(self.archive))


def parse(text: str) -> float:
    """Fractions have no, three or six digits."""
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return time.mktime(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) + float(f"0.{fraction or 0}")


if __name__ == "__main__":
    os.environ["TZ"] = "UTC"
    time.tzset()
    unittest.main(verbosity=2)
