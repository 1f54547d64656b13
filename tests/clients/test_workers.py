"""Workers of the client libraries, as processes that are cancelled, stopped, killed and frozen:
test_workers.py BELFRY sqlite|postgres WORKER-COMMAND…"""

import http.server
import itertools
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import datetime
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests" / "api"), str(ROOT / "clients" / "python")]

from belfry import Client, NotFound  # noqa: E402
from harness import PATIENCE, Server, die_with_parent  # noqa: E402

BELFRY, STORE, *COMMAND = sys.argv[1:]
NUMBERS = itertools.count(1)
SERVER: Server
CLIENT: Client


def setUpModule() -> None:
    global SERVER, CLIENT
    SERVER = Server(BELFRY, STORE)
    CLIENT = Client(f"http://{SERVER.address}")


def tearDownModule() -> None:
    assert SERVER.stop() == 0, "the server did not end well:\n" + "".join(SERVER.log[-20:])


class Sink(http.server.ThreadingHTTPServer):
    """Something that work changes. It refuses a fence lower than the highest it has seen."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiver)
        self.highest = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Receiver(http.server.BaseHTTPRequestHandler):
    server: Sink

    def do_POST(self) -> None:
        fence = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["fence"]
        self.send_response(204 if fence >= self.server.highest else 409)
        self.end_headers()
        self.server.highest = max(self.server.highest, fence)

    def log_message(self, *_: object) -> None:
        pass


class WorkerProcess:
    """A worker in the language under test, and the events it writes."""

    def __init__(self, prefix: str, name: str = "a", **settings: Any) -> None:
        told = {"server": CLIENT.server, "worker_id": f"{prefix}-{name}", "prefix": prefix, **settings}
        self.process = subprocess.Popen(
            [*COMMAND, json.dumps(told)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent
        )
        self.id = told["worker_id"]
        self.seen: list[dict] = []
        self._news: queue.Queue[dict | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._news.put(json.loads(line))
        self._news.put(None)

    def hear(self, event: str, **facts: Any) -> dict:
        """The next such event."""
        while True:
            try:
                news = self._news.get(timeout=PATIENCE)
            except queue.Empty:
                raise AssertionError(f"no {event} {facts}; heard {self.seen}") from None
            assert news is not None, f"it ended without {event} {facts}; heard {self.seen}"
            self.seen.append(news)
            if news["event"] == event and all(news.get(name) == value for name, value in facts.items()):
                return news

    def hear_log(self, words: str) -> None:
        while words not in self.hear("log")["message"]:
            pass

    def started(self) -> list[dict]:
        while not self._news.empty() and (news := self._news.get()) is not None:
            self.seen.append(news)
        return [news for news in self.seen if news["event"] == "started"]

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """Waits for its end, and hears its last events."""
        code = self.process.wait(PATIENCE)
        while (news := self._news.get(timeout=PATIENCE)) is not None:
            self.seen.append(news)
        return code

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout
        self.process.stdout.close()


class Case(unittest.TestCase):
    def setUp(self) -> None:
        self.prefix = f"t{next(NUMBERS)}."

    def worker(self, name: str = "a", **settings: Any) -> WorkerProcess:
        worker = WorkerProcess(self.prefix, name, **settings)
        self.addCleanup(worker.close)
        return worker

    def job(self, kind: str, **fields: Any) -> dict:
        schedule = {} if "cron_expression" in fields else {"every": "365d"}
        name = f"{self.prefix}{kind}-{next(NUMBERS)}"
        return CLIENT.create_job({"job_name": name, "job_type": self.prefix + kind, "retry": {"base": "1ms", "cap": "1ms"}, **schedule, **fields})

    def trigger(self, kind: str, **fields: Any) -> str:
        return CLIENT.trigger_job(self.job(kind, **fields)["job_id"])["run_id"]

    def ended(self, run: str, state: str) -> dict:
        seen = CLIENT.wait_for_run(run, timeout=PATIENCE, pause=0.05)
        self.assertEqual(seen["state"], state, seen)
        return seen


class Results(Case):
    def test_a_cron_job_fires_and_each_tick_is_executed_once(self) -> None:
        worker = self.worker()
        job = self.job("ok", cron_expression="* * * * * *", payload={"n": 7})
        runs = {worker.hear("started")["run"] for _ in range(3)}
        CLIENT.delete_job(job["job_id"])
        for run in runs:
            seen = self.ended(run, "SUCCEEDED")
            self.assertEqual((seen["origin"], seen["attempts"], seen["worker"]), ("SCHEDULE", 1, worker.id))
            self.assertEqual(seen["result"], {"payload": {"n": 7}})
        executed = [each["run"] for each in worker.started()]
        self.assertEqual(len(executed), len(set(executed)))

    def test_a_failure_is_tried_again_and_ends_in_the_dead_letters(self) -> None:
        worker = self.worker()
        run = self.trigger("fail", max_attempts=3)
        seen = self.ended(run, "DEAD")
        self.assertEqual([each["outcome"] for each in seen["attempt_history"]], ["FAILED"] * 3)
        self.assertIn("attempt 3 failed", seen["error"])
        self.assertIn(run, [each["run_id"] for each in CLIENT.list_runs(state="DEAD")])
        attempts = worker.started()
        self.assertEqual([each["attempt"] for each in attempts], [1, 2, 3])
        fences = [each["fence"] for each in attempts]
        self.assertEqual(fences, sorted(set(fences)))

    def test_a_permanent_failure_and_one_for_later(self) -> None:
        self.worker()
        seen = self.ended(self.trigger("permanent", max_attempts=9), "DEAD")
        self.assertEqual((seen["attempts"], seen["error"]), (1, "no such customer"))
        seen = self.ended(self.trigger("later"), "SUCCEEDED")
        first, second = seen["attempt_history"]
        self.assertEqual(first["error"], "busy")
        waited = datetime.fromisoformat(second["started_at"]) - datetime.fromisoformat(first["finished_at"])
        self.assertGreaterEqual(waited.total_seconds(), 1)

    def test_output_and_progress_are_seen_while_it_works(self) -> None:
        self.worker()
        with tempfile.TemporaryDirectory() as folder:
            gate = os.path.join(folder, "open")
            run = self.trigger("gate", payload=gate)
            seen = self.shown(run, "at the gate\n")
            self.assertEqual(seen["progress"], {"done": 1, "total": 2})
            self.assertEqual(CLIENT.get_run(run)["state"], "RUNNING")
            pathlib.Path(gate).touch()
            self.ended(run, "SUCCEEDED")
        self.shown(run, "at the gate\nthrough\n")

    def shown(self, run: str, text: str) -> dict:
        """What the worker showed, once it is this value."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            try:
                if (seen := CLIENT.get_run_log(run))["log"] == text:
                    return seen
            except NotFound:
                pass  # nothing yet
            threading.Event().wait(0.05)
        raise AssertionError(f"{text!r} is not shown")

    def test_a_result_the_server_refuses_is_a_failure_that_says_so(self) -> None:
        self.worker()
        seen = self.ended(self.trigger("large", max_attempts=9), "DEAD")
        self.assertEqual(seen["attempts"], 1)
        self.assertIn("64 KiB", seen["error"])

    def test_no_more_runs_at_a_time_than_allowed(self) -> None:
        self.worker(concurrency=2)
        runs = [self.trigger("count") for _ in range(8)]
        for run in runs:
            self.assertLessEqual(self.ended(run, "SUCCEEDED")["result"], 2)


