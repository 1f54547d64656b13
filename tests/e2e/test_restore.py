"""A store that was brought back from a backup: test_restore.py BELFRY sqlite|postgres"""

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "deliver"), str(HERE.parent / "api")]
from node import Node, wait_for  # noqa: E402
from stores import Database, Embedded, store_named  # noqa: E402

BELFRY, STORE = os.path.abspath(sys.argv.pop(1)), sys.argv.pop(1)


def belfry(*words: str, code: int = 0) -> tuple[str, str]:
    done = subprocess.run([BELFRY, *words], text=True, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


class Restored(unittest.TestCase):
    def setUp(self) -> None:
        self.store = store_named(STORE)
        self.addCleanup(self.store.close)
        self.backup = self.store.folder / "backup"

    def node(self, address: str) -> Node:
        # A short lease: a node that was killed must be forgotten before its store may be restored.
        off = ("--with-worker", "off") if STORE == "sqlite" else ()
        node = Node(BELFRY, address, "--lease-ttl", "3s", "--lease-renew", "500ms", *off)
        self.addCleanup(node.stop)
        return node

    def back_up(self) -> None:
        if isinstance(self.store, Database):
            self.store.program("pg_dump", "--format=custom", f"--file={self.backup}", self.store.address)
        else:
            belfry("backup", str(self.backup), "--store", self.store.address)

    def bring_back(self, missed: str) -> Embedded | Database:
        """Somewhere else."""
        if isinstance(self.store, Database):
            name = f"restored_{missed}"
            self.store.program("createdb", "--encoding=UTF8", "--template=template0", name)
            other: Embedded | Database = Database(self.store.server, name)
            self.store.program("pg_restore", "--no-owner", "--exit-on-error", f"--dbname={name}", str(self.backup))
            wait_for(lambda: self.recovered(other, missed))
        else:
            other = Embedded()
            belfry("recover", str(self.backup), "--store", other.address, "--missed", missed)
        self.addCleanup(other.close)
        return other

    def recovered(self, other: Embedded | Database, missed: str) -> bool:
        """Not yet while the node that was alive at the time of the backup has its lease in there."""
        words = [BELFRY, "recover", "--store", other.address, "--missed", missed]
        done = subprocess.run(words, text=True, capture_output=True, timeout=120, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == 0 or "is alive on this store" in done.stderr, (words, done)
        return done.returncode == 0

    def claim(self, node: Node) -> list[dict[str, Any]]:
        body = {"worker_id": "w", "job_types": ["nobody"], "max_runs": 100, "wait_seconds": 20, "lease_seconds": 600}
        return node.call("POST", "/runs:claim", body)["runs"]

    def complete(self, node: Node, run: dict[str, Any]) -> dict[str, Any]:
        report = {"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED"}
        return node.call("POST", "/runs:complete", {"runs": [report]})["results"][0]

    def ledger(self, node: Node) -> list[dict[str, Any]]:
        return node.call("GET", "/jobs/name:steady/ticks?limit=1000")["items"]


class Restore(Restored):
    def test_the_ticks_since_the_backup_get_the_fate_that_was_asked_for(self) -> None:
        node = self.node(self.store.address)
        node.call("POST", "/jobs", {"job_name": "steady", "every": "1s", "job_type": "nobody", "concurrency_policy": "ALLOW",
                                    "misfire_policy": "SKIP"})
        wait_for(lambda: len(self.ledger(node)) >= 3)
        held = self.claim(node)[0]  # in somebody's hands when the backup is made
        self.back_up()
        backed_up = max(each["scheduled_for"] for each in self.ledger(node))
        wait_for(lambda: sum(each.get("scheduled_for", "") > backed_up for each in self.ledger(node)) >= 5)
        after = self.claim(node)  # under fences that the backup does not know
        newest = max(each["scheduled_for"] for each in self.ledger(node))
        node.stop()

        for missed in ("skip", "latest", "all"):
            with self.subTest(missed):
                restored = self.bring_back(missed)
                node = self.node(restored.address)
                wait_for(lambda: any(each.get("scheduled_for", "") > newest for each in self.ledger(node)))
                entries = self.ledger(node)
                skips = [each for each in entries if each["kind"] == "SKIP"]
                between = [each for each in entries if each["kind"] == "RUN" and backed_up < each["scheduled_for"] <= newest]
                if missed == "all":
                    self.assertEqual(skips, [])
                    self.assertGreaterEqual(len(between), 5)
                    self.assertLessEqual({run["run_id"] for run in after if run["scheduled_for"] > backed_up}, {each["run_id"] for each in between})
                else:
                    self.assertEqual(between, [])  # the newest of all since the backup is younger than what we had seen
                    self.assertEqual({each["reason"] for each in skips}, {"restored"})
                    self.assertGreaterEqual(sum(each["count"] for each in skips), 5)
                belfry("verify", "steady", "--server", f"http://{node.server.address}")  # the ledger holds, whatever was chosen
                # What was in hands is taken back, and whoever held it is told.
                self.assertEqual(self.complete(node, held)["answer"], "FENCED")
                again = {run["run_id"]: run for run in wait_for(lambda: self.claim(node))}
                wait_for(lambda: again.update({run["run_id"]: run for run in self.claim(node)}) or held["run_id"] in again)
                self.assertGreater(min(run["fence"] for run in again.values()), max(run["fence"] for run in after))
                node.stop()

    def test_a_store_in_use_is_not_restored(self) -> None:
        node = self.node(self.store.address)
        node.call("POST", "/jobs", {"job_name": "steady", "every": "1s", "job_type": "nobody"})
        self.back_up()
        file = [] if STORE == "postgres" else [str(self.backup)]
        _, told = belfry("recover", *file, "--store", self.store.address, "--missed", "skip", code=4)
        self.assertIn("stop", told)
        wait_for(lambda: len(self.ledger(node)) >= 2)  # and it goes on
        node.stop()
        _, told = belfry("recover", *file, "--store", self.store.address, code=2)
        self.assertIn("--missed", told)

    def test_what_was_registered_since_has_its_ids_to_itself(self) -> None:
        node = self.node(self.store.address)
        node.call("POST", "/jobs", {"job_name": "before", "every": "1h"})
        self.back_up()
        lost = node.call("POST", "/jobs", {"job_name": "lost", "every": "1h"})
        node.stop()
        node = self.node(self.bring_back("skip").address)
        other = node.call("POST", "/jobs", {"job_name": "other", "every": "1h"})
        self.assertGreater(int(other["job_id"], 16) >> 16, int(lost["job_id"], 16) >> 16)


@unittest.skipUnless(STORE == "sqlite", "the embedded store")
class InPlace(Restored):
    """The embedded store is replaced as a whole, or not at all."""

    def test_the_store_of_before_is_kept(self) -> None:
        node = self.node(self.store.address)
        node.call("POST", "/jobs", {"job_name": "before", "every": "1h"})
        self.back_up()
        node.call("POST", "/jobs", {"job_name": "since", "every": "1h"})
        os.kill(node.server.process.pid, signal.SIGKILL)  # its log is still beside it
        node.server.process.wait()
        belfry("recover", str(self.backup), "--store", self.store.address, "--missed", "skip")
        node = self.node(self.store.address)
        self.assertEqual([job["job_name"] for job in node.call("GET", "/jobs")["items"]], ["before"])
        node.stop()
        _, told = belfry("recover", str(self.backup), "--store", self.store.address, "--missed", "skip", code=4)
        self.assertIn("replaced", told)
        node = self.node(f"{self.store.address}.replaced")
        self.assertEqual([job["job_name"] for job in node.call("GET", "/jobs")["items"]], ["before", "since"])

    def test_what_is_no_backup_changes_nothing(self) -> None:
        node = self.node(self.store.address)
        node.call("POST", "/jobs", {"job_name": "before", "every": "1h"})
        node.stop()
        self.backup.write_text("not a database", "utf-8")
        subprocess_code = subprocess.run([BELFRY, "recover", str(self.backup), "--store", self.store.address, "--missed", "skip"],
                                         capture_output=True, check=False).returncode
        self.assertNotEqual(subprocess_code, 0)
        node = self.node(self.store.address)
        self.assertEqual([job["job_name"] for job in node.call("GET", "/jobs")["items"]], ["before"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
