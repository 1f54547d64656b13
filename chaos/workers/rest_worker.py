"""A worker over REST that is no code of the product: python3 -m chaos.workers.rest_worker SETTINGS-AS-JSON

SETTINGS: {"servers": [address…], "name", "types": […], "lease": s, "threads": n, "journal": file, "sink": url}.
The payload of a job says how long its work takes, in seconds: {"takes": 0.2}, and {"fails": n}: the first n attempts;
{"crashes": true}: it takes the process with it.
"""

import itertools
import json
import os
import pathlib
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any

from chaos.rig.journal import Journal

SETTINGS = json.loads(sys.argv[1])
JOURNAL = Journal(pathlib.Path(SETTINGS["journal"]))
TURN = itertools.count()
LEASE = int(SETTINGS["lease"])


def ask(url: str, body: dict[str, Any], patience: float) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=patience) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def call(what: str, body: dict[str, Any], patience: float = 5) -> Any:
    """Any node will do; None if this one did not answer."""
    server = SETTINGS["servers"][next(TURN) % len(SETTINGS["servers"])]
    try:
        return ask(f"{server}/api/v1/runs:{what}", body, patience)
    except (OSError, ValueError):
        return None


def boot_now() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Work:
    def __init__(self, run: dict[str, Any], asked_at: float) -> None:
        """`asked_at`: the lease began no earlier, but perhaps then."""
        self.trusted_from = asked_at
        self.run, self.fence = run["run_id"], run["fence"]
        self.facts = {"run": self.run, "fence": self.fence, "worker": SETTINGS["name"], "job": run["job_name"],
                      "tenant": run["tenant_id"], "attempt": run["attempt"], "scheduled_for": run["scheduled_for"]}
        self.payload = run["payload"] or {}
        self.attempt = int(run["attempt"])
        self.over = threading.Event()
        self.lost = threading.Event()

    def beat(self) -> None:
        """Stops the work before anybody else may begin it."""
        while not self.over.wait(LEASE / 4):
            if not self.extend():
                self.lost.set()
                return

    def extend(self) -> bool:
        """Whether the run is certainly ours for a while."""
        began = boot_now()
        answer = call("heartbeat", {"lease_seconds": LEASE, "runs": [{"run_id": self.run, "fence": self.fence}]}, LEASE / 4)
        if answer and answer["results"][0]["answer"] != "EXTENDED":
            return False
        if answer:
            self.trusted_from = began
        return boot_now() - self.trusted_from < LEASE * 0.8

    def do(self) -> None:
        # The answer to the claim may have been on its way for longer than the lease; then it must be asked for.
        if boot_now() - self.trusted_from > LEASE / 2 and not self.extend():
            return
        JOURNAL.note("begin", **self.facts)
        threading.Thread(target=self.beat, daemon=True).start()
        if self.payload.get("crashes"):
            os.abort()
        self.lost.wait(float(self.payload.get("takes", 0)))
        if self.lost.is_set():
            JOURNAL.note("gave_up", **self.facts)
        else:
            self.finish()
        self.over.set()

    def finish(self) -> None:
        accepted = self.effect()
        JOURNAL.note("end", **self.facts, accepted=accepted)
        failed = self.attempt <= int(self.payload.get("fails", 0))
        report = {"run_id": self.run, "fence": self.fence, "status": "FAILED" if failed else "SUCCEEDED",
                  **({"error": "as told"} if failed else {})}
        end = time.monotonic() + 60
        while time.monotonic() < end:
            answer = call("complete", {"runs": [report]})
            said = answer["results"][0]["answer"] if answer else "RETRY"
            if said != "RETRY":
                JOURNAL.note("answer", **self.facts, answer=said, status=report["status"])
                return
            time.sleep(0.2)

    def effect(self) -> bool | None:
        try:
            ask(SETTINGS["sink"], {"run": self.run, "fence": self.fence, "worker": SETTINGS["name"]}, 30)
            return True
        except urllib.error.HTTPError:
            return False
        except OSError:
            return None


def loop(number: int) -> None:
    while True:
        asked_at = boot_now()
        answer = call("claim", {"worker_id": f"{SETTINGS['name']}-{number}", "job_types": SETTINGS["types"], "max_runs": 4,
                                "lease_seconds": LEASE, "wait_seconds": 5}, 15)
        if answer is None:
            time.sleep(0.1)
            continue
        works = [threading.Thread(target=Work(run, asked_at).do) for run in answer["runs"]]
        for work in works:
            work.start()
        for work in works:
            work.join()


if __name__ == "__main__":
    threads = [threading.Thread(target=loop, args=(number,), daemon=True) for number in range(SETTINGS["threads"])]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
