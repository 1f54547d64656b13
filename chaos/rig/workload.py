"""The jobs of a scenario, and what users do to them meanwhile. Every call is written down with its answer."""

import datetime
import random
import time
import urllib.error
from dataclasses import dataclass, field
from typing import Any

from chaos.checker.history import SECOND
from chaos.rig.cluster import Cluster
from chaos.rig.journal import now_micros

# The command of a `grpc` job: what a worker's journal says of its begin and its end.
COMMAND = """note() { printf '{"event":"%s","at":%s,"run":"%s","fence":%s,"worker":"grpc","job":"%s"}\\n' \
"$1" "$(date +%s%6N)" "$BELFRY_RUN_ID" "$BELFRY_FENCE" "$BELFRY_JOB_NAME" >> JOURNAL; }; note begin; sleep TAKES; note end"""


@dataclass
class Workload:
    jobs: int = 200
    every: list[int] = field(default_factory=lambda: [2])  # seconds; dealt in turn
    cron: list[str] = field(default_factory=list)  # or these, in the zones
    zones: list[str] = field(default_factory=lambda: ["UTC"])
    kinds: list[str] = field(default_factory=lambda: ["rest"])
    takes: list[float] = field(default_factory=lambda: [0.0])  # seconds of work
    overlap: list[str] = field(default_factory=lambda: ["ALLOW"])
    misfire: list[str] = field(default_factory=lambda: ["FIRE_ALL"])
    freeze: list[str] = field(default_factory=list)  # policies for a calendar that closes every few seconds; "": without it
    max_attempts: int = 3
    fails: int = 0  # attempts that fail before one succeeds
    crashes: int = 0  # jobs at the end of the list whose work ends their worker's process
    small: int = 0  # further jobs of the same load that must not suffer: "small-…"
    users: dict[str, float] = field(default_factory=dict)  # what users do, times a second

    def job(self, cluster: Cluster, i: int, prefix: str = "job") -> dict[str, Any]:
        kind = self.kinds[i % len(self.kinds)]
        turn = i // len(self.kinds)
        name = f"{prefix}-{i}"
        takes = self.takes[turn % len(self.takes)]
        schedule: dict[str, Any] = {"every": f"{self.every[turn % len(self.every)]}s"}
        if self.cron:
            schedule = {"cron_expression": self.cron[turn % len(self.cron)], "timezone": self.zones[turn % len(self.zones)]}
        job_type = "grpc" if kind == "hungry" else kind
        policy = self.freeze[turn % len(self.freeze)] if self.freeze else ""
        if policy:
            schedule |= {"calendar": "freeze", "calendar_policy": policy}
        return {"job_name": name, "job_type": job_type, **schedule, "target": target_of(cluster, kind, name, takes),
                "payload": {"takes": takes, "fails": self.fails, "crashes": prefix == "job" and self.jobs - self.crashes <= i < self.jobs}, "concurrency_policy": self.overlap[turn % len(self.overlap)],
                "misfire_policy": self.misfire[turn % len(self.misfire)], "max_attempts": self.max_attempts,
                "timeout": "60s", "retry": {"base": "200ms", "cap": "1s"}}


def target_of(cluster: Cluster, kind: str, name: str, takes: float) -> dict[str, Any]:
    if kind in ("webhook", "async"):
        return {"kind": "HTTP", "url": f"{cluster.sink.address}/hook/{kind}/{name}"}
    if kind == "nowhere":
        return {"kind": "HTTP", "url": f"http://{name}.invalid/"}
    if kind == "hungry":
        return {"kind": "EXEC", "command": ["/bin/sh", "-c", "tail -c 500M /dev/zero"]}
    if kind in ("redis", "nats"):
        return {"kind": "TOPIC", "broker": kind, "topic": "ticks"}
    if kind == "grpc":
        journal = cluster.folder / "worker-grpc.jsonl"
        journal.touch(mode=0o666)
        journal.chmod(0o666)
        return {"kind": "EXEC", "command": ["/bin/sh", "-c", COMMAND.replace("JOURNAL", str(journal)).replace("TAKES", str(takes))]}
    return {"kind": "WORKER"}


