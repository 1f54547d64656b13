"""Pays invoices once, however often it is told to: worker.py DATABASE

Belfry delivers at least once. What makes the effect happen once stands in one transaction with it:
the run's id, which is the same for every attempt, and the fence, which grows with every attempt. A
worker that was frozen and wakes up in the middle holds an old fence, and changes nothing.
"""

import sqlite3
import sys

from belfry import Client, Context, PermanentFailure, Worker

SCHEMA = """
create table if not exists payments (run text primary key, invoice text not null, cents integer not null);
create table if not exists fences (job text primary key, highest integer not null);
"""

database = sqlite3.connect(sys.argv[1], isolation_level=None, check_same_thread=False, timeout=30)
database.executescript(SCHEMA)
worker = Worker(Client.from_env(), concurrency=1)


def pay(run_id: str, job: str, fence: int, invoice: str, cents: int) -> str:
    """All of it happens, or nothing."""
    database.execute("begin immediate")
    try:
        [highest] = database.execute("select max(highest) from fences where job = ?", (job,)).fetchone()
        if highest is not None and fence < highest:
            raise PermanentFailure(f"fence {fence} is older than {highest}: somebody else has this work")
        database.execute("insert into fences values (?, ?) on conflict (job) do update set highest = excluded.highest",
                         (job, fence))
        paid = database.execute("insert or ignore into payments values (?, ?, ?)", (run_id, invoice, cents)).rowcount
        database.execute("commit")
    except BaseException:
        database.execute("rollback")
        raise
    return "paid" if paid else "was paid already"


@worker.handler("invoice.pay")
def handle(run: Context) -> dict:
    if not isinstance(run.payload, dict) or not {"invoice", "cents"} <= run.payload.keys():
        raise PermanentFailure("the payload needs an invoice and cents")
    return {"outcome": pay(run.idempotency_key, run.job_id, run.fence, run.payload["invoice"], run.payload["cents"])}


if __name__ == "__main__":
    worker.run()
