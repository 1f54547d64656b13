"""The client against a server that answers as a test tells it to."""

from __future__ import annotations

import http.server
import inspect
import json
import pathlib
import sys
import threading
import typing
import unittest
from typing import Any, Callable, Iterator, Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from belfry import types  # noqa: E402
from belfry import Client, Conflict, Invalid, NotFound, Refused, TimedOut, Unreachable  # noqa: E402
from belfry.client import job_path, run_path  # noqa: E402
from belfry.events import read_events  # noqa: E402

Say = Callable[["Handler"], None]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: FakeServer

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.server.requests.append((self.command, self.path, dict(self.headers), body))
        say = self.server.answers.pop(0) if len(self.server.answers) > 1 else self.server.answers[0]
        say(self)

    do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

    def log_message(self, *_: object) -> None:
        pass


class FakeServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, *answers: Say) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = list(answers)
        self.requests: list[tuple[str, str, dict[str, str], bytes]] = []
        self.closed = threading.Semaphore(0)
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.closed.release()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


def says(status: int, body: Any = None, **headers: str) -> Say:
    def say(handler: Handler) -> None:
        text = b"" if body is None else json.dumps(body).encode()
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Type", "application/json" if status < 400 else "application/problem+json")
        handler.send_header("Content-Length", str(len(text)))
        handler.end_headers()
        handler.wfile.write(text)

    return say


def hangs_up(handler: Handler) -> None:
    handler.close_connection = True


