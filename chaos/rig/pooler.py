"""A private pgbouncer in transaction mode: whoever talks through it has no session of its own."""

import os
import pathlib
import shutil

from chaos.rig.database import Database, as_server_user
from chaos.rig.processes import Process, free_port

CONFIG = """[databases]
* = host=127.0.0.1 port={database} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 12
max_client_conn = 200
logfile = {folder}/log
"""


class Pooler:
    def __init__(self, folder: pathlib.Path, database: Database) -> None:
        folder.mkdir()
        self.port = free_port()
        config = folder / "pgbouncer.ini"
        config.write_text(CONFIG.format(database=database.port, port=self.port, folder=folder), "utf-8")
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        self.process = Process("pgbouncer", as_server_user(["/usr/sbin/pgbouncer", "--quiet", str(config)]), folder / "output")
        self.process.start()

    def close(self) -> None:
        self.process.stop(5)
