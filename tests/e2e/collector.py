"""A collector of traces that a test can look into: it takes OTLP over HTTP and reads the protobuf by itself, knowing nothing
of the sender. It may hang, too."""

import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator


def fields_of(text: bytes) -> Iterator[tuple[int, Any]]:
    """A message as (field number, value): numbers as such, everything else as bytes."""
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = text[at]
            at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    while at < len(text):
        tag = varint()
        number, kind = tag >> 3, tag & 7
        if kind == 0:
            yield number, varint()
        elif kind in (1, 5):
            size = 8 if kind == 1 else 4
            yield number, struct.unpack_from("<Q" if kind == 1 else "<I", text, at)[0]
            at += size
        elif kind == 2:
            size = varint()
            assert at + size <= len(text), "a field is longer than its message"
            yield number, text[at:at + size]
            at += size
        else:
            raise AssertionError(f"wire type {kind}")


def attributes_of(pairs: list[bytes]) -> dict[str, Any]:
    found = {}
    for pair in pairs:
        parts = dict(fields_of(pair))
        (kind, value), = fields_of(parts[2])
        found[parts[1].decode()] = {1: lambda: value.decode(), 3: lambda: value}[kind]()
    return found


@dataclass
class Span:
    trace: str
    span: str
    parent: str = ""
    name: str = ""
    kind: int = 0
    start: int = 0  # nanoseconds
    end: int = 0
    attributes: dict[str, Any] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    status: int = 0
    message: str = ""
    resource: dict[str, Any] = field(default_factory=dict)


def span_of(text: bytes, resource: dict[str, Any]) -> Span:
    span = Span("", "", resource=resource)
    pairs = []
    for number, value in fields_of(text):
        if number == 1:
            span.trace = value.hex()
        elif number == 2:
            span.span = value.hex()
        elif number == 4:
            span.parent = value.hex()
        elif number == 5:
            span.name = value.decode()
        elif number == 6:
            span.kind = value
        elif number == 7:
            span.start = value
        elif number == 8:
            span.end = value
        elif number == 9:
            pairs.append(value)
        elif number == 13:
            link = dict(fields_of(value))
            span.links.append((link[1].hex(), link[2].hex()))
        elif number == 15:
            status = dict(fields_of(value))
            span.status, span.message = status.get(3, 0), status.get(2, b"").decode()
        else:
            assert number == 16, f"field {number} of a span"
    span.attributes = attributes_of(pairs)
    return span


def spans_of(request: bytes) -> list[Span]:
    spans = []
    for number, resource_spans in fields_of(request):
        assert number == 1
        parts = list(fields_of(resource_spans))
        resource = attributes_of([value for n, about in parts if n == 1 for m, value in fields_of(about) if m == 1])
        for scope in [value for n, value in parts if n == 2]:
            spans += [span_of(value, resource) for n, value in fields_of(scope) if n == 2]
    return spans


class Collector:
    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.hanging = threading.Event()
        self.asked = threading.Event()  # at least once
        self.closing = threading.Event()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.asked.set()
                if collector.hanging.is_set():
                    collector.closing.wait()
                    return
                assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/x-protobuf"
                collector.spans += spans_of(body)
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self._server.server_address[1]}"
        self.url = self.base + "/v1/traces"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def of(self, trace: str) -> list[Span]:
        return [span for span in list(self.spans) if span.trace == trace]

    def close(self) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
