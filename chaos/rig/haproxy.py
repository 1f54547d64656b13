"""haproxy in front of the members of a database, from deploy/haproxy/database.cfg: it leads to the primary."""

import pathlib

from chaos.rig import deployed
from chaos.rig.patroni import Patroni
from chaos.rig.processes import Process, free_port


class Haproxy:
    def __init__(self, folder: pathlib.Path, database: Patroni) -> None:
        self.port = free_port()
        replaced = {"bind :5432": f"bind 127.0.0.1:{self.port}", "check port 8008": "check"}
        for member in database.members:
            replaced[f"{member.name}.internal:5432"] = f"127.0.0.1:{member.routes['pg'].listen} port {member.routes['rest'].listen}"
        text = deployed.filled("haproxy/database.cfg", replaced)
        # The rig may have fewer members than the file.
        kept = [line for line in text.splitlines() if ".internal" not in line]
        file = deployed.write(folder / "haproxy.cfg", "\n".join(kept) + "\n")
        self.process = Process("haproxy", ["/usr/sbin/haproxy", "-db", "-f", str(file)], folder / "haproxy.log")

    def start(self) -> None:
        self.process.start()

    def close(self) -> None:
        self.process.kill()
