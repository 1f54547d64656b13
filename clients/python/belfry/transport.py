"""HTTP, as far as a Belfry server needs it: kept connections, one request at a time on each."""

from __future__ import annotations

import http.client
import math
import select
import socket
import ssl
import threading
import urllib.parse
from dataclasses import dataclass
from typing import Callable, Iterator, Mapping

from .errors import Invalid, TimedOut, Unreachable, problem_of

_BROKEN = (OSError, http.client.HTTPException, ValueError)  # ValueError: the socket was closed under us
_MOST_IDLE = 8


@dataclass(frozen=True)
class Response:
    status: int
    headers: Mapping[str, str]  # names in lower case
    body: bytes


class Cut:
    """Lets one thread tell the server that another, which waits for an answer, is about to leave."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._is_cut = False

    def attach(self, wire: socket.socket | None) -> None:
        with self._lock:
            self._socket = wire
            if self._is_cut:
                self._end()

    def now(self) -> None:
        with self._lock:
            self._is_cut = True
            self._end()

    def _end(self) -> None:
        if self._socket is None:
            return
        # Only our half: an answer on its way is still read. TLS cannot be half closed.
        half = socket.SHUT_RDWR if isinstance(self._socket, ssl.SSLSocket) else socket.SHUT_WR
        try:
            self._socket.shutdown(half)
        except OSError:
            pass  # it is over anyway


class Transport:
    """Thread-safe."""

    def __init__(self, server: str, headers: Mapping[str, str], ca_file: str | None = None) -> None:
        parts = urllib.parse.urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise Invalid(f"`{server}` is not the address of a server; write http://HOST:PORT")
        if parts.username or parts.password:
            raise Invalid("a key does not belong in the address of a server; give it as `token`")
        self.server = server
        self._host, self._port = parts.hostname, parts.port
        self._prefix = parts.path.rstrip("/")
        self._headers = dict(headers)
        self._tls = ssl.create_default_context(cafile=ca_file) if parts.scheme == "https" else None
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []

    def exchange(
        self, method: str, target: str, body: bytes | None, headers: Mapping[str, str], timeout: float, cut: Cut | None = None
    ) -> Response:
        """One call. Unreachable if nothing was sent, TimedOut if nobody knows whether it was done."""
        connection = self._take(timeout)
        try:
            if cut:
                cut.attach(connection.sock)
            connection.request(method, self._prefix + target, body=body, headers={**self._headers, **headers})
            answer = connection.getresponse()
            response = Response(answer.status, _headers_of(answer), answer.read())
        except _BROKEN as error:
            connection.close()
            raise TimedOut(f"{self.server} did not answer ({_words(error)}); it may or may not have been done") from error
        except BaseException:
            connection.close()
            raise
        finally:
            if cut:
                cut.attach(None)
        self._keep(connection, answer)
        return response

    def lines(
        self, target: str, headers: Mapping[str, str], timeout: float, silence: float, on_open: Callable[[], object]
    ) -> Iterator[str]:
        """The lines of an endless answer; `silence` bounds each wait for more."""
        connection = self._connect(timeout)
        try:
            connection.request("GET", self._prefix + target, headers={**self._headers, **headers})
            answer = connection.getresponse()
            if answer.status >= 400:
                raise problem_of(answer.status, answer.read())
            if connection.sock:
                connection.sock.settimeout(silence)
            opened = False
            while line := answer.readline():
                if not opened:
                    on_open()
                opened = True
                yield line.decode("utf-8", "replace").rstrip("\r\n")
        except _BROKEN as error:
            raise Unreachable(f"{self.server} went silent ({_words(error)})") from error
        finally:
            connection.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        connection: http.client.HTTPConnection
        if self._tls:
            connection = http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._tls)
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        try:
            connection.connect()
        except OSError as error:
            raise Unreachable(f"no Belfry server answers at {self.server} ({_words(error)})") from error
        assert connection.sock
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def _take(self, timeout: float) -> http.client.HTTPConnection:
        """A kept connection, or a new one. A kept one with something to read was closed by the server meanwhile."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect(timeout)
            if connection.sock and not readable(connection.sock, 0):
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def _keep(self, connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> None:
        with self._lock:
            if connection.sock and not answer.will_close and len(self._idle) < _MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()


def readable(wire: socket.socket, seconds: float | None) -> bool:
    """Waits until there is something to read, or the time is over. Not `select`: it knows no descriptor above 1,023."""
    poll = select.poll()
    poll.register(wire, select.POLLIN)
    return bool(poll.poll(None if seconds is None else max(0, math.ceil(1000 * seconds))))


def _headers_of(answer: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}


def _words(error: BaseException) -> str:
    return str(error) or type(error).__name__
