"""Hundreds of hostile requests: each is refused in due form, none changes anything, the server lives: test_hostile.py BELFRY sqlite|postgres"""

import itertools
import sys
import unittest

from harness import DOCUMENT, Answer, send_raw
from hostile import Attack, all_attacks
from world import World

BELFRY, STORE = sys.argv[1], sys.argv[2]


class Hostile(unittest.TestCase):
    def setUp(self) -> None:
        self.world = World(BELFRY, STORE)
        self.addCleanup(self.world.stop)
        self.numbers = itertools.count()

    def all_jobs(self) -> list[dict]:
        jobs = []
        for tenant in ("acme", "rival", "default"):
            page = self.world.call("listJobs", headers={"Belfry-Tenant": tenant}, query={"limit": 1000}).json
            self.assertIsNone(page["next_cursor"])
            jobs += page["items"]
        return jobs

    def send(self, attack: Attack) -> tuple[Answer | None, bytes]:
        key = self.world.clients["admin"].key
        data = attack.data.replace(b"@key", f"Authorization: Bearer {key}".encode())
        # A fresh name of the same length: a job that slipped through must not shield the next.
        data = data.replace(b"hostile", b"h%06d" % next(self.numbers))
        return send_raw(self.world.server.address, data, attack.cut_off)

    def check(self, attack: Attack) -> None:
        answer, rest = self.send(attack)
        if answer is None:
            self.assertTrue(attack.may_close, "closed without an answer")
            return
        self.assertTrue(400 <= answer.status < 500, (answer.status, answer.body[:300]))
        self.assertEqual(answer.kind, "application/problem+json")
        self.assertEqual(DOCUMENT.complaints({"$ref": "#/components/schemas/Problem"}, answer.json), [])
        self.assertNotRegex(rest[:200], rb"^HTTP/1.1 2")

    def test_each_is_refused_and_nothing_changes(self) -> None:
        self.world.job(cron_expression="0 3 1 1 *")  # seldom, so that its next tick does not change
        before, attacks = self.all_jobs(), all_attacks()
        self.assertGreaterEqual(len(attacks), 200)
        for attack in attacks:
            with self.subTest(attack.what):
                self.check(attack)
                self.assertTrue(self.world.server.alive(), "the server died")
        self.assertEqual(self.all_jobs(), before)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
