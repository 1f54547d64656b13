"""What comes back after a node was killed, and how soon: test_recovery.py BELFRY"""

import datetime
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "deliver"))
sys.path.insert(0, str(HERE.parent / "api"))
from endpoint import Endpoint  # noqa: E402
from node import Node, wait_for  # noqa: E402
from postgres import Postgres  # noqa: E402

BELFRY = sys.argv.pop(1) if len(sys.argv) > 1 else ""


def kill(node: Node) -> None:
    os.kill(node.server.process.pid, signal.SIGKILL)
    node.server.process.wait()


class RecoveryTest(unittest.TestCase):
    def test_an_embedded_node_does_not_wait_for_its_own_dead_lease(self) -> None:
        folder = tempfile.mkdtemp(prefix="belfry-recovery-")
        self.addCleanup(shutil.rmtree, folder)
        # Longer than any test waits: without the protection the second node would not own anything.
        store, lease = f"sqlite:{folder}/belfry.db", ("--lease-ttl", "600s", "--lease-renew", "1s")
        node = Node(BELFRY, store, *lease)
        job = node.add({"kind": "WORKER"}, job_type="nobody", every="1s", concurrency_policy="ALLOW")
        wait_for(lambda: node.runs(job))
        kill(node)
        node = Node(BELFRY, store, *lease)
        self.addCleanup(node.stop)
        before = len(node.runs(job))
        wait_for(lambda: len(node.runs(job)) > before)

    def test_what_a_killed_node_had_in_flight_comes_back_with_the_nodes_lease(self) -> None:
        postgres, endpoint = Postgres(), Endpoint()
        self.addCleanup(postgres.stop)
        self.addCleanup(endpoint.close)
        first = Node(BELFRY, postgres.url, "--lease-ttl", "3s", "--lease-renew", "500ms")
        job = first.add({"kind": "HTTP", "url": endpoint.url("/hang")}, timeout="10m")
        wait_for(lambda: endpoint.calls("/hang"))
        second = Node(BELFRY, postgres.url, "--lease-ttl", "3s", "--lease-renew", "500ms")
        self.addCleanup(second.stop)
        lease_until = datetime.datetime.fromisoformat(second.runs(job)[0]["lease_until"].replace("Z", "+00:00"))
        kill(first)
        wait_for(lambda: len(endpoint.calls("/hang")) == 2)
        self.assertLess(datetime.datetime.now(datetime.timezone.utc), lease_until,
                        "it came back only when the run's own lease was over")
        attempt = wait_for(lambda: second.run(second.runs(job)[0])["attempt_history"])[0]
        self.assertEqual(attempt["outcome"], "LEASE_LOST")
        self.assertEqual(attempt["error"], "the node that worked on it is gone")

    def test_bulk_work_of_a_killed_node_goes_on_from_where_it_was(self) -> None:
        postgres = Postgres()
        self.addCleanup(postgres.stop)
        first, second = Node(BELFRY, postgres.url), Node(BELFRY, postgres.url)
        self.addCleanup(second.stop)
        names = [f"many-{i}" for i in range(10_000)]
        first.call("POST", "/jobs:batch", {"jobs": [{"job_name": name, "every": "1h"} for name in names]})
        work = first.call("POST", "/jobs:bulk", {"action": "pause", "selector": {"name_prefix": "many-"}, "note": "why"})
        self.assertEqual(work["total"], len(names))
        path = f"/bulk/{work['bulk_id']}"
        wait_for(lambda: second.call("GET", path)["done"] > 0)
        kill(first)
        left = second.call("GET", path)
        self.assertEqual(left["state"], "RUNNING", "it was over before the kill: nothing was tested")
        done = wait_for(lambda: (now := second.call("GET", path))["state"] == "DONE" and now)
        self.assertEqual((done["done"], done["skipped"], done["failed"]), (len(names), 0, 0))
        rows: list[str] = []
        cursor = ""
        while cursor is not None:
            page = second.call("GET", f"/audit?limit=1000{cursor and '&cursor=' + urllib.parse.quote(cursor)}")
            rows += [row["object"] for row in page["items"] if row["action"] == "job.pause"]
            cursor = page["next_cursor"]
        self.assertEqual((len(rows), len(set(rows))), (len(names), len(names)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
