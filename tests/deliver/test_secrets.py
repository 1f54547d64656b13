"""A secret goes in and is found nowhere but at the webhook: not in any answer, the log or the database.

    test_secrets.py BELFRY sqlite|postgres
"""

import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from endpoint import Endpoint
from node import PATIENCE, Node, wait_for

BELFRY, STORE = sys.argv[1], sys.argv[2]
CANARY = "canary-7f3a9"
MASK = "********"


def fetch(node: Node, path: str) -> str:
    with urllib.request.urlopen(f"http://{node.server.address}{path}", timeout=PATIENCE) as answer:
        return answer.read().decode()


def database_of(node: Node) -> bytes:
    """Everything that the store has on disk, or says when it is dumped."""
    if node.server.postgres:
        return subprocess.run(["pg_dump", node.server.postgres.url], capture_output=True, check=True).stdout
    folder = node.server.folder
    return b"".join(pathlib.Path(folder, name).read_bytes() for name in os.listdir(folder))


class SecretsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.endpoint = Endpoint()
        cls.node = Node(BELFRY, STORE)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.endpoint.close()

    def cli(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess:
        return subprocess.run([BELFRY, *words], input=stdin, capture_output=True, text=True, timeout=PATIENCE,
                              env={**os.environ, "BELFRY_SERVER": f"http://{self.node.server.address}"})

    def refused(self, method: str, path: str, body: object = None) -> dict:
        with self.assertRaises(urllib.error.HTTPError) as caught:
            self.node.call(method, path, body)
        return json.loads(caught.exception.read())

    def target(self, path: str) -> dict:
        return {"kind": "HTTP", "url": self.endpoint.url(path) + f"?a=1&token={CANARY}-url", "secret": f"{CANARY}-sign",
                "headers": {"Authorization": f"Bearer {CANARY}-header", "X-Named": {"secret_ref": "named"}}}

    def test_a_secret_is_found_nowhere_but_at_the_webhook(self) -> None:
        put = self.cli("secrets", "put", "named", stdin=f"{CANARY}-named\n")
        self.assertEqual(put.returncode, 0, put.stderr)
        job = self.node.add(self.target("/ok/canary"), payload={"a": 1})
        run = self.node.ended(job)
        self.assertEqual(run["state"], "SUCCEEDED", run)
        call = next(call for call in self.endpoint.seen if call.path.startswith("/ok/canary"))
        self.assertEqual(call.path, f"/ok/canary?a=1&token={CANARY}-url")
        self.assertEqual(call.headers["authorization"], f"Bearer {CANARY}-header")
        self.assertEqual(call.headers["x-named"], f"{CANARY}-named")
        self.assertIn("webhook-signature", call.headers)
        name = job["job_name"]
        before = self.node.call("GET", f"/jobs/{job['job_id']}")
        self.assertEqual(before["target"]["headers"], {"Authorization": MASK, "X-Named": {"secret_ref": "named"}})
        self.node.call("PATCH", f"/jobs/{job['job_id']}", {"target": {"headers": {"Authorization": f"{CANARY}-two"}}})
        self.node.call("POST", f"/jobs/{job['job_id']}/revisions/1/restore", {})
        failing = self.node.add({**self.target("/ok"), "url": self.endpoint.url("/status/500")}, max_attempts=1)
        self.node.ended(failing)
        texts = [fetch(self.node, path) for path in (
            "/api/v1/jobs", f"/api/v1/jobs/{job['job_id']}", f"/api/v1/jobs/{job['job_id']}/revisions",
            f"/api/v1/jobs/{job['job_id']}/runs", f"/api/v1/runs/{run['run_id']}", f"/api/v1/jobs/{job['job_id']}/explain",
            "/api/v1/audit", "/api/v1/secrets", "/api/v1/cluster", "/api/v1/stats", "/metrics", "/readyz", "/healthz")]
        for words in (("export",), ("get", name), ("doctor",), ("audit", "export"), ("audit",), ("secrets", "ls"),
                      ("revisions", name), ("cluster",), ("serve", "--print-config")):
            done = self.cli(*words)
            self.assertTrue(done.stdout, (words, done.stderr))
            texts += [done.stdout, done.stderr]
        texts += ["".join(self.node.server.log)]
        for text in texts:
            self.assertNotIn(CANARY, text)
        self.assertNotIn(CANARY.encode(), database_of(self.node))

    def test_what_is_exported_can_be_applied_and_changes_nothing(self) -> None:
        self.node.call("PUT", "/secrets/named", {"value": f"{CANARY}-named"})
        job = self.node.add(self.target("/ok/export"))
        exported = self.cli("export", job["job_name"])
        self.assertIn(MASK, exported.stdout)
        applied = self.cli("apply", "-", "--yes", stdin=exported.stdout)
        self.assertEqual(applied.returncode, 0, applied.stderr)
        self.assertEqual(self.node.call("GET", f"/jobs/{job['job_id']}")["version"], 1)
        plain = {"job_name": job["job_name"], "target": self.target("/ok/export"), "run_at": "2099-01-01T00:00:00Z",
                 "retry": {"base": "1ms", "cap": "1ms"}}
        self.node.call("PUT", f"/jobs/name:{job['job_name']}", plain)
        self.assertEqual(self.node.call("GET", f"/jobs/{job['job_id']}")["version"], 1, "the same secrets are no change")
        other = self.refused("POST", "/jobs", {**plain, "job_name": "another", "target": {**plain["target"], "secret": MASK}})
        self.assertEqual(other["errors"][0]["pointer"], "/target/secret")

    def test_a_named_secret_must_exist_and_stays_while_it_is_used(self) -> None:
        target = {"kind": "HTTP", "url": self.endpoint.url("/ok/named"), "secret_ref": "absent"}
        problem = self.refused("POST", "/jobs", {"job_name": "uses-it", "every": "1h", "target": target})
        self.assertIn("there is no secret `absent`", json.dumps(problem))
        self.node.call("PUT", "/secrets/absent", {"value": f"{CANARY}-x"})
        self.node.call("POST", "/jobs", {"job_name": "uses-it", "every": "1h", "target": target})
        problem = self.refused("DELETE", "/secrets/absent")
        self.assertEqual((problem["status"], problem["code"]), (409, "in_use"))
        self.assertIn("`uses-it`", problem["detail"])
        self.node.call("DELETE", "/jobs/name:uses-it")
        self.node.call("DELETE", "/secrets/absent")
        self.assertEqual(self.refused("DELETE", "/secrets/absent")["status"], 404)

    def test_webhooks_go_on_after_a_rotation(self) -> None:
        self.node.call("PUT", "/secrets/named", {"value": f"{CANARY}-named"})
        job = self.node.add(self.target("/ok/rotated"))
        self.node.ended(job)
        rotated = self.cli("secrets", "rotate", "-o", "json")
        self.assertEqual(rotated.returncode, 0, rotated.stderr)
        if STORE == "sqlite":  # elsewhere the key comes from the environment, and is the same
            self.assertGreater(json.loads(rotated.stdout)["resealed"], 0)
        seen = len(self.endpoint.seen)
        self.node.call("POST", f"/jobs/{job['job_id']}/trigger", {})
        call = wait_for(lambda: self.endpoint.seen[seen:] and self.endpoint.seen[-1])
        self.assertEqual(call.headers["authorization"], f"Bearer {CANARY}-header")


class KeysTest(unittest.TestCase):
    """What a node does without the key."""

    def start(self, store: str, **environment: str) -> subprocess.CompletedProcess:
        """A node that is to refuse to start."""
        return subprocess.run([BELFRY, "serve", "--store", store, "--listen", "127.0.0.1:0"], capture_output=True, text=True,
                              timeout=PATIENCE, env={**os.environ, **environment})

    def test_a_node_without_the_key_does_not_start(self) -> None:
        node = Node(BELFRY, STORE)
        try:
            node.call("PUT", "/secrets/a", {"value": CANARY})
            if node.server.postgres:
                refused = self.start(node.server.postgres.url)
                self.assertNotIn(node.server.postgres.url, refused.stderr)
            else:
                key = os.path.join(node.server.folder, "belfry.db.key")
                self.assertEqual(stat.S_IMODE(os.stat(key).st_mode), 0o600)
                os.rename(key, key + ".away")
                refused = self.start(f"sqlite:{node.server.folder}/belfry.db")
            self.assertNotEqual(refused.returncode, 0)
            self.assertRegex(refused.stderr, r"sealed with the key [0-9a-f]{8}, which this server does not have")
        finally:
            node.stop()

    @unittest.skipUnless(STORE == "postgres", "the embedded store makes its key itself")
    def test_without_a_key_secrets_are_refused_and_the_rest_works(self) -> None:
        node = Node(BELFRY, STORE, environment={"BELFRY_SECRETS_KEY": ""})
        try:
            node.call("POST", "/jobs", {"job_name": "plain", "every": "1h",
                                        "target": {"kind": "HTTP", "url": "http://127.0.0.1:1/", "headers": {"Accept": "a/b"}}})
            for method, path, body in (
                    ("POST", "/jobs", {"job_name": "secret", "every": "1h",
                                       "target": {"kind": "HTTP", "url": "http://127.0.0.1:1/", "secret": CANARY}}),
                    ("PUT", "/secrets/a", {"value": CANARY})):
                with self.assertRaises(urllib.error.HTTPError) as caught:
                    node.call(method, path, body)
                problem = caught.exception.read().decode()
                self.assertIn("openssl rand -base64 32", problem)
                self.assertNotIn(CANARY, problem)
        finally:
            node.stop()

    @unittest.skipUnless(STORE == "postgres", "the embedded store is on this machine")
    def test_where_the_database_is_shows_nowhere(self) -> None:
        node = Node(BELFRY, STORE)
        database = node.server.postgres
        try:
            with open(f"/proc/{node.server.process.pid}/cmdline", encoding="utf-8") as file:
                arguments = file.read()
            self.assertIn("postgres://***", arguments)
            texts = [arguments]
            database.go_away()

            def unready() -> str | None:
                try:
                    fetch(node, "/readyz")
                except urllib.error.HTTPError as problem:
                    return problem.read().decode()
                return None

            texts.append(wait_for(unready))
            wait_for(lambda: any("cannot be reached" in line for line in node.server.log))
            texts += [fetch(node, "/metrics"), "".join(node.server.log)]
            for text in texts:
                self.assertNotIn(str(database.port), text)
        finally:
            node.stop()

    @unittest.skipUnless(STORE == "sqlite", "files are the embedded store's")
    def test_files_are_their_owners_and_open_ones_are_told(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            key = os.path.join(folder, "key")
            with open(key, "w", encoding="utf-8") as file:
                file.write(subprocess.run(["openssl", "rand", "-base64", "32"], capture_output=True, text=True, check=True).stdout)
            os.chmod(key, 0o644)
            before = os.umask(0o022)
            try:
                node = Node(BELFRY, STORE, "--secrets-key-file", key)
            finally:
                os.umask(before)
            try:
                node.call("PUT", "/secrets/a", {"value": CANARY})
                warned = [line for line in node.server.log if "key_file_is_open" in line]
                self.assertEqual(len(warned), 1, node.server.log)
                self.assertTrue(re.search(re.escape(key), warned[0]))
                told = subprocess.run([BELFRY, "ls", "--server", f"http://{node.server.address}", "--token-file", key],
                                      capture_output=True, text=True, timeout=PATIENCE, check=False)
                self.assertIn(f"chmod 600 {key}", told.stderr)
                for name in os.listdir(node.server.folder):
                    mode = stat.S_IMODE(os.stat(os.path.join(node.server.folder, name)).st_mode)
                    self.assertEqual(mode & 0o077, 0, (name, oct(mode)))
            finally:
                node.stop()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
