"""A worker: claims runs, hands them to your functions, and reports how they ended.

    worker = Worker(Client.from_env(), concurrency=8)

    @worker.handler("invoice.monthly")
    def send(run: Context) -> dict:
        for page in pages(run.payload["customer"]):
            run.check()                                # stops when the run is cancelled or lost
            post(page, idempotency_key=run.idempotency_key)
        return {"sent": True}

    worker.run()                                       # until SIGTERM, then drains

Returning is success; `RetryLater` and `PermanentFailure` say what they mean; any other exception is a failure that is tried
again as the job's policy says. The worker's own thread prolongs leases after a third of their length. A lost lease cancels
the handler, and what it returns is not reported.
"""

from __future__ import annotations

import logging
import os
import random
import signal
import socket
import threading
from typing import Any, Callable, Mapping, TypeVar

from .client import Client
from .context import Context, boot_now
from .errors import Invalid, Problem
from .execution import Handler, execute, refused_report, stopped_report
from .transport import Cut, readable

_LOG = logging.getLogger("belfry.worker")
_MOST_RUNS = 1000  # in one call
_MOST_LETTERS = 1_000_000  # of output in one call; each may take several bytes there
_LONGEST_PAUSE = 10.0
_NEWS_EVERY = 1.0  # seconds; what handlers show is sent together
_AFTER_CANCEL = 5.0  # seconds a handler has to notice that the worker ends
Function = TypeVar("Function", bound=Handler)


class _Held:
    """A run this worker holds."""

    def __init__(self, context: Context, lease_until: float) -> None:
        self.context = context
        self.told = 0  # the version of its notes the server has
        self.lease_until = lease_until  # on the boot clock
        self.lost = False
        self.reporting = False

    def beat(self, with_news: bool) -> dict[str, Any]:
        news = self.context.notes.fields() if with_news else {}
        return {"run_id": self.context.run_id, "fence": self.context.fence, **news}

    def lose(self, why: str) -> None:
        if not self.lost:
            self.lost = True
            _LOG.warning("run %s (fence %d) is lost: %s", self.context.run_id, self.context.fence, why)
        self.context.cancel("lease_lost")


