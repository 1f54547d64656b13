"""A Belfry server as its REST API shows it: one method for each call, JSON objects in and out.

    with Client("http://127.0.0.1:7070", token="bf_…") as client:
        client.create_job({"job_name": "nightly", "job_type": "report", "cron_expression": "30 2 * * *"})
        for run in client.list_runs(state="DEAD"):
            client.retry_run(run["run_id"])

Method and field names are those of the OpenAPI document (`/openapi.json` of any server). A call that fails raises a
Problem (errors.py). A call that got no answer is repeated where that is safe; for this, the methods that create something
draw an `Idempotency-Key` if you give none.
"""

from __future__ import annotations

import json
import os
import re
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Sequence
from urllib.parse import quote, urlencode

from .errors import Invalid, Problem, TimedOut, problem_of
from .events import Event, read_events
from .transport import Cut, Response, Transport

if TYPE_CHECKING:  # much to read, and nothing to run
    from . import types as t

VERSION = "0.2.0"
_API = "/api/v1"
_LONGEST_PAUSE = 5.0
_JOB_ID = re.compile("[0-9a-f]{16}")
LIVE_STATES = frozenset({"READY", "RUNNING", "RETRYING"})

Json = Any


@dataclass(frozen=True)
class Reply:
    """An answer, with what its body does not hold."""

    status: int
    headers: Mapping[str, str]  # names in lower case
    body: Json


