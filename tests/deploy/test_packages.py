"""The packages in a clean Debian: install, first job, a cluster from the unit files, upgrade, remove, purge.

    python3 test_packages.py FOLDER_OF_PACKAGES [TEST...]

Needs root, mmdebstrap and the machine's own sources of packages. Takes some minutes; run by `./dev package test`.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any, Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from units import PATIENCE, Unit  # noqa: E402

PACKAGES = pathlib.Path(sys.argv[1]).resolve()
BASE = ("adduser", "postgresql-15")
MOUNTS = (("proc", "proc"), ("tmpfs", "dev/shm"))


def apt_settings() -> list[str]:
    """How this machine reaches its mirror, for the root as well."""
    return [f"--aptopt={path}" for path in sorted(pathlib.Path("/etc/apt/apt.conf.d").iterdir())
            if not path.name.startswith("docker")]


def apt_sources() -> str:
    folder = pathlib.Path("/etc/apt")
    files = [folder / "sources.list", *sorted(folder.glob("sources.list.d/*.list")), *sorted(folder.glob("sources.list.d/*.sources"))]
    return "\n".join(path.read_text("utf-8") for path in files if path.exists())


def make_root(root: pathlib.Path) -> None:
    subprocess.run(["mmdebstrap", "--quiet", "--mode=root", "--variant=apt", f"--include={','.join(BASE)}",
                    *apt_settings(), "bookworm", str(root), "-"], input=apt_sources(), text=True, check=True)


class Packages(unittest.TestCase):
    root: pathlib.Path

    @classmethod
    def setUpClass(cls) -> None:
        cls.root = pathlib.Path(tempfile.mkdtemp(prefix="belfry-root-"))
        cls.root.chmod(0o755)
        make_root(cls.root)
        for kind, folder in MOUNTS:
            subprocess.run(["mount", "-t", kind, "-o", "mode=1777" if kind == "tmpfs" else "ro", kind, str(cls.root / folder)], check=True)
        for package in PACKAGES.glob("*.deb"):
            shutil.copy(package, cls.root / "tmp")

    @classmethod
    def tearDownClass(cls) -> None:
        for _, folder in MOUNTS:
            subprocess.run(["umount", str(cls.root / folder)], check=False)
        shutil.rmtree(cls.root, ignore_errors=True)

    def inside(self, *command: str, user: str = "root", check: bool = True, **environment: str) -> str:
        variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **environment}
        done = subprocess.run(["/usr/sbin/chroot", f"--userspec={user}", str(self.root), *command], env=variables, text=True,
                              capture_output=True, timeout=600, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout

    def install(self) -> None:
        self.inside("apt-get", "update", "-qq")
        names = sorted(path.name for path in PACKAGES.glob("*.deb"))
        self.inside("apt-get", "install", "-y", "-qq", "--no-install-recommends", *(f"/tmp/{name}" for name in names))

    def unit(self, name: str, **more: Any) -> Unit:
        unit = Unit(self.root, name, **more).start()
        self.addCleanup(unit.stop)
        return unit

    def until(self, what: str, condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            self.assertLess(time.monotonic(), end, what)
            time.sleep(0.3)
        return found

    def runs(self, job: str, *options: str, **environment: str) -> list[dict[str, Any]]:
        return list(json.loads(self.inside("belfry", *options, "runs", "list", job, "-o", "json", **environment)))

    def test_1_the_first_minutes(self) -> None:
        self.install()
        node = self.unit("belfry")
        node.wait_for("WATCHDOG=1")
        owner = ("--server", "unix:/var/lib/belfry/belfry.sock")
        self.inside("belfry", *owner, "add", "hello", "--every", "1s", "--exec", "echo hello", user="belfry:belfry")
        # Root may use the socket of the node's user.
        self.until("hello runs", lambda: any(run["state"] == "SUCCEEDED" for run in self.runs("hello", *owner)))
        self.assertEqual(node.stop(), 0)
        self.assertIn("STOPPING=1", node.said)
        # What it knew, it knows again.
        self.unit("belfry")
        self.assertIn("hello", self.inside("belfry", *owner, "ls", user="belfry:belfry"))

    def test_2_what_is_where(self) -> None:
        binary = self.root / "usr/bin/belfry"
        self.assertLess(binary.stat().st_size, 15_000_000)
        self.assertEqual((self.root / "var/lib/belfry").stat().st_mode & 0o777, 0o700)
        self.assertEqual((self.root / "etc/belfry/belfry.toml").stat().st_mode & 0o777, 0o640)
        for page in ("belfry.1.gz", "belfry-serve.1.gz", "belfry-add.1.gz"):
            self.assertTrue((self.root / "usr/share/man/man1" / page).exists(), page)
        self.assertTrue((self.root / "usr/share/bash-completion/completions/belfry").exists())
        self.assertIn("etc/belfry/belfry.toml", self.inside("dpkg-query", "-W", "-f", "${Conffiles}", "belfry"))

    def test_3_a_cluster_with_a_worker(self) -> None:
        database = self.start_postgres()
        (self.root / "etc/belfry/environment").write_text("BELFRY_SECRETS_KEY=" + "QUJD" * 10 + "QUE=\n", "utf-8")
        store = {"BELFRY_STORE": database}
        key = json.loads(self.inside("belfry", "keys", "create", "root", "--scope", "root", "-o", "json", **self.first_key(store)))["secret"]
        nodes = [self.unit(f"belfry-{n}", file="belfry", environment={**store, "BELFRY_NODE_NAME": f"n{n}"},
                           arguments=("--listen", f"127.0.0.1:{7100 + 10 * n}")) for n in range(3)]
        asks = {"BELFRY_SERVER": "http://127.0.0.1:7100", "BELFRY_TOKEN": key}
        token = json.loads(self.inside("belfry", "keys", "create", "w", "--scope", "worker", "-o", "json", **asks))["secret"]
        (self.root / "etc/belfry/worker.token").write_text(token + "\n", "utf-8")
        self.inside("chown", "belfry-worker", "/etc/belfry/worker.token")
        self.inside("chmod", "0600", "/etc/belfry/worker.token")
        worker = self.unit("belfry-worker", environment={"BELFRY_SERVER": "http://127.0.0.1:7110"})
        self.inside("belfry", "add", "everywhere", "--every", "1s", "--exec", "id -un", **asks)

        def done() -> int:
            return sum(run["state"] == "SUCCEEDED" for run in self.runs("everywhere", **asks))

        self.until("the worker works", done)
        for stopped in (nodes[2], nodes[1], worker):
            before = done()
            self.assertEqual(stopped.stop(), 0, stopped.printed())
            stopped.start()
            self.until(f"runs go on after {stopped.name} was stopped and started", lambda before=before: done() > before)

    # The first key is made by the database's owner, on a node that only loopback reaches.
    def first_key(self, store: dict[str, str]) -> dict[str, str]:
        node = Unit(self.root, "belfry-first", file="belfry", environment=store, arguments=("--listen", "127.0.0.1:7090",
                    "--data-dir", "/var/lib/belfry", "--socket", "/var/lib/belfry/first.sock")).start()
        self.addCleanup(node.stop)
        return {"BELFRY_SERVER": "unix:/var/lib/belfry/first.sock"}

    def start_postgres(self) -> str:
        self.inside("pg_ctlcluster", "15", "main", "start")
        self.addCleanup(lambda: self.inside("pg_ctlcluster", "15", "main", "stop", "-m", "immediate", check=False))
        self.inside("psql", "-qc", "create role belfry login", user="postgres:postgres")
        self.inside("createdb", "-O", "belfry", "belfry", user="postgres:postgres")
        return "postgres:///belfry?host=/var/run/postgresql"

    def test_4_remove_keeps_what_purge_takes(self) -> None:
        self.inside("apt-get", "remove", "-y", "-qq", "belfry-worker", "belfry")
        self.assertFalse((self.root / "usr/bin/belfry").exists())
        self.assertTrue((self.root / "var/lib/belfry/belfry.db").exists())
        self.assertTrue((self.root / "etc/belfry/belfry.toml").exists())
        self.inside("apt-get", "purge", "-y", "-qq", "belfry-worker", "belfry")
        for gone in ("var/lib/belfry", "var/lib/belfry-worker", "etc/belfry"):
            self.assertFalse((self.root / gone).exists(), gone)
        self.assertNotIn("belfry:", (self.root / "etc/passwd").read_text("utf-8"))


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("test_packages.py makes a root folder: run it as root")
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[2:]])