class Worker:
    def __init__(
        self,
        client: Client,
        *,
        worker_id: str | None = None,
        concurrency: int = 8,
        lease: int = 30,
        grace: float = 30.0,
        claim_wait: int = 20,
        region: str | None = None,
    ) -> None:
        """`lease`: seconds a run stays ours without a heartbeat. `grace`: seconds that handlers get when the worker ends.
        `region`: where we are, and whose runs we get; without it, the region of the node that we ask."""
        if not 1 <= lease <= 3600 or not 0 <= claim_wait <= 60 or concurrency < 1:
            raise ValueError("lease is 1 to 3600 s, claim_wait 0 to 60 s, concurrency at least 1")
        self.worker_id = worker_id or f"{socket.gethostname()}-{os.getpid()}"
        self._client = client
        self._concurrency, self._lease, self._grace, self._claim_wait = concurrency, lease, grace, claim_wait
        self._region = region
        self._handlers: dict[str, Handler] = {}
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)  # signals changes of _held and _stopping
        self._held: dict[str, _Held] = {}
        self._stopping = threading.Event()
        self._closed = threading.Event()
        self._news = threading.Event()
        self._cut = Cut()
        self._bell: tuple[socket.socket, socket.socket] | None = None  # a signal handler may ring it, unlike a lock

    # ---- For users

    def handler(self, job_type: str) -> Callable[[Function], Function]:
        """Decorates the function (plain or `async`) for runs of this type."""

        def register(function: Function) -> Function:
            self.handle(job_type, function)
            return function

        return register

    def handle(self, job_type: str, function: Handler) -> None:
        if job_type in self._handlers:
            raise ValueError(f"there is a handler for {job_type!r} already")
        self._handlers[job_type] = function

    def run(self, *, signals: bool = True) -> None:
        """Works until `stop`, SIGTERM or SIGINT (if `signals`, in the main thread); returns when drained. Call it once only."""
        if not self._handlers:
            raise ValueError("a worker needs at least one handler")
        self._bell = socket.socketpair()
        self._bell[1].setblocking(False)
        former = self._take_signals() if signals else {}
        beats = threading.Thread(target=self._beat_loop, name="belfry-beats", daemon=True)
        claims = threading.Thread(target=self._claim_loop, name="belfry-claims", daemon=True)
        try:
            beats.start()
            claims.start()
            _LOG.info("worker %s works on %s", self.worker_id, ", ".join(sorted(self._handlers)))
            while not self._hear(None):
                pass
            self._drain(claims)
        finally:
            self._closed.set()
            self._news.set()
            beats.join(self._lease)
            for number, handler in former.items():
                signal.signal(number, handler)
            for end in self._bell:
                end.close()

    def stop(self) -> None:
        """Takes no new work; handlers may end within the grace. A second call: without grace. While `run` runs, from any
        thread or signal handler."""
        self._ring(b"s")

    def try_out(self, job_type: str, payload: Any = None, **facts: Any) -> dict[str, Any]:
        """Calls the handler as for a run, without a server; returns what would be reported. For tests."""
        return execute(self.handler_of(job_type), Context(_sample_run(job_type, payload, facts)))

    def handler_of(self, job_type: str) -> Handler:
        return self._handlers[job_type]

    # ---- Claiming

    def _claim_loop(self) -> None:
        failures = 0
        while (free := self._await_room()) > 0:
            sent = boot_now()
            try:
                runs = self._client.claim_runs(
                    self.worker_id,
                    sorted(self._handlers),
                    max_runs=min(free, _MOST_RUNS),
                    lease_seconds=self._lease,
                    wait_seconds=self._claim_wait,
                    region=self._region,
                    cut=self._cut,
                )
                for run in runs:
                    # The server may have waited before it granted the run; all other time since the question is the answer's way.
                    self._start(run, granted=sent + run.get("waited_ms", 0) / 1000)
                failures = 0
            except Exception as problem:  # of whatever kind: no other thread claims
                if not self._stopping.is_set():
                    failures += 1
                    _LOG.warning("no runs can be claimed: %s", _words(problem))
                    self._stopping.wait(min(0.25 * 2 ** min(failures, 10), _LONGEST_PAUSE) * random.uniform(0.5, 1))

    def _await_room(self) -> int:
        """Waits for room; returns how many more runs may be worked on, or 0 when the worker ends."""
        with self._changed:
            while not self._stopping.is_set() and len(self._held) >= self._concurrency:
                self._changed.wait()
            return 0 if self._stopping.is_set() else self._concurrency - len(self._held)

    def _start(self, run: Mapping[str, Any], granted: float) -> None:
        held = _Held(Context(run, self._lease, self._news.set), min(boot_now(), granted) + self._lease)
        with self._lock:
            # A lost run may come back before its old handler has ended: the fence tells them apart.
            self._held[_key(held)] = held
        try:
            self._begin(held)
        except RuntimeError:  # no thread available: the lease brings the run to another worker
            with self._lock:
                self._held.pop(_key(held), None)
            raise

    def _begin(self, held: _Held) -> None:
        threading.Thread(target=self._work, args=(held,), name=f"belfry-{held.context.run_id}", daemon=True).start()

    def _work(self, held: _Held) -> None:
        try:
            if not self._make_sure(held):
                return
            report = execute(self.handler_of(held.context.job_type), held.context)
            held.reporting = True
            self._report(held, report)
        finally:
            self._let_go(held)

    def _let_go(self, held: _Held) -> None:
        with self._changed:
            self._held.pop(_key(held), None)
            self._changed.notify_all()
        self._ring(b"d")

    def _make_sure(self, held: _Held) -> bool:
        """A run that was granted longer ago than a third of its lease may be somebody else's by now: it begins only after a
        heartbeat. Returns whether it is ours."""
        while not self._is_lost(held) and boot_now() >= held.lease_until - self._lease * 2 / 3:
            _LOG.warning("run %s (fence %d) came late: a heartbeat goes first", held.context.run_id, held.context.fence)
            if not self._beat_some([held]):
                self._closed.wait(min(1.0, self._lease / 10))
        return not held.lost

    # ---- Reporting

    def _report(self, held: _Held, report: dict[str, Any]) -> None:
        """Repeats the report until it is answered, or the run belongs to somebody else."""
        refused = False
        while not self._is_lost(held) and not self._closed.is_set():
            try:
                answer = self._client.complete_runs([report], timeout=self._lease)[0]["answer"]
            except Invalid as problem:
                if refused:
                    return _LOG.error("run %s cannot be reported: %s", held.context.run_id, problem)
                refused = True
                report = refused_report(held.context, str(problem))
                continue
            except Problem as problem:
                _LOG.warning("run %s is not reported yet: %s", held.context.run_id, problem)
                answer = "RETRY"
            if answer == "OK":
                return _LOG.info("run %s (attempt %d): %s", held.context.run_id, held.context.attempt, report["status"])
            if answer == "FENCED":
                return held.lose("its report was answered FENCED")
            self._closed.wait(min(1.0, self._lease / 10))

    def _is_lost(self, held: _Held) -> bool:
        if not held.lost and boot_now() >= held.lease_until:
            held.lose("no heartbeat was answered for the length of its lease")
        return held.lost

    # ---- Heartbeats

    def _beat_loop(self) -> None:
        pause = self._lease / 3
        while not self._closed.is_set():
            if self._news.wait(self._until_deadline(pause)):
                self._closed.wait(min(_NEWS_EVERY, self._lease / 6))
                self._news.clear()
            pause = self._lease / 3 if self._beat() else min(1.0, self._lease / 10)

    def _until_deadline(self, pause: float) -> float:
        with self._lock:
            open_deadlines = [held.context.remaining() for held in self._held.values() if not held.context.cancelled.is_set()]
        return max(0.0, min([pause, *open_deadlines]))

    def _beat(self) -> bool:
        """Prolongs all leases; returns whether the server answered."""
        with self._lock:
            runs = [held for held in self._held.values() if not held.lost]
        for held in runs:
            if held.context.remaining() <= 0:
                held.context.cancel("deadline")
        answered = True
        for first in range(0, len(runs), _MOST_RUNS):
            answered = self._beat_some(runs[first : first + _MOST_RUNS]) and answered
        for held in runs:
            if not held.reporting:
                self._is_lost(held)
        return answered

    def _beat_some(self, runs: list[_Held]) -> bool:
        start = boot_now()  # the lease began no earlier
        beats, versions = _beats_of(runs)
        try:
            answers = self._client.beat_runs(beats, lease_seconds=self._lease, timeout=max(1.0, self._lease / 3), patience=0)
        except Exception as problem:  # of whatever kind: no other thread beats
            _LOG.warning("heartbeats are not answered: %s", _words(problem))
            return False
        if any(held.context.notes.version > version for held, version in zip(runs, versions)):
            self._news.set()  # there is more to tell
        for held, answer, version in zip(runs, answers, versions):
            held.told = version
            if answer["answer"] != "FENCED":
                held.lease_until = start + self._lease
            elif not held.reporting:  # a run that has just ended is fenced too; its report will tell
                held.lose("its heartbeat was answered FENCED")
            if answer["answer"] == "CANCEL":
                held.context.cancel("requested")
        return True

    # ---- The end

    def _drain(self, claims: threading.Thread) -> None:
        with self._changed:
            self._stopping.set()
            self._changed.notify_all()
        self._cut.now()
        claims.join(self._client.timeout)
        _LOG.info("worker %s stops; %d runs in hand", self.worker_id, len(self._held))
        if self._await_all(self._grace):
            return
        for held in self._in_hand():
            held.context.cancel("stopping")
        if self._await_all(_AFTER_CANCEL):
            return
        for held in self._in_hand():  # their handlers do not listen; others continue the runs
            if not held.reporting:
                held.reporting = True
                self._report(held, stopped_report(held.context))

    def _await_all(self, seconds: float) -> bool:
        """Waits, at most this long, until nothing is in hand; returns whether that is so. Another stop ends the wait."""
        give_up = boot_now() + seconds
        while self._in_hand():
            left = give_up - boot_now()
            if left <= 0 or self._hear(left):
                return not self._in_hand()
        return True

    def _in_hand(self) -> list[_Held]:
        with self._lock:
            return list(self._held.values())

    def _ring(self, word: bytes) -> None:
        if self._bell:
            try:
                self._bell[1].send(word)
            except OSError:
                pass  # it is ringing already, or nobody listens any more

    def _hear(self, seconds: float | None) -> bool:
        """Waits for the bell; returns whether it says stop."""
        assert self._bell
        return readable(self._bell[0], seconds) and b"s" in self._bell[0].recv(4096)

    def _take_signals(self) -> dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}
        return {number: signal.signal(number, lambda *_: self.stop()) for number in (signal.SIGTERM, signal.SIGINT)}


