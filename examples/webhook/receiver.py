"""Receives webhooks and trusts only signed ones: HOOK_SECRET=whsec_… receiver.py PORT

Answers 2xx only when the work is done. Every attempt of a run has the same id: the second does nothing.
"""

import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from belfry import WebhookRefused, verify_webhook

SECRET = os.environ["HOOK_SECRET"]
MOST_BYTES = 1 << 20
done: set[str] = set()  # a real receiver keeps this beside its data, in the same transaction


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(min(int(self.headers.get("Content-Length", "0")), MOST_BYTES))
        try:
            call = verify_webhook(self.headers, body, SECRET)
        except WebhookRefused as refused:
            return self.answer(401, refused.reason)
        if call.id not in done:
            done.add(call.id)
            print("work", call.id, call.json(), flush=True)
        self.answer(200, "ok")

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(text.encode())))
        self.end_headers()
        self.wfile.write(text.encode())


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver)
    print("listening", server.server_address[1], flush=True)
    server.serve_forever()
