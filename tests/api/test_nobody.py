"""Who may call without a key, and until when: test_nobody.py BELFRY"""

import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from harness import DOCUMENT, PATIENCE, Client, Request, Server

BELFRY = sys.argv[1]
LIST, UNLIMIT = DOCUMENT.operations["listJobs"], DOCUMENT.operations["putTenant"]
NOBODY = 65534
EXEC = '{"every": "1d", "target": {"kind": "EXEC", "command": ["id"]}}'
FOLDER = tempfile.TemporaryDirectory(prefix="belfry-nobody-")
SERVER: Server


def setUpModule() -> None:
    global SERVER
    SERVER = Server(BELFRY, f"sqlite:{FOLDER.name}/belfry.db", ("--data-dir", FOLDER.name))


def tearDownModule() -> None:
    assert SERVER.stop() == 0, "".join(SERVER.log[-20:])
    FOLDER.cleanup()


def call_as(user: int, path: str, *curl: str) -> int:
    """The status of a call that a program of this user makes."""
    command = ["curl", "-s", "-o", os.devnull, "-w", "%{http_code}", f"http://{SERVER.address}/api/v1{path}", *curl]
    return int(subprocess.run(command, user=user, capture_output=True, text=True, check=True, timeout=PATIENCE).stdout)


def owner_token() -> str:
    return pathlib.Path(FOLDER.name, "owner.token").read_text(encoding="ascii").split()[0]


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

    @unittest.skipIf(os.getuid() != 0, "only root can be somebody else")
    def test_1_other_users_of_the_machine_are_refused(self) -> None:
        self.assertEqual(call_as(NOBODY, "/jobs"), 401)
        self.assertEqual(call_as(NOBODY, "/jobs/name:theirs", "-X", "PUT", "-d", EXEC), 401)
        self.client.call("getJob", expect=404, path={"job": "name:theirs"})
        self.assertEqual(call_as(0, "/jobs"), 200)

    @unittest.skipIf(os.getuid() != 0, "only root can be somebody else")
    def test_1_the_token_in_the_folder_proves_the_owner(self) -> None:
        self.assertEqual(pathlib.Path(FOLDER.name, "owner.token").stat().st_mode & 0o777, 0o600)
        self.assertEqual(call_as(NOBODY, "/jobs", "-H", f"Authorization: Bearer {owner_token()}"), 200)
        self.assertEqual(call_as(NOBODY, "/jobs", "-H", f"Authorization: Bearer {owner_token()}x"), 401)

    @unittest.skipIf(os.getuid() != 0, "only root can be somebody else")
    def test_1_a_link_signs_the_owner_in_once(self) -> None:
        code = self.client.call("drawSignInLink", body={}).json["path"].partition("#sign-in=")[2]
        redeem = ("/session:redeem", "-X", "POST", "-H", "Content-Type: application/json", "-d", json.dumps({"code": code}))
        jar = f"{FOLDER.name}/cookies"
        self.assertEqual(call_as(NOBODY, "/session/links", "-X", "POST"), 401)
        self.assertEqual(call_as(NOBODY, "/jobs"), 401)
        self.assertEqual(call_as(0, *redeem, "-c", jar), 200)
        os.chmod(jar, 0o644)
        os.chmod(FOLDER.name, 0o711)
        self.assertEqual(call_as(NOBODY, "/jobs", "-b", jar), 200)
        self.assertEqual(call_as(NOBODY, "/tenants/links", "-b", jar, "-X", "PUT", "-d", "{}"), 403, "no token of the page")
        os.chmod(FOLDER.name, 0o700)
        self.assertEqual(call_as(NOBODY, *redeem), 401)
        self.assertNotIn(code, "".join(SERVER.log))

    def test_1_a_link_is_for_pages_of_this_machine(self) -> None:
        code = self.client.call("drawSignInLink", body={}).json["path"].partition("#sign-in=")[2]
        self.client.call("redeemSignInLink", expect=403, body={"code": code}, headers={"Host": "attacker.example"})
        answer = self.client.call("redeemSignInLink", expect=401, body={"code": code}).json
        self.assertEqual(answer["code"], "link_void")

    def test_1_a_cookie_that_is_void_is_taken_away(self) -> None:
        answer = self.client.call("listJobs", expect=401, headers={"Cookie": "belfry_session=bfo_of-before"})
        self.assertIn("belfry_session=; ", answer.headers["set-cookie"])

    def test_1_the_owners_socket(self) -> None:
        path = f"{FOLDER.name}/belfry.sock"
        self.assertEqual(os.stat(path).st_mode & 0o777, 0o600)
        said = subprocess.run([BELFRY, "ls", "--server", f"unix:{path}", "-o", "json"], capture_output=True, text=True,
                              check=True, timeout=PATIENCE)
        self.assertEqual(said.stdout.strip(), "[]")
        gone = subprocess.run([BELFRY, "ls", "--server", "unix:/nowhere/belfry.sock"], capture_output=True, text=True,
                              check=False, timeout=PATIENCE)
        self.assertEqual((gone.returncode, "/nowhere/belfry.sock" in gone.stderr), (6, True), gone.stderr)

    @unittest.skipIf(os.getuid() != 0, "only root can be somebody else")
    def test_1_others_cannot_open_the_socket_and_are_known_by_it(self) -> None:
        os.chmod(FOLDER.name, 0o711)
        path = f"{FOLDER.name}/belfry.sock"
        command = ["curl", "-s", "-w", "%{http_code}", "-o", os.devnull, "--unix-socket", path, "http://localhost/api/v1/jobs"]
        ask = lambda: subprocess.run(command, user=NOBODY, capture_output=True, text=True, check=False).stdout  # noqa: E731
        self.assertEqual(ask(), "000")
        os.chmod(path, 0o666)  # and if somebody opens it to all, each is still who they are
        self.assertEqual(ask(), "401")
        os.chmod(path, 0o600)
        os.chmod(FOLDER.name, 0o700)

    def test_1_what_a_proxy_passes_on_needs_a_key(self) -> None:
        for name in ("X-Forwarded-For", "Forwarded", "Via"):
            answer = self.client.call("listJobs", expect=401, headers={name: "10.0.0.7"}).json
            self.assertIn("proxy", answer["detail"])

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

    def test_2_the_first_key_is_roots(self) -> None:
        refused = self.client.call("createKey", expect=409, body={"name": "me", "scope": "operator"}).json
        self.assertEqual(refused["code"], "first_key")
        self.client.call("listJobs")

    def test_3_the_door_does_not_open_again(self) -> None:
        key = self.client.call("createKey", body={"name": "me", "scope": "admin"}).json
        self.assertEqual((key["scope"], key["permissions"]), ("root", ["exec"]))
        admin = Client(SERVER.address, key["secret"])
        self.client.call("listJobs", expect=401)
        for _ in range(15):  # a command line that still sends it is refused, and nobody's guess
            Client(SERVER.address, owner_token()).call("listJobs", expect=401)
        admin.call("listJobs", headers={"Host": "belfry.example", "Origin": "http://elsewhere.example"})
        admin.call("revokeKey", path={"key": key["key_id"]})
        self.client.call("listJobs", expect=401)

    def test_4_wrong_keys_get_slower_and_right_ones_do_not(self) -> None:
        made = subprocess.run(
            [BELFRY, "keys", "create", "rescue", "--scope", "root", "--store", f"sqlite:{FOLDER.name}/belfry.db"],
            capture_output=True, text=True, check=True, timeout=PATIENCE)
        right, wrong = Client(SERVER.address, made.stdout.strip()), Client(SERVER.address, "bf_" + "x" * 43)
        right.call("listJobs")
        statuses = [wrong.exchange(LIST, Request("listJobs")).status for _ in range(30)]
        self.assertEqual((statuses[0], statuses[-1]), (401, 429))
        self.assertEqual(wrong.call("listJobs", expect=429).json["code"], "too_many_wrong_keys")
        right.call("createKey", body={"name": "another", "scope": "viewer"})  # after which keys are looked up anew
        right.call("listJobs")
        self.assertTrue(any("wrong_key" in line and "127.0.0.1" in line for line in SERVER.log))
        noted = [row for row in right.call("listAudit").json["items"] if row["actor"] == "unknown"]
        self.assertTrue(noted and noted[0]["action"].endswith("refused"), noted)
        self.assertRegex(right.call("getMetrics").body.decode(), r"belfry_wrong_keys_total [1-9]")


