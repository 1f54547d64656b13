"""Twelve situations, each read in five places (issue 14): no two of them may disagree.

    python3 test_situations.py BELFRY sqlite|postgres WRONG_CLOCK FULL_DISK [TEST...]
"""

import json
import os
import pathlib
import signal
import socket
import sys
import tempfile
import threading
import time
import unittest
import urllib.request
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "api"), str(HERE.parent / "deliver")]
from endpoint import Endpoint  # noqa: E402
from five import Five, until_all_say  # noqa: E402
from harness import Server  # noqa: E402

BELFRY, STORE, WRONG_CLOCK, FULL_DISK = os.path.abspath(sys.argv[1]), *sys.argv[2:5]
POSTGRES_ONLY = unittest.skipUnless(STORE == "postgres", "needs a database of its own")
SQLITE_ONLY = unittest.skipUnless(STORE == "sqlite", "the disk of the embedded store")


def post(address: str, path: str, body: Any) -> Any:
    request = urllib.request.Request(f"http://{address}/api/v1{path}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


class Situation(unittest.TestCase):
    def start(self, *arguments: str, store: str = STORE, name: str = "first", **environment: str) -> Server:
        server = Server(BELFRY, store, ("--allow-private-webhooks", "127.0.0.1", *arguments), environment, name)
        self.addCleanup(server.stop)
        return server

    def add(self, server: Server, name: str, **fields: Any) -> dict[str, Any]:
        return post(server.address, "/jobs", {"job_name": name, "every": "1s", **fields})

    def expect(self, server: Server, job: str, codes: set[str], **parts: Any) -> Five:
        return until_all_say(BELFRY, server.address, job, codes, **parts)

    def until_explained(self, server: Server, job: str, codes: set[str], cause: str) -> None:
        end = time.monotonic() + 90
        while (five := self.expect(server, job, codes)).explain["cause"] != cause:
            self.assertLess(time.monotonic(), end, five)

    def works(self, server: Server, kind: str, seconds: float = 0.0) -> None:
        """A worker that takes runs of a type until the test ends, and holds each for a while."""
        stop = threading.Event()
        self.addCleanup(stop.set)

        def loop() -> None:
            while not stop.is_set():
                try:
                    runs = post(server.address, "/runs:claim", {"worker_id": "w1", "job_types": [kind], "max_runs": 1,
                                                                "lease_seconds": 300, "wait_seconds": 1})["runs"]
                    for run in runs:
                        stop.wait(seconds)
                        post(server.address, "/runs:complete", {"runs": [
                            {"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED"}]})
                except OSError:
                    stop.wait(0.2)

        threading.Thread(target=loop, daemon=True).start()

    # ---- 1 to 7: one node

    def test_01_healthy_and_idle(self) -> None:
        server = self.start()
        self.add(server, "yearly", every="365d")
        five = self.expect(server, "yearly", set())
        self.assertEqual(five.explain["verdict"], "not_yet")
        # From the second minute on this was a false alarm: cursors rest. Nothing but time makes them old.
        end = time.monotonic() + 75
        while time.monotonic() < end:
            five = self.expect(server, "yearly", set())
            self.assertEqual(five.undecided, 0)
            time.sleep(5)

    def test_02_healthy_and_busy(self) -> None:
        server = self.start()
        for i in range(20):
            self.add(server, f"busy-{i}", job_type="busy")
        for _ in range(4):
            self.works(server, "busy")
        end = time.monotonic() + 30
        while time.monotonic() < end:
            five = self.expect(server, "busy-3", set())
            time.sleep(3)
        self.assertIn(five.explain["verdict"], ("run", "overlap"))

    def test_03_no_worker(self) -> None:
        server = self.start()
        self.add(server, "lonely", job_type="nobody")
        five = self.expect(server, "lonely", {"no_worker"})
        self.assertIn(five.explain["cause"], ("no_worker",))
        self.assertEqual(five.explain["verdict"], "overlap")
        self.assertIn("start a worker of type `nobody`", json.dumps(five.explain["checks"]))
        self.assertTrue(five.explain["blocked_by"])
        self.works(server, "nobody")
        self.expect(server, "lonely", set())

    def test_04_slow_worker(self) -> None:
        server = self.start()
        self.add(server, "slow", job_type="slow", concurrency_policy="ALLOW", max_concurrent=1000)
        self.works(server, "slow", seconds=600)
        self.until_explained(server, "slow", {"workers_busy"}, "workers_busy")

    def test_05_dead_broker(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = self.start("--broker", f"orders=redis://127.0.0.1:{port}")
        self.add(server, "published", target={"kind": "TOPIC", "broker": "orders", "topic": "t"})
        five = self.expect(server, "published", {"broker_away"})
        self.assertEqual(five.explain["cause"], "broker_away")
        self.add(server, "misspelt", target={"kind": "TOPIC", "broker": "oders", "topic": "t"})
        five = self.expect(server, "misspelt", {"broker_away", "broker_unknown"}, concerns_job={"broker_unknown"})
        self.assertEqual(five.explain["cause"], "broker_unknown")

    def test_06_hanging_endpoint(self) -> None:
        endpoint = Endpoint()
        self.addCleanup(endpoint.close)
        server = self.start()
        self.add(server, "hook", target={"kind": "HTTP", "url": endpoint.url("/hang")}, timeout="1s", max_attempts=50,
                 concurrency_policy="ALLOW", max_concurrent=50, retry={"base": "1s", "cap": "2s"})
        self.until_explained(server, "hook", {"endpoint_away"}, "endpoint_away")  # or just called, as a probe

    def test_07_paused(self) -> None:
        server = self.start()
        self.add(server, "still", job_type="nobody")
        post(server.address, "/jobs/name:still/pause", {"note": "lunch"})
        deadline = time.monotonic() + 60
        while True:
            five = self.expect(server, "still", set())
            if five.explain["verdict"] == "paused" or time.monotonic() > deadline:
                break
        self.assertEqual(five.explain["verdict"], "paused")
        self.assertIn("lunch", five.explain["sentence"])

    # ---- 8 to 12: trouble

    def test_08_behind_after_an_outage(self) -> None:
        server = self.start()
        self.add(server, "every-second", job_type="work", misfire_policy="FIRE_ALL", misfire_grace="1h")
        self.works(server, "work")
        self.expect(server, "every-second", set())
        os.kill(server.process.pid, signal.SIGSTOP)
        time.sleep(25)  # the outage itself: that is how long nobody decides
        os.kill(server.process.pid, signal.SIGCONT)
        self.expect(server, "every-second", {"catching_up"})
        self.expect(server, "every-second", set())

    @POSTGRES_ONLY
    def test_09_database_away(self) -> None:
        server = self.start()
        assert server.postgres
        nodes = [server, self.start(store=server.postgres.url, name="second")]
        for i in range(16):  # so that each node has some
            self.add(server, f"ticking-{i}")
        self.works(server, "default")
        for node in nodes:
            self.expect(node, "ticking-3", set())
        server.postgres.go_away()
        for node in nodes:
            five = self.expect(node, "ticking-3", {"database_away", "behind"})
            self.assertFalse(five.ready)
            later = self.expect(node, "ticking-3", {"database_away", "behind"})
            self.assertGreater(later.undecided, five.undecided)  # it grows: the alert on it fires
        server.postgres.come_back()
        for node in nodes:
            five = self.expect(node, "ticking-3", set())
            self.assertTrue(five.ready)
            self.assertLess(five.undecided, 5)

    @POSTGRES_ONLY
    def test_09_a_region_without_a_node(self) -> None:
        """Nobody owns these partitions; whoever is there says so."""
        server = self.start()
        assert server.postgres
        far = self.start("--region", "far", store=server.postgres.url, name="far")
        self.add(far, "far-away", job_type="far")
        self.works(server, "far")
        self.expect(server, "far-away", set())
        far.process.kill()
        five = self.expect(server, "far-away", {"behind", "unowned", "node_lost"}, concerns_job={"behind", "unowned"})
        later = self.expect(server, "far-away", {"behind", "unowned", "node_lost"}, concerns_job={"behind", "unowned"})
        self.assertGreater(later.undecided, five.undecided)
        self.assertIn(later.explain["cause"], ("behind", "unowned"))
        self.assertEqual(later.explain["verdict"], "undecided")

    @POSTGRES_ONLY
    def test_10_node_lost(self) -> None:
        server = self.start()
        assert server.postgres
        other = self.start(store=server.postgres.url, name="second")
        self.add(server, "ticking", every="1h")
        self.expect(server, "ticking", set())
        other.process.kill()
        self.expect(server, "ticking", {"node_lost"}, concerns_job=set())
        back = self.start(store=server.postgres.url, name="second")
        self.expect(server, "ticking", set())
        self.expect(back, "ticking", set())

    @POSTGRES_ONLY
    def test_11_clock_stepped(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            told = pathlib.Path(folder, "offset")
            server = self.start(LD_PRELOAD=WRONG_CLOCK, WRONG_CLOCK_FILE=str(told))
            self.add(server, "ticking", every="1h")
            self.expect(server, "ticking", set())
            told.write_text("7200", "utf-8")
            self.expect(server, "ticking", {"clock_offset"}, concerns_job=set())
            told.write_text("0", "utf-8")
            self.expect(server, "ticking", set())

    @SQLITE_ONLY
    def test_12_disk_full(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            flag = pathlib.Path(folder, "full")
            server = self.start(LD_PRELOAD=FULL_DISK, FULL_DISK_FLAG=str(flag))
            self.add(server, "ticking", job_type="work")
            self.works(server, "work")
            self.expect(server, "ticking", set())
            flag.touch()
            five = self.expect(server, "ticking", {"disk_full", "behind"})
            self.assertFalse(five.ready)
            self.until_explained(server, "ticking", {"disk_full", "behind"}, "disk_full")
            flag.unlink()
            five = self.expect(server, "ticking", set())
            self.assertTrue(five.ready)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2)
