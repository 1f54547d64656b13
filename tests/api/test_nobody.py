"""Who may call without a key, and until when: test_nobody.py BELFRY"""

import sys
import time
import unittest

from harness import DOCUMENT, PATIENCE, Client, Request, Server

BELFRY = sys.argv[1]
LIST, UNLIMIT = DOCUMENT.operations["listJobs"], DOCUMENT.operations["putTenant"]
SERVER: Server


def setUpModule() -> None:
    global SERVER
    SERVER = Server(BELFRY)


def tearDownModule() -> None:
    assert SERVER.stop() == 0, "".join(SERVER.log[-20:])


class Nobody(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(SERVER.address)
        self.port = SERVER.address.split(":")[1]

    def test_1_only_this_machine_is_served(self) -> None:
        for host in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]", "127.0.0.1:80", f"localhost:{self.port}"):
            self.client.call("listJobs", headers={"Host": host})
        for host in ("attacker.example", f"attacker.example:{self.port}", "127.attacker.example", "127.0.0.1.nip.io", "", "10.0.0.1"):
            answer = self.client.call("listJobs", expect=403, headers={"Host": host}).json
            self.assertIn("Host", answer["detail"])

    def test_1_pages_of_other_sites_are_refused(self) -> None:
        self.client.call("listJobs", headers={"Origin": f"http://{SERVER.address}"})
        for origin in ("http://attacker.example", "null", f"http://localhost:{self.port}", "http://127.0.0.1:1"):
            answer = self.client.call("triggerJob", expect=403, path={"job": "name:x"}, headers={"Origin": origin}).json
            self.assertIn("another site", answer["detail"])

    def test_1_the_rate_limit_holds_without_a_key(self) -> None:
        for tenant, headers in (("default", {}), ("other", {"Belfry-Tenant": "other"})):
            self.client.call("putTenant", path={"tenant": tenant}, body={"max_requests": 2})
            statuses = [self.client.exchange(LIST, Request("listJobs", headers=headers)).status for _ in range(20)]
            self.assertEqual(set(statuses), {200, 429})
            refused = self.client.call("listJobs", expect=429, headers=headers)
            self.assertEqual(refused.headers["ratelimit-policy"], f'"{tenant}";q=2;w=1')
            deadline = time.monotonic() + PATIENCE
            while self.client.exchange(UNLIMIT, Request("putTenant", path={"tenant": tenant}, body={})).status != 200:
                self.assertLess(time.monotonic(), deadline)

    def test_2_the_first_key_is_an_admins(self) -> None:
        refused = self.client.call("createKey", expect=409, body={"name": "me", "scope": "operator"}).json
        self.assertEqual(refused["code"], "first_key")
        self.client.call("listJobs")

    def test_3_the_door_does_not_open_again(self) -> None:
        key = self.client.call("createKey", body={"name": "me", "scope": "admin"}).json
        admin = Client(SERVER.address, key["secret"])
        self.client.call("listJobs", expect=401)
        admin.call("listJobs", headers={"Host": "belfry.example", "Origin": "http://elsewhere.example"})
        admin.call("revokeKey", path={"key": key["key_id"]})
        self.client.call("listJobs", expect=401)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
