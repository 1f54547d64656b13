"""As much of HTTP/2 as it takes to begin a gRPC call by hand, and to leave it unfinished."""

import socket
import struct
from typing import Iterator

HEADERS, SETTINGS = 1, 4
END_HEADERS = 4


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name: str, value: str) -> bytes:
    """Literal, without a table and without a code."""
    assert len(name) < 127 and len(value) < 127
    return b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()


class HalfCall:
    """A call with its headers sent, and some of its message."""

    def __init__(self, address: str, method: str, key: str | None, part: bytes, patience: float) -> None:
        host, port = address.split(":")
        self.wire = socket.create_connection((host, int(port)), timeout=patience)
        fields = {":method": "POST", ":scheme": "http", ":path": method, ":authority": address, "te": "trailers",
                  "content-type": "application/grpc", **({"authorization": f"Bearer {key}"} if key else {})}
        block = b"".join(field(name, value) for name, value in fields.items())
        self.wire.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, b"")
                          + frame(HEADERS, END_HEADERS, 1, block) + frame(0, 0, 1, part))

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
