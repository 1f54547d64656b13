"""Starts a service in a root folder as its unit file says, and hears what it tells its service manager.

A stand-in for systemd where there is none (containers, build machines). It reads of a unit what decides whether the
program starts and ends: user, environment, command, the ready message, the signal at the end.
"""

import configparser
import os
import pathlib
import shlex
import socket
import subprocess
import threading
import time

PATIENCE = 60.0  # seconds; a limit for broken tests, never a measurement


class Unit:
    def __init__(self, root: pathlib.Path, name: str, file: str | None = None, environment: dict[str, str] | None = None,
                 arguments: tuple[str, ...] = ()) -> None:
        """`file`: the unit's file if it is not called like this instance of it."""
        self.name = name
        parser = configparser.RawConfigParser(strict=False, interpolation=None)
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read(root / f"lib/systemd/system/{file or name}.service")
        self.service = parser["Service"]
        self.root = root
        self.said: list[str] = []
        self.extra = environment or {}
        self.arguments = arguments

    def environment(self) -> dict[str, str]:
        variables = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
        for line in [self.service.get("Environment", "")] + self._file().splitlines():
            name, found, value = line.partition("=")
            if found and not line.lstrip().startswith("#"):
                variables[name] = value
        return {**variables, **self.extra}

    def _file(self) -> str:
        named = self.service.get("EnvironmentFile", "")
        path = self.root / named.lstrip("-").lstrip("/")
        if not named or (named.startswith("-") and not path.exists()):
            return ""
        return path.read_text("utf-8")

    def start(self) -> "Unit":
        """Returns once it says that it is ready, as `systemctl start` does for Type=notify."""
        assert self.service["Type"] == "notify"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        address = f"belfry-units-{os.getpid()}-{self.name}-{time.monotonic_ns()}"
        listener.bind("\0" + address)
        threading.Thread(target=self._hear, args=(listener,), daemon=True).start()
        environment = {**self.environment(), "NOTIFY_SOCKET": "@" + address}
        command = [word for part in shlex.split(self.service["ExecStart"])
                   for word in (shlex.split(environment.get(part[1:], "")) if part.startswith("$") else [part])]
        user = f"--userspec={self.service['User']}:{self.service['Group']}"
        self.log = open(self.root / f"var/log/{self.name}.log", "ab")
        self.process = subprocess.Popen(["/usr/sbin/chroot", user, str(self.root), *command, *self.arguments], env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.wait_for("READY=1")
        return self

    def _hear(self, listener: socket.socket) -> None:
        while True:
            self.said += listener.recv(4096).decode().splitlines()

    def wait_for(self, word: str) -> None:
        end = time.monotonic() + PATIENCE
        while word not in self.said:
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"{self.name} did not say {word}:\n{self.printed()}")
            time.sleep(0.1)

    def printed(self) -> str:
        return (self.root / f"var/log/{self.name}.log").read_text("utf-8", "replace")[-3000:]

    def stop(self) -> int:
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(PATIENCE)
        self.log.close()
        return code
