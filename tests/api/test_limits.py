"""What a call may take, decided by its header; and that a revoked or expired key reaches what is already open."""

import datetime
import itertools
import json
import pathlib
import socket
import struct
import sys
import tempfile
import unittest
from typing import Iterator

from harness import PATIENCE, Client, Server
from http2 import Caller, HalfCall, endless_headers, greeting, headers_of, resets

BELFRY = sys.argv[1]
MIB = 1024 * 1024


class Limits(unittest.TestCase):
    numbers = itertools.count()

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BELFRY, "sqlite", ("--grpc-listen", "127.0.0.1:0"))
        cls.admin = Client(cls.server.address)
        cls.admin.key = cls.admin.call("createKey", body={"name": "admin", "scope": "admin"}).json["secret"]

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def connect(self) -> socket.socket:
        host, port = self.server.address.split(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE)

    def head(self, method: str, path: str, key: str | None, length: int = 0) -> bytes:
        lines = [f"{method} /api/v1{path} HTTP/1.1", "Host: x", "Content-Type: application/json"]
        if key:
            lines.append(f"Authorization: Bearer {key}")
        if length:
            lines.append(f"Content-Length: {length}")
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def answer_to(self, request: bytes) -> tuple[int, dict]:
        """To a request that may be unfinished."""
        with self.connect() as connection:
            connection.sendall(request)
            return read_answer(connection)

    def new_key(self, scope: str, **fields: str) -> dict:
        name = f"{scope}-{next(self.numbers)}"
        return self.admin.call("createKey", body={"name": name, "scope": scope, **fields}).json

    # ---- Bodies ----

    def test_a_stranger_is_refused_before_the_body_is_sent(self) -> None:
        for key in (None, "bf_" + "x" * 43):
            status, problem = self.answer_to(self.head("POST", "/jobs:batch", key, 16 * MIB) + b"[")
            self.assertEqual((status, problem["code"]), (401, "unauthorized"))

    def grpc(self) -> str:
        return self.server.grpc_address()

    def test_over_grpc_too_a_stranger_is_refused_before_the_message_is_sent(self) -> None:
        unauthenticated, denied = 16, 7
        viewer = self.new_key("viewer")["secret"]
        part = b"\0" + struct.pack(">I", 15 * MIB) + b"\0" * 100
        for method in ("Claim", "Heartbeat", "Complete", "Work"):
            for key, status in ((None, unauthenticated), ("bf_" + "x" * 43, unauthenticated), (viewer, denied)):
                call = HalfCall(self.grpc(), f"/belfry.v1.Dispatcher/{method}", key, part, PATIENCE)
                self.assertEqual(call.status(), status, (method, key))
                call.close()

    def test_a_key_of_the_wrong_scope_is_refused_before_the_body_is_sent(self) -> None:
        viewer = self.new_key("viewer")["secret"]
        status, problem = self.answer_to(self.head("POST", "/jobs:batch", viewer, 16 * MIB) + b"[")
        self.assertEqual((status, problem["code"]), (403, "forbidden"))

    def test_the_limit_is_the_routes(self) -> None:
        key = self.admin.key
        for path, limit in (("/jobs", MIB), ("/runs:claim", MIB), ("/jobs:batch", 16 * MIB), ("/runs:complete", 16 * MIB)):
            status, problem = self.answer_to(self.head("POST", path, key, limit + 1))
            self.assertEqual((status, problem["code"]), (413, "too_large"), path)
            self.assertIn(f"{limit} bytes", problem["detail"])
        status, problem = self.answer_to(self.head("POST", "/nowhere", key, 64 * 1024 + 1))
        self.assertEqual(status, 413)

    def test_a_json_bomb_is_refused_by_its_values(self) -> None:
        bomb = b"[" + b"[]," * (15 * MIB // 3) + b"[]]"
        status, problem = self.answer_to(self.head("POST", "/jobs:batch", self.admin.key, len(bomb)) + bomb)
        self.assertEqual(status, 422)
        self.assertIn("more than 500000 values", json.dumps(problem))

    def test_unfinished_bodies_without_a_key_leave_others_alone(self) -> None:
        held = []
        request = self.head("POST", "/jobs:batch", None, 16 * MIB) + b" " * (16 * MIB - 1)
        try:
            for _ in range(16):
                held.append(self.connect())
                try:
                    held[-1].sendall(request)
                except OSError:
                    pass  # refused while it sends
            for _ in range(50):
                self.admin.call("beatRuns", body={"lease_seconds": 30, "runs": []})
        finally:
            for connection in held:
                connection.close()

    # ---- Floods over gRPC, whose library keeps 20 kB for each call and all of a header ----

    def flood(self, source: str, frames: Iterator[bytes]) -> None:
        """Until the server has had enough; a hundred million bytes are more than any may send."""
        host, port = self.grpc().split(":")
        sent = 0
        with socket.create_connection((host, int(port)), PATIENCE, source_address=(source, 0)) as connection:
            with self.assertRaises((BrokenPipeError, ConnectionResetError)):
                connection.sendall(greeting())
                for each in frames:
                    connection.sendall(each)
                    sent += len(each)
                    self.assertLess(sent, 100_000_000, "it takes whatever comes")

    def test_a_flood_over_grpc_is_cut_off_and_the_node_stays_small(self) -> None:
        before = peak_memory(self.server.process.pid)
        call = "/belfry.v1.Dispatcher/Claim"
        stranger, worker = (headers_of(self.grpc(), call, key) for key in (None, self.new_key("worker")["secret"]))
        health = headers_of(self.grpc(), "/grpc.health.v1.Health/Check", None)
        floods = [resets(stranger), resets(worker), resets(health), endless_headers(stranger), endless_headers(worker)]
        for number, frames in enumerate(floods):  # from an address of its own: one that was cut off is let in slowly
            self.flood(f"127.0.0.{number + 2}", frames)
        self.assertLess(peak_memory(self.server.process.pid) - before, 300)
        self.assertIn("grpc_connection_cut", "".join(self.server.log))
        HalfCall(self.grpc(), call, None, b"", PATIENCE).close()  # others come and go

    def test_who_calls_over_grpc_may_go_on(self) -> None:
        """Ten times what a connection may send without a call. On IPv6, where both sides name an IPv4 caller otherwise."""
        with tempfile.TemporaryDirectory() as folder:
            key, first_key = "bf_" + "k" * 43, pathlib.Path(folder, "key")
            first_key.write_text(key, encoding="ascii")
            server = Server(BELFRY, "sqlite", ("--grpc-listen", "[::]:0", "--first-key-file", str(first_key)))
            try:
                port = server.grpc_address().rsplit(":", 1)[1]
                for host in ("127.0.0.1", "::1"):
                    caller = Caller(f"{host}:{port}", PATIENCE)
                    for _ in range(100):
                        caller.call("/belfry.v1.Dispatcher/Claim", key, field_of_bytes(10_000))
                    caller.close()
                self.assertNotIn("grpc_connection_cut", "".join(server.log))
            finally:
                server.stop()

    # ---- Keys that end ----

    def claim(self, key: str) -> bytes:
        body = json.dumps({"worker_id": "w", "job_types": ["never"], "wait_seconds": 60}).encode()
        return self.head("POST", "/runs:claim", key, len(body)) + body

    def open_both(self, key: str) -> tuple[socket.socket, socket.socket]:
        events, claim = self.connect(), self.connect()
        events.sendall(self.head("GET", "/events", key))
        self.assertIn(b"200", events.recv(4096).split(b"\r\n")[0])
        claim.sendall(self.claim(key))
        return events, claim

    def expect_ended(self, events: socket.socket, claim: socket.socket) -> None:
        """A claim that nobody ends is answered with nothing, and such a stream goes on for ever."""
        with events, claim:
            self.assertEqual(read_answer(claim)[0], 401)
            said = b""
            while not said.endswith(b"0\r\n\r\n"):  # the last chunk
                said += events.recv(4096)

    def test_a_revoked_key_ends_what_is_open(self) -> None:
        key = self.new_key("operator")
        events, claim = self.open_both(key["secret"])
        self.admin.call("revokeKey", path={"key": key["key_id"]})
        self.expect_ended(events, claim)

    def test_an_expired_key_ends_what_is_open(self) -> None:
        expires = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)
        key = self.new_key("operator", expires_at=expires.isoformat().replace("+00:00", "Z"))
        self.expect_ended(*self.open_both(key["secret"]))


def field_of_bytes(size: int) -> bytes:
    """A message with a field that nobody knows."""
    return b"\xfa\x7f" + bytes([size % 128 + 128, size // 128]) + b"x" * size


def peak_memory(process: int) -> float:
    """In MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def read_answer(connection: socket.socket) -> tuple[int, dict]:
    data = b""
    while b"\r\n\r\n" not in data or not data.endswith(b"}"):
        more = connection.recv(65536)
        if not more:
            break
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
