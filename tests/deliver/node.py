"""A real node, and what a test asks of it."""

import json
import pathlib
import subprocess
import sys
import time
import urllib.request
from typing import Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from harness import PATIENCE, Server, die_with_parent  # noqa: E402  the same real server


class Node:
    def __init__(self, belfry: str, store: str, *arguments: str, commands: bool = False,
                 environment: dict[str, str] | None = None) -> None:
        """With `commands` something runs those of EXEC jobs: on PostgreSQL a node does not."""
        # Loopback is allowed by default on the embedded store only.
        self.server = Server(belfry, store, ("--allow-private-webhooks", "127.0.0.1", *arguments), environment)
        self.worker = None
        if commands and store == "postgres":
            self.worker = subprocess.Popen([belfry, "worker", "--server", f"http://{self.server.address}"],
                                           stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
        self.names = 0

    def call(self, method: str, path: str, body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.server.address}/api/v1{path}", data,
                                         {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def text(self, path: str) -> str:
        with urllib.request.urlopen(f"http://{self.server.address}{path}", timeout=PATIENCE) as answer:
            return answer.read().decode()

    def add(self, target: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """A job with one run, due now unless it says when."""
        self.names += 1
        job = {"job_name": f"job-{self.names}", "target": target, "retry": {"base": "1ms", "cap": "1ms"}, **fields}
        if {"every", "cron_expression"} & fields.keys():
            return self.call("POST", "/jobs", job)
        made = self.call("POST", "/jobs", {**job, "run_at": "2099-01-01T00:00:00Z"})
        self.call("POST", f"/jobs/{made['job_id']}/trigger", {})
        return made

    def runs(self, job: dict[str, Any]) -> list[dict[str, Any]]:
        return self.call("GET", f"/jobs/{job['job_id']}/runs")["items"]

    def run(self, run: dict[str, Any]) -> dict[str, Any]:
        return self.call("GET", f"/runs/{run['run_id']}")

    def ended(self, job: dict[str, Any]) -> dict[str, Any]:
        """The job's first run once it is over, with its attempts."""
        over = ("SUCCEEDED", "FAILED", "DEAD", "CANCELLED", "TIMED_OUT")
        def look() -> Any:
            runs = self.runs(job)
            return runs[-1] if runs and runs[-1]["state"] in over else None
        return self.run(wait_for(look, lambda: f"{self.runs(job)}\n{''.join(self.server.log[-20:])}"))

    def stop(self) -> None:
        if self.worker:
            self.worker.terminate()
            self.worker.wait(PATIENCE)
        self.server.stop()


def wait_for(look: Callable[[], Any], explain: Callable[[], str] = lambda: "") -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not happen in time: " + explain())
