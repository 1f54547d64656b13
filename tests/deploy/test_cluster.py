"""A cluster on PostgreSQL as docs/operating says to run one: with the files of deploy/, on servers of its own.

    python3 test_cluster.py BELFRY [TEST...]
"""

import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DEPLOY = ROOT / "deploy"
sys.path[:0] = [str(HERE.parent / "api"), str(HERE.parent / "support"), str(ROOT)]
from chaos.rig.database import Database, as_server_user, binaries  # noqa: E402
from chaos.rig.processes import Process, free_port  # noqa: E402
from harness import Server  # noqa: E402

BELFRY = os.path.abspath(sys.argv[1])
KEY = "bf_" + "c" * 40
PATIENCE = 120.0  # seconds; a limit for broken tests, never a measurement
MOST_CONNECTIONS = 22  # of a node; docs/operating/tuning.md and deploy/postgres/belfry.conf say so


def blocks(page: str) -> list[tuple[str, str]]:
    """What a page says to write into a file, by language, and what this test is to run (language `sh`), in order."""
    text = (ROOT / "docs/operating" / page).read_text("utf-8")
    found = re.findall(r"^(<!-- not run: test_cluster.py runs it -->\n)?```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [(language or "sh", block) for mark, language, block in found if mark or language == "toml"]


class Cluster(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-cluster-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self.database = Database(self.folder / "pg")
        self.addCleanup(self.database.close)
        (self.folder / "first.key").write_text(KEY + "\n", "utf-8")

    def node(self, store: str, name: str = "n") -> Server:
        # A long lease, so that a busy machine takes no partition away.
        server = Server(BELFRY, store, ("--first-key-file", str(self.folder / "first.key"), "--grpc-listen", "off", "--lease-ttl", "10s"), {}, name)
        self.addCleanup(server.stop)
        return server

    def cli(self, address: str, *words: str, code: int = 0) -> str:
        done = subprocess.run([BELFRY, *words], text=True, capture_output=True, timeout=PATIENCE, check=False, cwd=self.folder,
                              env={"PATH": os.environ["PATH"], "BELFRY_SERVER": f"http://{address}", "BELFRY_TOKEN": KEY})
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}{done.stderr}")
        return done.stdout

    def until(self, what: str, condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if found := condition():
                    return found
            except (AssertionError, RuntimeError):  # it does not answer yet
                pass
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.2)

    def decided(self, address: str, job: str) -> int:
        return int(json.loads(self.cli(address, "verify", job, "-o", "json"))["counts"]["runs"])

    def add_steady(self, address: str) -> None:
        self.cli(address, "add", "steady", "--every", "1s", "--type", "nobody", "--overlap", "allow", "--misfire", "fire-all")
        self.until("it ticks", lambda: self.decided(address, "steady") >= 3)

    def goes_on(self, address: str) -> None:
        before = self.until("a node answers", lambda: self.decided(address, "steady"))
        self.until("it ticks on", lambda: self.decided(address, "steady") >= before + 3)
        self.cli(address, "verify", "steady")  # every tick once, none missing, none early

    def run_page(self, page: str, replaced: dict[str, str], last: str) -> None:
        """In one shell. What does not end (a node, a worker) goes on in the background; `last` is tried until it works."""
        script = ["set -euo pipefail", "trap 'kill $(jobs -p)' EXIT"]
        for language, text in blocks(page):
            for was, now in replaced.items():
                text = text.replace(was, now)
            if language == "toml":
                script.append(f"cat > belfry.toml <<'END'\n{text}END")
                continue
            for line in text.strip().splitlines():
                endless = re.search(r"\bbelfry (serve|worker)\b", line) and "--print-config" not in line
                script.append(f"{line} > endless.log 2>&1 &" if endless else line)
                if endless and "serve" in line:
                    script.append("for i in $(seq 600); do grep -q listening endless.log && break; sleep 0.2; done")
        script.append(f"for i in $(seq 300); do {last} && exit 0; sleep 0.4; done; cat endless.log; exit 1")
        folder = self.folder / "page"
        folder.mkdir()
        os.symlink(BELFRY, folder / "belfry")
        done = subprocess.run(["bash", "-c", "\n".join(script)], cwd=folder, text=True, capture_output=True, timeout=3 * PATIENCE, check=False,
                              env={"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(folder), "LANG": "C.UTF-8"})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_page_of_the_cluster(self) -> None:
        port, metrics = free_port(), free_port()
        database = f"postgres://postgres@127.0.0.1:{self.database.port}/postgres"  # without signs that a shell reads
        self.run_page("cluster.md", {"postgres://belfry@db.internal/belfry": database, "0.0.0.0:7070": f"127.0.0.1:{port}",
                                     "http://node-1:7070": f"http://127.0.0.1:{port}", "127.0.0.1:9070": f"127.0.0.1:{metrics}"},
                      last="belfry runs list hello | grep -qi succeeded")

    def test_the_page_of_keys_and_tls(self) -> None:
        port = free_port()
        self.run_page("keys-and-tls.md", {":7070": f":{port}"},
                      last=f"! belfry --server https://localhost:{port} --ca-file ca.pem cluster > refused 2>&1 && ! grep -q reached refused")

    def test_a_standby_takes_over(self) -> None:
        self.database.add_standby()
        hosts = f"127.0.0.1:{self.database.port},127.0.0.1:{self.database.standby[1]}"
        url = f"postgres://postgres@{hosts}/postgres?target_session_attrs=read-write&sslmode=disable"
        nodes = [self.node(url, f"n{number}") for number in range(2)]
        self.add_steady(nodes[0].address)
        self.database.fail_over()
        for node in nodes:
            self.goes_on(node.address)

    def haproxy(self, nodes: list[Server]) -> str:
        """Of deploy/haproxy/haproxy.cfg, with other addresses."""
        text = (DEPLOY / "haproxy/haproxy.cfg").read_text("utf-8")
        ports = {":7070": free_port(), ":7071": free_port()}
        for number, node in enumerate(nodes, 1):
            text = text.replace(f"node-{number}:7070", node.address).replace(f"node-{number}:7071", node.address)
        text = text.replace("check port 7070", "check")
        for place, port in ports.items():
            text = text.replace(f"bind {place}", f"bind 127.0.0.1:{port}")
        file = self.folder / "haproxy.cfg"
        file.write_text(text, "utf-8")
        checked = subprocess.run(["haproxy", "-c", "-f", str(file)], text=True, capture_output=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertNotIn("WARNING", checked.stderr)
        process = Process("haproxy", ["haproxy", "-db", "-f", str(file)], self.folder / "haproxy.log")
        process.start()
        self.addCleanup(process.stop, 5)
        return f"127.0.0.1:{ports[':7070']}"

    def test_behind_haproxy(self) -> None:
        nodes = [self.node(self.database.url, f"n{number}") for number in range(1, 4)]
        address = self.haproxy(nodes)
        self.until("it answers", lambda: self.cli(address, "ls") is not None)
        nodes[0].process.terminate()  # an orderly stop is noticed by nobody
        end, number = time.monotonic() + PATIENCE, 0
        while nodes[0].alive() or number < 100:
            self.assertEqual(self.add_once(address, f"job-{number}"), 201)
            number += 1
            self.assertLess(time.monotonic(), end, "the node does not stop")
        self.assertEqual(nodes[0].process.wait(PATIENCE), 0)
        nodes[1].process.kill()
        self.until("the other node answers", lambda: all(self.cli(address, "ls") for _ in range(10)))
        self.assertEqual(len(json.loads(self.cli(address, "ls", "-o", "json", "--all"))), number)

    def add_once(self, address: str, name: str) -> int:
        """Over a connection of its own, and without a second try; what was answered."""
        connection = http.client.HTTPConnection(address, timeout=PATIENCE)
        try:
            connection.request("POST", "/api/v1/jobs", json.dumps({"job_name": name, "every": "1h"}),
                               {"Content-Type": "application/json", "Authorization": f"Bearer {KEY}"})
            return connection.getresponse().status
        finally:
            connection.close()

    def test_behind_pgbouncer(self) -> None:
        port = free_port()
        text = (DEPLOY / "pgbouncer/pgbouncer.ini").read_text("utf-8")
        for was, now in (("host=db.internal port=5432 dbname=belfry", f"host=127.0.0.1 port={self.database.port} dbname=postgres user=postgres"),
                         ("listen_port = 6432", f"listen_port = {port}\nunix_socket_dir ="), ("scram-sha-256", "any"),
                         ("auth_file = /etc/pgbouncer/userlist.txt\n", "")):
            self.assertIn(was, text)
            text = text.replace(was, now)
        file = self.folder / "pgbouncer.ini"
        file.write_text(text, "utf-8")
        process = Process("pgbouncer", as_server_user(["/usr/sbin/pgbouncer", "--quiet", str(file)]), self.folder / "pgbouncer.log")
        process.start()
        self.addCleanup(process.stop, 5)
        url = f"postgres://postgres@127.0.0.1:{port}/belfry?sslmode=disable"
        self.until("pgbouncer answers", lambda: subprocess.run([binaries() / "psql", "-qc", "select 1", url], capture_output=True,
                                                               check=False).returncode == 0)
        nodes = [self.node(url, f"n{number}") for number in range(2)]
        self.add_steady(nodes[0].address)
        nodes[0].process.kill()
        self.goes_on(nodes[1].address)

    def test_a_dump_is_restored(self) -> None:
        node = self.node(self.database.url)
        self.add_steady(node.address)
        dump = self.folder / "belfry.dump"
        subprocess.run([binaries() / "pg_dump", "--format=custom", f"--file={dump}", self.database.url], check=True)
        before = self.decided(node.address, "steady")
        self.until("it ticks on", lambda: self.decided(node.address, "steady") >= before + 3)
        claimed = max(self.claim(node.address))
        runs = set(self.run_ids(self.database))
        node.stop()

        restored = Database(self.folder / "restored")
        self.addCleanup(restored.close)
        subprocess.run([binaries() / "pg_restore", "--no-owner", "--exit-on-error", f"--dbname={restored.url}", dump], check=True)
        # Refused for as long as the node of the dump may be alive.
        self.until("it is restored", lambda: subprocess.run([BELFRY, "recover", "--store", restored.url, "--missed", "all"],
                                                            check=False).returncode == 0)
        again = self.node(restored.url)
        self.goes_on(again.address)
        # What had been decided after the dump is decided again, under the same ids; fences are new ones.
        self.assertLessEqual(runs, set(self.run_ids(restored)))
        self.assertGreater(min(self.claim(again.address)), claimed)

    def run_ids(self, database: Database) -> list[str]:
        return [f"{row['job_id']}/{row['scheduled_for']}" for row in database.rows("select job_id, scheduled_for from runs")]

    def claim(self, address: str) -> list[int]:
        """Claims all there is; the fences."""
        body = json.dumps({"worker_id": "w", "job_types": ["nobody"], "max_runs": 100, "wait_seconds": 20})
        runs = json.loads(self.cli(address, "api", "POST", "/api/v1/runs:claim", "-d", body))["runs"]
        return [int(run["fence"]) for run in runs]

    def test_the_settings_of_the_database_are_settings(self) -> None:
        conf = DEPLOY / "postgres/belfry.conf"
        shutil.copy(conf, self.database.data / "belfry.conf")
        (self.database.data / "belfry.conf").chmod(0o644)
        with open(self.database.data / "postgresql.conf", "a", encoding="utf-8") as text:
            text.write("include 'belfry.conf'\n")
        names = re.findall(r"^(\w+) =", conf.read_text("utf-8"), re.MULTILINE)
        rows = self.database.rows("select name, error from pg_file_settings where sourcefile like '%belfry.conf'")
        self.assertEqual([row["name"] for row in rows], names)
        # Some take a restart to apply; none is unknown or has a bad value.
        self.assertLessEqual({row["error"] for row in rows}, {"", "setting could not be applied"})
        page = (ROOT / "docs/operating/tuning.md").read_text("utf-8")
        for name in names:
            self.assertIn(f"`{name}`", page)

    def test_a_node_opens_no_more_connections_than_we_say(self) -> None:
        node = self.node(self.database.url)
        self.add_steady(node.address)
        load = [subprocess.Popen([BELFRY, "ls"], env={"PATH": os.environ["PATH"], "BELFRY_SERVER": f"http://{node.address}", "BELFRY_TOKEN": KEY},
                                 stdout=subprocess.DEVNULL) for _ in range(30)]
        seen = 0
        while any(each.poll() is None for each in load):
            seen = max(seen, int(self.database.rows("select count(*) from pg_stat_activity where application_name = 'belfry'")[0]["count"]))
        self.assertLessEqual(seen, MOST_CONNECTIONS)
        self.assertIn(f"{MOST_CONNECTIONS} connections", (ROOT / "docs/operating/tuning.md").read_text("utf-8"))
        self.assertIn(f"{MOST_CONNECTIONS} connections", (DEPLOY / "postgres/belfry.conf").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[2:]])
