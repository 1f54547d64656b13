"""What comes back after a node was killed, and how soon: test_recovery.py BELFRY"""

import datetime
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest

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


if __name__ == "__main__":
    unittest.main(verbosity=2)
