"""As e2e_worker.py, with coroutines on one loop."""

from __future__ import annotations

import asyncio
import json
import logging
import pathlib
import sys
import urllib.error
import urllib.request
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from belfry import AsyncClient, AsyncWorker, Client, Context, PermanentFailure, RetryLater  # noqa: E402

SETTINGS = json.loads(sys.argv[1])
CLIENT = Client(SETTINGS["server"])
WORKER = AsyncWorker(
    AsyncClient(SETTINGS["server"]),
    worker_id=SETTINGS["worker_id"],
    lease=SETTINGS.get("lease", 30),
    concurrency=SETTINGS.get("concurrency", 8),
    grace=SETTINGS.get("grace", 30),
)
ACTIVE = 0


def tell(event: str, run: Context | None = None, **facts: Any) -> None:
    if run:
        facts |= {"run": run.run_id, "fence": run.fence, "attempt": run.attempt}
    sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


class Teller(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        tell("log", message=record.getMessage())


def handler(name: str) -> Any:
    def register(function: Any) -> None:
        async def told(run: Context) -> Any:
            tell("started", run)
            return await function(run)

        WORKER.handle(SETTINGS["prefix"] + name, told)

    return register


def effect(run: Context) -> int:
    """Changes something that checks fences; returns the status of the answer."""
    request = urllib.request.Request(SETTINGS["sink"], json.dumps({"fence": run.fence}).encode(), method="POST")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


@handler("ok")
async def ok(run: Context) -> Any:
    return {"payload": run.payload}


@handler("fail")
async def fail(run: Context) -> Any:
    raise RuntimeError(f"attempt {run.attempt} failed")


@handler("permanent")
async def permanent(run: Context) -> Any:
    raise PermanentFailure("no such customer")


@handler("later")
async def later(run: Context) -> Any:
    if run.attempt == 1:
        raise RetryLater("busy", after=1)


@handler("large")
async def large(run: Context) -> Any:
    return "x" * 100_000


@handler("count")
async def count(run: Context) -> Any:
    global ACTIVE
    ACTIVE += 1
    active = ACTIVE
    await asyncio.sleep(0.1)
    ACTIVE -= 1
    return active


@handler("long")
async def long(run: Context) -> Any:
    await asyncio.sleep(run.payload)
    return "done"


@handler("gate")
async def gate(run: Context) -> Any:
    run.log("at the gate")
    run.progress(1, 2)
    while not pathlib.Path(run.payload).exists():
        await asyncio.sleep(0.05)
    run.log("through")
    return "passed"


@handler("hold")
async def hold(run: Context) -> Any:
    """The first attempt runs until it is stopped, and then does not obey; later ones end well."""
    if run.attempt > 1:
        return {"by": WORKER.worker_id, "effect": await asyncio.to_thread(effect, run)}
    try:
        await asyncio.Event().wait()
    finally:
        tell("cancelled", run, reason=run.cancel_reason)
        if run.cancel_reason == "lease_lost":
            report = {"run_id": run.run_id, "fence": run.fence, "status": "SUCCEEDED", "result": "too late"}
            tell("late", run, answer=CLIENT.complete_runs([report])[0]["answer"], effect=effect(run))


logging.getLogger("belfry").addHandler(Teller())
logging.getLogger("belfry").setLevel(logging.INFO)
asyncio.run(WORKER.run())
tell("ended")