class Client:
    """Thread-safe; opens nothing before the first call."""

    def __init__(
        self,
        server: str = "http://127.0.0.1:7070",
        *,
        token: str | None = None,
        tenant: str | None = None,
        ca_file: str | None = None,
        timeout: float = 30.0,
        patience: float = 5.0,
    ) -> None:
        """`tenant`: a tenant other than the token's own, for admins. `patience`: for how many seconds to repeat a call that
        the server could not serve just then (429, 503, a lost answer)."""
        headers = {"Accept": "application/json", "User-Agent": f"belfry-python/{VERSION}"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if tenant:
            headers["Belfry-Tenant"] = tenant
        self.server = server
        self.timeout = timeout
        self._patience = patience
        self._transport = Transport(server, headers, ca_file)

    @classmethod
    def from_env(cls, **options: Any) -> Client:
        """From the variables of the command line: BELFRY_SERVER, BELFRY_TOKEN or BELFRY_TOKEN_FILE, BELFRY_TENANT."""
        token = os.environ.get("BELFRY_TOKEN", "").strip()
        if not token and (file := os.environ.get("BELFRY_TOKEN_FILE")):
            token = Path(file).read_text("utf-8").strip()
        options.setdefault("token", token or None)
        options.setdefault("tenant", os.environ.get("BELFRY_TENANT") or None)
        return cls(os.environ.get("BELFRY_SERVER") or "http://127.0.0.1:7070", **options)

    def __repr__(self) -> str:
        return f"Client({self.server!r})"  # and no token

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    # ---- One call

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Json = None,
        headers: Mapping[str, str] | None = None,
        repeatable: bool | None = None,
        timeout: float | None = None,
        patience: float | None = None,
        cut: Cut | None = None,
    ) -> Reply:
        """Any call of the API, also those without a method here. `path` starts at "/", with its parts quoted.

        `repeatable`: may be sent again when no answer came; by default, calls that read, set or delete."""
        sent = dict(headers or {})
        data = None
        if body is not None:
            sent.setdefault("Content-Type", "application/json")
            try:
                data = json.dumps(body, allow_nan=False).encode()
            except (TypeError, ValueError) as error:
                raise Invalid(f"the body of {method} {path} is not JSON: {error}") from error
        given = {name: value for name, value in (query or {}).items() if value is not None}
        target = path + ("?" + urlencode(given, doseq=True) if given else "")
        if repeatable is None:
            repeatable = method in ("GET", "PUT", "DELETE")
        give_up = time.monotonic() + (self._patience if patience is None else patience)
        response = self._persist(method, target, data, sent, repeatable, timeout or self.timeout, give_up, cut)
        if response.status >= 400 or response.status in (301, 302, 303, 307, 308):  # never send the key elsewhere
            raise problem_of(response.status, response.body, _retry_after(response))
        is_json = "json" in response.headers.get("content-type", "")
        content = json.loads(response.body) if is_json and response.body else response.body.decode() or None
        return Reply(response.status, response.headers, content)

    def _persist(
        self,
        method: str,
        target: str,
        data: bytes | None,
        headers: Mapping[str, str],
        repeatable: bool,
        timeout: float,
        give_up: float,
        cut: Cut | None,
    ) -> Response:
        repeated = False
        while True:
            try:
                response = self._transport.exchange(method, target, data, headers, timeout, cut)
            except TimedOut:
                if repeated or not repeatable or time.monotonic() >= give_up:
                    raise
                repeated = True
                continue
            asked = _retry_after(response)
            pause = 1.0 if asked is None else asked
            if response.status not in (429, 503) or time.monotonic() + pause > give_up:
                return response
            time.sleep(min(max(pause, 0.1), _LONGEST_PAUSE))

    def _get(self, path: str, **query: Any) -> Json:
        return self.call("GET", _API + path, query=query).body

    def _post(self, path: str, body: Json = None, **options: Any) -> Json:
        return self.call("POST", _API + path, body=body, **options).body

    def _post_keyed(self, path: str, body: Json, key: str | None) -> Json:
        return self._post(path, body, headers={"Idempotency-Key": key or str(uuid.uuid4())}, repeatable=True)

    def pages(self, path: str, *, page: int = 500, **query: Any) -> Iterator[Json]:
        """The entries of a list, one by one; pages of `page` entries are fetched as you go."""
        cursor = None
        while True:
            answer = self.call("GET", path, query={**query, "limit": page, "cursor": cursor}).body
            yield from answer["items"]
            cursor = answer["next_cursor"]
            if cursor is None:
                return

    # ---- Jobs. `job` is an id or a name.

    def list_jobs(
        self,
        *,
        status: str | None = None,
        job_type: str | None = None,
        label: str | Sequence[str] | None = None,
        q: str | None = None,
        page: int = 500,
    ) -> Iterator[t.JobSummary]:
        """Jobs by name, without target and payload."""
        return self.pages(f"{_API}/jobs", page=page, status=status, job_type=job_type, label=label, q=q)

    def create_job(self, definition: Json, *, idempotency_key: str | None = None) -> t.Job:
        """A new job; Conflict if the name is taken."""
        return self._post_keyed("/jobs", definition, idempotency_key)

    def put_jobs(self, jobs: Sequence[Json], *, atomic: bool = True, paused: bool = False, idempotency_key: str | None = None) -> t.JobBatchResult:
        """Creates or replaces up to 10,000 jobs by name; with `atomic=False` keeps the good ones."""
        return self._post_keyed("/jobs:batch", {"jobs": list(jobs), "atomic": atomic, "paused": paused}, idempotency_key)

    def get_job(self, job: str) -> t.Job:
        return self._get(job_path(job))

    def put_job(self, job: str, definition: Json, *, version: int | None = None, create_only: bool = False) -> t.Job:
        """Creates or replaces a job; with `version`, only if the job still has it."""
        headers = _if_version(version)
        if create_only:
            headers["If-None-Match"] = "*"
        return self.call("PUT", _API + job_path(job), body=definition, headers=headers).body

    def patch_job(self, job: str, changes: Json, *, version: int | None = None) -> t.Job:
        """Changes the given fields; None resets one to its default."""
        headers = {"Content-Type": "application/merge-patch+json", **_if_version(version)}
        return self.call("PATCH", _API + job_path(job), body=changes, headers=headers, repeatable=version is not None).body

    def delete_job(self, job: str, *, version: int | None = None) -> None:
        self.call("DELETE", _API + job_path(job), headers=_if_version(version))

    def pause_job(self, job: str, *, until: str | None = None, note: str | None = None) -> t.Job:
        """Skips its ticks until it is resumed, or until that instant."""
        body = {name: value for name, value in (("until", until), ("note", note)) if value is not None}
        return self._post(job_path(job, "/pause"), body, repeatable=True)

    def resume_job(self, job: str) -> t.Job:
        return self._post(job_path(job, "/resume"), repeatable=True)

    def cancel_job(self, job: str) -> t.Job:
        """Ends the job for good; runs in flight go on."""
        return self._post(job_path(job, "/cancel"), repeatable=True)

    def trigger_job(self, job: str, *, payload: Json = None, idempotency_key: str | None = None) -> t.Run:
        """Starts a run now, whatever the schedule says, and returns it. Without a payload it gets the job's own."""
        return self._post_keyed(job_path(job, "/trigger"), {} if payload is None else {"payload": payload}, idempotency_key)

    def backfill_job(self, job: str, from_: str, to: str, *, dry_run: bool = False) -> t.BackfillReport:
        """Creates runs for past ticks that have none; asking twice creates nothing twice."""
        return self._post(job_path(job, "/backfill"), {"from": from_, "to": to, "dry_run": dry_run}, repeatable=True)

    def list_revisions(self, job: str, *, page: int = 500) -> Iterator[t.Revision]:
        """What the job was before, newest first."""
        return self.pages(_API + job_path(job, "/revisions"), page=page)

    def restore_revision(self, job: str, version: int) -> t.Job:
        """Gives the job the definition of an earlier version, as a new one."""
        return self._post(job_path(job, f"/revisions/{version}/restore"), repeatable=True)

    # ---- Schedules

    def list_job_runs(
        self, job: str, *, from_: str | None = None, to: str | None = None, state: str | None = None, page: int = 500
    ) -> Iterator[t.Run]:
        """The job's runs, newest first."""
        return self.pages(_API + job_path(job, "/runs"), page=page, **{"from": from_}, to=to, state=state)

    def list_job_ticks(
        self, job: str, *, from_: str | None = None, to: str | None = None, order: str | None = None, page: int = 500
    ) -> Iterator[t.Tick]:
        """The ledger: each tick or range of ticks with its fate."""
        return self.pages(_API + job_path(job, "/ticks"), page=page, **{"from": from_}, to=to, order=order)

    def explain_job(self, job: str, *, at: str | None = None) -> t.Explanation:
        """Why it did or did not run."""
        return self._get(job_path(job, "/explain"), at=at)

    def next_ticks(self, job: str, *, count: int | None = None) -> t.Preview:
        return self._get(job_path(job, "/next"), count=count)

    def job_warnings(self, job: str) -> t.JobWarnings:
        """What its author may not expect of a job: of its schedule, and of its target just now."""
        return self._get(job_path(job, "/warnings"))

    def preview_schedule(self, schedule: Json) -> t.Preview:
        """What a schedule means, in words and instants; nothing is stored."""
        return self._post("/schedules/preview", schedule, repeatable=True)

    # ---- Runs

    def list_runs(self, *, state: str | None = None, from_: str | None = None, to: str | None = None, page: int = 500) -> Iterator[t.Run]:
        """Runs of all jobs, newest first. Dead letters: `state="DEAD"`."""
        return self.pages(f"{_API}/runs", page=page, state=state, **{"from": from_}, to=to)

    def get_run(self, run: str) -> t.RunDetail:
        """The run with its payload and its attempts."""
        return self._get(run_path(run))

    def get_run_log(self, run: str, *, attempt: int | None = None) -> t.RunLog:
        """What the worker logged for an attempt, also while it runs; by default for the last one."""
        return self._get(run_path(run, "/log"), attempt=attempt)

    def cancel_run(self, run: str) -> t.Run:
        return self._post(run_path(run, "/cancel"), repeatable=True)

    def unstick_run(self, run: str, *, note: str = "") -> t.Run:
        """Takes a running run from a worker that does not let go: it ends at once, and its fence is void."""
        return self._post(run_path(run, "/unstick"), {"note": note} if note else None)

    def retry_run(self, run: str, *, idempotency_key: str | None = None) -> t.Run:
        return self._post_keyed(run_path(run, "/retry"), None, idempotency_key)

    def wait_for_run(self, run: str, *, timeout: float = 300.0, pause: float = 0.5) -> t.RunDetail:
        """Waits until the run is over, and returns it; TimedOut if that takes too long."""
        give_up = time.monotonic() + timeout
        while (seen := self.get_run(run))["state"] in LIVE_STATES:
            if time.monotonic() >= give_up:
                raise TimedOut(f"run {run} is still {seen['state']} after {timeout:g} s")
            time.sleep(pause)
        return seen

    # ---- Work. `Worker` does all this for you.

    def claim_runs(
        self,
        worker_id: str,
        job_types: Sequence[str],
        *,
        max_runs: int = 1,
        lease_seconds: int = 30,
        wait_seconds: int = 0,
        region: str | None = None,
        cut: Cut | None = None,
    ) -> list[t.ClaimedRun]:
        """Runs to work on; waits for the first one. Never repeated: the runs of a lost answer come back when their lease ends.
        `region`: where the worker is, if not where the server is."""
        body: Json = {
            "worker_id": worker_id,
            "job_types": list(job_types),
            "max_runs": max_runs,
            "lease_seconds": lease_seconds,
            "wait_seconds": wait_seconds,
        }
        if region is not None:
            body["region"] = region
        return self._post("/runs:claim", body, timeout=self.timeout + wait_seconds, cut=cut)["runs"]

    def beat_runs(self, runs: Sequence[Json], *, lease_seconds: int = 30, **options: Any) -> list[t.HeartbeatResult]:
        """Prolongs the leases of `{"run_id", "fence"}`; answers for each: EXTENDED, FENCED or CANCEL."""
        body = {"runs": list(runs), "lease_seconds": lease_seconds}
        return self._post("/runs:heartbeat", body, repeatable=True, **options)["results"]

    def complete_runs(self, runs: Sequence[Json], **options: Any) -> list[t.CompleteResult]:
        """Reports how attempts ended; answers for each: OK, FENCED or RETRY. Repeating a report is safe."""
        return self._post("/runs:complete", {"runs": list(runs)}, repeatable=True, **options)["results"]

    # ---- The whole

    def get_cluster(self) -> t.Cluster:
        return self._get("/cluster")

    def get_workers(self) -> t.Workers:
        """Who takes runs, and what waits for them."""
        return self._get("/workers")

    def get_forecast(self, *, hours: int | None = None) -> t.Forecast:
        return self._get("/forecast", hours=hours)

    def get_forecast_advice(self, *, hours: int | None = None) -> t.HerdAdvice:
        """The fullest minutes, and changes that would halve them."""
        return self._get("/forecast/advice", hours=hours)

    def get_stats(self) -> t.Stats:
        return self._get("/stats")

    def events(
        self, *, after: str | None = None, silence: float = 60.0, on_open: Callable[[], object] = lambda: None
    ) -> Iterator[Event]:
        """Changes as they happen, without an end; reconnects by itself and continues after the last event seen.

        `after`: the id of the last event you know. `on_open`: called once the stream is open and every change from then on
        will be seen. Raises Problem once no server answers for longer than the client's patience.
        """
        lost = 0.0

        def opened() -> None:
            nonlocal lost
            lost = 0.0
            on_open()

        while True:
            try:
                headers = {"Last-Event-ID": after} if after else {}
                for event in read_events(self._transport.lines(f"{_API}/events", headers, self.timeout, silence, opened)):
                    after = event.id or after
                    yield event
            except Problem as problem:
                if problem.kind not in ("unreachable", "timed_out") or lost >= self._patience:
                    raise
            lost += 0.5
            time.sleep(0.5)


def job_path(job: str, rest: str = "") -> str:
    """ "/jobs/name:nightly%20report": the path of the job with this name or id."""
    if not job:
        raise Invalid("a job has a name or an id; this one is empty")
    name = job.removeprefix("name:")
    prefix = "" if name == job and _JOB_ID.fullmatch(job) else "name:"
    return f"/jobs/{prefix}{quote(name, safe='')}{rest}"


def run_path(run: str, rest: str = "") -> str:
    if not run:
        raise Invalid("a run has an id; this one is empty")
    return f"/runs/{quote(run, safe='')}{rest}"


def _if_version(version: int | None) -> dict[str, str]:
    return {} if version is None else {"If-Match": f'"{version}"'}


def _retry_after(response: Response) -> float | None:
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdigit() else None