def freeze_rules(now: int) -> list[str]:
    """Closed for five seconds out of twelve, for a quarter of an hour."""
    def text(second: int) -> str:
        return datetime.datetime.fromtimestamp(second, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

    return [f"{text(second)}..{text(second + 5)}" for second in range(now - now % 12, now + 900, 12)]


def schedule_sent(body: dict[str, Any]) -> dict[str, object]:
    """As the checker's revisions have it."""
    if "every" in body:
        return {"every": int(body["every"].removesuffix("s")) * SECOND}
    return {"cron": body["cron_expression"], "zone": body["timezone"]} if "cron_expression" in body else {}


class Users:
    """People and programs that use the API while things break."""

    def __init__(self, cluster: Cluster, workload: Workload, chance: random.Random) -> None:
        self.cluster, self.workload, self.chance = cluster, workload, chance
        self.names: list[str] = []
        self.made = 0
        self.asked = 0

    def ask(self, action: str, name: str, method: str, path: str, body: Any = None, schedule: dict[str, object] | None = None,
            batch: str = "", headers: dict[str, str] | None = None, run: str = "") -> Any:
        self.asked += 1
        at = now_micros()
        answer: Any = None
        try:
            answer = self.cluster.call(method, path, body, headers=headers)
            answered = "yes"
        except urllib.error.HTTPError as error:
            answered = "unknown" if error.code >= 500 else "no"
            error.close()
        except OSError:
            answered = "unknown"
        if isinstance(answer, dict):
            run = answer.get("run_id", run)
        self.cluster.journal.note("call", at_begin=at, action=action, name=name, answered=answered, schedule=schedule or {}, run=run, batch=batch)
        return answer

    def register_all(self) -> None:
        if self.workload.freeze:
            self.cluster.call("PUT", "/calendars/freeze", {"rules": freeze_rules(now_micros() // SECOND)}, patience=60)
        jobs = [self.workload.job(self.cluster, i) for i in range(self.workload.jobs)]
        jobs += [self.workload.job(self.cluster, i, "small") for i in range(self.workload.small)]
        for first in range(0, len(jobs), 500):
            batch = jobs[first : first + 500]
            self.cluster.call("POST", "/jobs:batch", {"jobs": batch}, patience=60)
            for job in batch:
                self.cluster.journal.note("call", action="create", name=job["job_name"], answered="yes", schedule=schedule_sent(job))
        self.names = [job["job_name"] for job in jobs]
        self.made = len(jobs)

    def act(self, action: str) -> None:
        name = self.chance.choice(self.names)
        {"edit": self.edit, "pause": self.pause, "pause_until": self.pause_until, "resume": self.resume, "trigger": self.trigger,
         "retry": self.retry, "delete": self.delete, "create": self.create, "batch": self.batch, "backfill": self.backfill}[action](name)

    def edit(self, name: str) -> None:
        body = {"every": f"{self.chance.choice([2, 3, 4])}s"}
        if not self.workload.cron:
            self.ask("edit", name, "PATCH", f"/jobs/name:{name}", body, schedule_sent(body))

    def pause(self, name: str) -> None:
        self.ask("pause", name, "POST", f"/jobs/name:{name}/pause", {"note": "chaos"})

    def pause_until(self, name: str) -> None:
        until = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + self.chance.randint(2, 6)))
        self.ask("pause", name, "POST", f"/jobs/name:{name}/pause", {"until": until})

    def resume(self, name: str) -> None:
        self.ask("resume", name, "POST", f"/jobs/name:{name}/resume", {})

    def trigger(self, name: str) -> None:
        self.ask("trigger", name, "POST", f"/jobs/name:{name}/trigger", {})

    def retry(self, name: str) -> None:
        """Of a dead letter, if there is one."""
        try:
            dead = self.cluster.call("GET", "/runs?state=DEAD&limit=20")["items"]
        except OSError:
            return
        if dead:
            run = self.chance.choice(dead)
            self.ask("retry", run["job_name"], "POST", f"/runs/{run['run_id']}/retry", {}, run=run["run_id"])

    def delete(self, name: str) -> None:
        if len(self.names) > 10:
            self.names.remove(name)
            self.ask("delete", name, "DELETE", f"/jobs/name:{name}")

    def create(self, _: str) -> None:
        job = self.workload.job(self.cluster, self.made)
        self.made += 1
        self.names.append(job["job_name"])
        self.ask("create", job["job_name"], "POST", "/jobs", job, schedule_sent(job))

    def batch(self, _: str) -> None:
        """All or nothing, also if nobody says which."""
        jobs = [self.workload.job(self.cluster, self.made + i) for i in range(5)]
        self.made += 5
        key = f"batch-{self.made}"
        answered = self.ask("batch", "", "POST", "/jobs:batch", {"jobs": jobs}, headers={"Idempotency-Key": key})
        for job in jobs:
            self.cluster.journal.note("call", action="create", name=job["job_name"], answered="yes" if answered else "unknown",
                                      schedule=schedule_sent(job), batch=key)
        self.names += [job["job_name"] for job in jobs if answered]

    def backfill(self, name: str) -> None:
        now = time.time()
        at = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - ago)) for ago in (120, 100)]
        self.ask("backfill", name, "POST", f"/jobs/name:{name}/backfill", {"from": at[0], "to": at[1]})
