"""The worker against a fake client, and handlers without any server."""

from __future__ import annotations

import asyncio
import fcntl
import pathlib
import resource
import socket
import sys
import threading
import unittest
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from belfry import Cancelled, Client, Context, Invalid, PermanentFailure, RetryLater, Unreachable, Worker  # noqa: E402
from belfry.transport import readable  # noqa: E402
from belfry.worker import _SAMPLE, _beats_of, _Held  # noqa: E402


class FakeClient(Client):
    """Hands out one run; answers as a test says."""

    def __init__(self, beats: str = "EXTENDED", ends: tuple[Any, ...] = ("OK",)) -> None:
        super().__init__()
        self.beats, self.ends = beats, list(ends)
        self.claims = 0
        self.regions: list[Any] = []
        self.beaten = 0
        self.late = 0.0  # seconds that the answer to the claim takes
        self.waited_ms = 0  # of those, what the server waited before it granted
        self.reports: list[dict] = []
        self.reported = threading.Event()

    def claim_runs(self, *_: Any, cut: Any = None, region: Any = None, **__: Any) -> list[dict]:
        self.claims += 1
        self.regions.append(region)
        if self.claims == 1:
            threading.Event().wait(self.late)
            return [{**_SAMPLE, "job_type": "t", "payload": "p", "waited_ms": self.waited_ms}]
        threading.Event().wait(0.01)
        return []

    def beat_runs(self, runs: Any, **_: Any) -> list[dict]:
        self.beaten += 1
        if self.beats == "down":
            raise Unreachable("down")
        return [{"run_id": run["run_id"], "answer": self.beats} for run in runs]

    def complete_runs(self, runs: Any, **_: Any) -> list[dict]:
        self.reports += runs
        end = self.ends.pop(0) if len(self.ends) > 1 else self.ends[0]
        if isinstance(end, Exception):
            raise end
        self.reported.set()
        return [{"run_id": run["run_id"], "answer": end} for run in runs]


