"""Server-sent events, assembled from lines as the HTML standard says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Iterable, Iterator


@dataclass(frozen=True)
class Event:
    """What changed. `name` is "jobs", "runs", or "reset": events were missed, read lists again."""

    id: str
    name: str
    data: Any


def read_events(lines: Iterable[str]) -> Iterator[Event]:
    last_id, name, data = "", "", []
    for line in lines:
        if line:
            field, _, value = line.partition(":")
            value = value.removeprefix(" ")
            if field == "id":
                last_id = value
            elif field == "event":
                name = value
            elif field == "data":
                data.append(value)
            continue
        if data:
            yield Event(last_id, name or "message", json.loads("\n".join(data)))
        name, data = "", []
