"""PostgreSQL's messages on the wire, as far as one must know them to cut between two of them.

After the startup packet every message is a letter, four bytes of length, and a body. A client's work ends with `Sync`
(or is a simple `Query`); the server's answer to it ends with `ReadyForQuery`. Who cuts between these two leaves the
client without knowing whether its transaction took effect.
"""

import struct
from collections import deque
from typing import Iterator

_STARTUP_LIMIT = 10_000


class Framer:
    """Bytes in, whole messages out: (letter, message). A startup packet has the letter `b""`."""

    def __init__(self, startup: bool) -> None:
        self._startup = startup
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[tuple[bytes, bytes]]:
        self._buffer += data
        while message := self._take():
            yield message

    def _take(self) -> tuple[bytes, bytes] | None:
        head = 0 if self._startup else 1
        if len(self._buffer) < head + 4:
            return None
        (length,) = struct.unpack_from(">I", self._buffer, head)
        if length < 4 or (self._startup and length > _STARTUP_LIMIT):
            raise ValueError(f"no message of PostgreSQL: length {length}")
        if len(self._buffer) < head + length:
            return None
        letter = bytes(self._buffer[:head])
        message = bytes(self._buffer[: head + length])
        del self._buffer[: head + length]
        if self._startup:
            self._startup = False
        return letter, message


def _text(message: bytes, at: int) -> tuple[str, int]:
    end = message.index(b"\0", at)
    return message[at:end].decode("utf-8", "replace"), end + 1


class Statements:
    """Which statement a `Sync` or `Query` of a connection belongs to."""

    def __init__(self) -> None:
        self._prepared: dict[str, str] = {}
        self._bound = ""

    def see(self, letter: bytes, message: bytes) -> str | None:
        """The statement whose work ends with this message, or None if the work goes on."""
        if letter == b"P":
            name, at = _text(message, 5)
            self._prepared[name], _ = _text(message, at)
        elif letter == b"B":
            _, at = _text(message, 5)
            name, _ = _text(message, at)
            self._bound = self._prepared.get(name, "?")
        elif letter == b"S":
            done, self._bound = self._bound, ""
            return done
        elif letter == b"Q":
            return _text(message, 5)[0]
        return None


class Exchanges:
    """How many answers of a connection are still to come, in order, and which of them must not arrive."""

    def __init__(self) -> None:
        self._open: deque[bool] = deque()  # for each: its answer is to be lost

    def sent(self, lose: bool) -> None:
        self._open.append(lose)

    def answer_is_lost(self) -> bool:
        return bool(self._open) and self._open[0]

    def answered(self) -> None:
        if self._open:
            self._open.popleft()
