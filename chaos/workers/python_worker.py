"""The Python client's worker, with a journal: python3 -m chaos.workers.python_worker SETTINGS-AS-JSON

SETTINGS are those of rest_worker; it stays with the first of the servers."""

import json
import pathlib
import sys
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients" / "python"))

from belfry import Client, Context, Worker  # noqa: E402
from chaos.rig.journal import Journal  # noqa: E402

SETTINGS = json.loads(sys.argv[1])
JOURNAL = Journal(pathlib.Path(SETTINGS["journal"]))


def effect(run: Context) -> bool | None:
    body = json.dumps({"run": run.run_id, "fence": run.fence, "worker": SETTINGS["name"]}).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(SETTINGS["sink"], body, method="POST"), timeout=30):
            return True
    except urllib.error.HTTPError:
        return False
    except OSError:
        return None


def work(run: Context) -> None:
    facts = {"run": run.run_id, "fence": run.fence, "worker": SETTINGS["name"], "job": run.job_name, "attempt": run.attempt}
    JOURNAL.note("begin", **facts)
    try:
        run.wait(float((run.payload or {}).get("takes", 0)))
        run.check()
    except BaseException:
        JOURNAL.note("gave_up", **facts)
        raise
    JOURNAL.note("end", **facts, accepted=effect(run))


WORKER = Worker(Client(SETTINGS["servers"][0]), worker_id=SETTINGS["name"], lease=SETTINGS["lease"], concurrency=SETTINGS["threads"], claim_wait=5)
for kind in SETTINGS["types"]:
    WORKER.handle(kind, work)
WORKER.run()