class Handlers(unittest.TestCase):
    """What a handler does, and what is reported about it."""

    def report(self, function: Any, **facts: Any) -> dict:
        worker = Worker(Client())
        worker.handle("t", function)
        report = worker.try_out("t", **facts)
        self.assertEqual((report.pop("run_id"), report.pop("fence")), ("0" * 32, 1))
        return report

    def raises(self, error: BaseException) -> dict:
        """The report without what it logs."""

        def function(_: Context) -> None:
            raise error

        report = self.report(function)
        report.pop("log", None)
        return report

    def test_returning_is_success(self) -> None:
        self.assertEqual(self.report(lambda run: [run.payload, run.attempt], payload=3, attempt=2), {"status": "SUCCEEDED", "result": [3, 2]})

    def test_errors(self) -> None:
        failed = {"status": "FAILED", "retryable": True}
        self.assertEqual(self.raises(KeyError("k")), {**failed, "error": "KeyError: 'k'"})
        self.assertEqual(self.raises(SystemExit()), {**failed, "error": "SystemExit"})
        self.assertEqual(self.raises(PermanentFailure("no")), {"status": "FAILED", "retryable": False, "error": "no"})
        self.assertEqual(self.raises(RetryLater("busy", 1.2)), {**failed, "error": "busy", "retry_after_seconds": 2})
        self.assertEqual(self.raises(RetryLater("never", 1e9))["retry_after_seconds"], 86400)

    def test_tracebacks_and_causes_reach_the_log(self) -> None:
        def read(_: Context) -> None:
            try:
                open("/etc/nothing")
            except OSError as cause:
                raise RuntimeError("no settings") from cause

        log = self.report(read)["log"]
        self.assertTrue(log.startswith("Traceback (most recent call last):\n"), log)
        self.assertIn("FileNotFoundError: [Errno 2]", log)
        self.assertIn("The above exception was the direct cause of the following exception:\n", log)
        self.assertTrue(log.endswith("RuntimeError: no settings\n"), log)
        self.assertIn("test_worker.py", log)
        self.assertNotIn("execution.py", log)

    def test_what_is_expected_leaves_no_traceback(self) -> None:
        def refuse(_: Context) -> None:
            raise PermanentFailure("no")

        self.assertNotIn("log", self.report(refuse))

    def test_what_is_shown_is_reported_without_the_middle_of_too_much(self) -> None:
        def chatty(run: Context) -> None:
            for number in range(10_000):
                run.log(f"line {number}")
            run.progress(2, 3)

        report = self.report(chatty)
        self.assertLess(len(report["log"].encode()), 65536)
        self.assertTrue(report["log"].startswith("line 0\n") and report["log"].endswith("line 9999\n"))
        self.assertIn("lines left out", report["log"])
        self.assertEqual(report["progress"], {"done": 2, "total": 3})

    def test_what_is_shown_is_what_the_server_takes(self) -> None:
        for done, total, shown in ((0.5, 1, (0, 1)), (-1, 3, (0, 3)), (float("nan"), float("inf"), (0, 0)), (7, 2**70, (7, 2**63 - 1))):
            progress = self.report(lambda run: run.progress(done, total))["progress"]
            self.assertEqual((progress["done"], progress["total"]), shown)

    def test_a_long_error_is_cut(self) -> None:
        self.assertLessEqual(len(self.raises(ValueError("ü" * 100_000))["error"].encode()), 65536)

    def test_a_result_that_is_no_json_is_a_failure(self) -> None:
        self.assertEqual(self.report(lambda _: object())["status"], "FAILED")
        self.assertEqual(self.report(lambda _: float("nan"))["status"], "FAILED")

    def test_coroutines_are_cancelled_as_tasks(self) -> None:
        async def work(run: Context) -> str:
            await asyncio.sleep(0)
            threading.Timer(0.01, run.cancel, ["requested"]).start()
            await asyncio.sleep(60)
            return "never"

        self.assertEqual(self.report(work), {"status": "FAILED", "retryable": True, "error": "stopped: requested"})

    def test_a_context_says_once_why_it_is_over(self) -> None:
        run = Context(_SAMPLE | {"job_type": "t"})
        called: list[str] = []
        run.on_cancel(lambda: called.append("before"))
        run.check()
        run.cancel("requested")
        run.cancel("stopping")
        run.on_cancel(lambda: called.append("after"))
        self.assertEqual((run.cancel_reason, called), ("requested", ["before", "after"]))
        with self.assertRaises(Cancelled):
            run.wait(60)

    def test_time_left_does_not_depend_on_our_clock(self) -> None:
        run = Context(_SAMPLE | {"job_type": "t"}, lease=30)  # from January 2026, whatever day it is
        self.assertTrue(200 < run.remaining() <= 300)


class LateClaims(unittest.TestCase):
    """The answer to a claim takes longer than a third of the lease."""

    def begun(self, client: FakeClient) -> list[int]:
        """How many beats there were when the handler was called, each time."""
        client.late = 1.05
        begun: list[int] = []
        worker = Worker(client, lease=3)
        worker.handle("t", lambda _: begun.append(client.beaten))
        with self.assertLogs("belfry", "INFO"):
            thread = threading.Thread(target=worker.run, kwargs={"signals": False})
            thread.start()
            while client.claims < 2 or worker._in_hand():
                threading.Event().wait(0.01)
            worker.stop()
            thread.join(60)
        return begun

    def test_it_beats_before_it_begins(self) -> None:
        client = FakeClient()
        self.assertGreater(self.begun(client)[0], 0)
        self.assertEqual(len(client.reports), 1)

    def test_what_is_somebody_elses_does_not_begin(self) -> None:
        for beats in ("FENCED", "down"):
            client = FakeClient(beats)
            self.assertEqual((self.begun(client), client.reports), ([], []), beats)

    def test_what_the_server_waited_does_not_count(self) -> None:
        client = FakeClient()
        client.waited_ms = 1_050
        self.assertEqual(self.begun(client), [0])


