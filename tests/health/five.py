"""What five places say of a node's health: /readyz, /cluster, the metrics, `belfry doctor` and explain."""

import json
import os
import re
import subprocess
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

PATIENCE = 90.0  # seconds; a limit for broken tests, never a measurement
NOTES = {"catching_up", "type_limit"}


def get(address: str, path: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(f"http://{address}{path}", timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


@dataclass
class Five:
    ready: bool
    readyz: set[str]
    cluster: set[str]
    cluster_status: int
    metrics: set[str]
    doctor: set[str]
    doctor_code: int
    explain: dict[str, Any]
    explain_status: int
    undecided: float  # seconds, as the metric says

    @property
    def explained(self) -> set[str]:
        return {problem["code"] for problem in self.explain.get("problems", [])}


def _refused(body: str) -> set[str]:
    return {error["code"] for error in json.loads(body).get("errors", [])}


def _doctor(belfry: str, address: str) -> tuple[int, set[str]]:
    done = subprocess.run([belfry, "doctor", "-o", "json"], capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, "BELFRY_SERVER": f"http://{address}"}, check=False)
    return done.returncode, {check["check"] for check in json.loads(done.stdout) if not check["passed"]}


def ask(belfry: str, address: str, job: str, at: str = "") -> Five:
    status, body = get(address, "/readyz")
    readyz = set(json.loads(body)["problems"]) if status == 200 else _refused(body)
    cluster_status, cluster = get(address, "/api/v1/cluster")
    codes = ({each["code"] for each in json.loads(cluster)["problems"]} if cluster_status == 200 else _refused(cluster))
    _, text = get(address, "/metrics")
    metrics = {code for code, value in re.findall(r'^belfry_problems\{code="(\w+)"\} (\S+)$', text, re.M) if float(value) > 0}
    undecided = float(re.findall(r"^belfry_oldest_undecided_seconds (\S+)$", text, re.M)[0])
    doctor_code, doctor = _doctor(belfry, address)
    explain_status, explained = get(address, f"/api/v1/jobs/name:{job}/explain" + (f"?at={at}" if at else ""))
    explain = json.loads(explained)
    if explain_status != 200:
        explain = {"verdict": "", "cause": "", "problems": [{"code": each["code"]} for each in explain.get("errors", [])]}
    return Five(status == 200, readyz, codes, cluster_status, metrics, doctor, doctor_code, explain, explain_status, undecided)


def wrong_with(five: Five, expected: set[str], concerns_job: set[str]) -> list[str]:
    """Where one of the five does not say what is expected. Notes are no reason to refuse a call, so a refusal has
    none of them; one that could not read the job has all that is wrong."""
    told = expected - NOTES
    wrong = []
    if five.metrics != expected:
        wrong.append(f"metrics: {five.metrics}")
    if five.readyz != (expected if five.ready else told):
        wrong.append(f"readyz: {five.readyz}")
    if five.cluster != (expected if five.cluster_status == 200 else told):
        wrong.append(f"cluster: {five.cluster}")
    if five.doctor != told:
        wrong.append(f"doctor: {five.doctor}")
    if five.doctor_code != (1 if told else 0):
        wrong.append(f"doctor exits with {five.doctor_code}")
    if five.explained != (concerns_job if five.explain_status == 200 else told):
        wrong.append(f"explain: {five.explained}")
    return wrong


def until_all_say(belfry: str, address: str, job: str, expected: set[str], concerns_job: set[str] | None = None,
                  at: str = "") -> Five:
    """The five answers, once all of them say the same and that is what is expected."""
    end = time.monotonic() + PATIENCE
    while True:
        five = ask(belfry, address, job, at)
        wrong = wrong_with(five, expected, expected if concerns_job is None else concerns_job)
        if not wrong:
            return five
        if time.monotonic() > end:
            raise AssertionError(f"expected {expected or 'nothing'}; " + "; ".join(wrong) + f"\n{five}")
        time.sleep(0.3)
