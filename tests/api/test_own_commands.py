"""Commands of a node that is not root are its own user, who owns the node: so from the first key on it runs none.

test_own_commands.py BELFRY
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from typing import Any, Callable

from harness import PATIENCE, Client, Server

BELFRY = sys.argv[1]
NOBODY = 65534
# Who is not root already is who it takes.
USER = NOBODY if os.getuid() == 0 else None
NAME = "nobody" if USER else subprocess.check_output(["id", "-un"], text=True).strip()
JOB = {"job_name": "own", "every": "365d", "target": {"kind": "EXEC", "command": ["id", "-un"]}}


def wait_until(condition: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


class OwnCommands(unittest.TestCase):
    def setUp(self) -> None:
        # Root's, as a service has it: not where the node's user may write.
        self.folder = tempfile.mkdtemp(prefix="belfry-own-", dir="/var/lib" if USER else None)
        self.addCleanup(shutil.rmtree, self.folder, True)
        os.chmod(self.folder, 0o755)
        self.binary = os.path.join(self.folder, "belfry")  # where everybody may run it
        shutil.copy2(BELFRY, self.binary)
        self.data = os.path.join(self.folder, "data")
        os.mkdir(self.data, 0o700)
        if USER is not None:
            os.chown(self.data, USER, USER)
        self.server: Server | None = None
        self.addCleanup(self.stop)

    def start(self, *arguments: str) -> Server:
        self.stop()
        self.server = Server(self.binary, f"sqlite:{self.data}/belfry.db", ("--data-dir", self.data, *arguments), user=USER)
        return self.server

    def stop(self) -> None:
        if self.server:
            self.assertEqual(self.server.stop(), 0, "".join(self.server.log[-20:]))
            self.server = None

    def log(self) -> str:
        assert self.server
        return "".join(self.server.log)

    def state(self, client: Client, run: dict) -> str:
        return client.call("getRun", path={"run": run["run_id"]}).json["state"]

    def trigger(self, client: Client) -> dict:
        return client.call("triggerJob", path={"job": "name:own"}).json

    def succeeds(self, client: Client, run: dict) -> None:
        wait_until(lambda: self.state(client, run) == "SUCCEEDED", "the end of the run\n" + self.log())

    def owner(self) -> Client:
        server = self.start()
        return Client(server.address, pathlib.Path(self.data, "owner.token").read_text(encoding="ascii").split()[0])

    @unittest.skipUnless(USER, "root makes the folders in which the node's user may not write")
    def test_where_it_runs_them_all_the_same_its_files_are_closed_to_them(self) -> None:
        owner = self.owner()
        secret = owner.call("createKey", body={"name": "first", "scope": "root"}).json["secret"]
        client = Client(self.start("--exec-user", NAME).address, secret)
        wait_until(lambda: "closed" in self.log(), "whether it can\n" + self.log())
        if "no Landlock" in self.log():
            self.skipTest("this kernel has no Landlock")
        reads = f"! cat {self.data}/belfry.db && ! cat {self.data}/owner.token && ls {self.folder} && cat /etc/passwd"
        client.call("createJob", body={**JOB, "target": {"kind": "EXEC", "command": ["sh", "-c", reads]}, "max_attempts": 1})
        self.succeeds(client, self.trigger(client))

    def test_where_its_files_cannot_be_closed_it_says_so(self) -> None:
        if USER:
            os.chown(self.folder, USER, USER)
        self.start("--exec-user", NAME)
        wait_until(lambda: "files_open_to_commands" in self.log(), "its saying so\n" + self.log())

    def test_its_owner_runs_commands_until_there_is_a_key(self) -> None:
        owner = self.owner()
        owner.call("createJob", body=JOB)
        self.succeeds(owner, self.trigger(owner))
        secret = owner.call("createKey", body={"name": "first", "scope": "root"}).json["secret"]
        client = Client(owner.address, secret)
        waiting = self.trigger(client)
        wait_until(lambda: "local_worker_stopped" in self.log(), "that it stops\n" + self.log())
        self.assertIn(f"--exec-user {NAME}", self.log())
        wait_until(lambda: self.state(client, waiting) == "READY", "its coming back")
        self.assertEqual(client.call("getRun", path={"run": waiting["run_id"]}).json["attempts"], 0)

        client.address = self.start().address  # and it stays like that
        wait_until(lambda: "commands_refused" in self.log(), "its saying so\n" + self.log())
        self.assertIn("belfry worker", self.log())
        self.assertEqual(self.state(client, waiting), "READY")
        environment = {**os.environ, "BELFRY_SERVER": f"http://{client.address}", "BELFRY_TOKEN": secret}
        with subprocess.Popen([self.binary, "worker"], env=environment, stderr=subprocess.DEVNULL) as worker:
            try:
                self.succeeds(client, waiting)
            finally:
                worker.terminate()

        client.address = self.start("--exec-user", NAME).address  # or it is said that this is meant
        self.succeeds(client, self.trigger(client))
        self.assertNotIn("commands_refused", self.log())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