class Loop(unittest.TestCase):
    def work(self, client: FakeClient, function: Any, until: threading.Event, **options: Any) -> None:
        worker = Worker(client, **options)
        worker.handle("t", function)
        thread = threading.Thread(target=worker.run, kwargs={"signals": False})
        with self.assertLogs("belfry", "INFO"):
            thread.start()
            self.assertTrue(until.wait(60))
            worker.stop()
            thread.join(60)
        self.assertFalse(thread.is_alive())

    def test_it_says_where_it_is_if_it_was_told(self) -> None:
        for options, said in (({}, {None}), ({"region": "eu"}, {"eu"})):
            client = FakeClient()
            self.work(client, lambda _: None, client.reported, **options)
            self.assertEqual(set(client.regions), said)

    def hold(self, over: threading.Event, reasons: list[str]) -> Any:
        def function(run: Context) -> str:
            run.cancelled.wait(60)
            reasons.append(run.cancel_reason)
            over.set()
            return "nobody wants it"

        return function

    def test_a_lost_lease_cancels_and_nothing_is_reported(self) -> None:
        for beats in ("FENCED", "down"):
            client, over, reasons = FakeClient(beats), threading.Event(), []
            self.work(client, self.hold(over, reasons), over, lease=1)
            self.assertEqual((reasons, client.reports), (["lease_lost"], []), beats)

    def test_a_cancelled_run_is_reported(self) -> None:
        client, over, reasons = FakeClient("CANCEL"), threading.Event(), []
        self.work(client, self.hold(over, reasons), client.reported, lease=9)
        self.assertEqual((reasons, len(client.reports)), (["requested"], 1))

    def test_a_report_is_repeated_until_it_is_answered(self) -> None:
        client = FakeClient(ends=(Unreachable("down"), "RETRY", "OK"))
        self.work(client, lambda run: run.payload, client.reported)
        self.assertGreaterEqual(len(client.reports), 2)
        self.assertEqual({report["result"] for report in client.reports}, {"p"})

    def test_a_refused_report_is_said_in_other_words_once(self) -> None:
        client = FakeClient(ends=(Invalid("too large"), "OK"))
        self.work(client, lambda run: run.payload, client.reported)
        self.assertEqual([report["status"] for report in client.reports], ["SUCCEEDED", "FAILED"])
        self.assertFalse(client.reports[1]["retryable"])

    def test_whatever_a_claim_raises_the_next_one_is_made(self) -> None:
        class Odd(FakeClient):
            def claim_runs(self, *_: Any, **__: Any) -> list[dict]:
                runs = super().claim_runs()
                if self.claims == 1:
                    raise ValueError("this is not JSON")
                return [{**_SAMPLE, "job_type": "t"}] if self.claims == 2 else runs

        client = Odd()
        self.work(client, lambda _: None, client.reported)
        self.assertEqual(client.reports[0]["status"], "SUCCEEDED")

    def test_heartbeats_do_not_outgrow_a_call(self) -> None:
        runs = []
        for number in range(100):
            held = _Held(Context({**_SAMPLE, "job_type": "t", "run_id": f"{number:032d}"}), 0.0)
            for _ in range(10):
                held.context.log("x" * 5_000)
            runs.append(held)
        told: set[str] = set()
        for _ in range(10):
            beats, versions = _beats_of(runs)
            self.assertEqual(len(beats), 100)
            self.assertLess(sum(len(beat.get("log", "")) for beat in beats), 1_100_000)
            told |= {beat["run_id"] for beat in beats if "log" in beat}
            for held, version in zip(runs, versions):
                held.told = version
        self.assertEqual(len(told), 100)

    def test_descriptors_above_a_thousand_are_waited_for(self) -> None:
        ours, theirs = socket.socketpair()
        high = fcntl.fcntl(ours, fcntl.F_DUPFD, 1_100) if resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 1_100 else None
        wire = socket.socket(fileno=high) if high else ours
        self.assertFalse(readable(wire, 0))
        theirs.send(b"x")
        self.assertTrue(readable(wire, 10))
        for each in {wire, ours, theirs}:
            each.close()

    def test_a_handler_that_does_not_listen_is_left_behind(self) -> None:
        client, started = FakeClient(), threading.Event()

        def function(_: Context) -> None:
            started.set()
            threading.Event().wait()

        import belfry.worker

        belfry.worker._AFTER_CANCEL, before = 0.05, belfry.worker._AFTER_CANCEL
        self.addCleanup(setattr, belfry.worker, "_AFTER_CANCEL", before)
        self.work(client, function, started, grace=0)
        self.assertEqual([each["status"] for each in client.reports], ["RETURNED"])

    def test_bad_settings_are_refused(self) -> None:
        for options in ({"lease": 0}, {"lease": 3601}, {"concurrency": 0}, {"claim_wait": 61}):
            with self.assertRaises(ValueError):
                Worker(Client(), **options)
        with self.assertRaises(ValueError):
            Worker(Client()).run()


if __name__ == "__main__":
    unittest.main()
