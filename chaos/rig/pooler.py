"""A private pgbouncer in transaction mode, from deploy/pgbouncer/pgbouncer.ini: who talks through it has no session."""

import os
import pathlib
import shutil

from chaos.rig import deployed
from chaos.rig.processes import Process, free_port


class Pooler:
    def __init__(self, folder: pathlib.Path, to: int, password: str = "") -> None:
        """`to`: the port of the database, or of what leads there; with a password for `belfry`, or for whoever trusts."""
        folder.mkdir()
        self.port = free_port()
        places = {"listen_port = 6432": f"listen_port = {self.port}\nunix_socket_dir =\nlogfile = {folder}/log"}
        if password:
            users = deployed.write(folder / "userlist.txt", f'"belfry" "{password}"\n')
            places |= {"db.internal port=5432": f"127.0.0.1 port={to}", "/etc/pgbouncer/userlist.txt": str(users)}
        else:
            places |= {"belfry = host=db.internal port=5432 dbname=belfry": f"* = host=127.0.0.1 port={to} user=postgres",
                       "auth_file = /etc/pgbouncer/userlist.txt\n": "", "scram-sha-256": "any"}
        file = deployed.write(folder / "pgbouncer.ini", deployed.filled("pgbouncer/pgbouncer.ini", places))
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self.process = Process("pgbouncer", ["/usr/sbin/pgbouncer", "--quiet", str(file)], folder / "output", user="postgres")
        self.process.start()

    def close(self) -> None:
        self.process.stop(5)
