#!/usr/bin/env python3
"""Each folder of examples/, as it stands there, against a real server.

usage: test_examples.py BINARY ROOT
"""

import http.server
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

BINARY, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path[:0] = [os.path.join(ROOT, "tests", "cli"), os.path.join(ROOT, "tests", "deliver")]
from brokers import Redis  # noqa: E402
from server import PATIENCE, Server  # noqa: E402

EXAMPLES = os.path.join(ROOT, "examples")
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Example(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        os.symlink(BINARY, os.path.join(cls.server.folder.name, "belfry"))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def environment(self, **more: str) -> dict[str, str]:
        own = self.server.environment(PYTHONPATH=os.path.join(ROOT, "clients", "python"), **more)
        return {**own, "PATH": self.server.folder.name + os.pathsep + own["PATH"]}

    def start(self, *command: str, **more: str) -> subprocess.Popen:
        process = subprocess.Popen(command, cwd=self.server.folder.name, env=self.environment(**more), text=True,
                                   stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait, PATIENCE)
        self.addCleanup(process.terminate)
        return process

    def script(self, path: str, *words: str) -> str:
        done = subprocess.run([os.path.join(EXAMPLES, path), *words], env=self.environment(), text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def cli(self, *words: str) -> str:
        done = self.server.run(*words)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


class Transaction(Example):
    def test_an_old_fence_changes_nothing(self) -> None:
        database = os.path.join(self.server.folder.name, "payments.db")
        worker = os.path.join(EXAMPLES, "transaction", "worker.py")
        self.start(sys.executable, worker, database)
        self.cli("add", "pay", "--at", "2199-01-01", "--type", "invoice.pay", "--payload",
                 '{"invoice": "A-1", "cents": 990}')
        for _ in range(2):
            self.cli("run", "pay", "--wait", "--timeout", "60s")
        probe = ("import sys, runpy; sys.argv = ['worker.py', sys.argv[1]]\n"
                 f"pay = runpy.run_path({worker!r}, run_name='probe')['pay']\n"
                 "print(pay('r', 'j', 5, 'B', 1), pay('r', 'j', 6, 'B', 1), sep='; ')\n"
                 "try: print(pay('s', 'j', 5, 'B', 1))\n"
                 "except Exception as stale: print(stale)\n"
                 "import sqlite3\n"
                 "print(sqlite3.connect(sys.argv[1]).execute('select count(*) from payments').fetchone()[0])\n")
        done = subprocess.run([sys.executable, "-c", probe, database], env=self.environment(), text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertEqual(done.stdout.splitlines(),
                         ["paid; was paid already", "fence 5 is older than 6: somebody else has this work", "3"],
                         done.stderr)


class Webhook(Example):
    def receives(self, *command: str) -> None:
        receiver = self.start(*command, "0", HOOK_SECRET=SECRET)
        port = re.fullmatch(r"listening (\d+)\n", receiver.stdout.readline())[1]
        url = f"http://127.0.0.1:{port}/"
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(urllib.request.Request(url, b"{}"), timeout=PATIENCE)
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        job = {"job_name": f"hook-{port}", "run_at": "2199-01-01T00:00:00Z", "payload": {"n": 7},
               "target": {"kind": "HTTP", "url": url, "secret": SECRET}}
        self.server.post("jobs", job)
        self.cli("run", f"hook-{port}", "--wait", "--timeout", "60s")
        self.assertRegex(receiver.stdout.readline(), r"^work [0-9a-f]{32} .*7")

    def test_in_python(self) -> None:
        self.receives(sys.executable, os.path.join(EXAMPLES, "webhook", "receiver.py"))

    def test_in_node(self) -> None:
        self.receives("node", os.path.join(EXAMPLES, "webhook", "receiver.mjs"))


class Backup(Example):
    """Commands may run as another user, so all they need is where anybody may read and write."""

    def setUp(self) -> None:
        self.open = tempfile.mkdtemp(prefix="belfry-backup-")
        self.addCleanup(shutil.rmtree, self.open)
        os.chmod(self.open, 0o777)
        shutil.copytree(os.path.join(EXAMPLES, "backup"), os.path.join(self.open, "example"))
        os.mkdir(os.path.join(self.open, "data"), 0o755)
        with open(os.path.join(self.open, "data", "file"), "w", encoding="utf-8") as file:
            file.write("precious")

    def receiver(self) -> tuple[str, queue.Queue]:
        told: queue.Queue = queue.Queue()

        class Hook(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f"http://127.0.0.1:{server.server_address[1]}/", told

    def test_a_backup_and_who_is_told_when_it_fails(self) -> None:
        hook, told = self.receiver()
        said = self.script(os.path.join(self.open, "example", "setup.sh"), os.path.join(self.open, "data"), hook)
        self.assertRegex(said, r"wrote \d+ bytes")
        self.assertEqual(len([name for name in os.listdir(self.open) if name.endswith(".tar.gz")]), 1)
        shutil.rmtree(os.path.join(self.open, "data"))
        self.assertEqual(self.server.run("run", "nightly-backup", "--wait").returncode, 1)
        self.assertIn("there is no folder", self.cli("logs", "nightly-backup"))
        message = told.get(timeout=PATIENCE)
        self.assertEqual(message["rule"], "backup-failed")
        self.assertIn("nightly-backup", json.dumps(message["opened"]))


class FanOut(unittest.TestCase):
    def test_each_group_gets_each_message(self) -> None:
        redis = Redis()
        self.addCleanup(redis.close)
        server = Server(BINARY, "--broker", f"bus={redis.url}")
        self.addCleanup(server.stop)
        consumers = []
        for group in ("shop", "partners"):
            process = subprocess.Popen([os.path.join(EXAMPLES, "fanout", "consumer.sh"), group], text=True, stdout=subprocess.PIPE,
                                       env={**os.environ, "REDIS": str(redis.port)})
            self.addCleanup(process.stdout.close)
            self.addCleanup(process.wait, PATIENCE)
            self.addCleanup(process.terminate)
            consumers.append(process)
        done = server.run("add", "price-list", "--cron", "0 6 * * *", "--topic", "bus/prices", "--payload", '{"list": "retail"}')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(server.run("run", "price-list", "--wait").returncode, 0)
        for group, process in zip(("shop", "partners"), consumers):
            self.assertRegex(process.stdout.readline(), rf"^{group} [0-9a-f]{{32}} .*retail")


class Files(Example):
    def test_a_crontab_moves(self) -> None:
        self.script("crontab/migrate.sh")
        self.assertEqual(sorted(job["status"] for job in json.loads(self.cli("ls", "-o", "json"))), ["ACTIVE", "PAUSED"])

    def test_a_folder_is_deployed(self) -> None:
        self.assertIn("+ invoices", self.script("gitops/deploy.sh", "plan"))
        self.script("gitops/deploy.sh", "apply")
        self.assertNotIn("+ invoices", self.script("gitops/deploy.sh", "plan"))
        self.assertEqual(len(json.loads(self.cli("ls", "-l", "set=billing", "-o", "json"))), 2)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
