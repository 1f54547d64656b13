"""HTTP endpoints for webhooks: well-behaved ones, and ones that hang, drip, flood or lie. Raw sockets on loopback, so
that wrong bytes can be sent. `seen` keeps what was asked of each path."""

import os
import socket
import ssl
import subprocess
import threading
import time
from dataclasses import dataclass, field


@dataclass
class Call:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    closed: threading.Event = field(default_factory=threading.Event)  # the caller went away


def _answer(status: int, body: bytes = b"", headers: str = "") -> bytes:
    return f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n{headers}\r\n".encode() + body


class Endpoint:
    """Answers by path: /ok, /status/500, /retry-after/2, /async, /hang, /drip, /flood, /redirect, /headers, /reset, /junk, /gzip."""

    def __init__(self, certificate: str | None = None) -> None:
        self.seen: list[Call] = []
        self.redirect_to = "http://127.0.0.1:1/"
        self.answers: dict[str, bytes] = {}
        self._stop = threading.Event()
        self._context = None
        if certificate:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(certificate)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path: str) -> str:
        return f"{'https' if self._context else 'http'}://127.0.0.1:{self.port}{path}"

    def calls(self, path: str) -> list[Call]:
        return [call for call in list(self.seen) if call.path == path]

    def close(self) -> None:
        self._stop.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                while call := self._read(connection):
                    self.seen.append(call)
                    if not self._respond(connection, call):
                        return
        except OSError:
            pass

    @staticmethod
    def _read(connection: socket.socket) -> Call | None:
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = connection.recv(65536)
            if not chunk:
                return None
            data += chunk
        head, body = data.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines[1:])}
        while len(body) < int(headers.get("content-length", "0")):
            body += connection.recv(65536)
        method, path, _ = lines[0].split(" ")
        return Call(method, path, headers, body)

    def _respond(self, connection: socket.socket, call: Call) -> bool:
        """Whether the connection may be used again."""
        kind = call.path.split("?")[0].split("/")[1]
        argument = call.path.split("/")[2] if call.path.count("/") > 1 else ""
        if call.path in self.answers:
            connection.sendall(self.answers[call.path])
        elif kind == "status":
            connection.sendall(_answer(int(argument), b'{"said":"' + argument.encode() + b'"}'))
        elif kind == "retry-after":
            connection.sendall(_answer(429, b"", f"Retry-After: {argument}\r\n"))
        elif kind == "async":
            connection.sendall(_answer(202, b"", "Belfry-Async: true\r\n"))
        elif kind == "redirect":
            connection.sendall(_answer(302, b"", f"Location: {self.redirect_to}\r\n"))
        elif kind == "junk":
            connection.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
            return False
        elif kind == "reset":
            return False
        elif kind in ("hang", "drip", "flood", "headers"):
            self._misbehave(connection, kind, call)
            return False
        else:
            connection.sendall(_answer(200, b'{"ok":true}', "Content-Type: application/json\r\n"))
        return True

    def _misbehave(self, connection: socket.socket, kind: str, call: Call) -> None:
        try:
            if kind == "flood":
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                while not self._stop.is_set():
                    connection.sendall(b"x" * 65536)
            elif kind == "headers":
                connection.sendall(b"HTTP/1.1 200 OK\r\n")
                for i in range(10_000):
                    connection.sendall(f"X-{i}: {'y' * 100}\r\n".encode())
                connection.sendall(b"Content-Length: 0\r\n\r\n")
            elif kind == "drip":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
                while not self._stop.is_set():
                    connection.sendall(b"x")
                    time.sleep(0.2)
            else:
                connection.settimeout(120)
                if connection.recv(1) == b"":
                    call.closed.set()
        finally:
            call.closed.set()


def self_signed(folder: str) -> str:
    path = os.path.join(folder, "self-signed.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path,
                    "-out", path + ".crt", "-days", "2", "-subj", "/CN=localhost"], check=True, capture_output=True)
    with open(path, "ab") as pem, open(path + ".crt", "rb") as certificate:
        pem.write(certificate.read())
    return path
