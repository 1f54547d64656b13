"""Traces as a collector sees them, and as whoever executes runs is told: test_traces.py BELFRY sqlite|postgres"""

import calendar
import json
import os
import pathlib
import re
import sys
import time
import unittest
import urllib.request
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "deliver"), str(HERE.parent / "api")]
from collector import Collector, Span  # noqa: E402
from endpoint import Endpoint  # noqa: E402
from node import Node, wait_for  # noqa: E402
from stores import store_named  # noqa: E402

BELFRY, STORE = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)
ERROR, CLIENT, SERVER = 2, 3, 2
# A caller's own trace.
CALLER, CALLERS_SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def metric(node: Node, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", node.text("/metrics"), re.MULTILINE)
    return float(found[1]) if found else 0.0


def nanoseconds(instant: str) -> int:
    fraction = instant[19:].strip("Z.").ljust(9, "0")
    return calendar.timegm(time.strptime(instant[:19], "%Y-%m-%dT%H:%M:%S")) * 10**9 + int(fraction)


class Traced(unittest.TestCase):
    def setUp(self) -> None:
        self.collector = Collector()
        self.endpoint = Endpoint()
        self.addCleanup(self.collector.close)
        self.addCleanup(self.endpoint.close)

    def node(self, *arguments: str, store: str = STORE, **more: Any) -> Node:
        node = Node(BELFRY, store, *arguments, **more)
        self.addCleanup(node.stop)
        return node

    def traced(self, **more: Any) -> Node:
        return self.node("--otlp-endpoint", self.collector.url, **more)

    def trace_of(self, run: dict[str, Any], *names: str) -> dict[str, Span]:
        """The run's spans by name, once these are there; each is there once, and all are of one trace."""
        def look() -> dict[str, Span] | None:
            mine = [span for span in list(self.collector.spans) if span.attributes.get("belfry.run_id") == run["run_id"]
                    and span.trace != CALLER]
            by_name = {span.name: span for span in mine}
            if not set(names) <= by_name.keys():
                return None
            self.assertEqual(len(mine), len(by_name), mine)
            self.assertEqual(len({span.trace for span in mine}), 1)
            return by_name
        return wait_for(look, lambda: f"{names}\n{self.collector.spans}")

    def webhook(self, node: Node, path: str, **fields: Any) -> dict[str, Any]:
        return node.add({"kind": "HTTP", "url": self.endpoint.url(path)}, **fields)


class Traces(Traced):
    # ---- What one run leaves ----

    def test_a_tick_and_all_that_comes_of_it_are_one_trace(self) -> None:
        node = self.traced()
        job = self.webhook(node, "/ok", cron_expression="* * * * * *")
        run = node.ended(job)
        spans = self.trace_of(run, "tick", "decide", "claim", "attempt", "delivery")
        tick, attempt, delivery = spans["tick"], spans["attempt"], spans["delivery"]
        self.assertEqual(tick.parent, "")
        self.assertEqual({spans[name].parent for name in ("decide", "claim", "attempt")}, {tick.span})
        self.assertEqual(delivery.parent, attempt.span)
        self.assertEqual(delivery.kind, CLIENT)
        for span in spans.values():
            self.assertLessEqual(span.start, span.end, span)
            self.assertEqual(span.status, 0, span)
            self.assertEqual(span.attributes["belfry.job_id"], job["job_id"])
            self.assertEqual(span.resource["service.name"], "belfry")
            self.assertEqual(span.resource["service.instance.id"], "api-test")
        # Times are the ledger's.
        self.assertEqual(tick.start, nanoseconds(run["scheduled_for"]))
        self.assertEqual(tick.end, nanoseconds(run["decided_at"]))
        self.assertEqual(spans["claim"].end, nanoseconds(run["started_at"]))
        self.assertEqual(attempt.start, nanoseconds(run["started_at"]))
        self.assertEqual(attempt.attributes["belfry.outcome"], "SUCCEEDED")
        # The receiver is told of the delivery, and can hang its own spans on it.
        call = next(call for call in self.endpoint.calls("/ok") if call.headers["webhook-id"] == run["run_id"])
        self.assertEqual(call.headers["traceparent"], f"00-{tick.trace}-{delivery.span}-01")

    def test_each_attempt_has_its_own_spans(self) -> None:
        node = self.traced()
        run = node.ended(self.webhook(node, "/status/500", max_attempts=3))
        self.assertEqual(run["state"], "DEAD")
        mine = wait_for(lambda: len(found := [s for s in list(self.collector.spans)
                                              if s.attributes.get("belfry.run_id") == run["run_id"]]) >= 10 and found)
        names = sorted(span.name for span in mine)
        self.assertEqual(names, ["attempt"] * 3 + ["claim"] * 3 + ["delivery"] * 3 + ["trigger"])
        self.assertEqual(len({span.span for span in mine}), 10)
        attempts = {span.span: span for span in mine if span.name == "attempt"}
        for span in mine:
            if span.name == "delivery":
                self.assertIn(span.parent, attempts)
            if span.name in ("attempt", "delivery"):
                self.assertEqual(span.status, ERROR)
                self.assertTrue(span.message.startswith("status:"), span.message)
        self.assertEqual(sorted(span.attributes["belfry.attempt"] for span in attempts.values()), [1, 2, 3])

    def test_commands_and_workers_are_told_where_they_belong(self) -> None:
        node = self.traced(commands=True)
        run = node.ended(node.add({"kind": "EXEC", "command": ["sh", "-c", "echo $TRACEPARENT"]}))
        spans = self.trace_of(run, "trigger", "claim", "attempt")
        told = node.call("GET", f"/runs/{run['run_id']}/log")["log"].strip()
        self.assertEqual(told, f"00-{spans['attempt'].trace}-{spans['attempt'].span}-01")
        job = node.add({"kind": "WORKER"}, job_type="mine")
        claimed, = node.call("POST", "/runs:claim", {"worker_id": "w", "job_types": ["mine"], "wait_seconds": 30})["runs"]
        node.call("POST", "/runs:complete", {"runs": [{"run_id": claimed["run_id"], "fence": claimed["fence"],
                                                       "status": "SUCCEEDED"}]})
        spans = self.trace_of(node.ended(job), "attempt")
        self.assertEqual(claimed["traceparent"], f"00-{spans['attempt'].trace}-{spans['attempt'].span}-01")

    def test_who_asks_for_a_run_finds_it_from_their_own_trace(self) -> None:
        node = self.traced()
        job = node.call("POST", "/jobs", {"job_name": "asked", "run_at": "2099-01-01T00:00:00Z",
                                          "target": {"kind": "HTTP", "url": self.endpoint.url("/ok")}})
        request = urllib.request.Request(f"http://{node.server.address}/api/v1/jobs/{job['job_id']}/trigger", b"{}",
                                         {"Content-Type": "application/json",
                                          "traceparent": f"00-{CALLER}-{CALLERS_SPAN}-01"}, method="POST")
        with urllib.request.urlopen(request) as answer:
            run = json.loads(answer.read())
        root = self.trace_of(run, "trigger", "attempt")["trigger"]
        self.assertEqual(root.parent, "")
        self.assertEqual(root.links, [(CALLER, CALLERS_SPAN)])
        asked, = wait_for(lambda: self.collector.of(CALLER))
        self.assertEqual((asked.parent, asked.kind, asked.links), (CALLERS_SPAN, SERVER, [(root.trace, root.span)]))

    def test_a_backfill_has_roots_too(self) -> None:
        node = self.traced()
        job = node.call("POST", "/jobs", {"job_name": "past", "cron_expression": "0 0 * * *",
                                          "target": {"kind": "HTTP", "url": self.endpoint.url("/ok")}})
        made = node.call("POST", f"/jobs/{job['job_id']}/backfill",
                         {"from": "2024-01-01T00:00:00Z", "to": "2024-01-01T12:00:00Z"})
        self.assertEqual(made["created"], 1)
        spans = self.trace_of(node.ended(job), "trigger", "claim", "attempt", "delivery")
        self.assertEqual(spans["claim"].parent, spans["trigger"].span)

    def test_the_standard_variables_do(self) -> None:
        node = self.node(environment={"OTEL_EXPORTER_OTLP_ENDPOINT": self.collector.base})
        self.trace_of(node.ended(self.webhook(node, "/ok")), "attempt")

    # ---- What is left out ----

    def test_runs_that_are_not_sampled_leave_nothing(self) -> None:
        node = self.node("--otlp-endpoint", self.collector.url, "--trace-ratio", "0")
        run = node.ended(self.webhook(node, "/ok"))
        call = next(call for call in self.endpoint.calls("/ok") if call.headers["webhook-id"] == run["run_id"])
        self.assertTrue(call.headers["traceparent"].endswith("-00"))
        node.stop()
        self.assertEqual(self.collector.spans, [])

    def test_a_collector_that_hangs_holds_up_nothing(self) -> None:
        self.collector.hanging.set()
        node = self.traced()
        job = self.webhook(node, "/ok", cron_expression="* * * * * *")
        self.assertTrue(self.collector.asked.wait(60))
        before = len(node.runs(job))
        runs = wait_for(lambda: len(found := [run for run in node.runs(job) if run["state"] == "SUCCEEDED"]) >= before + 5
                        and found)
        ticks = sorted(run["scheduled_for"] for run in runs)
        self.assertEqual([nanoseconds(tick) // 10**9 for tick in ticks],
                         list(range(nanoseconds(ticks[0]) // 10**9, nanoseconds(ticks[0]) // 10**9 + len(ticks))))
        wait_for(lambda: metric(node, 'belfry_trace_spans_total{fate="dropped"}') > 0)
        self.assertEqual(metric(node, 'belfry_trace_spans_total{fate="sent"}'), 0)
        self.assertTrue(any("traces_not_sent" in line for line in node.server.log))
        self.collector.hanging.clear()
        self.collector.closing.set()
        wait_for(lambda: metric(node, 'belfry_trace_spans_total{fate="sent"}') > 0)


@unittest.skipUnless(STORE == "postgres", "the embedded store has one node")
class SeveralNodes(Traced):
    def test_an_attempt_may_end_at_another_node(self) -> None:
        store = store_named(STORE)
        self.addCleanup(store.close)
        first, second = (self.traced(store=store.address) for _ in range(2))
        job = first.add({"kind": "WORKER"}, job_type="mine")
        claimed, = first.call("POST", "/runs:claim", {"worker_id": "w", "job_types": ["mine"], "wait_seconds": 30})["runs"]
        second.call("POST", "/runs:complete", {"runs": [{"run_id": claimed["run_id"], "fence": claimed["fence"],
                                                         "status": "SUCCEEDED"}]})
        spans = self.trace_of(second.ended(job), "trigger", "claim", "attempt")
        self.assertEqual(spans["attempt"].start, spans["claim"].end)
        self.assertEqual(spans["attempt"].attributes["belfry.attempt"], 1)
        self.assertLessEqual(spans["attempt"].start, spans["attempt"].end)


if __name__ == "__main__":
    unittest.main()
