"""What work changes, and what webhooks call: one HTTP server that writes down everything it hears.

/sink       {"run", "fence", "worker"}: an effect. A fence below the highest of that run is refused with 409.
/hook/…     a webhook. How it answers is what `behave` was last told.
"""

import http.server
import json
import threading
import time
import urllib.request
from typing import Any, Callable


class Sink(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def __init__(self, note: Callable[..., None]) -> None:
        super().__init__(("127.0.0.1", 0), _Receiver)
        self.note = note
        self.behaviour = "ok"  # ok, error, hang, slow, reset, flood
        self.complete_at: Callable[[], str] = lambda: ""  # where asynchronous webhooks report
        self._highest: dict[str, int] = {}
        self._lock = threading.Lock()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def behave(self, how: str) -> None:
        self.behaviour = how

    def effect(self, run: str, fence: int, worker: str) -> bool:
        with self._lock:
            accepted = fence >= self._highest.get(run, 0)
            self._highest[run] = max(fence, self._highest.get(run, 0))
            self.note("effect", run=run, fence=fence, worker=worker, accepted=accepted)
        return accepted

    def complete_later(self, run: str, fence: int) -> None:
        """As an asynchronous receiver does: again until somebody answers."""
        report = json.dumps({"runs": [{"run_id": run, "fence": fence, "status": "SUCCEEDED"}]}).encode()

        def tell() -> None:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                try:
                    request = urllib.request.Request(f"{self.complete_at()}/api/v1/runs:complete", report,
                                                     {"Content-Type": "application/json"}, method="POST")
                    with urllib.request.urlopen(request, timeout=5) as answer:
                        said = json.load(answer)["results"][0]["answer"]
                    if said != "RETRY":
                        self.note("answer", run=run, fence=fence, worker="async", answer=said, status="SUCCEEDED")
                        return
                except (OSError, ValueError):
                    pass  # another node may know
                time.sleep(0.3)

        threading.Thread(target=tell, daemon=True).start()

    def handle_error(self, *_: object) -> None:
        pass  # callers are killed in mid-sentence here


class _Receiver(http.server.BaseHTTPRequestHandler):
    server: Sink
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/sink":
            told: dict[str, Any] = json.loads(body)
            accepted = self.server.effect(told["run"], int(told["fence"]), told["worker"])
            self._say(204 if accepted else 409)
            return
        self._hook()

    def _hook(self) -> None:
        how, run, fence = self.server.behaviour, self.headers.get("webhook-id", ""), int(self.headers.get("belfry-fence", 0))
        job = self.path.rsplit("/", 1)[-1]
        if how == "reset":
            self.server.note("receipt", run=run, job=job, fence=fence, way="webhook", said="reset")
            self.close_connection = True
            return
        if how == "hang":
            self.server.note("receipt", run=run, job=job, fence=fence, way="webhook", said="hang")
            time.sleep(20)
            self.close_connection = True
            return
        self.server.note("receipt", run=run, job=job, fence=fence, way="webhook", said=how)
        if how == "error":
            self._say(503)
        elif self.path.startswith("/hook/async/"):
            self.server.complete_later(run, fence)
            self._say(202, {"Belfry-Async": "true"})
        elif how == "flood":
            self._say(200, body=b"x" * 4_000_000)
        else:
            if how == "slow":
                time.sleep(2)
            self._say(200)

    def _say(self, status: int, headers: dict[str, str] | None = None, body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
