"""A private PostgreSQL for a test: in its own folder, on its own port, gone with the test."""

import os
import pathlib
import shutil
import socket
import subprocess
import tempfile

# Waits until the test lets go of its end of the pipe, by stop() or by dying; then ends the server and removes its
# folder. The server's number may belong to another process by then, so its command line must name the folder.
WILL = """
read -r _
server=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) &&
  grep -qF "$0/data" "/proc/$server/cmdline" 2>/dev/null && kill -QUIT "$server" && sleep 1
rm -rf "$0"
"""


def _binaries() -> pathlib.Path:
    """Debian keeps the server's programs off the path."""
    places = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists():
            return place
    raise RuntimeError("no PostgreSQL found (Debian: postgresql-15)")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _as_server_user(command: list[str]) -> list[str]:
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else command


class Postgres:
    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="belfry-api-pg-")
        self.will = subprocess.Popen(["sh", "-c", WILL, self.folder], stdin=subprocess.PIPE, start_new_session=True)
        self.binaries = _binaries()
        self.data = f"{self.folder}/data"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-D", self.data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        self._start()

    def _start(self, tries_left: int = 4) -> None:
        """Somebody else may take a free port before the server does; then it tries another one."""
        self.port = _free_port()
        options = f"-k {self.folder} -p {self.port} -h 127.0.0.1 -c full_page_writes=off -c fsync=off"
        try:
            self._run("pg_ctl", "-D", self.data, "-w", "-t", "180", "-l", f"{self.data}/log", "-o", options, "start")
        except RuntimeError:
            if not tries_left:
                raise
            self._start(tries_left - 1)

    def go_away(self) -> None:
        """Stops the server; come_back() starts it again at the same place."""
        self._run("pg_ctl", "-D", self.data, "-w", "-m", "immediate", "stop")

    def come_back(self) -> None:
        options = f"-k {self.folder} -p {self.port} -h 127.0.0.1 -c full_page_writes=off -c fsync=off"
        self._run("pg_ctl", "-D", self.data, "-w", "-t", "180", "-l", f"{self.data}/log", "-o", options, "start")

    def _run(self, program: str, *arguments: str) -> None:
        # Output goes to a file: the server inherits it, and would keep a pipe open.
        command = _as_server_user([str(self.binaries / program), *arguments])
        with open(f"{self.folder}/output", "ab") as output:
            done = subprocess.run(command, stdout=output, stderr=output, cwd=self.folder, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{program} failed: {pathlib.Path(self.folder, 'output').read_text('utf-8')}")

    def execute(self, statement: str) -> None:
        self._run("psql", self.url.replace("postgres://", "postgresql://"), "-v", "ON_ERROR_STOP=1", "-c", statement)

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def stop(self) -> None:
        assert self.will.stdin
        self.will.stdin.close()
        self.will.wait()
