"""A private PostgreSQL: its own folder and port, killed and started again at will, gone with the rig."""

import csv
import io
import os
import pathlib
import shutil
import signal
import subprocess
from typing import Sequence

from chaos.rig.processes import Process, free_port, wait_until

# Waits until the rig lets go of its end of the pipe, by close() or by dying; then ends the server, if it is still the
# one of that folder, and removes the folder.
WILL = """
read -r _
server=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) &&
  grep -qF "$0/data" "/proc/$server/cmdline" 2>/dev/null && kill -QUIT "$server" && sleep 1
rm -rf "$0"
"""


def binaries() -> pathlib.Path:
    """Debian keeps the server's programs off the path."""
    for place in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (place / "initdb").exists():
            return place
    raise RuntimeError("no PostgreSQL found (Debian: postgresql-15)")


def as_server_user(command: Sequence[str]) -> list[str]:
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


class Database:
    def __init__(self, folder: pathlib.Path, clock: tuple[str, pathlib.Path] | None = None, options: str = "") -> None:
        """`clock`: a library to preload, and the file that says how wrong the clock is."""
        self.folder = folder
        folder.mkdir(parents=True)
        self.data = folder / "data"
        self.will = subprocess.Popen(["sh", "-c", WILL, str(folder)], stdin=subprocess.PIPE, start_new_session=True)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync")
        self.port = free_port()
        settings = (f"-k {folder} -p {self.port} -h 127.0.0.1 -c fsync=off -c full_page_writes=off -c synchronous_commit=on "
                    f"-c max_connections=200 {options}").split()
        preload = [f"LD_PRELOAD={clock[0]}", f"WRONG_CLOCK_FILE={clock[1]}"] if clock else []
        command = ["env", *preload, str(binaries() / "postgres"), "-D", str(self.data), *settings]
        self.server = Process("postgres", as_server_user(command), folder / "log")
        self.start()

    def start(self) -> None:
        self.server.start()
        wait_until(self.answers, "PostgreSQL")

    def answers(self) -> bool:
        if not self.server.alive():
            self.server.start()  # it had lost a race for its port, or for the lock of the server before it
        return subprocess.run([binaries() / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)], check=False).returncode == 0

    def kill(self) -> None:
        """Its backends go with the postmaster, at once."""
        pid = self.postmaster()
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not pathlib.Path(f"/proc/{pid}").exists() or not self.server.alive(), "the end of PostgreSQL")
        self.server.kill()

    def postmaster(self) -> int:
        return int((self.data / "postmaster.pid").read_text("utf-8").split()[0])

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(as_server_user([str(binaries() / program), *arguments]), capture_output=True, text=True,
                              cwd=self.folder, check=False)
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")

    @property
    def url(self) -> str:
        return url_of(self.port)

    def command(self, *arguments: str) -> list[str]:
        return [str(binaries() / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", self.url, *arguments]

    def script(self, sql: str) -> str:
        done = subprocess.run(self.command("-f", "-"), input=sql, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"psql failed: {done.stderr}")
        return done.stdout

    def rows(self, sql: str) -> list[dict[str, str]]:
        done = subprocess.run(self.command("--csv", "-c", sql), capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"psql failed: {done.stderr}")
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def close(self) -> None:
        assert self.will.stdin
        self.will.stdin.close()
        self.will.wait()
        self.server.kill()


def url_of(port: int) -> str:
    return f"postgres://postgres@127.0.0.1:{port}/postgres?sslmode=disable&gssencmode=disable"
