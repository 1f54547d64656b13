#!/usr/bin/env python3
"""Runs reach what executes them, on every way there is: the node's own worker, and `belfry worker` over REST, over gRPC by single
calls, and over a gRPC stream. Real processes, killed and frozen.

usage: test_workers.py BINARY [sqlite|postgres] [unittest arguments]
"""

import datetime
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "api"))
from harness import PATIENCE, Server, die_with_parent  # noqa: E402

BINARY = STORE = ""
# Leases, in seconds. A worker hears of a cancellation when it beats, after a third of one.
SHORT = 3  # must end
MIDDLING = 9  # must not end, and a third of it is waited for
LONG = 30  # must not end, however busy the machine is
# What commands must never see of the process that runs them.
SECRETS = {"BELFRY_TOKEN_FILE": "/dev/null", "AWS_SECRET_ACCESS_KEY": "canary", "PGPASSFILE": "/dev/null/canary",
           "DATABASE_URL": "canary", "MY_OWN_SECRET": "canary"}


def wait_until(condition, what: str, patience: float = PATIENCE):
    """The first true value of `condition`; a limit for broken tests, never a measurement."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


class Worker:
    """`belfry worker`, until it is closed."""

    def __init__(self, *arguments: str, lease: int = LONG) -> None:
        self.log: list[str] = []
        self.told = False
        self.process = subprocess.Popen(
            [BINARY, "worker", "--lease", f"{lease}s", *arguments],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **SECRETS, "BELFRY_SERVER": f"http://{WorkersTest.server.address}", "BELFRY_SECRET": "worker's own"},
            preexec_fn=die_with_parent)
        self.reader = threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True)
        self.reader.start()

    def signal(self, number: int) -> None:
        self.process.send_signal(number)

    def stop(self) -> None:
        """Asks it to drain, and returns once it has heard."""
        self.told = True
        self.signal(signal.SIGTERM)
        wait_until(lambda: any("worker_stopping" in line for line in self.log), "its hearing of the signal")

    def close(self) -> int:
        """Returns its exit code. Asks only once: a second signal would not wait for what it still does."""
        if self.process.poll() is None and not self.told:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGTERM)
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stderr.close()
        return code


class WorkersTest(unittest.TestCase):
    server: Server
    names = itertools.count(1)

    @classmethod
    def setUpClass(cls) -> None:
        # On PostgreSQL no node runs commands.
        cls.ways = ("local", "rest", "grpc", "stream") if STORE == "sqlite" else ("rest", "grpc", "stream")
        cls.server = Server(BINARY, STORE, ("--with-worker", "on") if STORE == "sqlite" else (), SECRETS)
        line = wait_until(lambda: next((line for line in cls.server.log if "grpc_ready" in line), None), "gRPC")
        cls.grpc = re.search(r"grpc=([0-9.:]+)", line)[1]

    @classmethod
    def tearDownClass(cls) -> None:
        assert cls.server.stop() == 0, "".join(cls.server.log)

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o777)  # where the tests are root, commands are nobody's
        self.addCleanup(self.folder.cleanup)

    # ---- The API

    def call(self, method: str, path: str, body: object = None, tenant: str | None = None) -> dict:
        headers = {"Content-Type": "application/json", **({"Belfry-Tenant": tenant} if tenant else {})}
        request = urllib.request.Request(f"http://{self.server.address}/api/v1/{path}", method=method, headers=headers,
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def job(self, script: str, job_type: str, **fields: object) -> str:
        target = {"kind": "EXEC", "command": ["/bin/sh", "-c", f"cd {self.folder.name}; {script}"]}
        body = {"job_name": f"job-{next(self.names)}", "job_type": job_type, "target": target, **fields}
        if not {"cron_expression", "every", "delay"} & set(fields):
            body["every"] = "1d"
        return self.call("POST", "jobs", body)["job_id"]

    def put_jobs(self, jobs: list[dict], tenant: str) -> None:
        """Again where a busy store says "not now": the same jobs are not made twice."""
        def put() -> bool:
            try:
                return bool(self.call("POST", "jobs:batch", {"jobs": jobs}, tenant))
            except urllib.error.HTTPError as error:
                assert error.code == 503, error
                error.close()
                return False
        wait_until(put, "a store that takes them")

    def trigger(self, job: str, payload: object = None) -> str:
        return self.call("POST", f"jobs/{job}/trigger", {"payload": payload})["run_id"]

    def run_state(self, run: str) -> dict:
        return self.call("GET", f"runs/{run}")

    def ended(self, run: str) -> dict:
        return wait_until(lambda: (r := self.run_state(run))["finished_at"] and r, f"the end of {run}")

    def log_of(self, run: str) -> str:
        try:
            return self.call("GET", f"runs/{run}/log")["log"]
        except urllib.error.HTTPError as error:
            assert error.code == 404
            error.close()
            return ""

    def lines(self, name: str) -> list[str]:
        try:
            with open(os.path.join(self.folder.name, name), encoding="utf-8") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def wait_for(self, name: str) -> list[str]:
        return wait_until(lambda: self.lines(name), f"the file {name}")

    def is_gone(self, pid: str) -> bool:
        """Or dead, and about to be buried by init."""
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] in "ZX"
        except (FileNotFoundError, ProcessLookupError):
            return True

    # ---- The ways

    def on_each_way(self, check, lease: int = LONG) -> None:
        for way in self.ways:
            with self.subTest(way=way, store=STORE):
                self.setUp()
                if way == "local":
                    check("default", way)
                    continue
                job_type = f"type-{next(self.names)}"
                worker = self.worker(way, job_type, lease=lease)
                check(job_type, way)
                self.assertEqual(worker.close(), 0, "".join(worker.log))

    def worker(self, way: str, job_type: str, *arguments: str, lease: int = LONG) -> Worker:
        grpc = {"rest": (), "grpc": ("--grpc", self.grpc, "--unary"), "stream": ("--grpc", self.grpc)}[way]
        worker = Worker("--type", job_type, "--name", way, *grpc, *arguments, lease=lease)
        self.addCleanup(worker.close)
        return worker

    # ---- What holds for each way

    def test_a_cron_job_is_executed_once_for_each_tick(self) -> None:
        def check(job_type: str, _: str) -> None:
            script = "echo $BELFRY_RUN_ID >> ran; echo out; cat; echo err >&2; [ -z \"$BELFRY_SECRET\" ]"
            job = self.job(script, job_type, cron_expression="* * * * * *", payload={"n": 1})
            done = lambda: [r for r in self.call("GET", f"jobs/{job}/runs?state=SUCCEEDED")["items"]]
            wait_until(lambda: len(done()) >= 3, "three runs")
            self.call("POST", f"jobs/{job}/pause", {})

            def settled() -> list[dict]:
                """All runs, once each is over; one that was due before the pause may still begin."""
                runs = self.call("GET", f"jobs/{job}/runs")["items"]
                over = all(r["finished_at"] for r in runs) and len(runs) == len(self.lines("ran"))
                return runs if over else []

            runs = wait_until(settled, "all ends")
            self.assertEqual(sorted(self.lines("ran")), sorted(r["run_id"] for r in runs))
            for run in runs:
                self.assertEqual((run["state"], run["result"], run["attempts"]), ("SUCCEEDED", {"exit_code": 0}, 1))
                self.assertEqual(self.log_of(run["run_id"]), 'out\n{"n": 1}\nerr\n')
        self.on_each_way(check)

    def test_a_failure_is_retried_with_backoff_and_ends_in_the_dead_letters(self) -> None:
        def check(job_type: str, _: str) -> None:
            job = self.job("echo $BELFRY_ATTEMPT >> ran; exit 3", job_type, max_attempts=3, retry={"base": "200ms", "cap": "1s"})
            run = self.ended(self.trigger(job))
            self.assertEqual((run["state"], run["error"]), ("DEAD", "exit code 3"))
            self.assertEqual(self.lines("ran"), ["1", "2", "3"])
            self.assertEqual([a["outcome"] for a in run["attempt_history"]], ["FAILED"] * 3)
            fences = [a["fence"] for a in run["attempt_history"]]
            self.assertEqual(fences, sorted(set(fences)))
            dead = [r["run_id"] for r in self.call("GET", "runs?state=DEAD")["items"]]
            self.assertIn(run["run_id"], dead)
        self.on_each_way(check)

    def test_a_permanent_failure_is_not_retried(self) -> None:
        def check(job_type: str, _: str) -> None:
            run = self.ended(self.trigger(self.job("exit 65", job_type, max_attempts=3)))
            self.assertEqual((run["state"], run["attempts"]), ("DEAD", 1))
        self.on_each_way(check)

    def test_a_timeout_is_enforced(self) -> None:
        def check(job_type: str, _: str) -> None:
            # A worker stops it two seconds before: enough time to report, even beside other work.
            script = "trap '' TERM; echo $$ > pid; while :; do sleep 0.1; done"
            run = self.ended(self.trigger(self.job(script, job_type, timeout="10s", max_attempts=1)))
            self.assertEqual([a["outcome"] for a in run["attempt_history"]], ["TIMED_OUT"])
            wait_until(lambda: self.is_gone(self.lines("pid")[0]), "the end of the process")
            self.assertIn("its time is up", self.log_of(run["run_id"]))
        self.on_each_way(check)

    def test_a_cancellation_arrives(self) -> None:
        def check(job_type: str, way: str) -> None:
            run = self.trigger(self.job("echo $$ > pid; sleep 300 & wait", job_type))
            pid = self.wait_for("pid")[0]
            asked = time.monotonic()
            self.call("POST", f"runs/{run}/cancel", {})
            self.assertEqual(self.ended(run)["state"], "CANCELLED")
            print(f"  {STORE} {way}: cancelled after {time.monotonic() - asked:.2f} s", file=sys.stderr)
            self.assertTrue(self.is_gone(pid))
        self.on_each_way(check, MIDDLING)

    def test_a_newer_run_replaces_the_older(self) -> None:
        def check(job_type: str, _: str) -> None:
            job = self.job("echo $$ >> pids; sleep 300 & wait", job_type, concurrency_policy="REPLACE", every="2s")
            wait_until(lambda: len(self.lines("pids")) >= 2, "the second run")
            self.call("POST", f"jobs/{job}/pause", {})
            runs = self.call("GET", f"jobs/{job}/runs")["items"]
            oldest = runs[-1]["run_id"]
            self.assertEqual(self.ended(oldest)["state"], "CANCELLED")
            self.assertTrue(self.is_gone(self.lines("pids")[0]))
            for run in runs[:-1]:
                try:
                    self.call("POST", f"runs/{run['run_id']}/cancel", {})
                except urllib.error.HTTPError as error:  # it was over
                    error.close()
        self.on_each_way(check, MIDDLING)

    def test_the_output_is_there_while_it_runs(self) -> None:
        def check(job_type: str, _: str) -> None:
            script = "echo begun; while ! [ -e go ]; do sleep 0.05; done; head -c 1000000 /dev/zero | tr '\\0' x; echo; echo ended"
            run = self.trigger(self.job(script, job_type))
            wait_until(lambda: self.log_of(run) == "begun\n", "the first line")
            self.assertEqual(self.run_state(run)["state"], "RUNNING")
            open(os.path.join(self.folder.name, "go"), "w").close()
            self.assertEqual(self.ended(run)["state"], "SUCCEEDED")
            log = self.log_of(run)
            self.assertLessEqual(len(log), 65536)
            self.assertTrue(log.startswith("begun\n") and log.endswith("\nended\n"))
            self.assertRegex(log, r"\n\[\d+ bytes left out\]\n")
        self.on_each_way(check)

    def test_a_command_has_nothing_of_who_runs_it(self) -> None:
        me = os.getuid() == 0 and "nobody" or subprocess.check_output(["id", "-un"], text=True).strip()
        facts = {f"BELFRY_{name}" for name in ("RUN_ID", "JOB_ID", "JOB_NAME", "JOB_TYPE", "TENANT", "ATTEMPT", "FENCE",
                                               "SCHEDULED_FOR", "DEADLINE", "STANDS_FOR", "IDEMPOTENCY_KEY")} | {"TRACEPARENT"}
        harmless = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "PWD", "OLDPWD", "_"}

        def check(job_type: str, _: str) -> None:
            store = f"{self.server.folder}/belfry.db"
            script = (f"id -un > user; env > env; cat {store} > store 2>&1; cat /proc/{self.server.process.pid}/environ > environ; "
                      f"kill -0 {self.server.process.pid} && touch reached; true")
            self.assertEqual(self.ended(self.trigger(self.job(script, job_type)))["state"], "SUCCEEDED")
            self.assertEqual(self.lines("user"), [me])
            names = {line.split("=")[0] for line in self.lines("env")}
            self.assertEqual({name for name in names if not name.startswith("LC_")} - harmless, facts)
            self.assertEqual(self.lines("environ"), [])
            if os.getuid() == 0:  # otherwise it is the same user, who may read its own files
                self.assertRegex("".join(self.lines("store")), "Permission denied|No such file")
                self.assertFalse(os.path.exists(os.path.join(self.folder.name, "reached")))
        self.on_each_way(check)

    def test_a_command_that_kills_its_guard_leaves_nothing(self) -> None:
        def check(job_type: str, _: str) -> None:
            script = ("setsid sh -c 'echo $$ > pid; exec sleep 300' & while ! [ -s pid ]; do sleep 0.01; done; "
                      "kill -9 $PPID; exit 3")
            run = self.ended(self.trigger(self.job(script, job_type, max_attempts=1)))
            self.assertEqual(run["state"], "DEAD")
            wait_until(lambda: self.is_gone(self.lines("pid")[0]), "the end of what it left")
        self.on_each_way(check)

    # ---- Workers that die, freeze and stop

    def test_the_run_of_a_killed_worker_starts_elsewhere_with_a_higher_fence(self) -> None:
        for way in ("rest", "grpc", "stream"):
            with self.subTest(way=way, store=STORE):
                self.setUp()
                job_type = f"type-{next(self.names)}"
                first = self.worker(way, job_type, lease=SHORT)
                run = self.trigger(self.job(
                    "echo $$ $BELFRY_FENCE >> began; [ $BELFRY_ATTEMPT = 2 ] || { sh -c 'sleep 300' & wait; }", job_type,
                    retry={"base": "100ms", "cap": "100ms"}))
                self.wait_for("began")
                second = self.worker(way, job_type)
                first.signal(signal.SIGKILL)
                killed = time.monotonic()
                wait_until(lambda: len(self.lines("began")) == 2, "the second start")
                print(f"  {STORE} {way}: elsewhere after {time.monotonic() - killed:.2f} s (lease {SHORT} s)", file=sys.stderr)
                (old, old_fence), (_, fence) = (line.split() for line in self.lines("began"))
                self.assertTrue(self.is_gone(old), "a command outlived its worker")
                self.assertGreater(int(fence), int(old_fence))
                end = self.ended(run)
                self.assertEqual([a["outcome"] for a in end["attempt_history"]], ["LEASE_LOST", "SUCCEEDED"])
                first.process.wait()
                second.close()

    def test_a_frozen_worker_that_comes_back_has_no_effect(self) -> None:
        for way in ("rest", "grpc", "stream"):
            with self.subTest(way=way, store=STORE):
                self.setUp()
                job_type = f"type-{next(self.names)}"
                # Full, so that it does not claim more: what a frozen worker is granted waits for its lease.
                first = self.worker(way, job_type, "--concurrency", "1", lease=SHORT)
                # The effect goes to a sink that keeps the highest fence and refuses lower ones.
                sink = ("highest=$(cat fence 2>/dev/null || echo 0); "
                        "if [ $BELFRY_FENCE -ge $highest ]; then echo $BELFRY_FENCE > fence; echo $BELFRY_FENCE >> effects; "
                        "else echo $BELFRY_FENCE >> refused; fi")
                script = ("echo $BELFRY_FENCE >> began; "
                          "if [ $BELFRY_ATTEMPT = 1 ]; then trap '' TERM; while ! [ -e thaw ]; do sleep 0.02; done; fi; " + sink)
                run = self.trigger(self.job(script, job_type, retry={"base": "100ms", "cap": "100ms"}))
                self.wait_for("began")
                first.signal(signal.SIGSTOP)
                second = self.worker(way, job_type)
                end = self.ended(run)
                self.assertEqual([a["outcome"] for a in end["attempt_history"]], ["LEASE_LOST", "SUCCEEDED"])
                old, new = (int(line) for line in self.lines("began"))
                open(os.path.join(self.folder.name, "thaw"), "w").close()  # its command goes on, too late
                self.assertEqual([int(line) for line in self.wait_for("refused")], [old])
                first.signal(signal.SIGCONT)
                wait_until(lambda: any("not_reported" in line or "fenced" in line for line in first.log), "the refusal")
                self.assertEqual([int(line) for line in self.lines("effects")], [new])
                self.assertEqual(self.run_state(run)["fence"], new)
                first.close()
                second.close()

    def test_a_stale_report_is_answered_fenced(self) -> None:
        job_type = f"type-{next(self.names)}"
        job = self.call("POST", "jobs", {"job_name": job_type, "job_type": job_type, "every": "1d", "retry": {"base": "100ms", "cap": "100ms"}})
        self.trigger(job["job_id"])
        claim = {"worker_id": "w", "job_types": [job_type], "wait_seconds": 20}
        [stale] = self.call("POST", "runs:claim", {**claim, "lease_seconds": 1})["runs"]
        [fresh] = self.call("POST", "runs:claim", {**claim, "lease_seconds": LONG})["runs"]
        self.assertEqual(stale["run_id"], fresh["run_id"])
        self.assertGreater(fresh["fence"], stale["fence"])
        report = lambda run: {"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED", "log": f"of {run['fence']}"}
        beats = self.call("POST", "runs:heartbeat", {"runs": [{"run_id": stale["run_id"], "fence": stale["fence"], "log": "stale"}]})
        self.assertEqual([r["answer"] for r in beats["results"]], ["FENCED"])
        self.assertEqual(self.call("POST", "runs:complete", {"runs": [report(stale)]})["results"][0]["answer"], "FENCED")
        self.assertEqual(self.call("POST", "runs:complete", {"runs": [report(fresh)]})["results"][0]["answer"], "OK")
        self.assertEqual(self.log_of(fresh["run_id"]), f"of {fresh['fence']}")

    def test_a_stopped_worker_lets_its_runs_end(self) -> None:
        for way in ("rest", "grpc", "stream"):
            with self.subTest(way=way, store=STORE):
                self.setUp()
                job_type = f"type-{next(self.names)}"
                worker = self.worker(way, job_type, lease=MIDDLING)  # which it must prolong meanwhile
                run = self.trigger(self.job(f"touch began; sleep {MIDDLING + 1}; echo bye", job_type))
                wait_until(lambda: os.path.exists(os.path.join(self.folder.name, "began")), "the start")
                self.assertEqual(worker.close(), 0)
                end = self.run_state(run)
                self.assertEqual((end["state"], end["attempts"]), ("SUCCEEDED", 1))

    def test_a_worker_that_stops_takes_nothing_from_others(self) -> None:
        """Even with room left: a run that comes while it drains is done by another worker, at its first attempt."""
        for way in ("rest", "grpc", "stream"):
            with self.subTest(way=way, store=STORE):
                self.setUp()
                job_type = f"type-{next(self.names)}"
                first = self.worker(way, job_type)
                slow = self.trigger(self.job("touch began; while ! [ -e go ]; do sleep 0.05; done", job_type, max_attempts=1))
                wait_until(lambda: os.path.exists(os.path.join(self.folder.name, "began")), "the start")
                first.stop()
                runs = [self.trigger(self.job("true", job_type, max_attempts=1)) for _ in range(3)]
                second = self.worker(way, job_type)
                for run in runs:
                    end = self.ended(run)
                    self.assertEqual((end["state"], end["attempts"]), ("SUCCEEDED", 1))
                open(os.path.join(self.folder.name, "go"), "w").close()
                self.assertEqual(self.ended(slow)["state"], "SUCCEEDED")
                self.assertEqual(first.close(), 0)
                second.close()

    def test_what_a_worker_breaks_off_when_it_stops_uses_up_no_attempt(self) -> None:
        for way in ("rest", "grpc", "stream"):
            with self.subTest(way=way, store=STORE):
                self.setUp()
                job_type = f"type-{next(self.names)}"
                first = self.worker(way, job_type, "--grace", "1s", "--kill-after", "1s")
                run = self.trigger(self.job("echo $BELFRY_ATTEMPT >> began; [ -e go ] || { sleep 300 & wait; }", job_type, max_attempts=1))
                self.wait_for("began")
                open(os.path.join(self.folder.name, "go"), "w").close()
                self.assertEqual(first.close(), 0)
                second = self.worker(way, job_type)
                end = self.ended(run)
                self.assertEqual((end["state"], end["attempts"]), ("SUCCEEDED", 1), end)
                self.assertEqual(self.lines("began"), ["1", "1"])
                second.close()

    # ---- Who gets what

    def test_commands_do_not_go_to_other_workers(self) -> None:
        job_type = f"type-{next(self.names)}"
        run = self.trigger(self.job("true", job_type))
        claimed = self.call("POST", "runs:claim", {"worker_id": "w", "job_types": [job_type]})
        self.assertEqual(claimed["runs"], [])
        [mine] = self.call("POST", "runs:claim", {"worker_id": "w", "exec_types": [job_type], "wait_seconds": 20})["runs"]
        self.assertEqual(mine["run_id"], run)
        self.assertEqual(mine["target"]["kind"], "EXEC")

    def test_a_tenants_flood_delays_nobody_else(self) -> None:
        """While one tenant has 50,000 runs due and in progress, another's five are handed out with the next claims."""
        job_type, flood = f"type-{next(self.names)}", 50_000
        for tenant in ("flooding", "small"):
            self.call("PUT", f"tenants/{tenant}", {"max_jobs": 0, "max_in_flight": 0, "max_requests": 0})
        due = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
        job = lambda i, at: {"job_name": f"{job_type}-{i}", "job_type": job_type, "run_at": at}
        later = due(3600)
        self.call("POST", "jobs:batch", {"jobs": [job(i, later) for i in range(5)]}, "small")
        for first in range(0, flood, 2_500):
            soon = due(30)  # for each batch: a slow one must not make the next one late
            self.put_jobs([job(i, soon) for i in range(first, first + 2_500)], "flooding")
        lock, claimed = threading.Lock(), []
        of_the_small = lambda: [run for run in list(claimed) if run["tenant_id"] == "small"]

        def work() -> None:
            while len(of_the_small()) < 5:
                ask = {"worker_id": "w", "job_types": [job_type], "max_runs": 50, "wait_seconds": 5, "lease_seconds": LONG}
                runs = self.call("POST", "runs:claim", ask)["runs"]
                with lock:
                    claimed.extend(runs)
                ends = [{"run_id": r["run_id"], "fence": r["fence"], "status": "SUCCEEDED"} for r in runs]
                if ends:
                    self.call("POST", "runs:complete", {"runs": ends})

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        wait_until(lambda: len(claimed) > 500, "the flood began", 120)
        for i in range(5):
            self.call("POST", f"jobs/name:{job_type}-{i}/trigger", {}, "small")
        for worker in workers:
            worker.join()
        # By the store's clock, which also saw the answers that we read late.
        instant = lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        claimed_at = lambda run: instant(run["lease_until"]) - datetime.timedelta(seconds=LONG)
        asked = max(instant(run["scheduled_for"]) for run in of_the_small())
        served = max(claimed_at(run) for run in of_the_small())
        between = sum(asked < claimed_at(run) < served for run in claimed)
        print(f"  {STORE}: beside 50,000 the 5 started after {(served - asked).total_seconds():.2f} s at most; {between} others between",
              file=sys.stderr)
        self.assertLess(between, 1_000)
        self.assertLess(len(claimed), flood)

    def test_an_exec_type_is_the_workers_own_command(self) -> None:
        job_type = f"type-{next(self.names)}"
        worker = Worker("--exec-type", f"{job_type}=/bin/sh -c 'cat > {self.folder.name}/got'")
        self.addCleanup(worker.close)
        job = self.call("POST", "jobs", {"job_name": job_type, "job_type": job_type, "every": "1d"})
        self.assertEqual(self.ended(self.trigger(job["job_id"], {"a": [1, "ä"]}))["state"], "SUCCEEDED")
        self.assertEqual(self.lines("got"), [json.dumps({"a": [1, "ä"]})], "as it was sent, byte for byte")


def main() -> None:
    global BINARY, STORE
    BINARY, STORE = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)


if __name__ == "__main__":
    main()
