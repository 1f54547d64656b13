"""Fourteen situations, each read in five places (issue 14): no two of them may disagree.

    python3 test_situations.py BELFRY sqlite|postgres WRONG_CLOCK FULL_DISK [TEST...]
"""

import json
import os
import pathlib
import re
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


def post(address: str, path: str, body: Any, method: str = "POST") -> Any:
    request = urllib.request.Request(f"http://{address}/api/v1{path}", json.dumps(body).encode(),
                                     {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read() or b"null")


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def jobs_of(server: Server) -> int:
    """How many jobs this node has to decide for."""
    with urllib.request.urlopen(f"http://{server.address}/metrics", timeout=60) as answer:
        return int(re.findall(r"^belfry_timetable_jobs (\S+)$", answer.read().decode(), re.M)[0])


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

    def works(self, server: Server, kind: str, seconds: float = 0.0, **place: str) -> None:
        """A worker that takes runs of a type until the test ends, and holds each for a while."""
        stop = threading.Event()
        self.addCleanup(stop.set)

        def loop() -> None:
            while not stop.is_set():
                try:
                    runs = post(server.address, "/runs:claim", {"worker_id": "w1", "job_types": [kind], "max_runs": 1,
                                                                "lease_seconds": 300, "wait_seconds": 1, **place})["runs"]
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

    def test_03_no_worker_where_runs_may_not_wait_for_one(self) -> None:
        """They die (start_within) sooner than anybody would be told that they wait. Each node says so, whichever gave
        them up and whichever the workers ask."""
        server = self.start()
        nodes = [server]
        if server.postgres:
            nodes.append(self.start(store=server.postgres.url, name="second"))
        self.add(server, "hasty", job_type="nobody", start_within="2s", every="5s")
        for node in nodes:
            self.until_explained(node, "hasty", {"no_worker"}, "no_worker")
        self.works(server, "nobody")
        for node in nodes:
            self.expect(node, "hasty", set())

    def test_04_slow_worker(self) -> None:
        server = self.start()
        self.add(server, "slow", job_type="slow", concurrency_policy="ALLOW", max_concurrent=1000)
        self.works(server, "slow", seconds=600)
        self.until_explained(server, "slow", {"workers_busy"}, "workers_busy")

    def test_05_dead_broker(self) -> None:
        server = self.start("--broker", f"orders=redis://127.0.0.1:{closed_port()}")
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
        # In an outage a node tells of the ticks that it has to decide. On a busy machine its lease may lapse, and another
        # node has them all for a while.
        end = time.monotonic() + 90
        while not all(jobs_of(node) for node in nodes):
            self.assertLess(time.monotonic(), end, "a node has no jobs")
            time.sleep(0.1)
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
        self.works(server, "far", region="far")
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

    def test_13_alerts_undelivered(self) -> None:
        endpoint = Endpoint()
        self.addCleanup(endpoint.close)
        server = self.start()
        self.add(server, "ticking", every="1h")
        rule = {"when": "missed", "to": [{"kind": "HTTP", "url": endpoint.url("/status/404")}]}
        post(server.address, "/alerts/rules/gone", rule, "PUT")
        post(server.address, "/alerts/rules/gone/test", {})
        self.expect(server, "ticking", {"alerts_undelivered"}, concerns_job=set())
        rule["to"][0]["url"] = endpoint.url("/ok/alerts")
        post(server.address, "/alerts/rules/gone", rule, "PUT")
        self.expect(server, "ticking", set())

    def test_14_ledger_violated(self) -> None:
        """As the leader writes it down; tests/e2e/test_proof.py has it found."""
        server = self.start()
        job = self.add(server, "ticking", every="1h")
        columns = "tenant_id, job_id, kind, first_tick, last_tick, count, revision, evidence, found_at"
        number, now = int(job["job_id"], 16), int(time.time())
        server.change_store(
            postgres=f"insert into ledger_flaws ({columns}) select 1, {number}, 0, now(), now(), 1, 1, 'the ledger has nothing', now()",
            sqlite=f"insert into ledger_flaws ({columns}) select 1, {number}, 0, {now}000000, {now}000000, 1, 1, 'the ledger has nothing', {now}000000")
        five = self.expect(server, "ticking", {"ledger_violated"}, concerns_job=set())
        self.assertTrue(five.ready, "it decides and serves")
        server.change_store(postgres="delete from ledger_flaws", sqlite="delete from ledger_flaws")
        self.expect(server, "ticking", set())

    # ---- and several at once

    def test_15_several_problems_at_once(self) -> None:
        """Each place tells all of them, also of a node that is not ready (issue 14)."""
        with tempfile.TemporaryDirectory() as folder:
            flag = pathlib.Path(folder, "full")
            disk = {"LD_PRELOAD": FULL_DISK, "FULL_DISK_FLAG": str(flag)} if STORE == "sqlite" else {}
            server = self.start("--broker", f"orders=redis://127.0.0.1:{closed_port()}", **disk)
            self.add(server, "ticking", job_type="work")
            self.add(server, "published", target={"kind": "TOPIC", "broker": "orders", "topic": "t"})
            self.works(server, "work")
            self.expect(server, "published", {"broker_away"})
            if server.postgres:
                server.postgres.go_away()
            flag.touch()
            away = "disk_full" if STORE == "sqlite" else "database_away"
            five = self.expect(server, "published", {away, "behind", "broker_away"})
            self.assertFalse(five.ready)
            flag.unlink()
            if server.postgres:
                server.postgres.come_back()
            self.expect(server, "published", {"broker_away"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]], verbosity=2)
