"""A node behind a real pgbouncer in transaction mode, and on databases that cannot hold its texts: test_pgbouncer.py BELFRY"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from node import PATIENCE, Node, wait_for  # finds the folder of the next
from postgres import Postgres, _as_server_user, _free_port

BELFRY = sys.argv[1]


class Pgbouncer:
    def __init__(self, postgres: Postgres) -> None:
        self.folder = tempfile.mkdtemp(prefix="belfry-pgbouncer-")
        self.port = _free_port()
        config = pathlib.Path(self.folder) / "pgbouncer.ini"
        config.write_text(f"""[databases]
* = host=127.0.0.1 port={postgres.port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
logfile = {self.folder}/log
""")
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self.process = subprocess.Popen(_as_server_user(["/usr/sbin/pgbouncer", "--quiet", str(config)]), start_new_session=True)

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class Bouncer(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.postgres = Postgres()
        cls.bouncer = Pgbouncer(cls.postgres)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.bouncer.stop()
        cls.postgres.stop()

    def serve(self, store: str, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen([BELFRY, "serve", "--store", store, "--listen", "127.0.0.1:0", *arguments],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def refused(self, store: str, *arguments: str) -> str:
        """What a node says that does not start."""
        process = self.serve(store, *arguments)
        _, said = process.communicate(timeout=PATIENCE)
        self.assertNotEqual(process.returncode, 0, said)
        return said

    def test_1_a_node_notices_the_pooler_and_works(self) -> None:
        def live() -> list[str]:
            done = subprocess.run(["psql", "-XAtq", self.bouncer.url, "-c", "select 1"], capture_output=True, text=True)
            return done.stdout.split()

        wait_for(lambda: live() == ["1"])
        node = Node(BELFRY, self.bouncer.url)
        try:
            job = node.add({"kind": "WORKER"}, cron_expression="* * * * * *", concurrency_policy="ALLOW", job_type="pooled")
            for _ in range(20):
                ask = {"worker_id": "w", "job_types": ["pooled"], "wait_seconds": 20, "max_runs": 5}
                runs = node.call("POST", "/runs:claim", ask)["runs"]
                reports = [{"run_id": run["run_id"], "fence": run["fence"], "status": "SUCCEEDED"} for run in runs]
                answers = node.call("POST", "/runs:complete", {"runs": reports})["results"]
                self.assertEqual({each["answer"] for each in answers}, {"OK"})
                if sum(run["state"] == "SUCCEEDED" for run in node.runs(job)) >= 3:
                    break
            self.assertGreaterEqual(sum(run["state"] == "SUCCEEDED" for run in node.runs(job)), 3)
            batch = [{"job_name": f"batch-{i}", "every": "1d"} for i in range(2000)]
            self.assertEqual(node.call("POST", "/jobs:batch", {"jobs": batch})["created"], 2000)
            self.assertEqual([line for line in node.server.log if "prepared statement" in line], [])
        finally:
            node.stop()

    def test_2_told_to_prepare_it_names_the_setting(self) -> None:
        process = self.serve(self.bouncer.url, "--store-prepare", "on")
        said: list[str] = []
        try:
            assert process.stderr
            for line in process.stderr:
                said.append(line)
                if "store_prepare" in line:
                    break
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
        self.assertIn("store_prepare", said[-1], said)

    def test_3_another_encoding_is_refused_at_the_start(self) -> None:
        admin = self.postgres.url
        for encoding in ("LATIN1", "SQL_ASCII"):
            name = f"in_{encoding.lower()}"
            make = f"create database {name} encoding '{encoding}' locale 'C' template template0"
            subprocess.run(["psql", "-XAtq", admin, "-c", make], check=True, capture_output=True)
            said = self.refused(admin.rsplit("/", 1)[0] + "/" + name)
            self.assertIn(encoding, said)
            self.assertIn("UTF8", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
