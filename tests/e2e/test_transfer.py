"""All that is defined goes from one store to another: test_transfer.py BELFRY FROM TO, each sqlite or postgres"""

import os
import pathlib
import subprocess
import sys
import unittest
from typing import Any

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "deliver"), str(HERE.parent / "api")]
from endpoint import Endpoint  # noqa: E402
from harness import SECRETS_KEY  # noqa: E402
from node import Node  # noqa: E402
from stores import store_named  # noqa: E402

BELFRY, FROM, TO = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1), sys.argv.pop(1)
# What the new store gives anew.
ITS_OWN = {"job_id", "version", "created_at", "updated_at", "next_scheduled_run", "last_run"}
JOBS = [
    {"cron_expression": "17 3 * * 1-5", "timezone": "America/New_York", "calendar": "holidays", "labels": {"env": "prod", "team": "a"}},
    {"every": "90s", "start_at": "2026-01-01T00:00:07Z", "jitter": "10s", "priority": 7, "max_attempts": 9},
    {"run_at": "2099-01-01T00:00:00Z", "description": "once, far away", "misfire_policy": "FIRE_ALL"},
    {"cron_expression": "H H * * *", "job_type": "mail", "concurrency_policy": "ALLOW", "max_concurrent": 3},
    {"cron_expression": "0 0 1 1 *", "target": {"kind": "EXEC", "command": ["sh", "-c", "echo 'a b'"]}, "timeout": "90s"},
]


def belfry(*words: str, code: int = 0, **environment: str) -> tuple[str, str]:
    done = subprocess.run([BELFRY, *words], text=True, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment})
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


class Transfer(unittest.TestCase):
    def setUp(self) -> None:
        self.endpoint = Endpoint()
        self.old, self.new = store_named(FROM), store_named(TO)
        for each in (self.endpoint, self.old, self.new):
            self.addCleanup(each.close)
        self.file = self.old.folder / "belfry.jsonl"

    def node(self, address: str, **more: Any) -> Node:
        node = Node(BELFRY, address, **more)
        self.addCleanup(node.stop)
        return node

    def old_keys(self) -> str:
        if FROM == "postgres":
            return SECRETS_KEY
        return pathlib.Path(f"{self.old.path}.key").read_text()

    def fill(self) -> dict[str, Any]:
        """Makes something of each kind; returns the jobs by name, as the API shows them."""
        node = self.node(self.old.address)
        node.call("PUT", "/calendars/holidays", {"rules": ["SAT", "SUN", "25 DEC *"]})
        node.call("PUT", "/types/mail", {"max_concurrent": 5, "rate": "10/s", "defaults": {"timeout": "2m"}})
        node.call("PUT", "/secrets/token", {"value": "kept canary"})
        node.call("PUT", "/alerts/rules/watch", {"when": "failed_in_a_row", "count": 2, "to": [
            {"kind": "HTTP", "url": self.endpoint.url("/alert"), "secret": "alert canary"}]})
        for number, job in enumerate(JOBS):
            node.call("POST", "/jobs", {"job_name": f"job-{number}", "payload": {"n": number, "tenth": 0.1}, **job})
        node.call("POST", "/jobs", {"job_name": "hook", "cron_expression": "0 0 1 1 *", "payload": "x" * 1000, "target": {
            "kind": "HTTP", "url": self.endpoint.url("/ok/hook"), "secret": "canary",
            "headers": {"X-Key": "header canary", "X-Token": {"secret_ref": "token"}}}})
        node.call("POST", "/jobs/name:job-1/pause", {"note": "moving"})
        jobs = self.jobs(node)
        node.stop()
        return jobs

    def jobs(self, node: Node) -> dict[str, Any]:
        listed = node.call("GET", "/jobs?limit=1000")["items"]
        return {job["job_name"]: node.call("GET", f"/jobs/{job['job_id']}") for job in listed}

    def export(self) -> str:
        text, report = belfry("export", "--all", "--store", self.old.address)
        self.file.write_text(text)
        return report

    def bring_in(self, code: int = 0, keys: str | None = None) -> str:
        file = self.old.folder / "keys"
        file.write_text(SECRETS_KEY + "\n" + (self.old_keys() if keys is None else keys))
        return belfry("import", "all", str(self.file), "--store", self.new.address, "--missed", "skip", code=code,
                      BELFRY_SECRETS_KEY_FILE=str(file))[1]

    def test_everything_arrives_job_by_job(self) -> None:
        before = self.fill()
        self.assertIn("6 jobs", self.export())
        self.assertNotIn("canary", self.file.read_text())
        report = self.bring_in()
        self.assertIn("1 secret, 1 calendar, 1 job type, 1 alert rule, 6 jobs", report.splitlines()[0])
        node = self.node(self.new.address, environment={"BELFRY_SECRETS_KEY": SECRETS_KEY})
        after = self.jobs(node)
        self.assertEqual(after.keys(), before.keys())
        for name, job in before.items():
            self.assertEqual({field: value for field, value in after[name].items() if field not in ITS_OWN | {"paused"}},
                             {field: value for field, value in job.items() if field not in ITS_OWN | {"paused"}}, name)
            self.assertEqual(after[name]["next_scheduled_run"], job["next_scheduled_run"], name)
        self.assertEqual(after["job-1"]["paused"]["note"], "moving")
        self.assertEqual(node.call("GET", "/calendars/holidays")["rules"], ["SAT", "SUN", "25 DEC *"])
        self.assertEqual(node.call("GET", "/types/mail")["rate"], "10/s")
        # Secrets, the job's own and the kept one, are what they were.
        node.call("POST", "/jobs/name:hook/trigger", {})
        self.assertEqual(node.ended(after["hook"])["state"], "SUCCEEDED")
        call = self.endpoint.calls("/ok/hook")[0]
        self.assertEqual((call.headers["x-key"], call.headers["x-token"]), ("header canary", "kept canary"))
        self.assertIn("webhook-signature", call.headers)
        rule = node.call("GET", "/alerts/rules/watch")
        self.assertEqual((rule["when"], rule["count"]), ("failed_in_a_row", 2))

    def test_a_second_import_and_one_into_a_used_store_change_nothing(self) -> None:
        self.fill()
        self.export()
        self.bring_in()
        node = self.node(self.new.address, environment={"BELFRY_SECRETS_KEY": SECRETS_KEY})
        node.call("PATCH", "/jobs/name:job-0", {"description": "mine now"})
        before = self.jobs(node)
        made, there, *_ = self.bring_in().splitlines()
        self.assertIn("0 jobs", made)
        self.assertIn("6 jobs", there)
        self.assertEqual({name: job["version"] for name, job in self.jobs(node).items()},
                         {name: job["version"] for name, job in before.items()})

    def test_without_the_old_keys_nothing_is_written(self) -> None:
        self.fill()
        self.export()
        if self.old_keys().strip() == SECRETS_KEY:
            self.skipTest("both have the same key")
        self.assertIn("sealed with the key", self.bring_in(code=2, keys=""))
        node = self.node(self.new.address, environment={"BELFRY_SECRETS_KEY": SECRETS_KEY})
        self.assertEqual(self.jobs(node), {})


if __name__ == "__main__":
    unittest.main()
