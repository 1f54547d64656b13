"""PostgreSQL as Patroni runs it on etcd: members that elect their primary, from the files of deploy/patroni.

Each member is reached by links of its own, as a machine would be: `pg` by nodes, `peer` by the other members, `rest` by
whoever asks for its role; `etcd` is its way to the lock. A member whose links are all cut is a machine that is cut off.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any

import yaml

from chaos.rig import deployed
from chaos.rig.links import Route
from chaos.rig.processes import Process, children_of, free_port, send_all, wait_until
from chaos.rig.psql import Psql, binaries

_SETTLING = 120.0  # seconds that an election may take on a busy machine

# As in Database: outlives the rig for a moment, and ends the servers of that folder.
WILL = """
read -r _
for data in "$0"/*/data; do
  server=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) &&
    grep -qF "$data" "/proc/$server/cmdline" 2>/dev/null && kill -CONT "$server" && kill -QUIT "$server"
done
sleep 1
rm -rf "$0"
"""


class Member:
    """One machine of the database."""

    def __init__(self, number: int, folder: pathlib.Path, etcd: int) -> None:
        self.number, self.name, self.folder = number, f"db-{number + 1}", folder
        self.data = folder / "data"
        self.port, self.rest = free_port(), free_port()
        self.routes = {what: Route(f"{what}:{number}", free_port(), to, False)
                       for what, to in (("pg", self.port), ("peer", self.port), ("rest", self.rest), ("etcd", etcd))}

    def make(self, file: pathlib.Path, synchronous: bool) -> Process:
        settings = yaml.safe_load(deployed.filled("patroni/patroni.yml", {"db-1": self.name}))
        settings["restapi"] = {"listen": f"127.0.0.1:{self.rest}", "connect_address": f"127.0.0.1:{self.routes['rest'].listen}"}
        # Without the proxies it would ask etcd for its address, and go there past the link.
        settings["etcd3"] = {"hosts": f"127.0.0.1:{self.routes['etcd'].listen}", "use_proxies": True}
        settings["bootstrap"]["dcs"]["synchronous_mode"] = synchronous
        settings["postgresql"].update(listen=f"127.0.0.1:{self.port}", connect_address=f"127.0.0.1:{self.routes['peer'].listen}",
                                      data_dir=str(self.data), bin_dir=str(binaries()), pgpass=str(self.folder / "pgpass"))
        # What is killed here are processes, not the machine: no disk has to be waited for.
        settings["postgresql"]["parameters"] = {"unix_socket_directories": str(self.folder), "fsync": "off"}
        deployed.write(file, yaml.safe_dump(settings, sort_keys=False))
        self.passwords = {role: told["password"] for role, told in settings["postgresql"]["authentication"].items()}
        self.process = Process(self.name, ["/usr/bin/patroni", str(file)], file.with_suffix(".log"), {"HOME": str(self.folder)}, user="postgres")
        return self.process

    def ask(self, path: str, body: Any = None, patience: float = 2) -> Any:
        """Of its REST interface, past the links; None if it does not answer well."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.rest}{path}", None if body is None else json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                text = answer.read()
                return json.loads(text) if text.startswith((b"{", b"[")) else text.decode()
        except (OSError, ValueError):
            return None

    def pids(self) -> list[int]:
        """Of Patroni, of PostgreSQL and of all its children: what runs on this machine."""
        own = [self.process.pid] if self.process.alive() else []
        return [*own, *self.server_pids()]

    def server_pids(self) -> list[int]:
        try:
            postmaster = int((self.data / "postmaster.pid").read_text("utf-8").split()[0])
        except (OSError, ValueError, IndexError):
            return []
        return [postmaster, *children_of(postmaster)]


class Patroni(Psql):
    """Of the user `belfry`, in the database of that name; the rig itself asks as a superuser."""

    def __init__(self, folder: pathlib.Path, members: int, synchronous: bool) -> None:
        self.folder, self.logs, self.synchronous = folder, folder.parent, synchronous
        folder.mkdir()
        folder.chmod(0o755)
        self.will = subprocess.Popen(["sh", "-c", WILL, str(folder)], stdin=subprocess.PIPE, start_new_session=True)
        self.etcd_port = free_port()
        self.members = [Member(i, folder / f"db-{i + 1}", self.etcd_port) for i in range(members)]
        self.etcd = self._etcd()

    def _etcd(self) -> Process:
        client, peer = f"http://127.0.0.1:{self.etcd_port}", f"http://127.0.0.1:{free_port()}"
        text = deployed.filled("patroni/etcd", {"http://0.0.0.0:2379": client, "http://etcd-1.internal:2379": client,
                                                "http://0.0.0.0:2380": peer, "http://etcd-1.internal:2380": peer,
                                                "/var/lib/etcd/belfry": str(self.folder / "etcd"),
                                                ",etcd-2=http://etcd-2.internal:2380,etcd-3=http://etcd-3.internal:2380": ""})
        told = dict(re.findall(r"^(ETCD_\w+)=(.*)$", text, re.M))
        return Process("etcd", ["/usr/bin/etcd"], self.logs / "etcd.log", told)

    def routes(self) -> list[Route]:
        return [route for member in self.members for route in member.routes.values()]

    def start(self) -> None:
        """Once the links are there."""
        self.etcd.start()
        for member in self.members:
            member.folder.mkdir()
            if os.geteuid() == 0:
                shutil.chown(member.folder, "postgres")
            member.make(self.logs / f"{member.name}.yml", self.synchronous).start()
        wait_until(self.all_follow, "members that follow a primary")
        self.run_as_superuser(deployed.filled("patroni/belfry.sql", {}), "postgres")

    def all_follow(self) -> bool:
        """A primary, and everybody else streams from it; where it matters, one of them synchronously."""
        known = self.known_members()
        roles = sorted(each["role"] for each in known if each["state"] in ("running", "streaming"))
        return len(roles) == len(self.members) and "leader" in roles and ("sync_standby" in roles or not self.synchronous)

    def known_members(self) -> list[dict[str, Any]]:
        for member in self.members:
            if member.process.alive() and not member.process.frozen and (answer := member.ask("/cluster")):
                return answer["members"]
        return []

    def primary(self) -> Member:
        """The one that has the lock and takes writes; waited for."""
        found: list[Member] = []
        wait_until(lambda: found.extend(self.writable()) or found, "a primary")
        return found[0]

    def writable(self) -> list[Member]:
        return [member for member in self.members if member.process.alive() and not member.process.frozen
                and (answer := member.ask("/primary")) and answer.get("role") in ("master", "primary")]

    @property
    def url(self) -> str:
        return self.url_of(self.primary(), "belfry")

    def url_of(self, member: Member, database: str) -> str:
        return (f"postgres://postgres:{member.passwords['superuser']}@127.0.0.1:{member.port}/{database}?sslmode=disable&gssencmode=disable"
                "&connect_timeout=2")

    def run_as_superuser(self, sql: str, database: str) -> None:
        done = subprocess.run([binaries() / "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", self.url_of(self.primary(), database)], input=sql,
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"psql failed: {done.stderr}")

    def script(self, sql: str) -> str:
        """Of the primary, also if that is becoming another one just now."""
        end = time.monotonic() + _SETTLING
        while True:
            try:
                return super().script(sql)
            except RuntimeError as error:
                if "connection to server" not in str(error) or time.monotonic() > end:
                    raise
            time.sleep(0.5)

    def takes_writes(self, member: Member) -> bool:
        """Whether it commits, as a node's decision would have to."""
        done = subprocess.run([binaries() / "psql", "-X", "-q", "-c", "insert into chaos.probes default values", self.url_of(member, "belfry")],
                              capture_output=True, timeout=10, check=False, env={**os.environ, "PGOPTIONS": "-c statement_timeout=1s"})
        return done.returncode == 0

    def close(self) -> None:
        for member in self.members:
            send_all(member.pids(), signal.SIGCONT)
            member.process.kill()
        self.etcd.kill()
        assert self.will.stdin
        self.will.stdin.close()
        self.will.wait()
