#!/usr/bin/env python3
"""The metrics of a node that has work to do: their form, their values, and the page about them.

usage: test_metrics.py BINARY sqlite|postgres
"""

import http.client
import math
import os
import re
import sys
import tempfile
import time
import unittest
from typing import Callable

from harness import PATIENCE, Client, Server

BELFRY = os.path.abspath(sys.argv[1])
LEASE = 60  # seconds, of the node's partitions
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "reference", "metrics.md")

# What we promised to serve, however docs/reference/metrics.md changes.
CONTRACT = {"belfry_" + name for name in (
    "fire_lag_seconds", "start_lag_seconds", "ticks_total", "skips_total", "runs_total", "live_runs",
    "oldest_undecided_seconds", "oldest_ready_seconds", "partitions_owned", "failovers_total", "lost_commits_total",
    "lease_remaining_seconds", "ledger_checked_through_seconds", "ledger_violations_total",
    "clock_offset_seconds", "store_seconds", "store_errors_total", "workers", "timetable_jobs", "timetable_schedules",
    "problems", "wrong_keys_total", "alert_messages_undelivered",
    "trace_spans_total")}
NAME = r"[a-zA-Z_][a-zA-Z0-9_]*"
SAMPLE = re.compile(rf'({NAME})(?:\{{((?:{NAME}="[^"\\\n]*",?)*)\}})? (\S+)')


class Scrape:
    """The text of /metrics, parsed; anything that breaks the format is an AssertionError."""

    def __init__(self, text: str) -> None:
        assert text.endswith("\n")
        self.types: dict[str, str] = {}
        self.samples: dict[tuple[str, str], float] = {}
        helped, family = "", ""
        for line in text.splitlines():
            if line.startswith("# HELP "):
                helped = line.split(" ", 3)[2]
                assert line.split(" ", 3)[3], line
            elif line.startswith("# TYPE "):
                _, _, family, kind = line.split(" ")
                assert family == helped and family not in self.types, line
                assert kind in ("counter", "gauge", "histogram"), line
                self.types[family] = kind
            else:
                self._add(line, family)

    def _add(self, line: str, family: str) -> None:
        found = SAMPLE.fullmatch(line)
        assert found, line
        name, labels, value = found[1], found[2] or "", float(found[3])
        parts = [family + end for end in ("_bucket", "_sum", "_count")] if self.types[family] == "histogram" else [family]
        assert name in parts, (line, family)
        assert (name, labels) not in self.samples, line
        if self.types[family] == "counter":
            assert name.endswith("_total") and value >= 0, line
        self.samples[name, labels] = value

    def value(self, name: str, labels: str = "") -> float:
        assert (name, labels) in self.samples, f"no {name}{{{labels}}}"
        return self.samples[name, labels]

    def check_histograms(self) -> None:
        for name in (name for name, kind in self.types.items() if kind == "histogram"):
            series: dict[str, list[tuple[float, float]]] = {}
            for (sample, labels), value in self.samples.items():
                if sample == name + "_bucket":
                    rest, bound = re.fullmatch(r'(.*?),?le="([^"]+)"', labels).groups()
                    series.setdefault(rest, []).append((float(bound), value))
            for rest, buckets in series.items():
                assert buckets == sorted(buckets) and buckets[-1][0] == math.inf, (name, rest)
                assert [count for _, count in buckets] == sorted(count for _, count in buckets), (name, rest)
                assert buckets[-1][1] == self.value(name + "_count", rest), (name, rest)


