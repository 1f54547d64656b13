"""As much of HTTP/2 as it takes to begin gRPC calls by hand, to leave them unfinished, and to begin far too many."""

import itertools
import socket
import struct
from typing import Iterator

DATA, HEADERS, RESET, SETTINGS, CONTINUATION = 0, 1, 3, 4, 9
END_STREAM, END_HEADERS = 1, 4
CANCEL = struct.pack(">I", 8)


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name: str, value: str) -> bytes:
    """Literal, without a table and without a code."""
    assert len(name) < 127 and len(value) < 127
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


def greeting() -> bytes:
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, b"")


def headers_of(address: str, method: str, key: str | None) -> bytes:
    """Of a call, as a block."""
    fields = {":method": "POST", ":scheme": "http", ":path": method, ":authority": address, "te": "trailers",
              "content-type": "application/grpc", **({"authorization": f"Bearer {key}"} if key else {})}
    return b"".join(field(name, value) for name, value in fields.items())


def resets(block: bytes) -> Iterator[bytes]:
    """Calls that are given up as soon as they have begun, a hundred at a time, without end."""
    for first in itertools.count(1, 200):
        yield b"".join(frame(HEADERS, END_HEADERS, each, block) + frame(RESET, 0, each, CANCEL)
                       for each in range(first, first + 200, 2))


def endless_headers(block: bytes) -> Iterator[bytes]:
    """One call whose headers go on without end."""
    yield frame(HEADERS, 0, 1, block)
    while True:
        yield frame(CONTINUATION, 0, 1, field("a", "b")) * 1000


class Caller:
    """One connection, with one call after the other."""

    def __init__(self, address: str, patience: float) -> None:
        host, port = address.rsplit(":", 1)
        self.address = address
        self.wire = socket.create_connection((host, int(port)), timeout=patience)
        self.source = self.wire.makefile("rb")
        self.wire.sendall(greeting())
        self.next = 1

    def call(self, method: str, key: str | None, message: bytes) -> None:
        """Until it is answered, whatever the answer."""
        whole = b"\0" + struct.pack(">I", len(message)) + message
        self.wire.sendall(frame(HEADERS, END_HEADERS, self.next, headers_of(self.address, method, key))
                          + frame(DATA, END_STREAM, self.next, whole))
        while True:
            head = self.source.read(9)
            if len(head) < 9:
                raise ConnectionResetError("the connection was ended")
            self.source.read(int.from_bytes(head[:3], "big"))
            if int.from_bytes(head[5:], "big") == self.next and head[4] & END_STREAM:
                break
        self.next += 2

    def close(self) -> None:
        self.source.close()
        self.wire.close()


class HalfCall:
    """A call with its headers sent, and some of its message."""

    def __init__(self, address: str, method: str, key: str | None, part: bytes, patience: float) -> None:
        host, port = address.split(":")
        self.wire = socket.create_connection((host, int(port)), timeout=patience)
        block = headers_of(address, method, key)
        self.wire.sendall(greeting() + frame(HEADERS, END_HEADERS, 1, block) + frame(0, 0, 1, part))

    def status(self) -> int:
        """Of gRPC, once it is said; waits for it."""
        for kind, block in self._frames():
            if kind == HEADERS and b"grpc-status" in block:
                after = block[block.index(b"grpc-status") + len(b"grpc-status"):]
                return int(after[1:1 + after[0]])
        raise AssertionError("the connection ended without a status")

    def close(self) -> None:
        self.wire.close()

    def _frames(self) -> Iterator[tuple[int, bytes]]:
        with self.wire.makefile("rb") as source:
            while head := source.read(9):
                length = int.from_bytes(head[:3], "big")
                yield head[3], source.read(length)