def _beats_of(runs: list[_Held]) -> tuple[list[dict[str, Any]], list[int]]:
    """The beat of each run, and the version of its notes in it. At most what one call may hold: the rest follows next time."""
    beats, versions, letters = [], [], 0
    for held in runs:
        version = held.context.notes.version
        with_news = version > held.told and letters < _MOST_LETTERS
        beats.append(held.beat(with_news))
        versions.append(version if with_news else held.told)
        letters += len(beats[-1].get("log", ""))
    return beats, versions


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, Problem) else f"{type(error).__name__}: {error}"


def _key(held: _Held) -> str:
    return f"{held.context.run_id}-{held.context.fence}"


def _sample_run(job_type: str, payload: Any, facts: Mapping[str, Any]) -> dict[str, Any]:
    return {**_SAMPLE, "job_type": job_type, "payload": payload, **facts}


_SAMPLE: dict[str, Any] = {
    "run_id": "0" * 32,
    "attempt_id": "0" * 32 + "-1",
    "attempt": 1,
    "fence": 1,
    "idempotency_key": "0" * 32,
    "job_id": "0" * 16,
    "job_name": "sample",
    "tenant_id": "default",
    "scheduled_for": "2026-01-01T00:00:00Z",
    "lease_until": "2026-01-01T00:00:30Z",
    "deadline": "2026-01-01T00:05:00Z",
    "stands_for": 1,
    "waited_ms": 0,
    "target": {"kind": "WORKER"},
    "payload": None,
}