class Metrics(unittest.TestCase):
    def setUp(self) -> None:
        # Long, so that a busy machine takes no partition away.
        self.server = Server(BELFRY, sys.argv[2], ("--lease-ttl", f"{LEASE}s"))
        self.addCleanup(self.server.stop)
        self.client = Client(self.server.address)

    def scrape(self) -> Scrape:
        answer = self.client.call("getMetrics")
        self.assertEqual(answer.headers["content-type"], "text/plain; version=0.0.4; charset=utf-8")
        return Scrape(answer.body.decode())

    def until_it_passes(self, check) -> Scrape:
        """The first scrape that passes a check. The node counts at its own pace: a scrape may come before a gauge is
        refreshed, or between two counters."""
        deadline = time.monotonic() + PATIENCE
        while True:
            scrape = self.scrape()
            try:
                check(scrape)
                return scrape
            except AssertionError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.2)

    def end_a_run(self, status: str) -> None:
        runs = self.client.call("claimRuns", body={"worker_id": "w1", "job_types": ["work"], "wait_seconds": 20}).json["runs"]
        self.client.call("completeRuns", body={"runs": [
            {"run_id": run["run_id"], "fence": run["fence"], "status": status, "retryable": False} for run in runs]})

    def test_an_address_of_its_own_has_nothing_else_and_may_ask_for_a_token(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix=".token") as file:
            file.write("let-me-see\n")
            file.flush()
            asked = self.metrics_of("--metrics-token-file", file.name)
        self.assertEqual([asked("/metrics", key) for key in (None, "wrong", "let-me-see")], [401, 401, 200])
        open_to_all = self.metrics_of()
        self.assertEqual([open_to_all(path, None) for path in ("/metrics", "/api/v1/jobs", "/")], [200, 404, 404])

    def metrics_of(self, *arguments: str) -> Callable[[str, str | None], int]:
        """Calls of the metrics' own address, of a node with these arguments: path and token to status."""
        server = Server(BELFRY, "sqlite", ("--metrics-listen", "127.0.0.1:0", *arguments))
        self.addCleanup(server.stop)
        deadline = time.monotonic() + PATIENCE
        while not (found := re.search(r"metrics=([0-9.:]+)", "".join(server.log))):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        address = found[1]

        def call(path: str, token: str | None) -> int:
            connection = http.client.HTTPConnection(address, timeout=PATIENCE)
            connection.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
            return connection.getresponse().status

        return call

    def test_a_node_at_work(self) -> None:
        common = {"schedule_type": "EVERY", "every": "1s"}
        self.client.call("createJob", body={"job_name": "worked", "job_type": "work", **common})
        self.client.call("createJob", body={"job_name": "stuck", "job_type": "nobody", **common})
        self.client.call("createJob", body={"job_name": "still", "job_type": "nobody", **common})
        self.client.call("pauseJob", path={"job": "name:still"})
        self.end_a_run("SUCCEEDED")
        self.end_a_run("FAILED")
        at = self.until_it_passes(self.check_values)
        at.check_histograms()
        self.check_names(at)

    def check_values(self, at: Scrape) -> None:
        self.assertGreater(at.value("belfry_skips_total", 'reason="overlap"'), 0)
        self.assertGreater(at.value("belfry_skips_total", 'reason="paused"'), 0)
        self.assertGreater(at.value("belfry_oldest_ready_seconds"), 1)
        runs, skips = at.value("belfry_ticks_total", 'fate="run"'), at.value("belfry_ticks_total", 'fate="skip"')
        self.assertGreaterEqual(runs, 3)
        self.assertEqual(skips, sum(value for (name, _), value in at.samples.items() if name == "belfry_skips_total"))
        # Ticks that overlap are timed too.
        self.assertEqual(at.value("belfry_fire_lag_seconds_count"), runs + at.value("belfry_skips_total", 'reason="overlap"'))
        self.assertGreater(at.value("belfry_fire_lag_seconds_sum"), 0)
        self.assertGreaterEqual(at.value("belfry_start_lag_seconds_count"), 2)
        self.assertEqual(at.value("belfry_runs_total", 'outcome="SUCCEEDED"'), 1)
        self.assertEqual(at.value("belfry_runs_total", 'outcome="DEAD"'), 1)
        self.assertGreaterEqual(at.value("belfry_live_runs", 'state="READY"'), 1)
        self.assertEqual(at.value("belfry_live_runs", 'state="RETRYING"'), 0)
        self.assertLess(at.value("belfry_oldest_undecided_seconds"), PATIENCE)
        self.assertEqual(at.value("belfry_partitions_owned"), 256)
        self.assertEqual(at.value("belfry_failovers_total"), 0)
        self.assertTrue(0 < at.value("belfry_lease_remaining_seconds") < LEASE)
        self.assertLess(abs(at.value("belfry_clock_offset_seconds")), PATIENCE)
        self.assertGreaterEqual(at.value("belfry_workers"), 1)  # a node may have workers of its own
        self.assertEqual(at.value("belfry_timetable_jobs"), 3)
        self.assertGreaterEqual(at.value("belfry_timetable_schedules"), 1)
        for op in ("decide", "grant", "renew", "register_all", "end_attempts", "live_runs"):
            self.assertGreater(at.value("belfry_store_seconds_count", f'op="{op}"'), 0)
            self.assertEqual(at.value("belfry_store_errors_total", f'op="{op}"'), 0)
        self.assertNotIn(("belfry_store_seconds_count", 'op="await_hints"'), at.samples)
        self.assertGreater(at.value("process_cpu_seconds_total"), 0)
        self.assertGreater(at.value("process_resident_memory_bytes"), 1e6)
        self.assertTrue(0 < at.value("process_open_fds") < at.value("process_max_fds"))
        self.assertGreater(at.value("process_start_time_seconds"), 1e9)

    def check_names(self, at: Scrape) -> None:
        names = set(at.types)
        self.assertEqual({name for name in names if not name.startswith("process_")}, CONTRACT)
        with open(PAGE, encoding="utf-8") as page:
            told = set(re.findall(r"`((?:belfry|process)_[a-z_]+)(?:\{\w+\})?`", page.read()))
        self.assertEqual(told, names)
        labels = {label for _, each in at.samples for label in re.findall(rf"({NAME})=", each)}
        self.assertEqual(labels, {"fate", "reason", "outcome", "state", "op", "le", "code"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
