"""The worker that tests/clients/test_workers.py drives: e2e_worker.py '{"server": …, "worker_id": …, "prefix": …, "sink": …, …}'

Each handler's type is the prefix and its name. Events are written to standard output, one JSON object per line.
"""

from __future__ import annotations

import json
import logging
import pathlib
import sys
import threading
import urllib.error
import urllib.request
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from belfry import Cancelled, Client, Context, PermanentFailure, RetryLater, Worker  # noqa: E402

SETTINGS = json.loads(sys.argv[1])
CLIENT = Client(SETTINGS["server"])
WORKER = Worker(
    CLIENT,
    worker_id=SETTINGS["worker_id"],
    lease=SETTINGS.get("lease", 30),
    concurrency=SETTINGS.get("concurrency", 8),
    grace=SETTINGS.get("grace", 30),
)
LOCK = threading.Lock()
ACTIVE = 0


def tell(event: str, run: Context | None = None, **facts: Any) -> None:
    if run:
        facts |= {"run": run.run_id, "fence": run.fence, "attempt": run.attempt}
    with LOCK:
        print(json.dumps({"event": event, **facts}), flush=True)


class Teller(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        tell("log", message=record.getMessage())


def handler(name: str) -> Any:
    def register(function: Any) -> None:
        def told(run: Context) -> Any:
            tell("started", run)
            return function(run)

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
def ok(run: Context) -> Any:
    return {"payload": run.payload}


@handler("fail")
def fail(run: Context) -> Any:
    raise RuntimeError(f"attempt {run.attempt} failed")


@handler("permanent")
def permanent(run: Context) -> Any:
    raise PermanentFailure("no such customer")


@handler("later")
def later(run: Context) -> Any:
    if run.attempt == 1:
        raise RetryLater("busy", after=1)


@handler("large")
def large(run: Context) -> Any:
    return "x" * 100_000


@handler("count")
def count(run: Context) -> Any:
    global ACTIVE
    with LOCK:
        ACTIVE += 1
        active = ACTIVE
    run.wait(0.1)
    with LOCK:
        ACTIVE -= 1
    return active


@handler("long")
def long(run: Context) -> Any:
    run.wait(run.payload)
    return "done"


@handler("gate")
def gate(run: Context) -> Any:
    run.log("at the gate")
    run.progress(1, 2)
    while not pathlib.Path(run.payload).exists():
        run.wait(0.05)
    run.log("through")
    return "passed"


@handler("hold")
def hold(run: Context) -> Any:
    """The first attempt runs until it is stopped, and then does not obey; later ones end well."""
    if run.attempt > 1:
        return {"by": WORKER.worker_id, "effect": effect(run)}
    run.cancelled.wait()
    tell("cancelled", run, reason=run.cancel_reason)
    if run.cancel_reason == "lease_lost":
        report = {"run_id": run.run_id, "fence": run.fence, "status": "SUCCEEDED", "result": "too late"}
        tell("late", run, answer=CLIENT.complete_runs([report])[0]["answer"], effect=effect(run))
    raise Cancelled(run.cancel_reason)


logging.getLogger("belfry").addHandler(Teller())
logging.getLogger("belfry").setLevel(logging.INFO)
WORKER.run()
tell("ended")
