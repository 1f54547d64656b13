"""The embedded store: one file, read from outside by plain SQL while the node writes it."""

import pathlib
import sqlite3
from typing import Any

from chaos.rig.ledger import Rows, Queries

# As recorder.sql does it for PostgreSQL; SQLite's clock knows milliseconds.
NOW = "cast((julianday('now') - 2440587.5) * 86400000000 as integer)"
RECORDER = f"""
create table chaos_cursors (no integer primary key, partition, epoch, owner, through_before, through);
create trigger chaos_note_cursor after update on partitions begin
  insert into chaos_cursors (partition, epoch, owner, through_before, through)
  values (new.id, new.epoch, lower(hex(new.owner)), old.decided_through, new.decided_through); end;
create table chaos_grants (no integer primary key, job_id, run_key, fence, attempt, worker, at);
create trigger chaos_note_grant after update on runs when new.fence <> old.fence begin
  insert into chaos_grants (job_id, run_key, fence, attempt, worker, at)
  values (new.job_id, new.run_key, new.fence, new.attempt, new.worker, {NOW}); end;
create trigger chaos_note_new after insert on runs when new.fence <> 0 begin
  insert into chaos_grants (job_id, run_key, fence, attempt, worker, at)
  values (new.job_id, new.run_key, new.fence, new.attempt, new.worker, {NOW}); end;
create table chaos_ends (no integer primary key, job_id, run_key, state, fence, at);
create trigger chaos_note_end after insert on history begin
  insert into chaos_ends (job_id, run_key, state, fence, at)
  values (new.job_id, new.run_key, new.state, new.fence, {NOW}); end;
"""


class Embedded:
    port = 0  # it has none

    def __init__(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True)
        self.file = folder / "belfry.db"

    @property
    def url(self) -> str:
        return f"sqlite:{self.file}"

    def connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.file, timeout=30, isolation_level=None, check_same_thread=False)

    def install_recorder(self) -> None:
        self.script(RECORDER)

    def script(self, sql: str) -> None:
        connection = self.connect()
        connection.executescript(sql)
        connection.close()

    def tables(self) -> Rows:
        queries = Queries(micros=lambda column: column, text=lambda column: f"lower(hex({column}))", chaos="chaos_", now=NOW)
        connection = self.connect()
        try:
            connection.execute("begin")
            return {name: _rows(connection, sql) for name, sql in queries.all().items()}
        finally:
            connection.close()

    def is_whole(self) -> bool:
        connection = self.connect()
        try:
            return connection.execute("pragma integrity_check").fetchone() == ("ok",)
        finally:
            connection.close()

    def close(self) -> None:
        """It goes with its folder."""


def _rows(connection: sqlite3.Connection, sql: str) -> list[dict[str, str]]:
    cursor = connection.execute(sql)
    names = [column[0] for column in cursor.description]

    def text(value: Any) -> str:
        return "" if value is None else str(value)

    return [{name: text(value) for name, value in zip(names, row)} for row in cursor]
