"""Runs a server and calls it, and holds each answer to the OpenAPI document.

    server = Server(belfry, "sqlite")
    client = Client(server.address, key="bf_…")
    job = client.call("createJob", body={"job_name": "a", "every": "1m"}).json

A call names its operation. The whole answer (status, headers, body) must be what the document says of that operation,
and so must the request of a call that succeeds; otherwise AssertionError.
"""

import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any, Iterator

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from children import die_with_parent  # noqa: E402
from document import Document, Operation  # noqa: E402
from postgres import Postgres  # noqa: E402

PATIENCE = 60.0  # seconds; a limit for broken tests, never a measurement
DOCUMENT = Document()
# What every answer says, whatever it is about.
PRECAUTIONS = {"x-content-type-options": "nosniff", "content-security-policy": "frame-ancestors 'none'",
               "referrer-policy": "no-referrer", "cache-control": "no-"}
SECRETS_KEY = base64.b64encode(b"a key of 32 bytes for the tests!").decode()


class Server:
    """`belfry serve` on a fresh store, or on the one with this address, on a port the system picks."""

    def __init__(self, belfry: str, store: str = "sqlite", arguments: tuple[str, ...] = (),
                 environment: dict[str, str] | None = None, name: str = "api-test", user: int | None = None) -> None:
        """`store` may also be the address of one that somebody else keeps. With `user`, it runs as that one (root's to do)."""
        self.folder = tempfile.mkdtemp(prefix="belfry-api-")
        self.postgres = Postgres() if store == "postgres" else None
        address = self.postgres.url if self.postgres else f"sqlite:{self.folder}/belfry.db" if store == "sqlite" else store
        self.log: list[str] = []
        if user is not None:
            os.chown(self.folder, user, user)
        # The embedded store makes its key itself.
        secrets_key = {} if address.startswith("sqlite:") else {"BELFRY_SECRETS_KEY": SECRETS_KEY}
        self.process = subprocess.Popen(
            [belfry, "serve", "--store", address, "--listen", "127.0.0.1:0", "--node-name", name, *arguments],
            cwd=self.folder,
            env={**os.environ, **secrets_key, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            user=user,
            group=user,
            extra_groups=None if user is None else [],
            preexec_fn=die_with_parent,
        )
        self.address = ""
        self._listening = threading.Event()
        threading.Thread(target=self._read_log, daemon=True).start()
        if not self._listening.wait(PATIENCE) or not self.address:
            self.stop()
            raise RuntimeError("the server does not listen:\n" + "".join(self.log))

    def _read_log(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.log.append(line)
            found = re.search(r'\blistening\b.*\baddress"?[=:]\s*"?([0-9.]+:[0-9]+)', line)
            if found and not self.address:
                self.address = found[1]
                self._listening.set()
        self._listening.set()  # it ended

    def change_store(self, postgres: str, sqlite: str) -> None:
        """Behind the node's back; for what it does only at night."""
        if self.postgres:
            self.postgres.execute(postgres)
            return
        with sqlite3.connect(f"{self.folder}/belfry.db", timeout=PATIENCE) as store:
            store.execute(sqlite)
        store.close()

    def grpc_address(self) -> str:
        """Once it listens there."""
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"grpc_ready grpc=\"?([][0-9.:]+)", "".join(self.log))):
            assert time.monotonic() < deadline, "no gRPC\n" + "".join(self.log)
            time.sleep(0.05)
        return found[1]

    def alive(self) -> bool:
        return self.process.poll() is None

    def stop(self) -> int:
        """Asks it to end, as a supervisor does; returns its exit code."""
        self.process.terminate()
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        if self.postgres:
            self.postgres.stop()
        shutil.rmtree(self.folder, ignore_errors=True)
        return code


@dataclass
class Answer:
    status: int
    headers: dict[str, str]  # names in lower case
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "").split(";")[0].strip()


@dataclass
class Request:
    """What is sent for an operation. `path` and `query` are not encoded yet; a query value may be a list."""

    operation: str
    path: dict[str, str] | None = None
    query: dict[str, Any] | None = None
    headers: dict[str, str] | None = None
    body: Any = None  # sent as JSON unless it is bytes; None: no body
    kind: str | None = None  # content type, if not the document's first

    def target(self) -> str:
        path = DOCUMENT.operations[self.operation].path
        for name, value in (self.path or {}).items():
            path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=":"))
        assert "{" not in path, f"{self.operation}: a path parameter is missing: {path}"
        words = {name: str(value).lower() if isinstance(value, bool) else value for name, value in (self.query or {}).items()}
        query = urllib.parse.urlencode(words, doseq=True)
        return path + ("?" + query if query else "")


