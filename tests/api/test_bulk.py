"""Work on many jobs or runs by one call: test_bulk.py BELFRY sqlite|postgres"""

import sys
import time
import unittest

from harness import PATIENCE
from world import World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World


def setUpModule() -> None:
    global WORLD
    WORLD = World(BELFRY, STORE)


def tearDownModule() -> None:
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def finished(operation: str, body: dict, **parts: object) -> dict:
    """The work once it is over."""
    begun = WORLD.call(operation, body=body, expect=202, **parts)
    work = begun.json
    assert begun.headers["location"] == f"/api/v1/bulk/{work['bulk_id']}"
    end = time.monotonic() + PATIENCE
    while work["state"] == "RUNNING":
        assert time.monotonic() < end, work
        time.sleep(0.02)
        work = WORLD.call("getBulk", path={"bulk": work["bulk_id"]}).json
    return work


class Bulk(unittest.TestCase):
    def setUp(self) -> None:
        self.prefix = WORLD.name() + "."
        jobs = [{"job_name": f"{self.prefix}{i}", "every": "1h", "labels": {"n": str(i)}} for i in range(3)]
        WORLD.call("putJobs", body={"jobs": jobs})
        self.selector = {"name_prefix": self.prefix}

    def jobs(self) -> list[dict]:
        return WORLD.call("listJobs", query={"q": self.prefix}).json["items"]

    def statuses(self) -> list[str]:
        return [job["status"] for job in self.jobs()]

    def test_a_dry_run_counts_and_changes_nothing(self) -> None:
        selector = {**self.selector, "labels": ["n in (0,1)", "n!=1"]}
        answer = WORLD.call("changeJobs", expect=200, body={"action": "delete", "selector": selector, "dry_run": True}).json
        self.assertEqual((answer["matched"], answer["exact"]), (1, True))
        self.assertEqual([job["job_name"] for job in answer["samples"]], [f"{self.prefix}0"])
        self.assertEqual(self.statuses(), ["ACTIVE"] * 3)

    def test_jobs_are_paused_resumed_labelled_cancelled_and_deleted(self) -> None:
        until = "2099-01-01T00:00:00Z"
        work = finished("changeJobs", {"action": "pause", "selector": self.selector, "until": until, "note": "upgrade"})
        self.assertEqual((work["total"], work["done"], work["skipped"], work["failed"]), (3, 3, 0, 0))
        paused = WORLD.call("getJob", path={"job": f"name:{self.prefix}0"}).json["paused"]
        self.assertEqual((paused["until"], paused["note"]), (until, "upgrade"))
        again = finished("changeJobs", {"action": "pause", "selector": self.selector})
        self.assertEqual((again["done"], again["skipped"]), (0, 3))
        finished("changeJobs", {"action": "resume", "selector": {**self.selector, "status": "PAUSED"}})
        self.assertEqual(self.statuses(), ["ACTIVE"] * 3)
        finished("changeJobs", {"action": "label", "selector": self.selector, "set": {"team": self.prefix}, "remove": ["n"]})
        self.assertEqual([job["labels"] for job in self.jobs()], [{"team": self.prefix}] * 3)
        finished("changeJobs", {"action": "cancel", "selector": {"labels": [f"team={self.prefix}"]}})
        self.assertEqual(self.statuses(), ["CANCELLED"] * 3)
        finished("changeJobs", {"action": "delete", "selector": self.selector})
        self.assertEqual(self.jobs(), [])

    def test_each_job_has_its_row_in_the_audit(self) -> None:
        finished("changeJobs", {"action": "cancel", "selector": self.selector, "note": "why"})
        rows = [row for row in WORLD.call("listAudit", query={"limit": 50}).json["items"] if row["action"] == "job.cancel"]
        named = {row["detail"]["job_name"]: row["detail"]["note"] for row in rows}
        for i in range(3):
            self.assertEqual(named[f"{self.prefix}{i}"], "why")

    def test_waiting_runs_are_kept_unless_told_otherwise(self) -> None:
        for ready_runs, state in ((None, "READY"), ("cancel", "CANCELLED")):
            job = WORLD.job()
            run = WORLD.call("triggerJob", path={"job": job["job_id"]}, body={}).json
            body = {"action": "delete", "selector": {"name_prefix": job["job_name"]}}
            finished("changeJobs", {**body, **({"ready_runs": ready_runs} if ready_runs else {})})
            self.assertEqual(WORLD.call("getRun", path={"run": run["run_id"]}).json["state"], state)

    def test_one_job_is_cancelled_with_its_waiting_runs(self) -> None:
        job = WORLD.job()
        run = WORLD.call("triggerJob", path={"job": job["job_id"]}, body={}).json
        WORLD.call("cancelJob", path={"job": job["job_id"]}, body={"ready_runs": "cancel"})
        self.assertEqual(WORLD.call("getRun", path={"run": run["run_id"]}).json["state"], "CANCELLED")

    def test_runs_are_triggered_cancelled_and_retried(self) -> None:
        self.assertEqual(finished("changeJobs", {"action": "trigger", "selector": self.selector})["done"], 3)
        job = self.jobs()[0]["job_id"]
        work = finished("changeRuns", {"action": "cancel", "selector": {"state": "READY", "job_id": job}})
        self.assertEqual((work["object"], work["done"]), ("runs", 1))
        work = finished("changeRuns", {"action": "retry", "selector": {"state": "CANCELLED", "job_id": job}})
        self.assertEqual(work["done"], 1)
        runs = WORLD.call("listJobRuns", path={"job": job}).json["items"]
        self.assertEqual([run["state"] for run in runs], ["READY"])

    def test_many_retries_feed_no_command(self) -> None:
        job = self.jobs()[0]["job_id"]
        for payload in ({}, {"payload": {"chosen": True}}):
            run = WORLD.call("triggerJob", path={"job": job}, body=payload).json["run_id"]
            WORLD.call("cancelRun", path={"run": run}, body={})
        WORLD.call("patchJob", path={"job": job}, body={"target": {"kind": "EXEC", "command": ["true"]}})
        work = finished("changeRuns", {"action": "retry", "selector": {"state": "CANCELLED", "job_id": job}})
        self.assertEqual((work["done"], work["failed"]), (1, 1))
        self.assertIn("`exec`", work["error"])

    def test_a_repeated_call_is_the_same_work(self) -> None:
        body, key = {"action": "trigger", "selector": self.selector}, {"Idempotency-Key": WORLD.name()}
        first = finished("changeJobs", body, headers=key)
        self.assertEqual(WORLD.call("changeJobs", body=body, headers=key, expect=202).json["bulk_id"], first["bulk_id"])
        other = WORLD.call("changeJobs", body={**body, "action": "resume"}, headers=key, expect=422)
        self.assertEqual(other.json["code"], "idempotency_key_reused")

    def test_work_is_listed_and_others_do_not_see_it(self) -> None:
        works = [finished("changeJobs", {"action": "resume", "selector": self.selector})["bulk_id"] for _ in range(2)]
        page = WORLD.call("listBulk", query={"limit": 1}).json
        self.assertEqual(page["items"][0]["bulk_id"], works[1])
        page = WORLD.call("listBulk", query={"limit": 1, "cursor": page["next_cursor"]}).json
        self.assertEqual(page["items"][0]["bulk_id"], works[0])
        stopped = WORLD.call("stopBulk", path={"bulk": works[0]}, body={}).json
        self.assertEqual(stopped["state"], "DONE")
        for operation in ("getBulk", "stopBulk"):
            WORLD.call(operation, path={"bulk": "999999"}, expect=404)
            WORLD.call(operation, path={"bulk": "x"}, expect=404)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
