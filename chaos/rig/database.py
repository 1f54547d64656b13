"""A private PostgreSQL: its own folder and port, killed and started again at will, gone with the rig."""

import os
import pathlib
import shutil
import signal
import subprocess
from typing import Sequence

from chaos.rig.processes import Process, free_port, wait_until
from chaos.rig.psql import Psql, binaries

# Waits until the rig lets go of its end of the pipe, by close() or by dying; then ends the servers, if they are still
# those of that folder, and removes the folder.
WILL = """
read -r _
for data in "$0"/data "$0"/standby; do
  server=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) &&
    grep -qF "$data" "/proc/$server/cmdline" 2>/dev/null && kill -QUIT "$server"
done
sleep 1
rm -rf "$0"
"""


def as_server_user(command: Sequence[str]) -> list[str]:
    """The server refuses to run as root."""
    return ["runuser", "-u", "postgres", "--", *command] if os.geteuid() == 0 else list(command)


class Database(Psql):
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
        self._options, self._clock = options, clock
        self.server = self._server(self.data, self.port)
        self.start()

    def _server(self, data: pathlib.Path, port: int) -> Process:
        settings = (f"-k {self.folder} -p {port} -h 127.0.0.1 -c fsync=off -c full_page_writes=off -c synchronous_commit=on "
                    f"-c max_connections=200 {self._options}").split()
        preload = [f"LD_PRELOAD={self._clock[0]}", f"WRONG_CLOCK_FILE={self._clock[1]}"] if self._clock else []
        command = ["env", *preload, str(binaries() / "postgres"), "-D", str(data), *settings]
        return Process("postgres", as_server_user(command), self.folder / "log")

    def add_standby(self) -> None:
        """A synchronous one: what is committed is there as well (A1)."""
        standby, port = self.folder / "standby", free_port()
        self._run("pg_basebackup", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres", "-D", str(standby), "-R", "-X", "stream",
                  "-c", "fast")
        self.standby = (standby, port, self._server(standby, port))
        self.standby[2].start()
        wait_until(lambda: self.rows("select 1 from pg_stat_replication where state = 'streaming'"), "a standby that follows")
        self.script("alter system set synchronous_standby_names = '*'; select pg_reload_conf();")
        wait_until(lambda: self.rows("select 1 from pg_stat_replication where sync_state = 'sync'"), "a standby that is synchronous")

    def fail_over(self) -> None:
        """The primary is killed, and the standby takes its place, at its own port."""
        self.kill()
        self.data, self.port, self.server = self.standby
        self._run("pg_ctl", "-D", str(self.data), "-w", "promote")

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

    def limit_nodes(self, connections: int) -> str:
        """The user for nodes that may not have more connections than these together."""
        self.script(f"create role belfry login connection limit {connections}; grant all on schema public to belfry;")
        return "belfry"

    def close(self) -> None:
        assert self.will.stdin
        self.will.stdin.close()
        self.will.wait()
        self.server.kill()


def url_of(port: int, user: str = "postgres") -> str:
    return f"postgres://{user}@127.0.0.1:{port}/postgres?sslmode=disable&gssencmode=disable"
