"""A tenant that only wants its work done: a worker with leases to keep, and webhooks, while others misbehave. It notes
each refusal, each lease it lost, and how late its runs began."""

import datetime
import http.client
import http.server
import json
import threading
import time
from typing import Any

LEASE = 10  # seconds; a beat each second


class Endpoint(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512  # a full queue would delay a connection by a second


class Victim:
    def __init__(self, host: str, port: int, operator: str, worker: str) -> None:
        self.host, self.port = host, port
        self.operator, self.worker = operator, worker
        self.lags: list[float] = []  # of runs at the worker, in seconds
        self.hook_lags: list[float] = []
        self.refused: list[str] = []
        self.lost: list[str] = []
        self.done = 0
        self._local = threading.local()
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self.hooks = Endpoint(("127.0.0.1", 0), self._hook_handler())

    # ---- What it does ----

    def start(self, jobs: int) -> None:
        threading.Thread(target=self.hooks.serve_forever, daemon=True).start()
        for number in range(jobs):
            self.add(f"work-{number}", {"kind": "WORKER"}, job_type="work")
            self.add(f"hook-{number}", {"kind": "HTTP", "url": self.url("/ok")})
        for _ in range(jobs):
            thread = threading.Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(60)
        self.hooks.shutdown()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.hooks.server_port}{path}"

    def add(self, name: str, target: dict[str, Any], **fields: Any) -> None:
        self.call("POST", "/jobs", self.operator, {"job_name": name, "every": "3s", "target": target, **fields})

    def forget(self) -> None:
        """What follows is another phase."""
        with self._lock:
            self.lags, self.hook_lags = [], []

    def _work(self) -> None:
        """Takes a run, keeps it over two beats, reports it."""
        while not self._stopping.is_set():
            runs = self.call("POST", "/runs:claim", self.worker,
                             {"worker_id": "victim", "job_types": ["work"], "lease_seconds": LEASE, "wait_seconds": 2})
            for run in (runs or {}).get("runs", []):
                self._note(self.lags, run["scheduled_for"])
                grant = {"run_id": run["run_id"], "fence": run["fence"]}
                for _ in range(2):
                    time.sleep(1)  # this is the work
                    self._heard("heartbeat", {"lease_seconds": LEASE, "runs": [grant]}, "EXTENDED")
                self._heard("complete", {"runs": [{**grant, "status": "SUCCEEDED"}]}, "OK")
                self.done += 1

    def _heard(self, what: str, body: Any, wanted: str) -> None:
        said = self.call("POST", f"/runs:{what}", self.worker, body)
        for result in (said or {}).get("results", []):
            if result["answer"] != wanted:
                self.lost.append(f"{what}: {result['answer']}")

    # ---- How it calls ----

    def call(self, method: str, path: str, key: str, body: Any) -> Any:
        """Nothing is tried again: whatever is not answered with success is noted as refused."""
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = http.client.HTTPConnection(self.host, self.port, timeout=60)
        try:
            connection.request(method, "/api/v1" + path, json.dumps(body),
                               {"Content-Type": "application/json", "Authorization": f"Bearer {key}"})
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._local.connection = None
            self.refused.append(f"{method} {path}: {error!r}")
            return None
        if answer.status >= 400:
            self.refused.append(f"{method} {path}: {answer.status} {text[:300]!r}")
            return None
        return json.loads(text) if text else None

    def _note(self, lags: list[float], scheduled_for: str) -> None:
        due = datetime.datetime.fromisoformat(scheduled_for.replace("Z", "+00:00")).timestamp()
        with self._lock:
            lags.append(time.time() - due)

    def _hook_handler(self) -> type[http.server.BaseHTTPRequestHandler]:
        victim = self

        class Handler(http.server.BaseHTTPRequestHandler):
            """/ok is the victim's; /hang is where the attacker's calls go: the same host."""

            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                if self.path == "/hang":
                    victim._stopping.wait(25)
                else:
                    victim._note(victim.hook_lags, self.headers["Belfry-Scheduled-For"])
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        return Handler
