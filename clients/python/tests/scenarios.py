"""Runs clients/scenarios.json with the Python client against a server: scenarios.py [--async] SCENARIOS SERVER [NAME-PART]"""

from __future__ import annotations

import asyncio
import json
import pathlib
import queue
import re
import sys
import threading
import time
import traceback
import uuid
from typing import Any, Callable, Iterator

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from belfry import AsyncClient, Client, Event, Problem, WebhookRefused, verify_webhook  # noqa: E402

PATIENCE = 60.0  # seconds; a limit for broken tests
Call = Callable[[Client, dict], Any]


def job(part: dict) -> str:
    return part["path"]["job"]


def run(part: dict) -> str:
    return part["path"]["run"]


CALLS: dict[str, Call] = {
    "createJob": lambda c, w: c.create_job(w["body"], idempotency_key=w.get("key")),
    "putJobs": lambda c, w: c.put_jobs(**w["body"]),
    "getJob": lambda c, w: c.get_job(job(w)),
    "putJob": lambda c, w: c.put_job(job(w), w["body"], version=w.get("version"), create_only=w.get("create_only", False)),
    "patchJob": lambda c, w: c.patch_job(job(w), w["body"], version=w.get("version")),
    "deleteJob": lambda c, w: c.delete_job(job(w)),
    "pauseJob": lambda c, w: c.pause_job(job(w), **w.get("body", {})),
    "resumeJob": lambda c, w: c.resume_job(job(w)),
    "cancelJob": lambda c, w: c.cancel_job(job(w)),
    "triggerJob": lambda c, w: c.trigger_job(job(w), payload=w.get("body", {}).get("payload"), idempotency_key=w.get("key")),
    "backfillJob": lambda c, w: c.backfill_job(job(w), w["body"]["from"], w["body"]["to"], dry_run=w["body"]["dry_run"]),
    "explainJob": lambda c, w: c.explain_job(job(w)),
    "restoreRevision": lambda c, w: c.restore_revision(job(w), w["path"]["version"]),
    "nextTicks": lambda c, w: c.next_ticks(job(w), **w.get("query", {})),
    "previewSchedule": lambda c, w: c.preview_schedule(w["body"]),
    "getRun": lambda c, w: c.get_run(run(w)),
    "getRunLog": lambda c, w: c.get_run_log(run(w)),
    "cancelRun": lambda c, w: c.cancel_run(run(w)),
    "unstickRun": lambda c, w: c.unstick_run(run(w), **w.get("body", {})),
    "retryRun": lambda c, w: c.retry_run(run(w)),
    "claimRuns": lambda c, w: c.claim_runs(**w["body"]),
    "beatRuns": lambda c, w: c.beat_runs(**w["body"]),
    "completeRuns": lambda c, w: c.complete_runs(**w["body"]),
    "getCluster": lambda c, w: c.get_cluster(),
    "getForecast": lambda c, w: c.get_forecast(**w["query"]),
    "getForecastAdvice": lambda c, w: c.get_forecast_advice(**w["query"]),
    "getStats": lambda c, w: c.get_stats(),
    "getWorkers": lambda c, w: c.get_workers(),
    "jobWarnings": lambda c, w: c.job_warnings(job(w)),
}
LISTS: dict[str, Callable[..., Any]] = {
    "listJobs": lambda c, w, page: c.list_jobs(page=page, **w.get("query", {})),
    "listRuns": lambda c, w, page: c.list_runs(page=page, **w.get("query", {})),
    "listJobRuns": lambda c, w, page: c.list_job_runs(job(w), page=page, **w.get("query", {})),
    "listRevisions": lambda c, w, page: c.list_revisions(job(w), page=page),
    "listJobTicks": lambda c, w, page: c.list_job_ticks(job(w), page=page, **w.get("query", {})),
}


