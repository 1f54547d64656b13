"""Receives webhooks and trusts only signed ones: HOOK_SECRET=whsec_… python3 receiver.py [port]"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from belfry import WebhookRefused, verify_webhook

SECRET = os.environ["HOOK_SECRET"]
DONE: set[str] = set()  # a real receiver keeps this beside its data, in the same transaction


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), 1 << 20))
        try:
            call = verify_webhook(self.headers, body, SECRET)
        except WebhookRefused as refused:
            return self.answer(401, refused.reason)
        if call.id not in DONE:  # every attempt of a run has the same id
            DONE.add(call.id)
            print("run", call.id, "attempt", call.attempt, call.json())
        self.answer(200, "ok")

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode())


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1]) if len(sys.argv) > 1 else 9000), Receiver).serve_forever()
