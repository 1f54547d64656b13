"""The harness notices each way in which an answer can differ from the document."""

import http.server
import json
import threading
import unittest
from typing import Any

from harness import PRECAUTIONS, Client, send_raw

HEALTH = {"status": "ok"}
CALENDAR = {"name": "x", "rules": [], "version": 1, "updated_at": "2026-01-01T00:00:00Z"}
PROBLEM = {"type": "/problems/not_found", "title": "x", "status": 404, "code": "not_found", "detail": "x"}


class Stub(http.server.BaseHTTPRequestHandler):
    """Answers as it is told to."""

    answer: tuple[int, dict[str, str], bytes]

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers, body = type(self).answer
        self.send_response(status)
        for name, value in {**PRECAUTIONS, "cache-control": "no-store", **headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_PUT = do_DELETE = do_GET

    def log_message(self, *arguments: Any) -> None:
        pass


class Harness(unittest.TestCase):
    def setUp(self) -> None:
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stub)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.client = Client(f"127.0.0.1:{self.server.server_port}")

    def answers(self, body: Any, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        Stub.answer = (status, {"Content-Type": kind, **headers}, data)

    def noticed(self, words: str, operation: str = "getHealth", **parts: Any) -> None:
        with self.assertRaisesRegex(AssertionError, words):
            self.client.call(operation, **parts)

    def test_what_is_right_passes(self) -> None:
        self.answers(HEALTH, kind="application/json; charset=utf-8")
        self.assertEqual(self.client.call("getHealth").json, HEALTH)
        self.answers(PROBLEM, 404, "application/problem+json")
        self.client.call("getCalendar", expect=404, path={"calendar": "x"})
        self.answers(None, 204)
        self.client.call("deleteCalendar", path={"calendar": "x"})

    def test_bodies(self) -> None:
        self.answers({**HEALTH, "more": 1})
        self.noticed("'more' was unexpected")
        self.answers({})
        self.noticed("'status' is a required property")
        self.answers({**CALENDAR, "version": "1"})
        self.noticed("not of type 'integer'", "getCalendar", path={"calendar": "x"})

    def test_heads(self) -> None:
        self.answers(HEALTH, 202)
        self.noticed("does not answer 202")
        self.answers(HEALTH, kind="text/html")
        self.noticed("content type 'text/html'")
        self.answers(None, 304)
        self.noticed("header ETag is missing", "getJob", path={"job": "name:x"})
        self.answers(None, 304, ETag="3")
        self.noticed("header ETag: ", "getJob", path={"job": "name:x"})
        self.answers({**PROBLEM, "status": 400}, 404, "application/problem+json")
        self.noticed("the problem says status 400", "getCalendar", path={"calendar": "x"}, expect=404)

    def test_requests_that_should_not_have_succeeded(self) -> None:
        self.answers(CALENDAR)
        self.noticed("request .*'more' was unexpected", "putCalendar", path={"calendar": "x"}, body={"rules": [], "more": 1})
        self.noticed("query more", "getCalendar", path={"calendar": "x"}, query={"more": 1})

    def test_refusals_and_successes_that_were_not_expected(self) -> None:
        self.answers(PROBLEM, 404, "application/problem+json")
        self.noticed("-> 404", "getCalendar", path={"calendar": "x"})
        self.answers(CALENDAR)
        self.noticed("expected 404", "getCalendar", path={"calendar": "x"}, expect=404)

    def test_raw_bytes(self) -> None:
        self.answers(HEALTH)
        answer, rest = send_raw(self.client.address, b"GET / HTTP/1.0\r\n\r\n")
        assert answer
        self.assertEqual((answer.status, answer.json, rest), (200, HEALTH, b""))


if __name__ == "__main__":
    unittest.main()
