"""Rules and dashboards against a real Prometheus that scrapes a real cluster: every query has an answer, and each
alert that can be caused here fires when it is caused, and ends.

    python3 test_observability.py BELFRY [TEST...]
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse
import urllib.request
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
DEPLOY = HERE.parent.parent / "deploy"
sys.path[:0] = [str(HERE.parent / "api"), str(HERE.parent / "support")]
from children import die_with_parent  # noqa: E402
from harness import Server  # noqa: E402
from postgres import Postgres  # noqa: E402

BELFRY = os.path.abspath(sys.argv[1])
OF_SPEED = {"BelfryDecisionsSlow", "BelfryFiresLate"}  # rightly firing where the machine has other work, too
PATIENCE = 240.0  # seconds; a limit for broken tests, never a measurement


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def get(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=30) as answer:
        return json.loads(answer.read())


def quicker(rules: str) -> str:
    """The same rules, looked at each second and without their patience: a test has not a minute for each."""
    lines = [line for line in rules.splitlines() if not line.strip().startswith("for:")]
    return "\n".join(lines).replace("interval: 15s", "interval: 1s") + "\n"


class Prometheus:
    """A Prometheus of our own that scrapes these addresses each second."""

    def __init__(self, targets: list[str]) -> None:
        self.folder = tempfile.mkdtemp(prefix="belfry-prometheus-")
        rules = pathlib.Path(self.folder, "rules.yml")
        rules.write_text(quicker((DEPLOY / "prometheus/belfry-rules.yml").read_text("utf-8")), "utf-8")
        pathlib.Path(self.folder, "prometheus.yml").write_text(json.dumps({
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(rules)],
            "scrape_configs": [{"job_name": "belfry", "static_configs": [{"targets": targets}]}],
        }), "utf-8")
        self.address = f"127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
             f"--web.listen-address={self.address}", "--log.level=error"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, preexec_fn=die_with_parent)

    def query(self, expression: str) -> list[Any]:
        answer = get(f"http://{self.address}/api/v1/query?query={urllib.parse.quote(expression)}")
        return list(answer["data"]["result"])

    def firing(self) -> set[str]:
        alerts = get(f"http://{self.address}/api/v1/alerts")["data"]["alerts"]
        return {alert["labels"]["alertname"] for alert in alerts if alert["state"] == "firing"}

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)


def queries_of_dashboards() -> list[tuple[str, str]]:
    found = []
    for path in sorted((DEPLOY / "grafana").glob("*.json")):
        for panel in json.loads(path.read_text("utf-8"))["panels"]:
            found += [(f"{path.stem}: {panel['title']}", target["expr"]) for target in panel["targets"]]
    return found


class Observability(unittest.TestCase):
    def setUp(self) -> None:
        self.postgres = Postgres()
        self.addCleanup(self.postgres.stop)
        ports = [free_port(), free_port()]
        self.nodes = [self.node(f"node-{port}", port) for port in ports]
        self.prometheus = Prometheus([f"127.0.0.1:{port}" for port in ports])
        self.addCleanup(self.prometheus.stop)

    def node(self, name: str, metrics_port: int) -> Server:
        server = Server(BELFRY, self.postgres.url, ("--metrics-listen", f"127.0.0.1:{metrics_port}"), {}, name)
        self.addCleanup(server.stop)
        return server

    def post(self, path: str, body: Any) -> Any:
        request = urllib.request.Request(f"http://{self.nodes[0].address}/api/v1{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"}, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def until(self, what: str, condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                found = condition()
            except OSError:
                found = None  # Prometheus is not up yet
            if found:
                return found
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.3)

    def work_on(self, kind: str) -> bool:
        """Takes what is there and reports it done; whether there was anything."""
        runs = self.post("/runs:claim", {"worker_id": "w1", "job_types": [kind], "max_runs": 10, "wait_seconds": 1})["runs"]
        if runs:
            self.post("/runs:complete", {"runs": [
                {"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED"} for run in runs]})
        return bool(runs)

    def test_every_query_has_an_answer(self) -> None:
        self.post("/jobs", {"job_name": "busy", "every": "1s", "job_type": "busy"})
        self.until("runs are worked on", lambda: self.work_on("busy"))
        for name, expression in queries_of_dashboards():
            def answered(expression: str = expression) -> list[Any]:
                self.work_on("busy")
                return self.prometheus.query(expression)

            with self.subTest(name):
                self.until(f"{name}: {expression} has no answer", answered)

    def test_alerts_fire_and_end(self) -> None:
        self.until("two nodes are scraped", lambda: len(self.prometheus.query("up == 1")) == 2)
        self.until("all partitions have owners",
                   lambda: self.prometheus.query("sum(belfry_partitions_owned) == 256"))
        self.until("all is well", lambda: not self.prometheus.firing() - OF_SPEED)

        self.post("/jobs", {"job_name": "lonely", "every": "1s", "job_type": "nobody"})
        self.until("no worker", lambda: "BelfryNoWorker" in self.prometheus.firing())
        self.until("a worker is there", lambda: self.work_on("nobody") and "BelfryNoWorker" not in self.prometheus.firing())

        # Somebody takes a run out of the ledger, and the leader's next pass misses it.
        self.postgres.execute("delete from history where (job_id, run_key) = (select job_id, run_key from history order by finished_at limit 1)")
        self.until("a tick is missing", lambda: "BelfryLedgerViolated" in self.prometheus.firing())

        lost = self.nodes.pop()
        lost.process.kill()
        self.until("a node is lost", lambda: "BelfryNodeDown" in self.prometheus.firing())
        self.until("the other has taken over", lambda: self.prometheus.query("sum(belfry_partitions_owned) == 256"))

        self.postgres.stop()
        self.until("the database is away", lambda: {"BelfryDatabaseFails", "BelfryTicksUndecided"} <= self.prometheus.firing())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[2:]])
