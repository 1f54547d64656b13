"""A real server on the embedded store, in a folder of its own, and the command line against it."""

import fcntl
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import urllib.request

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
from children import die_with_parent  # noqa: E402

PATIENCE = 60.0  # seconds; a limit for broken tests, never a measurement


class Server:
    def __init__(self, binary: str, *flags: str):
        self.binary = os.path.abspath(binary)
        self.folder = tempfile.TemporaryDirectory()
        self.store = os.path.join(self.folder.name, "build", "data", "belfry.db")
        os.makedirs(os.path.dirname(self.store))
        self.log: list[str] = []
        self.process = subprocess.Popen(
            # A long lease, so that a busy machine takes no partition away.
            [self.binary, "serve", "--store", f"sqlite:{self.store}", "--listen", "127.0.0.1:0", "--lease-ttl", "60s", *flags],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=self.folder.name,
            preexec_fn=die_with_parent)
        self.url = f"http://{self._address()}"
        threading.Thread(target=self._drain, daemon=True).start()

    def _address(self) -> str:
        for line in self.process.stderr:
            self.log.append(line)
            if found := re.search(r"listening.*?(127\.0\.0\.1:\d+)", line):
                return found[1]
        raise RuntimeError("the server does not listen:\n" + "".join(self.log))

    def _drain(self) -> None:
        for line in self.process.stderr:
            self.log.append(line)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)
        self.process.stderr.close()
        self.folder.cleanup()

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        return {**kept, "BELFRY_SERVER": self.url, "TZ": "UTC", **more}

    def run(self, *words: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.binary, *words], input=stdin, capture_output=True, text=True,
                              timeout=PATIENCE, env=self.environment(**environment), cwd=self.folder.name)

    def at_terminal(self, *words: str, typed: str = "", columns: int = 80, **environment: str) -> tuple[int, str]:
        """The same on a terminal; returns the exit code and everything shown."""
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
        os.write(master, typed.encode())
        process = subprocess.Popen([self.binary, *words], stdin=slave, stdout=slave, stderr=slave,
                                   env=self.environment(**environment), cwd=self.folder.name)
        os.close(slave)
        shown = b""
        try:
            while chunk := os.read(master, 65536):
                shown += chunk
        except OSError:  # how a terminal says that all writers are gone
            pass
        os.close(master)
        return process.wait(PATIENCE), shown.decode()

    def post(self, path: str, body: dict) -> dict:
        request = urllib.request.Request(
            f"{self.url}/api/v1/{path}", json.dumps(body).encode(),
            {"Content-Type": "application/json"}, method="POST")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)


class Worker:
    """Claims runs of a type and ends them all the same way, until it is closed."""

    def __init__(self, server: Server, job_type: str, status: str = "SUCCEEDED"):
        self.server, self.job_type, self.status = server, job_type, status
        self.closing = False
        self.thread = threading.Thread(target=self._work)
        self.thread.start()

    def _work(self) -> None:
        while not self.closing:
            runs = self.server.post("runs:claim", {
                "worker_id": "test", "job_types": [self.job_type], "max_runs": 10,
                "wait_seconds": 1})["runs"]
            ends = [{"run_id": run["run_id"], "fence": run["fence"], "status": self.status,
                     **({"result": {"done": True}} if self.status == "SUCCEEDED"
                        else {"error": "as told", "retryable": False})} for run in runs]
            if ends:
                self.server.post("runs:complete", {"runs": ends})

    def __enter__(self) -> "Worker":
        return self

    def __exit__(self, *_: object) -> None:
        self.closing = True
        self.thread.join()
