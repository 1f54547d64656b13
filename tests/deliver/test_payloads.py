"""A payload reaches its receiver byte for byte as its user wrote it, whichever way it goes.

    test_payloads.py BELFRY sqlite|postgres
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.request

from brokers import Redis
from endpoint import Endpoint
from node import PATIENCE, Node, wait_for

BELFRY, STORE = sys.argv[1], sys.argv[2]

# What a parser would lose: blanks, the order of names, digits, escapes.
TEXT = '{ "b" : 1.00,\r\n\t"a":[1e2 , -0.0, "\\u00e9\\/é", 12345678901234567890123,\n[ ] ], "":"\\u0000" }'
BYTES = TEXT.encode()
OTHER = b'[1.10 ]'


class Payloads(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.endpoint, cls.broker = Endpoint(), Redis()
        cls.node = Node(BELFRY, STORE, "--broker", f"bus={cls.broker.url}", commands=True)
        cls.folder = tempfile.TemporaryDirectory()
        pathlib.Path(cls.folder.name).chmod(0o777)  # commands may be another user's

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.broker.close()
        cls.endpoint.close()
        cls.folder.cleanup()

    def send(self, method: str, path: str, body: bytes | None = None) -> bytes:
        request = urllib.request.Request(f"http://{self.node.server.address}/api/v1{path}", body,
                                         {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read()

    def create(self, name: str, payload: bytes = BYTES, **fields: object) -> dict:
        rest = json.dumps({"job_name": name, "run_at": "2099-01-01T00:00:00Z", **fields}).encode()
        return json.loads(self.send("POST", "/jobs", rest[:-1] + b', "payload" : ' + payload + b" }"))

    def trigger(self, job: dict, body: bytes = b"{}") -> dict:
        return json.loads(self.send("POST", f"/jobs/{job['job_id']}/trigger", body))

    def kept(self, job: dict) -> bytes:
        """The payload as reading the job gives it."""
        answer = self.send("GET", f"/jobs/{job['job_id']}")
        return answer.split(b'"payload":', 1)[1].split(b',"max_attempts"', 1)[0]

    def test_rest(self) -> None:
        job = self.create("rest", job_type="rest")
        self.assertEqual(self.kept(job), BYTES)
        self.send("PATCH", f"/jobs/{job['job_id']}", b'{"priority": 3}')
        self.assertEqual(self.kept(job), BYTES)
        run = self.trigger(job)
        self.assertIn(b'"payload":' + BYTES, self.send("GET", f"/runs/{run['run_id']}"))
        claim = json.dumps({"worker_id": "w", "job_types": ["rest"], "wait_seconds": 30}).encode()
        self.assertIn(b'"payload":' + BYTES, self.send("POST", "/runs:claim", claim))
        grant = json.loads(self.send("GET", f"/runs/{run['run_id']}"))
        report = json.dumps({"run_id": run["run_id"], "fence": grant["fence"], "status": "SUCCEEDED"}).encode()
        self.send("POST", "/runs:complete", b'{"runs":[' + report[:-1] + b',"result":' + BYTES + b"}]}")
        self.assertIn(b'"result":' + BYTES, self.send("GET", f"/runs/{run['run_id']}"))

    def test_another_text_is_another_payload(self) -> None:
        job = self.create("another", b'{"a": 1}')
        path = "/jobs/name:another"
        body = b'{"run_at": "2099-01-01T00:00:00Z", "payload": %s}'
        self.assertEqual(json.loads(self.send("PUT", path, body % b'{"a": 1}'))["version"], 1)
        self.assertEqual(json.loads(self.send("PUT", path, body % b'{"a":1}'))["version"], 2)
        self.assertEqual(self.kept(job), b'{"a":1}')
        self.send("PATCH", path, b'{"payload": [1.50 ]}')
        self.assertEqual(self.kept(job), b"[1.50 ]")
        self.send("PATCH", path, b'{"payload": {"b" :1}}')
        self.send("PATCH", path, b'{"payload": {"c": 2.0}}')
        self.assertEqual(self.kept(job), b'{"b":1,"c":2.0}')  # a merge patch: nobody wrote this text

    def test_batch(self) -> None:
        jobs = [b'{"job_name":"batch-%d","every":"1d","payload":%s}' % (i, text) for i, text in enumerate((BYTES, OTHER))]
        made = json.loads(self.send("POST", "/jobs:batch", b'{"jobs": [' + b" , ".join(jobs) + b"]}"))
        self.assertEqual([self.kept(item) for item in made["items"]], [BYTES, OTHER])

    def test_webhooks(self) -> None:
        job = self.create("webhook", target={"kind": "HTTP", "url": self.endpoint.url("/ok/payload")})
        self.trigger(job)
        self.trigger(job, b'{"payload": ' + OTHER + b"}")
        calls = wait_for(lambda: len(self.endpoint.calls("/ok/payload")) == 2 and self.endpoint.calls("/ok/payload"))
        self.assertEqual({call.body for call in calls}, {BYTES, OTHER})

    def test_topics(self) -> None:
        self.trigger(self.create("topic", target={"kind": "TOPIC", "broker": "bus", "topic": "payloads"}))
        [[_, fields]] = wait_for(lambda: json.loads(self.broker.say("XRANGE", "payloads", "-", "+")))
        self.assertIn('"data":' + TEXT + "}", fields[fields.index("event") + 1])

    def test_commands(self) -> None:
        file = pathlib.Path(self.folder.name) / "stdin"
        command = ["/bin/sh", "-c", f"cat > {file}.new; mv {file}.new {file}"]
        self.trigger(self.create("exec", target={"kind": "EXEC", "command": command}))
        wait_for(file.exists)
        self.assertEqual(file.read_bytes(), BYTES + b"\n")

    def cli(self, *words: str, stdin: str | None = None) -> str:
        done = subprocess.run([BELFRY, *words, "--server", f"http://{self.node.server.address}"], input=stdin,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_export_and_apply(self) -> None:
        for form in ("yaml", "json"):
            for text in (BYTES, OTHER, b'{"a":[1,"x"]}', b"18446744073709551615", b'"text"'):
                with self.subTest(form, text=text):
                    job = self.create("exported", text)
                    file = self.cli("export", "exported", "-o", form)
                    self.cli("diff", "-", stdin=file)
                    self.cli("rm", "exported", "--yes")
                    self.cli("apply", "-", stdin=file)
                    again = json.loads(self.send("GET", "/jobs/name:exported"))
                    self.assertNotEqual(again["job_id"], job["job_id"])
                    self.assertEqual(self.kept(again), text)
                    self.cli("rm", "exported", "--yes")

    def test_the_command_line(self) -> None:
        self.cli("add", "typed", "--every", "1d", "--payload", TEXT)
        self.assertEqual(self.kept(json.loads(self.send("GET", "/jobs/name:typed"))), BYTES)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
