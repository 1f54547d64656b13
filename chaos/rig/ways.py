"""How nodes get to their database: what stands in between, and what each node is told. From the files of deploy/."""

import pathlib
import subprocess
from typing import Any

from chaos.rig import deployed
from chaos.rig.database import url_of
from chaos.rig.haproxy import Haproxy
from chaos.rig.pooler import Pooler
from chaos.rig.processes import wait_until
from chaos.rig.psql import binaries

PASSWORD = "change-me-4"  # as deploy/patroni/belfry.sql has it


class Way:
    """Straight to one server, over the node's own link."""

    environment: dict[str, str] = {}

    def __init__(self, folder: pathlib.Path, database: Any) -> None:
        self.folder, self.database = folder, database
        self.port = self.begin()

    def begin(self) -> int:
        """The port that links of nodes lead to."""
        return int(self.database.port)

    def start(self) -> None:
        """What has to wait for the database."""

    def arguments(self, link: int, user: str) -> list[str]:
        """Of a node whose own link listens at that port."""
        return ["--store", url_of(link, user)]

    def close(self) -> None:
        """What it started."""


class BehindPooler(Way):
    def begin(self) -> int:
        self.pooler = Pooler(self.folder / "pooler", self.database.port)
        return self.pooler.port

    def close(self) -> None:
        self.pooler.close()


class ToHosts(Way):
    """Nodes know all members, and reach each over its own link."""

    environment = {"PGPASSWORD": PASSWORD}
    config = "patroni/belfry.toml"

    def begin(self) -> int:
        return int(self.database.members[0].port)

    def places(self, _: int) -> dict[str, str]:
        hosts = ",".join(f"127.0.0.1:{member.routes['pg'].listen}" for member in self.database.members)
        return {"db-1.internal:5432,db-2.internal:5432,db-3.internal:5432": hosts}

    def arguments(self, link: int, _: str) -> list[str]:
        # The links understand PostgreSQL as long as nobody encrypts.
        places = {**self.places(link), "/belfry?": "/belfry?sslmode=disable&gssencmode=disable&"}
        file = deployed.write(self.folder / f"belfry-{link}.toml", deployed.filled(self.config, places))
        return ["--config", str(file)]


class BehindHaproxy(ToHosts):
    config = "haproxy/belfry.toml"

    def begin(self) -> int:
        self.haproxy = Haproxy(self.folder, self.database)
        return self.haproxy.port

    def start(self) -> None:
        self.haproxy.start()
        url = f"postgres://belfry:{PASSWORD}@127.0.0.1:{self.haproxy.port}/belfry?sslmode=disable&target_session_attrs=read-write"
        wait_until(lambda: subprocess.run([binaries() / "psql", "-qc", "select 1", url], capture_output=True, check=False).returncode == 0,
                   "a proxy that leads to the primary")

    def places(self, link: int) -> dict[str, str]:
        return {"db.internal:5432": f"127.0.0.1:{link}"}

    def close(self) -> None:
        self.haproxy.close()


class BehindPgbouncer(BehindHaproxy):
    """pgbouncer, and behind it haproxy."""

    config = "pgbouncer/belfry.toml"

    def begin(self) -> int:
        self.pooler = Pooler(self.folder / "pooler", super().begin(), PASSWORD)
        return self.pooler.port

    def places(self, link: int) -> dict[str, str]:
        return {"127.0.0.1:6432": f"127.0.0.1:{link}"}

    def close(self) -> None:
        self.pooler.close()
        super().close()


WAYS: dict[str, type[Way]] = {"direct": Way, "pooler": BehindPooler, "hosts": ToHosts, "haproxy": BehindHaproxy,
                              "pgbouncer": BehindPgbouncer}