class Client:
    def __init__(self, address: str, key: str | None = None) -> None:
        self.address = address
        self.key = key

    def call(self, operation: str, expect: int | None = None, **parts: Any) -> Answer:
        """Calls, and checks the answer. Without `expect`, it must be a success."""
        return self.send(Request(operation, **parts), expect)

    def send(self, request: Request, expect: int | None = None) -> Answer:
        operation = DOCUMENT.operations[request.operation]
        answer = self.exchange(operation, request)
        said = f"{operation.method} {request.target()} {_shown(request.body)} -> {answer.status} {_shown(answer.body)}"
        wrong = check_answer(operation, answer)
        if answer.status < 400:
            wrong += check_request(operation, request)
        assert not wrong, "\n  ".join([said, *wrong])
        if expect is None:
            assert answer.status < 400, said
        else:
            assert answer.status == expect, f"{said}; expected {expect}"
        return answer

    def exchange(self, operation: Operation, request: Request) -> Answer:
        """Only calls; the answer is not checked."""
        headers = dict(request.headers or {})
        if self.key:
            headers.setdefault("Authorization", f"Bearer {self.key}")
        body = request.body
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            headers.setdefault("Content-Type", request.kind or next(iter(operation.bodies), "application/json"))
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            connection.request(operation.method, request.target(), body=body, headers=headers)
            return _answer_of(connection.getresponse())
        finally:
            connection.close()

    def events(self, last_id: str | None = None) -> Iterator[tuple[str, str, Any]]:
        """The stream of events, as (id, event, data); ends when the server closes it or is silent for long."""
        operation = DOCUMENT.operations["streamEvents"]
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        connection = http.client.HTTPConnection(self.address, timeout=PATIENCE)
        try:
            connection.request(operation.method, operation.path, headers=headers)
            response = connection.getresponse()
            head = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, b"")
            wrong = check_answer(operation, head)
            assert response.status == 200 and not wrong, (response.status, wrong)
            yield "", "open", None
            yield from _read_events(response)
        finally:
            connection.close()


def _read_events(response: http.client.HTTPResponse) -> Iterator[tuple[str, str, Any]]:
    schema = DOCUMENT.operations["streamEvents"].raw["x-belfry-event-schema"]
    fields: dict[str, str] = {}
    while line := response.readline().decode():
        name, _, value = line.rstrip("\r\n").partition(":")
        if name:
            fields[name] = value.removeprefix(" ")
        if line.strip() or "data" not in fields:
            continue
        data = json.loads(fields["data"])
        if fields["event"] in ("jobs", "runs"):
            wrong = DOCUMENT.complaints(schema, data)
            assert not wrong and fields["event"] in data, (fields, wrong)
        yield fields.get("id", ""), fields["event"], data
        fields = {}


def _answer_of(response: http.client.HTTPResponse) -> Answer:
    headers = {name.lower(): value for name, value in response.getheaders()}
    endless = headers.get("content-type", "").startswith("text/event-stream")
    return Answer(response.status, headers, b"" if endless else response.read())


def _shown(body: Any) -> str:
    text = body.decode("utf-8", "replace") if isinstance(body, bytes) else json.dumps(body)
    return text if len(text) < 600 else text[:600] + "…"


def check_request(operation: Operation, request: Request) -> list[str]:
    """The document's objections to a request that the server accepted."""
    wrong = []
    for place, given in (("path", request.path), ("query", request.query), ("header", request.headers)):
        known = {name.lower(): each for name, each in operation.parameters_in(place).items()}
        for name, value in (given or {}).items():
            if name.lower() in known:
                schema = known[name.lower()]["schema"]
                wrong += [f"{place} {name}: {said}" for said in DOCUMENT.complaints(schema, value)]
            elif place != "header":
                wrong.append(f"{place} {name}: not in the document, but the server took it")
    if request.body is not None and not isinstance(request.body, bytes):
        schema = operation.bodies.get(request.kind or "", operation.body)
        said = ["the operation takes no body"] if schema is None else DOCUMENT.complaints(schema, request.body)
        wrong += [f"request {each}" for each in said]
    return wrong


def check_answer(operation: Operation, answer: Answer) -> list[str]:
    """The document's objections to an answer."""
    described = operation.responses.get(answer.status)
    if described is None:
        return [f"{operation.id} does not answer {answer.status}, says the document"]
    wrong = []
    wrong += [f"header {name}: {value}" for name, value in PRECAUTIONS.items() if value not in answer.headers.get(name, "")]
    for name, header in described.get("headers", {}).items():
        header = DOCUMENT.resolve(header)
        value = answer.headers.get(name.lower())
        if value is not None:
            wrong += [f"header {name}: {said}" for said in DOCUMENT.complaints(header["schema"], value)]
        elif header.get("required"):
            wrong.append(f"header {name} is missing")
    content = described.get("content", {})
    if not content:
        return wrong
    if answer.kind not in content:
        return wrong + [f"content type {answer.kind!r} is not in the document"]
    if answer.kind.endswith("json"):
        wrong += DOCUMENT.complaints(content[answer.kind]["schema"], answer.json)
    if answer.kind == "application/problem+json" and answer.json.get("status") != answer.status:
        wrong.append(f"the problem says status {answer.json.get('status')}")
    return wrong


def send_raw(address: str, data: bytes, half_close: bool = False) -> tuple[Answer | None, bytes]:
    """Sends bytes as they are; returns the first answer (None: the server just closed) and what came after it.

    `half_close` tells the server that nothing more will come: for requests that are cut off.
    """
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as wire:
        try:
            wire.sendall(data)
            if half_close:
                wire.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has refused already; its answer may still come
        return _read_raw(wire)


def _read_raw(wire: socket.socket) -> tuple[Answer | None, bytes]:
    response = http.client.HTTPResponse(wire)
    source = response.fp  # the response drops it once it has its body
    try:
        response.begin()
        length = int(response.headers.get("Content-Length", "0"))
        headers = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, headers, source.read(length))
        wire.shutdown(socket.SHUT_WR)
        return answer, source.read()
    except (http.client.BadStatusLine, OSError):
        return None, b""