class Leases(Case):
    def test_heartbeats_keep_a_run_that_takes_longer_than_its_lease(self) -> None:
        self.worker(lease=6)
        seen = self.ended(self.trigger("long", payload=13), "SUCCEEDED")
        self.assertEqual((seen["attempts"], seen["result"]), (1, "done"))

    def test_a_cancel_arrives(self) -> None:
        worker = self.worker(lease=9)
        run = self.trigger("hold")
        worker.hear("started", run=run)
        CLIENT.cancel_run(run)
        worker.hear("cancelled", run=run, reason="requested")
        self.assertEqual(self.ended(run, "CANCELLED")["attempts"], 1)

    def test_a_deadline_arrives(self) -> None:
        worker = self.worker()
        run = self.trigger("hold", timeout="1s", max_attempts=1)
        worker.hear("cancelled", run=run, reason="deadline")
        self.assertEqual(self.ended(run, "DEAD")["attempts"], 1)

    def test_a_worker_is_killed(self) -> None:
        first, sink = self.worker("a", lease=3), Sink()
        run = self.trigger("hold")
        old = first.hear("started", run=run)
        first.signal(signal.SIGKILL)
        second = self.worker("b", sink=sink.url)
        new = second.hear("started", run=run)
        self.assertGreater(new["fence"], old["fence"])
        seen = self.ended(run, "SUCCEEDED")
        self.assertEqual([each["outcome"] for each in seen["attempt_history"]], ["LEASE_LOST", "SUCCEEDED"])
        self.assertEqual(seen["worker"], second.id)

    def test_a_frozen_worker_comes_back_and_is_fenced(self) -> None:
        sink = Sink()
        first = self.worker("a", lease=3, sink=sink.url)
        run = self.trigger("hold")
        old = first.hear("started", run=run)
        first.signal(signal.SIGSTOP)
        second = self.worker("b", sink=sink.url)
        new = second.hear("started", run=run)
        self.assertGreater(new["fence"], old["fence"])
        seen = self.ended(run, "SUCCEEDED")
        self.assertEqual(seen["result"], {"by": second.id, "effect": 204})
        first.signal(signal.SIGCONT)
        first.hear("cancelled", run=run, reason="lease_lost")
        late = first.hear("late", run=run)
        self.assertEqual((late["answer"], late["effect"]), ("FENCED", 409))
        after = CLIENT.get_run(run)
        self.assertIn("its worker reported", after["attempt_history"][0]["error"])
        without_attempts = {"attempt_history": None}
        self.assertEqual({**after, **without_attempts}, {**seen, **without_attempts}, "what counts is what the other one did")
        again = self.trigger("ok")  # and it keeps working
        second.signal(signal.SIGTERM)
        second.end()
        self.ended(again, "SUCCEEDED")


