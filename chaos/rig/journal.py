"""Lines of JSON that outlive their writer: what workers, the sink and the harness saw, each with its time."""

import json
import os
import pathlib
import threading
import time
from typing import Any, Iterator


def now_micros() -> int:
    return time.time_ns() // 1000


class Journal:
    def __init__(self, path: pathlib.Path, durable: bool = True) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
        self._durable = durable
        self._lock = threading.Lock()

    def note(self, event: str, **facts: Any) -> None:
        with self._lock:
            line = json.dumps({"event": event, "at": now_micros(), **facts}) + "\n"
            os.write(self._file, line.encode())
        if self._durable:
            os.fdatasync(self._file)


def read(path: pathlib.Path) -> Iterator[dict[str, Any]]:
    """A line that a kill cut off is not a line."""
    if not path.exists():
        return
    for line in path.read_text("utf-8").splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            continue
