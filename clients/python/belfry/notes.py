"""What a handler shows of its work while it runs: lines of output, and how far it is."""

from __future__ import annotations

import math
import threading
from collections import deque
from typing import Any, Callable

_HALF = 30_000  # bytes kept of the beginning, and of the end; the server takes 64 KiB
_LONGEST_LINE = 8_000


class Notes:
    """Thread-safe. A long output loses its middle."""

    def __init__(self, on_news: Callable[[], object] = lambda: None) -> None:
        self._on_news = on_news
        self._lock = threading.Lock()
        self._head: list[bytes] = []
        self._tail: deque[bytes] = deque()
        self._head_size = self._tail_size = self._dropped = 0
        self._progress: dict[str, int] | None = None
        self.version = 0

    def log(self, line: str) -> None:
        text = line.encode("utf-8", "replace")[:_LONGEST_LINE] + b"\n"
        with self._lock:
            if not self._tail and self._head_size + len(text) <= _HALF:
                self._head.append(text)
                self._head_size += len(text)
            else:
                self._tail.append(text)
                self._tail_size += len(text)
            while self._tail_size > _HALF:
                self._tail_size -= len(self._tail.popleft())
                self._dropped += 1
            self.version += 1
        self._on_news()

    def progress(self, done: float, total: float) -> None:
        with self._lock:
            self._progress = {"done": _count(done), "total": _count(total)}
            self.version += 1
        self._on_news()

    def fields(self) -> dict[str, Any]:
        """For a heartbeat or a report: everything to show so far."""
        with self._lock:
            gap = [f"… {self._dropped} lines left out …\n".encode()] if self._dropped else []
            text = b"".join([*self._head, *gap, *self._tail]).decode("utf-8", "replace")
            fields: dict[str, Any] = {"log": text} if text else {}
            return fields if self._progress is None else {**fields, "progress": self._progress}


def _count(number: float) -> int:
    """What the server accepts: one refused note would cost all runs of the worker their heartbeat."""
    return max(0, min(int(number), 2**63 - 1)) if math.isfinite(number) else 0