class Driven:
    """An AsyncClient, called as a Client is: its loop runs on a thread."""

    def __init__(self, *options: Any, **named: Any) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self.client = AsyncClient(*options, **named)

    def __enter__(self) -> Driven:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait_for(self.client.close())
        self.loop.call_soon_threadsafe(self.loop.stop)

    def wait_for(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(2 * PATIENCE)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            got = getattr(self.client, name)(*args, **options)
            return self.entries(got) if hasattr(got, "__aiter__") else self.wait_for(got)

        return call

    def entries(self, entries: Any) -> Iterator[Any]:
        async def following() -> Any:
            return await anext(entries)

        while True:
            try:
                yield self.wait_for(following())
            except StopAsyncIteration:
                return


ASYNC = "--async" in sys.argv


class Mismatch(AssertionError):
    pass


def fill(value: Any, variables: dict[str, Any]) -> Any:
    """The value with each ${name} replaced; a text that is only a variable becomes its value."""
    if isinstance(value, dict):
        return {name: fill(each, variables) for name, each in value.items()}
    if isinstance(value, list):
        return [fill(each, variables) for each in value]
    if not isinstance(value, str):
        return value
    if whole := re.fullmatch(r"\$\{(\w+)\}", value):
        return variables[whole[1]]
    return re.sub(r"\$\{(\w+)\}", lambda found: str(variables[found[1]]), value)


def match(expected: Any, got: Any, place: str = "") -> None:
    if isinstance(expected, dict) and len(expected) == 1 and (rule := next(iter(expected))).startswith("$"):
        if not holds(rule, expected[rule], got):
            raise Mismatch(f"{place or '/'}: {got!r} is not {expected}")
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            raise Mismatch(f"{place or '/'}: {got!r} is no object")
        for name, each in expected.items():
            match(each, got.get(name), f"{place}/{name}")
    elif isinstance(expected, list):
        if not isinstance(got, list) or len(got) != len(expected):
            raise Mismatch(f"{place or '/'}: expected {len(expected)} entries, got {got!r}")
        for index, each in enumerate(expected):
            match(each, got[index], f"{place}/{index}")
    elif type(expected) is not type(got) or expected != got:
        raise Mismatch(f"{place or '/'}: expected {expected!r}, got {got!r}")


def holds(rule: str, wanted: Any, got: Any) -> bool:
    if rule == "$any":
        return got is not None
    if rule == "$none":
        return got is None
    if rule == "$more_than":
        return isinstance(got, int) and got > wanted
    if rule == "$not":
        return not fits(wanted, got)
    if rule == "$size":
        return isinstance(got, list) and len(got) == wanted
    if rule == "$some":
        return isinstance(got, list) and any(fits(wanted, each) for each in got)
    raise ValueError(f"no rule {rule}")


def fits(expected: Any, got: Any) -> bool:
    try:
        match(expected, got)
    except Mismatch:
        return False
    return True


def pick(body: Any, pointer: str) -> Any:
    for part in pointer.split("/")[1:]:
        body = body[int(part)] if isinstance(body, list) else body[part]
    return body


class Runner:
    def __init__(self, server: str) -> None:
        self.server = server
        self.variables: dict[str, Any] = {"id": f"s-{uuid.uuid4().hex[:12]}"}

    def step(self, step: dict) -> None:
        give_up = time.monotonic() + step.get("within", 0)
        filled = fill({name: each for name, each in step.items() if name != "watch"}, self.variables)
        while True:
            try:
                got = self.check(filled, step.get("watch"))
                break
            except Mismatch:
                if time.monotonic() >= give_up:
                    raise
                time.sleep(0.05)
        for name, pointer in step.get("save", {}).items():
            self.variables[name] = pick(got, pointer)

    def check(self, step: dict, watched: list[dict] | None) -> Any:
        client = (Driven if ASYNC else Client)(step.get("server", self.server), token=step.get("token"), patience=1 if "server" in step else 5)
        with client:
            if watched is not None:
                return self.watch(client, step, watched)
            try:
                got = self.ask(client, step)
            except Problem as problem:
                return self.check_problem(step, problem)
        if "refused" in step:
            raise Mismatch(f"expected to be refused ({step['refused']}), got {got!r}")
        if "expect" in step:
            match(step["expect"], got)
        return got

    def ask(self, client: Client, step: dict) -> Any:
        part = step.get("with", {})
        if "list" in step:
            return list(LISTS[step["list"]](client, part, step.get("page", 500)))
        return CALLS[step["do"]](client, part)

    def check_problem(self, step: dict, problem: Problem) -> None:
        told = {"kind": problem.kind, "code": problem.code, "fields": [error.pointer for error in problem.errors]}
        if "refused" not in step:
            raise Mismatch(f"{told}: {problem}") from problem
        match(step["refused"], told)

    def watch(self, client: Client, step: dict, watched: list[dict]) -> Any:
        """Does the steps while it listens, until the event comes."""
        seen: queue.Queue[Event | None] = queue.Queue()
        opened = threading.Event()
        threading.Thread(target=self.listen, args=(client, step.get("after"), opened, seen), daemon=True).start()
        if not opened.wait(PATIENCE):
            raise Mismatch("the stream does not open")
        for each in watched:
            self.step(each)
        give_up = time.monotonic() + PATIENCE
        while (left := give_up - time.monotonic()) > 0:
            try:
                event = seen.get(timeout=left)
            except queue.Empty:
                break
            told = {"id": event.id, "name": event.name, "data": event.data}
            if fits(step["expect"], told):
                return told
        raise Mismatch(f"no such event: {step['expect']}")

    def listen(self, client: Client, after: str | None, opened: threading.Event, seen: queue.Queue) -> None:
        for event in client.events(after=after, on_open=opened.set):
            seen.put(event)


def run_scenario(server: str, scenario: dict) -> bool:
    runner = Runner(server)
    for number, step in enumerate(scenario["steps"], 1):
        try:
            runner.step(step)
        except Exception as error:
            print(f"FAILED  {scenario['name']}\n  step {number}: {json.dumps(step, ensure_ascii=False)[:300]}\n  {error}")
            if not isinstance(error, Mismatch):
                traceback.print_exc()
            return False
    print(f"ok      {scenario['name']}")
    return True


def run_webhook(vector: dict) -> bool:
    """Whether the verdict on a call is the expected one: a reason, or none."""
    try:
        call = verify_webhook(vector["headers"], vector["body"], vector["secrets"], now=vector["now"])
        verdict = None if call.id == vector["headers"].get("webhook-id", call.id) else "another id"
    except WebhookRefused as refused:
        verdict = refused.reason
    good = verdict == vector["refused"]
    print(f"{'ok' if good else 'FAILED'}      webhook: {vector['name']}" + ("" if good else f": {verdict}, expected {vector['refused']}"))
    return good


def main() -> int:
    words = [word for word in sys.argv[1:] if word != "--async"]
    file = json.loads(pathlib.Path(words[0]).read_text("utf-8"))
    part = words[2] if len(words) > 2 else ""
    results = [run_scenario(words[1], each) for each in file["scenarios"] if part in each["name"]]
    results += [run_webhook(each) for each in file["webhooks"] if part in each["name"]]
    print(f"{sum(results)} of {len(results)} passed")
    return 0 if results and all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
