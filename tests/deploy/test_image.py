"""The container image, run by podman as a careful operator runs it: read-only, without privileges, without a network.

    python3 test_image.py FOLDER_OF_IMAGE [TEST...]

Needs root and podman with crun or runc. Run by `./dev image test`.
"""

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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ARCHIVE = next(pathlib.Path(sys.argv[1]).resolve().glob("belfry-*.tar"))
PATIENCE = 120.0  # seconds; a limit for broken tests, never a measurement
# Ways to start a container; the first that this machine allows is taken. Build machines often grant few limits, and
# their kernels have control groups that only one of the two runtimes knows.
LIMITS = ("--ulimit", "nofile=1024:16384", "--ulimit", "nproc=1000:1000")
WAYS: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    ((), ()), ((), LIMITS),
    (("--runtime", "runc", "--cgroup-manager", "cgroupfs"), LIMITS),
    (("--runtime", "crun", "--cgroup-manager", "cgroupfs"), LIMITS),
)
CAREFUL = ("--read-only", "--cap-drop", "all", "--security-opt", "no-new-privileges", "--network", "none")


def first_minutes() -> str:
    block = re.search(r"<!-- first-minutes -->\n```\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert block, "the README has no first minutes"
    return block[1].replace("build/belfry", "belfry")


class Image(unittest.TestCase):
    folder: str
    way: tuple[tuple[str, ...], tuple[str, ...]]
    name: str

    @classmethod
    def podman(cls, *words: str, way: tuple[str, ...] | None = None, check: bool = True) -> subprocess.CompletedProcess[str]:
        storage = ("--root", f"{cls.folder}/root", "--runroot", f"{cls.folder}/run", "--storage-driver", "vfs", "--events-backend", "none")
        done = subprocess.run(["podman", *storage, *(cls.way[0] if way is None else way), *words], text=True, capture_output=True,
                              timeout=600, check=False)
        if check and done.returncode != 0:
            raise AssertionError(f"podman {' '.join(words)} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.mkdtemp(prefix="belfry-image-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.name = re.findall(r"belfry:[\w.]+", cls.podman("load", "--quiet", "--input", str(ARCHIVE), way=()).stdout)[0]
        refusals = []
        for way in WAYS:
            tried = cls.podman("run", "--rm", *CAREFUL, *way[1], "--entrypoint", "true", cls.name, way=way[0], check=False)
            if tried.returncode == 0:
                cls.way = way
                return
            refusals.append(tried.stderr.strip())
        raise AssertionError("podman runs no container here:\n" + "\n".join(refusals))

    def start(self, *words: str, options: tuple[str, ...] = ()) -> str:
        """A container in the background; returns its id."""
        container = self.podman("run", "--detach", *CAREFUL, *self.way[1], *options, self.name, *words).stdout.strip()
        self.addCleanup(self.podman, "rm", "--force", "--time", "5", "--volumes", container, check=False)
        return container

    def inside(self, container: str, *command: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        return self.podman("exec", container, *command, check=check)

    def until(self, what: str, condition: Callable[[], Any], container: str) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            if time.monotonic() > end:
                logs = self.podman("logs", container, check=False)
                self.fail(f"{what}\n{logs.stdout[-2000:]}{logs.stderr[-2000:]}")
            time.sleep(0.5)
        return found

    def healthy(self, container: str) -> bool:
        return self.inside(container, "/usr/lib/belfry-healthy", check=False).returncode == 0

    def test_what_it_says_of_itself(self) -> None:
        about = json.loads(self.podman("image", "inspect", self.name).stdout)[0]
        settings = about["Config"]
        self.assertEqual(settings["User"], "65532:65532")
        self.assertEqual(settings["Entrypoint"] + settings["Cmd"], ["/usr/bin/belfry", "serve"])
        self.assertIn("/var/lib/belfry", settings["Volumes"])
        self.assertEqual(about["Healthcheck"]["Test"], ["CMD", "/usr/lib/belfry-healthy"])
        self.assertEqual(settings["Labels"]["org.opencontainers.image.version"], self.name.partition(":")[2])
        self.assertLess(ARCHIVE.stat().st_size, 300_000_000)

    def test_nothing_of_the_building_machine_is_in_it(self) -> None:
        found = self.podman("run", "--rm", *CAREFUL, *self.way[1], "--entrypoint", "find", self.name,
                            "/etc/apt/sources.list", "/etc/apt/sources.list.d", "/etc/apt/apt.conf.d", "/tmp", "/var/lib/apt/lists",
                            "-type", "f", "!", "-name", "lock", check=False).stdout
        self.assertEqual(found, "")

    def test_the_first_minutes(self) -> None:
        node = self.start()
        self.until("the node is ready", lambda: self.healthy(node), node)
        self.assertEqual(self.inside(node, "id", "-u").stdout.strip(), "65532")
        self.assertNotEqual(self.inside(node, "touch", "/written", check=False).returncode, 0)
        self.inside(node, "bash", "-euo", "pipefail", "-c", first_minutes())

        def said_hello() -> bool:
            runs = json.loads(self.inside(node, "belfry", "runs", "list", "hello", "-o", "json").stdout)
            return any(run["state"] == "SUCCEEDED" for run in runs)

        self.until("hello runs", said_hello, node)
        self.podman("stop", "--time", "60", node)
        ended = json.loads(self.podman("inspect", node).stdout)[0]["State"]
        self.assertEqual(ended["ExitCode"], 0, "it hands over and ends by itself")
        # What it knew, it knows again: the volume stays.
        self.podman("start", node)
        self.until("the node is ready again", lambda: self.healthy(node), node)
        self.assertIn("hello", self.inside(node, "belfry", "ls").stdout)

    def test_beyond_loopback_with_a_first_key(self) -> None:
        secrets = pathlib.Path(self.folder, "secrets")
        secrets.mkdir()
        (secrets / "first-key").write_text("bf_" + "k" * 40 + "\n", "utf-8")
        os.chmod(secrets / "first-key", 0o444)
        node = self.start("serve", options=(
            "--volume", f"{secrets}:/run/secrets/belfry:ro", "--env", "BELFRY_FIRST_KEY_FILE=/run/secrets/belfry/first-key",
            "--env", "BELFRY_LISTEN=0.0.0.0:7080", "--env", "BELFRY_METRICS_LISTEN=0.0.0.0:9070"))
        self.until("the node is ready", lambda: self.healthy(node), node)
        ask = ("belfry", "--server", "http://127.0.0.1:7080")
        self.assertEqual(self.inside(node, *ask, "ls", check=False).returncode, 5)
        self.inside(node, *ask, "--token-file", "/run/secrets/belfry/first-key", "ls")

    def test_a_worker_is_healthy_while_it_runs(self) -> None:
        worker = self.start("worker", options=("--env", "BELFRY_SERVER=http://127.0.0.1:1"))
        self.until("it runs", lambda: json.loads(self.podman("inspect", worker).stdout)[0]["State"]["Running"], worker)
        self.assertTrue(self.healthy(worker))

    def test_a_node_that_does_not_serve_is_not_healthy(self) -> None:
        node = self.start("serve", options=("--env", "BELFRY_LISTEN=127.0.0.1:7090"))
        self.until("the node is ready", lambda: self.healthy(node), node)
        wrong = self.podman("exec", "--env", "BELFRY_LISTEN=127.0.0.1:7091", node, "/usr/lib/belfry-healthy", check=False)
        self.assertNotEqual(wrong.returncode, 0)


if __name__ == "__main__":
    if os.geteuid() != 0:
        sys.exit("test_image.py loads an image of several users: run it as root")
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[2:]])