class Loopback(unittest.TestCase):
    """Webhooks of the owner may call this machine; those of others, whom keys were given, may not."""

    def test_it_is_open_until_there_are_keys(self) -> None:
        server = Server(BELFRY)
        self.addCleanup(server.stop)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=answer_all, args=(listener,), daemon=True).start()
            url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
            client = Client(server.address)
            self.assertEqual(self.delivered(client, url)["state"], "SUCCEEDED")
            client.key = client.call("createKey", body={"name": "me", "scope": "root"}).json["secret"]
            ended = self.delivered(client, url)
            self.assertEqual(ended["state"], "DEAD")
            self.assertIn("is not for webhooks", str(ended))

    def delivered(self, client: Client, url: str) -> dict:
        """How a webhook to this URL ended."""
        body = {"job_name": f"hook-{client.key is None}", "every": "1d", "max_attempts": 1, "target": {"kind": "HTTP", "url": url}}
        job = client.call("createJob", body=body).json
        run = client.call("triggerJob", path={"job": job["job_id"]}).json
        deadline = time.monotonic() + PATIENCE
        while (seen := client.call("getRun", path={"run": run["run_id"]}).json)["state"] not in ("SUCCEEDED", "DEAD"):
            self.assertLess(time.monotonic(), deadline, seen)
            time.sleep(0.05)
        return seen


def answer_all(listener: socket.socket) -> None:
    while True:
        try:
            caller, _ = listener.accept()
        except OSError:
            return  # closed
        with caller:
            caller.recv(65536)
            caller.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
