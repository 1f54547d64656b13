"""What users were told wrongly, or could not put right, seen from outside (issue 14; README.md has the table):

    python3 test_points.py BELFRY sqlite|postgres [TEST...]
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys
import time
import unittest
import urllib.parse
import urllib.request
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "api")]
from harness import Server  # noqa: E402

BELFRY, STORE = os.path.abspath(sys.argv[1]), sys.argv[2]
PATIENCE = 90.0  # seconds; a limit for broken tests, never a measurement
SERVER: Server


def setUpModule() -> None:
    global SERVER
    SERVER = Server(BELFRY, STORE)


def tearDownModule() -> None:
    SERVER.stop()


def call(method: str, path: str, body: Any = None, **query: str) -> Any:
    text = f"http://{SERVER.address}/api/v1{path}" + ("?" + urllib.parse.urlencode(query) if query else "")
    request = urllib.request.Request(text, None if body is None else json.dumps(body).encode(),
                                     {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.loads(answer.read() or b"null")


def belfry(*words: str) -> str:
    done = subprocess.run([BELFRY, *words], capture_output=True, text=True, timeout=PATIENCE, check=False,
                          env={**os.environ, "BELFRY_SERVER": f"http://{SERVER.address}"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def eventually(what: Callable[[], Any]) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.1)
    return found


def instant(text: str) -> datetime.datetime:
    return datetime.datetime.fromisoformat(text)


def claimed(kind: str, lease: int) -> dict[str, Any]:
    """A run of the type, in our hands for so many seconds."""
    ask = {"worker_id": "w1", "job_types": [kind], "max_runs": 1, "lease_seconds": lease, "wait_seconds": 5}
    return eventually(lambda: call("POST", "/runs:claim", ask)["runs"])[0]


def beat(run: dict[str, Any], lease: int) -> str:
    grant = {"run_id": run["run_id"], "fence": run["fence"]}
    return call("POST", "/runs:heartbeat", {"runs": [grant], "lease_seconds": lease})["results"][0]["answer"]


def report(run: dict[str, Any], status: str = "SUCCEEDED", **more: Any) -> str:
    end = {"run_id": run["run_id"], "fence": run["fence"], "status": status, **more}
    return call("POST", "/runs:complete", {"runs": [end]})["results"][0]["answer"]


class Points(unittest.TestCase):
    def names(self, **query: str) -> set[str]:
        return {job["job_name"] for job in call("GET", "/jobs", limit="1000", **query)["items"]}

    def test_01_a_pause_that_is_over_shows_nowhere(self) -> None:
        call("POST", "/jobs", {"job_name": "resting", "cron_expression": "* * * * * *", "job_type": "resting",
                               "concurrency_policy": "ALLOW", "max_concurrent": 1000})
        paused_before = call("GET", "/stats")["jobs"]["paused"]["value"]
        now = instant(call("GET", "/stats")["now"])
        until = now.replace(microsecond=0) + datetime.timedelta(seconds=6)
        call("POST", "/jobs/name:resting/pause", {"until": until.isoformat()})
        self.assertIn("resting", self.names(status="PAUSED"))
        self.assertEqual(call("GET", "/stats")["jobs"]["paused"]["value"], paused_before + 1)
        eventually(lambda: instant(call("GET", "/stats")["now"]) > until)
        self.assertEqual(call("GET", "/jobs/name:resting")["status"], "ACTIVE")
        self.assertNotIn("resting", self.names(status="PAUSED"))
        self.assertIn("resting", self.names(status="ACTIVE"))
        self.assertEqual(call("GET", "/stats")["jobs"]["paused"]["value"], paused_before)
        [shown] = [line for line in belfry("ls").splitlines() if "resting" in line]
        self.assertNotIn("paused", shown.lower())
        call("PATCH", "/jobs/name:resting", {"priority": 5})
        states = [each["status"] for each in call("GET", "/jobs/name:resting/revisions")["items"]]
        self.assertEqual(states, ["ACTIVE", "PAUSED", "ACTIVE"])

    def test_01_the_tick_at_until_belongs_to_the_time_after(self) -> None:
        call("POST", "/jobs", {"job_name": "six", "cron_expression": "* * * * * *", "job_type": "six",
                               "concurrency_policy": "ALLOW", "max_concurrent": 1000})
        now = instant(call("GET", "/stats")["now"])
        until = now.replace(microsecond=0) + datetime.timedelta(seconds=5)
        call("POST", "/jobs/name:six/pause", {"until": until.isoformat()})
        second = datetime.timedelta(seconds=1)

        def fates() -> list[dict[str, Any]]:
            ticks = call("GET", "/jobs/name:six/ticks", limit="1000")["items"]
            return ticks if any("run_id" in each and instant(each["scheduled_for"]) > until for each in ticks) else []

        ticks = eventually(fates)
        runs = {instant(each["scheduled_for"]) for each in ticks if "run_id" in each}
        self.assertIn(until, runs)
        self.assertNotIn(until - second, runs)

    def test_02_a_stuck_run_is_freed_by_one_verb(self) -> None:
        call("POST", "/jobs", {"job_name": "stuck", "every": "1s", "job_type": "stuck"})
        run = claimed("stuck", 900)
        belfry("runs", "unstick", run["run_id"], "-m", "its worker hangs")
        ended = call("GET", f"/runs/{run['run_id']}")
        self.assertEqual((ended["state"], ended["reason"]), ("DEAD", "unstuck"))
        self.assertEqual(beat(run, 900), "FENCED")
        self.assertEqual(report(run), "FENCED")
        [noted] = [each for each in call("GET", "/audit", limit="100")["items"]
                   if each["action"] == "run.unstick" and run["run_id"] in each["object"]]
        self.assertIn("its worker hangs", json.dumps(noted["detail"]))
        self.assertTrue(noted["actor"])
        self.assertNotEqual(claimed("stuck", 30)["run_id"], run["run_id"])  # FORBID lets the next one through

    def test_02_a_cancelled_run_has_a_bounded_time_to_stop(self) -> None:
        call("POST", "/jobs", {"job_name": "deaf", "every": "1s", "job_type": "deaf", "stop_within": "2s"})
        run = claimed("deaf", 900)
        call("POST", f"/runs/{run['run_id']}/cancel", {})
        eventually(lambda: beat(run, 900) == "FENCED")  # it goes on beating, and that prolongs nothing
        eventually(lambda: call("GET", f"/runs/{run['run_id']}")["state"] == "CANCELLED")
        self.assertEqual(report(run), "FENCED")

    def test_05_what_nobody_starts_in_time_is_a_dead_letter(self) -> None:
        call("POST", "/jobs", {"job_name": "forgotten", "cron_expression": "0 0 1 1 *", "job_type": "no.such", "start_within": "1s"})
        run = call("POST", "/jobs/name:forgotten/trigger", {})["run_id"]
        eventually(lambda: call("GET", f"/runs/{run}")["state"] == "DEAD")
        self.assertEqual(call("GET", f"/runs/{run}")["reason"], "not_started")
        self.assertIn(run, belfry("dlq", "list", "-o", "json"))
        eventually(lambda: call("GET", "/jobs/name:forgotten/explain")["cause"] == "no_worker")
        eventually(lambda: any("dead_letter" in line and run in line for line in SERVER.log))

    def test_missing_1_what_happened_last(self) -> None:
        call("POST", "/jobs", {"job_name": "shaky", "every": "1s", "job_type": "shaky"})
        report(claimed("shaky", 30), "FAILED", error="boom", retryable=False)
        job = call("GET", "/jobs/name:shaky")
        self.assertEqual((job["last_run"]["state"], job["last_run"]["error"]), ("DEAD", "boom"))
        self.assertEqual(job["failures_in_a_row"], 1)
        self.assertIn("shaky", self.names(failing="true"))
        self.assertIn("shaky", belfry("ls", "--failing"))
        self.assertGreaterEqual(call("GET", "/stats")["jobs"]["failing"]["value"], 1)
        report(claimed("shaky", 30))
        job = call("GET", "/jobs/name:shaky")
        self.assertEqual((job["last_run"]["state"], job["failures_in_a_row"]), ("SUCCEEDED", 0))
        self.assertNotIn("shaky", self.names(failing="true"))
        self.assertNotIn("shaky", belfry("ls", "--failing"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
