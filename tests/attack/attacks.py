"""What somebody may do to a node to keep others from it. Each attack runs in a process of its own until it is told to
stop, and counts what it was answered. None of them expects to succeed.

An attack without a key comes from another address than the victim (127.0.0.2), as a stranger does, or from the same
one, as somebody behind the same proxy does."""

import itertools
import json
import select
import socket
import time
from dataclasses import dataclass
from multiprocessing.synchronize import Event
from typing import Callable, Iterator

from http2 import endless_headers, greeting, headers_of, resets

STRANGER = "127.0.0.2"
NEIGHBOUR = "127.0.0.1"  # where the victim calls from as well
MIB = 1024 * 1024


@dataclass
class Aim:
    """Where to, and with which keys of the attacker's tenant."""

    host: str
    port: int
    grpc: int
    operator: str
    worker: str
    stop: Event

    def connect(self, source: str, port: int = 0) -> socket.socket | None:
        try:
            return socket.create_connection((self.host, port or self.port), timeout=5, source_address=(source, 0))
        except OSError:
            return None

    def call(self, method: str, path: str, key: str | None, body: bytes = b"", length: int | None = None) -> bytes:
        lines = [f"{method} /api/v1{path} HTTP/1.1", f"Host: {self.host}", "Content-Type: application/json"]
        if key:
            lines.append(f"Authorization: Bearer {key}")
        if body or length:
            lines.append(f"Content-Length: {len(body) if length is None else length}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def send(connection: socket.socket | None, data: bytes) -> bool:
    if connection is None:
        return False
    try:
        connection.settimeout(5)
        connection.sendall(data)
        return True
    except OSError:
        return False


def answer(connection: socket.socket | None) -> bytes:
    """The beginning of what is answered; empty if nothing is."""
    if connection is None:
        return b""
    try:
        connection.settimeout(5)
        return connection.recv(65536)
    except OSError:
        return b""


def hold(aim: Aim, many: int, source: str, request: bytes, drip: bytes = b"") -> None:
    """Keeps `many` connections open with a request on each; what is closed is opened again."""
    held: list[socket.socket] = []
    while not aim.stop.is_set():
        for _ in range(min(100, many - len(held))):
            connection = aim.connect(source)
            if connection is not None and send(connection, request):
                held.append(connection)
        readable = ready(held)
        for connection in readable:
            connection.close()
        held = [each for each in held if each not in readable]
        for connection in held:
            if drip and not send(connection, drip):
                connection.close()
        held = [each for each in held if each.fileno() >= 0]
        aim.stop.wait(0.2)
    for connection in held:
        connection.close()


def ready(held: list[socket.socket]) -> set[socket.socket]:
    """Those that were answered or closed."""
    poll = select.poll()
    by_number = {each.fileno(): each for each in held}
    for number in by_number:
        poll.register(number, select.POLLIN | select.POLLHUP | select.POLLERR)
    return {by_number[number] for number, _ in poll.poll(0)} if held else set()


def flood(aim: Aim, source: str, request: bytes) -> None:
    """One call after the other, as fast as they are answered."""
    connection = None
    while not aim.stop.is_set():
        connection = connection or aim.connect(source)
        if not send(connection, request) or not answer(connection):
            if connection is not None:
                connection.close()
            connection = None


# ---- Without a key ----

def unfinished_bodies(aim: Aim) -> None:
    request = aim.call("POST", "/jobs:batch", None, b"[" * (16 * MIB - 1), 16 * MIB)
    hold(aim, 64, NEIGHBOUR, request)


def slow_headers(aim: Aim) -> None:
    hold(aim, 500, STRANGER, b"GET /api/v1/jobs HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"a")


def connections(aim: Aim) -> None:
    hold(aim, 12_500, STRANGER, b"")


def wrong_keys(aim: Aim) -> None:
    flood(aim, STRANGER, aim.call("POST", "/runs:heartbeat", "bf_" + "x" * 43, b'{"runs": []}'))


def rush(aim: Aim, source: str, frames: Callable[[], Iterator[bytes]]) -> None:
    """Frames of HTTP/2, as fast as they are taken; where the connection is cut off, another one."""
    while not aim.stop.is_set():
        connection = aim.connect(source, aim.grpc)
        for each in itertools.chain([greeting()], frames()):
            if aim.stop.is_set() or not send(connection, each):
                break
        if connection is not None:
            connection.close()
        aim.stop.wait(0.05)  # or it would take the machine's time instead of the node's


def grpc_resets(aim: Aim) -> None:
    rush(aim, STRANGER, lambda: resets(headers_of("x", "/belfry.v1.Dispatcher/Claim", None)))


def grpc_headers(aim: Aim) -> None:
    rush(aim, STRANGER, lambda: endless_headers(headers_of("x", "/belfry.v1.Dispatcher/Claim", None)))


# ---- As a tenant ----

def large_bodies(aim: Aim) -> None:
    request = aim.call("POST", "/jobs:batch", aim.operator, b" " * (15 * MIB), 16 * MIB)
    hold(aim, 32, NEIGHBOUR, request, b" ")


def long_polls(aim: Aim) -> None:
    body = json.dumps({"worker_id": "greedy", "job_types": ["nothing"], "wait_seconds": 60}).encode()
    hold(aim, 5_000, NEIGHBOUR, aim.call("POST", "/runs:claim", aim.worker, body))


def streams(aim: Aim) -> None:
    """They answer at once, so being readable is no reason to close them."""
    held = []
    request = aim.call("GET", "/events", aim.operator)
    while not aim.stop.is_set():
        if len(held) < 2_500:
            connection = aim.connect(NEIGHBOUR)
            if connection is not None and send(connection, request):
                held.append(connection)
        else:
            aim.stop.wait(0.2)


def json_bombs(aim: Aim) -> None:
    wide = b"[" + b"[]," * (16 * MIB // 3 - 2) + b"[]]"
    deep = b"[" * (4 * MIB)
    bombs = [aim.call("POST", "/jobs:batch", aim.operator, bomb) for bomb in (wide, deep)]
    while not aim.stop.is_set():
        for bomb in bombs:
            held = [aim.connect(NEIGHBOUR) for _ in range(8)]
            for connection in held:
                send(connection, bomb)
            for connection in held:
                said = answer(connection)
                assert not said.startswith(b"HTTP/1.1 2"), said
                if connection is not None:
                    connection.close()


def calls(aim: Aim) -> None:
    flood(aim, NEIGHBOUR, aim.call("GET", "/jobs?limit=100", aim.operator))


def grpc_calls(aim: Aim) -> None:
    rush(aim, NEIGHBOUR, lambda: resets(headers_of("x", "/belfry.v1.Dispatcher/Claim", aim.worker)))


def registrations(aim: Aim) -> None:
    number = 0
    connection = None
    while not aim.stop.is_set():
        number += 1
        job = {"job_name": f"flood-{time.time_ns()}-{number}", "every": "1h", "target": {"kind": "WORKER"}}
        connection = connection or aim.connect(NEIGHBOUR)
        if not send(connection, aim.call("POST", "/jobs", aim.operator, json.dumps(job).encode())) or not answer(connection):
            connection = None


ALL: dict[str, Callable[[Aim], None]] = {
    each.__name__: each for each in (unfinished_bodies, slow_headers, connections, wrong_keys, grpc_resets, grpc_headers, large_bodies,
                                     long_polls, streams, json_bombs, calls, grpc_calls, registrations)
}
