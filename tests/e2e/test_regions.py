#!/usr/bin/env python3
"""Two regions on one PostgreSQL: runs go to workers and couriers of their job's region, unless the job says `run_in: any`, and what
waits for a region says so. Real processes.

usage: test_regions.py BINARY [unittest arguments]
"""

import itertools
import json
import os
import re
import subprocess
import sys
import time
import unittest
import urllib.error
import urllib.request
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "api"), os.path.join(HERE, "..", "deliver")]
from endpoint import Endpoint  # noqa: E402
from harness import PATIENCE, Server, die_with_parent  # noqa: E402

BINARY = ""


def wait_until(condition, what: str, patience: float = PATIENCE):
    """The first true value of `condition`; a limit for broken tests, never a measurement."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


def grpc_of(server: Server) -> str:
    line = wait_until(lambda: next((line for line in server.log if "grpc_ready" in line), None), "gRPC")
    return re.search(r"grpc=([0-9.:]+)", line)[1]


class RegionsTest(unittest.TestCase):
    near: Server
    far: Server
    names = itertools.count(1)

    @classmethod
    def setUpClass(cls) -> None:
        open_to_us = ("--allow-private-webhooks", "127.0.0.1")
        cls.near = Server(BINARY, "postgres", ("--region", "near", *open_to_us), name="near")
        assert cls.near.postgres
        cls.far = Server(BINARY, cls.near.postgres.url, ("--region", "far", *open_to_us), name="far")

    @classmethod
    def tearDownClass(cls) -> None:
        assert cls.far.stop() == 0, "".join(cls.far.log)
        assert cls.near.stop() == 0, "".join(cls.near.log)

    # ---- The API

    def call(self, method: str, path: str, body: Any = None, server: Server | None = None) -> Any:
        address = (server or self.near).address
        request = urllib.request.Request(f"http://{address}/api/v1/{path}", method=method, headers={"Content-Type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def job(self, region: str, **fields: Any) -> dict[str, Any]:
        name = f"job{next(self.names)}"
        return self.call("POST", "jobs", {"job_name": name, "job_type": name, "every": "1d", "home_region": region, **fields})

    def trigger(self, job: dict[str, Any]) -> str:
        return self.call("POST", f"jobs/{job['job_id']}/trigger", {})["run_id"]

    def claim(self, server: Server, *jobs: dict[str, Any], wait: int = 0, **fields: Any) -> set[str]:
        """The jobs whose runs a worker is given; it completes them."""
        ask = {"worker_id": "w", "job_types": [job["job_type"] for job in jobs], "max_runs": 100, "wait_seconds": wait, **fields}
        runs = self.call("POST", "runs:claim", ask, server)["runs"]
        if runs:
            ends = [{"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED"} for run in runs]
            self.call("POST", "runs:complete", {"runs": ends}, server)
        return {run["job_name"] for run in runs}

    def claim_all(self, server: Server, wanted: int, *jobs: dict[str, Any], **fields: Any) -> set[str]:
        """What is given in the end, when `wanted` of them have come: runs of other nodes are looked for once a second."""
        had: set[str] = set()

        def enough() -> bool:
            had.update(self.claim(server, *jobs, wait=1, **fields))
            return len(had) >= wanted

        wait_until(enough, f"{wanted} runs")
        return had | self.claim(server, *jobs, wait=2, **fields)  # and no more

    def state(self, run: str) -> str:
        return self.call("GET", f"runs/{run}")["state"]

    def explain(self, job: dict[str, Any]) -> dict[str, Any]:
        return self.call("GET", f"jobs/{job['job_id']}/explain")

    # ---- Workers

    def test_a_worker_gets_runs_of_its_region(self) -> None:
        near, far, free = self.job("near"), self.job("far"), self.job("far", run_in="any")
        self.assertEqual((near["run_in"], free["run_in"]), ("home", "any"))
        jobs = (near, far, free)
        runs = {job["job_name"]: self.trigger(job) for job in jobs}
        self.assertEqual(self.claim_all(self.near, 2, *jobs), {near["job_name"], free["job_name"]})
        self.assertEqual(self.state(runs[far["job_name"]]), "READY")
        self.assertEqual(self.claim_all(self.far, 1, *jobs), {far["job_name"]})

    def test_a_worker_may_ask_a_node_of_another_region(self) -> None:
        near, far = self.job("near"), self.job("far")
        self.trigger(near)
        self.trigger(far)
        self.assertEqual(self.claim_all(self.near, 1, near, far, region="far"), {far["job_name"]})
        self.assertEqual(self.claim_all(self.far, 1, near, far, region="near"), {near["job_name"]})

    def test_ticks_are_handed_to_their_region_only(self) -> None:
        """Also those that are decided into the hands of workers who wait."""
        jobs = [self.job("near", every="1s"), self.job("far", every="1s"), self.job("far", every="1s", run_in="any")]
        had: set[str] = set()
        for _ in range(8):
            had |= self.claim(self.near, *jobs, wait=2)
        self.assertEqual(had, {jobs[0]["job_name"], jobs[2]["job_name"]})
        for job in jobs:
            self.call("POST", f"jobs/{job['job_id']}/pause", {})

    def test_every_way_says_its_region(self) -> None:
        for way in ("rest", "unary", "stream"):
            with self.subTest(way):
                job = self.job("far", target={"kind": "EXEC", "command": ["true"]})
                run = self.trigger(job)
                here = {"rest": (), "unary": ("--grpc", grpc_of(self.near), "--unary"), "stream": ("--grpc", grpc_of(self.near))}[way]
                wrong = self.worker("--type", job["job_type"], "--name", "near-one", *here)
                self.worker("--type", job["job_type"], "--name", "far-one", "--region", "far", *here)
                wait_until(lambda: self.state(run) == "SUCCEEDED", "the run's end")
                self.assertEqual(self.call("GET", f"runs/{run}")["worker"], "far-one")
                self.assertIsNone(wrong.poll())

    def worker(self, *arguments: str) -> subprocess.Popen:
        process = subprocess.Popen([BINARY, "worker", *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, preexec_fn=die_with_parent,
                                   env={**os.environ, "BELFRY_SERVER": f"http://{self.near.address}"})

        def end() -> None:
            process.terminate()
            process.wait(PATIENCE)

        self.addCleanup(end)
        return process

    def test_a_region_that_nobody_serves_is_refused(self) -> None:
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.claim(self.near, self.job("near"), region="atlantis")
        self.assertEqual(refused.exception.code, 422)
        problem = json.load(refused.exception)["errors"][0]
        self.assertEqual(problem["pointer"], "/region")
        self.assertIn("atlantis", problem["detail"] if "detail" in problem else problem["message"])
        for way in ((), ("--grpc", grpc_of(self.near)), ("--grpc", grpc_of(self.near), "--unary")):
            with self.subTest(way):
                self.assertNotEqual(self.worker("--region", "atlantis", *way).wait(PATIENCE), 0)

    def test_what_waits_for_a_region_says_so(self) -> None:
        job = self.job("far")
        self.trigger(job)
        self.assertEqual(self.claim(self.near, job, wait=1), set())  # somebody asks, but elsewhere
        found = wait_until(lambda: (answer := self.explain(job))["cause"] == "no_worker" and answer, "the trouble")
        self.assertIn(f"a worker of type `{job['job_type']}` in region `far`", json.dumps(found))
        told = json.dumps(self.call("GET", "cluster")["problems"])
        self.assertIn(f"start a worker of type `{job['job_type']}` in region `far`", told)
        self.assertEqual(self.claim_all(self.far, 1, job), {job["job_name"]})

    def test_a_check_in_reports_to_any_node(self) -> None:
        job = self.job("far", target={"kind": "CHECKIN"})
        token = self.call("POST", f"jobs/{job['job_id']}/checkin", {})["token"]
        run = self.trigger(job)
        self.call("POST", f"checkin/{token}/start", {})
        self.assertEqual(self.state(run), "RUNNING")
        self.call("POST", f"checkin/{token}/ok", {})
        self.assertEqual(self.state(run), "SUCCEEDED")

    # ---- Couriers

    def test_webhooks_are_delivered_from_their_region(self) -> None:
        endpoint = Endpoint()
        self.addCleanup(endpoint.close)
        assert self.near.postgres
        third = Server(BINARY, self.near.postgres.url, ("--region", "third", "--allow-private-webhooks", "127.0.0.1"), name="third")
        bound = self.job("third", target={"kind": "HTTP", "url": endpoint.url("/ok")})
        free = self.job("third", run_in="any", target={"kind": "HTTP", "url": endpoint.url("/ok")})
        first = self.trigger(bound)
        wait_until(lambda: self.state(first) == "SUCCEEDED", "the delivery from its region")
        self.assertEqual(third.stop(), 0)
        waits, goes = self.trigger(bound), self.trigger(free)
        wait_until(lambda: self.state(goes) == "SUCCEEDED", "the delivery from anywhere")
        self.assertEqual(self.state(waits), "READY")
        wait_until(lambda: "a node that delivers webhooks in region `third`" in json.dumps(self.explain(bound)), "why it waits")


if __name__ == "__main__":
    BINARY = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)
