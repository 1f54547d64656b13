"""Processes of the rig: ended by their id, and dead with their parent."""

import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import time
from typing import Callable, Mapping, Sequence

PATIENCE = 300.0  # seconds for what takes moments on a machine of its own; a limit for broken runs, never a measurement


def die_with_parent() -> None:
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


_given: set[int] = set()  # ports, which need not be in use yet


def free_port() -> int:
    """Below what the kernel gives to outgoing connections, so that none of those takes it while a process restarts."""
    for _ in range(200):
        port = 10000 + int.from_bytes(os.urandom(2), "big") % 20000
        if port in _given:
            continue
        _given.add(port)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue
    raise RuntimeError("no free port")


def wait_until(condition: Callable[[], object], what: str, patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"never came: {what}")
        time.sleep(0.05)


def children_of(pid: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
    return [int(each) for each in found.stdout.split()]


def send_all(pids: Sequence[int], number: int) -> None:
    """Those that are gone need nothing any more."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


class Process:
    """A program that can be killed, frozen and started again; its output goes to a file."""

    def __init__(self, name: str, command: Sequence[str], log: pathlib.Path, environment: Mapping[str, str] | None = None,
                 user: str = "") -> None:
        """`user`: who it runs as, if the rig is root."""
        self.name = name
        self.user = user if os.geteuid() == 0 else ""
        self.command = list(command)
        self.log = log
        self.environment = dict(environment or {})
        self._process: subprocess.Popen[bytes] | None = None
        self.frozen = False

    def start(self) -> None:
        with open(self.log, "ab") as log:
            self._process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                             env={**os.environ, **self.environment}, preexec_fn=die_with_parent,
                                             **({"user": self.user, "group": self.user, "extra_groups": []} if self.user else {}))
        self.frozen = False

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def send(self, number: int) -> None:
        if self.alive():
            assert self._process
            self._process.send_signal(number)

    def freeze(self) -> None:
        self.send(signal.SIGSTOP)
        self.frozen = True

    def thaw(self) -> None:
        self.send(signal.SIGCONT)
        self.frozen = False

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()

    def stop(self, patience: float = PATIENCE) -> int:
        """Asks it to end, as a supervisor does; kills it if it does not."""
        if not self._process:
            return 0
        self.thaw()
        self.send(signal.SIGTERM)
        try:
            return self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            return -signal.SIGKILL