class Ends(Case):
    def test_what_runs_may_end_and_nothing_new_begins(self) -> None:
        worker = self.worker()
        with tempfile.TemporaryDirectory() as folder:
            gate = os.path.join(folder, "open")
            run = self.trigger("gate", payload=gate)
            worker.hear("started", run=run)
            worker.signal(signal.SIGTERM)
            worker.hear_log("stops; 1 runs in hand")
            later = self.trigger("ok")
            pathlib.Path(gate).touch()
            self.assertEqual(worker.end(), 0)
        self.assertEqual(self.ended(run, "SUCCEEDED")["result"], "passed")
        self.assertEqual(CLIENT.get_run(later)["state"], "READY")
        self.assertEqual([each["run"] for each in worker.started()], [run])
        self.assertEqual(worker.seen[-1]["event"], "ended")

    def test_after_the_grace_runs_are_handed_on_before_their_leases_end(self) -> None:
        sink = Sink()
        worker = self.worker("a", grace=0, lease=600, sink=sink.url)
        run = self.trigger("hold")
        worker.hear("started", run=run)
        worker.signal(signal.SIGTERM)
        worker.hear("cancelled", run=run, reason="stopping")
        self.assertEqual(worker.end(), 0)
        second = self.worker("b", sink=sink.url)
        second.hear("started", run=run)
        self.assertEqual(CLIENT.get_run(run)["attempts"], 1, "handing it on used up an attempt")
        CLIENT.cancel_run(run)
        self.ended(run, "CANCELLED")

    def test_an_idle_worker_ends_and_leaves_nothing_behind(self) -> None:
        """Its open claim must not swallow a run."""
        worker = self.worker()
        self.ended(self.trigger("ok"), "SUCCEEDED")
        worker.signal(signal.SIGTERM)
        self.assertEqual(worker.end(), 0)
        run = self.trigger("ok")
        self.worker("b")
        self.assertEqual(self.ended(run, "SUCCEEDED")["attempts"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
