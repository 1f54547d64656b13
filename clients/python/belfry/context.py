"""What a handler knows about its run, and the ways it can end other than by returning."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from typing import Any, Callable, Mapping

from .notes import Notes


class PermanentFailure(Exception):
    """Raised by a handler: trying again is useless. The run goes to the dead letters."""


class RetryLater(Exception):
    """Raised by a handler: try again, but only after this many seconds (a day at most)."""

    def __init__(self, message: str, after: float) -> None:
        super().__init__(message)
        self.after = after


class Cancelled(Exception):
    """Raised by `Context.check`: the handler should stop; nobody waits for its result."""


class Context:
    """One attempt of a run, as its handler sees it.

    A run may be attempted more than once: check `idempotency_key` (the same for all attempts), or pass `fence` to the
    system that the work changes, so that it can refuse a lower one.
    """

    def __init__(self, run: Mapping[str, Any], lease: float = 30.0, on_news: Callable[[], object] = lambda: None) -> None:
        self.run_id: str = run["run_id"]
        self.attempt_id: str = run["attempt_id"]
        self.attempt: int = run["attempt"]  # from 1
        self.fence: int = run["fence"]
        self.idempotency_key: str = run["idempotency_key"]
        self.traceparent: str = run.get("traceparent", "")  # the attempt's place in the run's trace (W3C)
        self.job_id: str = run["job_id"]
        self.job_name: str = run["job_name"]
        self.job_type: str = run["job_type"]
        self.tenant_id: str = run["tenant_id"]
        self.scheduled_for = _instant(run["scheduled_for"])
        self.stands_for: int = run["stands_for"]  # missed ticks, including its own
        self.target: Any = run["target"]
        self.payload: Any = run["payload"]
        self.deadline = _instant(run["deadline"])  # by the server's clock
        # Our clock may differ, so only lengths of time are taken from the server.
        granted = _instant(run["lease_until"]) - timedelta(seconds=lease)
        self._ends = boot_now() + (self.deadline - granted).total_seconds()
        self.notes = Notes(on_news)
        self.cancelled = threading.Event()
        self.cancel_reason = ""  # "requested", "lease_lost", "deadline" or "stopping"
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], object]] = []

    def log(self, line: str) -> None:
        """Adds a line to the run's output, which others see while it runs."""
        self.notes.log(line)

    def progress(self, done: float, total: float = 0) -> None:
        """Says how far the work is, in whole numbers; a total of 0 means unknown."""
        self.notes.progress(done, total)

    def remaining(self) -> float:
        """Seconds until the attempt times out; negative once it has."""
        return self._ends - boot_now()

    def check(self) -> None:
        """Raises Cancelled once the handler should stop: the run was cancelled, its time or lease is over, or the worker ends."""
        if self.cancelled.is_set():
            raise Cancelled(self.cancel_reason)

    def wait(self, seconds: float) -> None:
        """Waits; raises Cancelled as soon as the handler should stop."""
        self.cancelled.wait(seconds)
        self.check()

    def on_cancel(self, callback: Callable[[], object]) -> None:
        """`callback` is called once the handler should stop, from another thread; at once if that is already so."""
        with self._lock:
            if not self.cancelled.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def cancel(self, reason: str) -> None:
        """For the worker to call; the first reason stays."""
        with self._lock:
            if self.cancelled.is_set():
                return
            self.cancel_reason = reason
            self.cancelled.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()


def boot_now() -> float:
    """Seconds that also pass while the machine sleeps, as they do for a lease."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)
