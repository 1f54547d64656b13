"""Whoever changes the audit afterwards is found out: test_audit.py BELFRY sqlite|postgres"""

import json
import os
import sqlite3
import subprocess
import sys
import unittest
import urllib.request

from node import PATIENCE, Node, wait_for

BELFRY, STORE = sys.argv[1], sys.argv[2]


class AuditTest(unittest.TestCase):
    def setUp(self) -> None:
        self.node = Node(BELFRY, STORE)
        self.addCleanup(self.node.stop)

    def cli(self, *words: str, key: str = "") -> subprocess.CompletedProcess:
        environment = {**os.environ, "BELFRY_SERVER": f"http://{self.node.server.address}"}
        if key:
            environment["BELFRY_TOKEN"] = key
        return subprocess.run([BELFRY, *words], capture_output=True, text=True, timeout=PATIENCE, env=environment)

    def execute(self, sql: str) -> None:
        """What somebody does who can write to the database."""
        if self.node.server.postgres:
            subprocess.run(["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, self.node.server.postgres.url], check=True)
            return
        with sqlite3.connect(os.path.join(self.node.server.folder, "belfry.db"), timeout=PATIENCE) as database:
            database.execute(sql)

    def verified(self) -> dict:
        return json.loads(self.cli("audit", "verify", "-o", "json").stdout)

    def chain_of(self, jobs: int) -> None:
        for number in range(jobs):
            self.node.call("PUT", f"/jobs/name:job-{number}", {"every": "1h"})
        wait_for(lambda: self.verified()["checked"] >= jobs)

    def test_a_chain_that_nobody_touched_is_whole(self) -> None:
        self.chain_of(3)
        whole = self.cli("audit", "verify")
        self.assertEqual(whole.returncode, 0, whole.stdout)
        self.assertRegex(whole.stdout, r"3 rows are as they were written; none wait .*\nhead 3:[0-9a-f]{64}\n")

    def test_each_kind_of_change_is_named(self) -> None:
        self.chain_of(6)
        rows = [json.loads(line)["seq"] for line in self.cli("audit", "export").stdout.splitlines()][::-1]
        self.execute(f"update audit set actor = 'somebody else' where seq = {rows[1]}")
        self.execute(f"delete from audit where seq = {rows[2]}")
        self.execute("delete from audit_links where position = 5")
        found = self.verified()["flaws"]
        self.assertEqual([(flaw["kind"], flaw["seq"], flaw["position"]) for flaw in found],
                         [("CHANGED", rows[1], 2), ("MISSING", rows[2], 3), ("LINK_BROKEN", rows[5], 6)])
        told = self.cli("audit", "verify")
        self.assertEqual(told.returncode, 1)
        self.assertIn(f"row {rows[1]} was changed", told.stdout)
        self.assertIn(f"row {rows[2]} is missing", told.stdout)

    def test_what_is_cut_off_at_the_end_shows_by_a_noted_head(self) -> None:
        self.chain_of(4)
        head = self.cli("audit", "verify").stdout.rpartition("head ")[2].strip()
        self.assertRegex(head, "^4:[0-9a-f]{64}$")
        whole = self.cli("audit", "verify", "--head", head)
        self.assertEqual((whole.returncode, whole.stderr), (0, ""), whole.stdout)
        self.assertIn("goes through the noted head", whole.stdout)
        self.execute("delete from audit where seq >= (select seq from audit_links where position = 3)")
        self.execute("delete from audit_links where position >= 3")
        self.assertEqual(self.cli("audit", "verify").returncode, 0)  # by itself the rest fits
        cut = self.cli("audit", "verify", "--head", head)
        self.assertEqual(cut.returncode, 1)
        self.assertIn("no longer reaches the head that you noted: position 4 is gone", cut.stdout)
        for number in range(2):  # what comes later takes the places, with other hashes
            self.node.call("PUT", f"/jobs/name:later-{number}", {"every": "1h"})
        wait_for(lambda: self.verified()["checked"] == 4)
        other = self.cli("audit", "verify", "--head", head)
        self.assertEqual(other.returncode, 1)
        self.assertIn("not the one whose head you noted: at position 4", other.stdout)
        self.execute("delete from audit_links where position < 2")
        old = self.cli("audit", "verify", "--head", f"1:{'0' * 64}")
        self.assertEqual(old.returncode, 1)
        self.assertIn("cannot be checked", old.stdout)
        self.assertIn("--head", self.cli("audit", "verify", "--head", "4:abc").stderr)

    def test_a_name_does_not_drive_the_terminal_of_who_reads_it(self) -> None:
        self.node.call("POST", "/jobs", {"job_name": "pay\u202elortap", "every": "1h"})
        for words in (("audit", "export"), ("export",), ("ls", "-o", "yaml"), ("ls",)):
            said = self.cli(*words).stdout
            self.assertIn("lortap", said, words)
            self.assertNotIn("\u202e", said, words)

    def test_it_says_who_what_and_from_where_also_of_what_was_refused(self) -> None:
        admin = self.node.call("POST", "/keys", {"name": "boss", "scope": "admin"})
        made = self.cli("keys", "create", "looker", "--scope", "viewer", "-o", "json", key=admin["secret"])
        viewer = json.loads(made.stdout)
        self.assertNotEqual(self.cli("keys", "create", "more", key=viewer["secret"]).returncode, 0)
        self.cli("add", "a", "--every", "1h", key=admin["secret"])
        self.cli("add", "b", "--every", "1h", key=admin["secret"])
        request = urllib.request.Request(f"http://{self.node.server.address}/api/v1/jobs/name:a", b'{"every": "2h"}',
                                         {"Content-Type": "application/merge-patch+json",
                                          "Authorization": "Bearer " + admin["secret"]}, method="PATCH")
        urllib.request.urlopen(request, timeout=PATIENCE).close()
        rows = [json.loads(line) for line in self.cli("audit", "export", key=admin["secret"]).stdout.splitlines()]
        refused = next(row for row in rows if row["action"] == "call.refused")
        self.assertEqual((refused["actor"], refused["object"]), ("key:looker", "call:POST /api/v1/keys"))
        self.assertEqual((refused["detail"]["key_id"], refused["detail"]["address"]), (viewer["key_id"], "127.0.0.1"))
        update = next(row for row in rows if row["action"] == "job.update")
        self.assertEqual((update["actor"], update["detail"]["key_id"]), ("key:boss", admin["key_id"]))
        self.assertEqual((update["detail"]["before"], update["detail"]["after"]), ({"every": "1h"}, {"every": "2h"}))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
