"""Both stores as a test sees them from outside: an address for nodes, and SQL for what no node offers."""

import csv
import io
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from typing import Any

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from postgres import Postgres  # noqa: E402


class Embedded:
    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-lifecycle-"))
        self.path = self.folder / "belfry.db"
        self.address = f"sqlite:{self.path}"

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(self.path, timeout=60)
        try:
            found = connection.execute(sql).fetchall()
            connection.commit()
            return found
        finally:
            connection.close()

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Database:
    """`name`: one of several in the same server."""

    def __init__(self, server: Postgres | None = None, name: str = "postgres") -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-lifecycle-"))
        self.owns, self.server = server is None, server or Postgres()
        self.address = self.server.url.removesuffix("postgres") + name

    def program(self, name: str, *arguments: str) -> str:
        done = subprocess.run([str(self.server.binaries / name), *arguments], text=True, capture_output=True, check=False,
                              env={**os.environ, "PGHOST": "127.0.0.1", "PGPORT": str(self.server.port), "PGUSER": "postgres"})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        text = self.program("psql", "--no-psqlrc", "--quiet", "--csv", "--tuples-only", "-v", "ON_ERROR_STOP=1", "-c", sql, self.address)
        return [tuple(row) for row in csv.reader(io.StringIO(text))]

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.owns:
            self.server.stop()


def store_named(kind: str) -> Embedded | Database:
    return Embedded() if kind == "sqlite" else Database()