def events(*lines: str) -> Say:
    def say(handler: Handler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        handler.wfile.write("".join(line + "\n" for line in lines).encode())
        handler.close_connection = True

    return say


class ClientTest(unittest.TestCase):
    def client(self, *answers: Say, **options: Any) -> tuple[Client, FakeServer]:
        server = FakeServer(*answers)
        client = Client(server.url, **options)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.addCleanup(client.close)
        return client, server

    def test_says_who_it_is_and_tells_nobody_else(self) -> None:
        client, server = self.client(says(200, {}), token="bf_secret", tenant="acme")
        client.get_stats()
        headers = server.requests[0][2]
        self.assertEqual((headers["Authorization"], headers["Belfry-Tenant"]), ("Bearer bf_secret", "acme"))
        self.assertNotIn("bf_secret", repr(client) + str(client))
        with self.assertRaises(Invalid) as caught:
            Client("http://user:bf_secret@host")
        self.assertNotIn("bf_secret", str(caught.exception))

    def test_follows_no_redirect(self) -> None:
        other = FakeServer(says(200, {}))
        self.addCleanup(other.server_close)
        self.addCleanup(other.shutdown)
        client, _ = self.client(says(307, {}, Location=other.url), token="bf_secret")
        with self.assertRaises(Invalid):
            client.get_stats()
        self.assertEqual(other.requests, [])

    def test_names_are_quoted_and_ids_are_not_names(self) -> None:
        self.assertEqual(job_path("0000000000012a3b"), "/jobs/0000000000012a3b")
        self.assertEqual(job_path("name:0000000000012a3b"), "/jobs/name:0000000000012a3b")
        self.assertEqual(job_path("a/b ?", "/next"), "/jobs/name:a%2Fb%20%3F/next")
        self.assertEqual(run_path("../jobs"), "/runs/..%2Fjobs")
        with self.assertRaises(Invalid):
            job_path("")

    def test_waits_for_a_server_that_says_not_now(self) -> None:
        busy = says(503, {"code": "busy"}, Retry_After="0")
        client, server = self.client(busy, busy, says(200, {"runs": []}))
        self.assertEqual(client.claim_runs("w", ["t"]), [])
        self.assertEqual(len(server.requests), 3)
        client, _ = self.client(busy, patience=0)
        with self.assertRaises(Unreachable):
            client.get_stats()

    def test_repeats_what_may_be_repeated_under_the_same_key(self) -> None:
        client, server = self.client(hangs_up, says(201, {"job_id": "1"}))
        client.create_job({"job_name": "a"})
        first, second = (headers["Idempotency-Key"] for _, _, headers, _ in server.requests)
        self.assertEqual(first, second)

    def test_does_not_repeat_a_claim(self) -> None:
        client, server = self.client(hangs_up)
        with self.assertRaises(TimedOut):
            client.claim_runs("w", ["t"])
        self.assertEqual(len(server.requests), 1)

    def test_a_connection_the_server_closed_meanwhile_is_not_used(self) -> None:
        def once(handler: Handler) -> None:
            says(200, {"runs": []})(handler)
            handler.close_connection = True

        client, server = self.client(once)
        for _ in range(3):
            client.claim_runs("w", ["t"])
            self.assertTrue(server.closed.acquire(timeout=30))
        self.assertEqual(len(server.requests), 3)

    def test_problems_are_told_by_kind(self) -> None:
        for status, kind in ((401, Refused), (403, Refused), (404, NotFound), (409, Conflict), (412, Conflict), (422, Invalid), (504, TimedOut)):
            client, _ = self.client(says(status, {"code": "word", "detail": "why", "instance": "q-1"}), patience=0)
            with self.assertRaises(kind) as caught:
                client.trigger_job("a")
            problem = caught.exception
            self.assertEqual((problem.status, problem.code, str(problem), problem.request_id), (status, "word", "why", "q-1"))

    def test_bad_fields_are_told_one_by_one(self) -> None:
        errors = [{"pointer": "/every", "code": "invalid", "message": "is no duration", "hint": "write 90s"}]
        client, _ = self.client(says(422, {"code": "invalid", "detail": "1 field", "errors": errors}))
        with self.assertRaises(Invalid) as caught:
            client.create_job({})
        self.assertEqual(str(caught.exception), "every: is no duration; write 90s")

    def test_what_is_no_belfry_is_told_so(self) -> None:
        client, _ = self.client(says(404, "<html>"))
        with self.assertRaises(NotFound) as caught:
            client.get_stats()
        self.assertIn("check its address", str(caught.exception))

    def test_what_is_no_json_is_not_sent(self) -> None:
        client, server = self.client(says(200, {}))
        for value in (float("nan"), object()):
            with self.assertRaises(Invalid):
                client.create_job({"job_name": "a", "payload": value})
        self.assertEqual(server.requests, [])

    def test_pages_are_read_to_the_end_even_when_one_is_empty(self) -> None:
        pages = [{"items": [1, 2], "next_cursor": "b"}, {"items": [], "next_cursor": "c"}, {"items": [3], "next_cursor": None}]
        client, server = self.client(*(says(200, page) for page in pages))
        self.assertEqual(list(client.list_jobs(label=["a=1", "b=2"], page=2)), [1, 2, 3])
        self.assertEqual(server.requests[0][1], "/api/v1/jobs?label=a%3D1&label=b%3D2&limit=2")
        self.assertIn("cursor=c", server.requests[2][1])

    def test_events_go_on_where_they_broke_off(self) -> None:
        first = events(": welcome", "", "id: 1-1", "event: runs", 'data: {"a":', "data: 1}", "", "id: 1-2", "event: jobs")
        client, server = self.client(first, events("id: 2-1", "event: jobs", "data: {}", ""))
        opened: list[int] = []
        stream = client.events(after="0-1", on_open=lambda: opened.append(1))
        seen = [next(stream), next(stream)]
        stream.close()
        self.assertEqual([(each.id, each.name, each.data) for each in seen], [("1-1", "runs", {"a": 1}), ("2-1", "jobs", {})])
        self.assertEqual([headers.get("Last-Event-ID") for _, _, headers, _ in server.requests], ["0-1", "1-1"])
        self.assertEqual(len(opened), 2)

    def test_each_answer_has_a_type_and_each_type_can_be_resolved(self) -> None:
        names = {"t": types, "Json": Any, "Sequence": Sequence, "Iterator": Iterator}
        typed = 0
        for name, method in inspect.getmembers(Client, inspect.isfunction):
            said = str(inspect.signature(method).return_annotation)
            if "t." in said:
                eval(said, names)  # as a type checker would
                typed += 1
        self.assertGreater(typed, 30)
        for each in vars(types).values():
            if typing.is_typeddict(each):
                typing.get_type_hints(each)

    def test_comments_and_unknown_fields_are_passed_over(self) -> None:
        lines = [": x", "retry: 1", "what: is this", "event: a", "", "data:1", ""]
        self.assertEqual([(each.name, each.data) for each in read_events(lines)], [("message", 1)])


if __name__ == "__main__":
    unittest.main()
