"""The asynchronous worker against a fake client, and its handlers without any server."""

from __future__ import annotations

import asyncio
import pathlib
import sys
import threading
import unittest
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from belfry import AsyncClient, AsyncWorker, Client, Context, NotFound, PermanentFailure  # noqa: E402
from test_worker import FakeClient  # noqa: E402


def report_of(function: Any, **facts: Any) -> dict:
    worker = AsyncWorker(Client())
    worker.handle("t", function)
    report = asyncio.run(worker.try_out("t", **facts))
    del report["run_id"], report["fence"]
    return report


class Handlers(unittest.TestCase):
    def test_returning_is_success(self) -> None:
        async def give(run: Context) -> list:
            await asyncio.sleep(0)
            return [run.payload, run.attempt]

        self.assertEqual(report_of(give, payload=3, attempt=2), {"status": "SUCCEEDED", "result": [3, 2]})

    def test_errors_and_their_traces(self) -> None:
        async def refuse(_: Context) -> None:
            raise PermanentFailure("no")

        async def fail(_: Context) -> None:
            raise KeyError("k")

        self.assertEqual(report_of(refuse), {"status": "FAILED", "retryable": False, "error": "no"})
        failed = report_of(fail)
        self.assertEqual(failed["error"], "KeyError: 'k'")
        self.assertIn("test_aio.py", failed["log"])
        self.assertNotIn("execution.py", failed["log"])

    def test_they_are_cancelled_as_tasks(self) -> None:
        async def work(run: Context) -> None:
            threading.Timer(0.01, run.cancel, ["requested"]).start()
            await asyncio.sleep(60)

        self.assertEqual(report_of(work), {"status": "FAILED", "retryable": True, "error": "stopped: requested"})

    def test_plain_functions_are_refused(self) -> None:
        with self.assertRaisesRegex(ValueError, "async def"):
            AsyncWorker(Client()).handle("t", lambda run: None)


class Loop(unittest.TestCase):
    def work(self, client: FakeClient, function: Any, **options: Any) -> None:
        async def main() -> None:
            worker = AsyncWorker(client, **options)
            worker.handle("t", function)
            running = asyncio.create_task(worker.run(signals=False))
            self.assertTrue(await asyncio.to_thread(client.reported.wait, 60))
            worker.stop()
            await asyncio.wait_for(running, 60)

        with self.assertLogs("belfry", "INFO"):
            asyncio.run(main())

    def test_handlers_run_on_the_loop_that_awaits_it(self) -> None:
        client, seen = FakeClient(), []

        async def function(run: Context) -> Any:
            seen.append(threading.current_thread())
            return run.payload

        self.work(client, function)
        self.assertEqual((seen, client.reports[0]["result"]), ([threading.main_thread()], "p"))

    def test_a_cancelled_run_is_reported(self) -> None:
        client = FakeClient("CANCEL")

        async def function(_: Context) -> None:
            await asyncio.sleep(60)

        self.work(client, function, lease=9)
        self.assertEqual([each["error"] for each in client.reports], ["stopped: requested"])

    def test_who_cancels_the_worker_ends_it(self) -> None:
        client, begun = FakeClient(), asyncio.Event()

        async def function(_: Context) -> None:
            begun.set()
            await asyncio.sleep(60)

        async def main() -> None:
            worker = AsyncWorker(client, grace=0)
            worker.handle("t", function)
            running = asyncio.create_task(worker.run(signals=False))
            await begun.wait()
            running.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await running

        with self.assertLogs("belfry", "INFO"):
            asyncio.run(main())
        self.assertEqual([each["status"] for each in client.reports], ["RETURNED"])


class Calls(unittest.TestCase):
    def test_calls_are_awaited_and_lists_iterated(self) -> None:
        class Canned(Client):
            def get_job(self, job: str) -> dict:
                if job == "none":
                    raise NotFound("there is none")
                return {"job_name": job}

            def list_jobs(self, **query: Any) -> Any:
                yield from range(250)

        async def main() -> None:
            async with AsyncClient() as client:
                client.blocking = Canned()
                self.assertEqual(await client.get_job("a"), {"job_name": "a"})
                with self.assertRaises(NotFound):
                    await client.get_job("none")
                self.assertEqual([each async for each in client.list_jobs()], list(range(250)))

        asyncio.run(main())


if __name__ == "__main__":
    unittest.main()
