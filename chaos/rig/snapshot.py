"""Reads the ledger and the journals into a history: tables by plain SQL, in one transaction, without the product's code."""

import datetime
import json
import pathlib
from typing import Any

from chaos.checker import history as h
from chaos.rig.database import Database
from chaos.rig.embedded import Embedded
from chaos.rig.journal import now_micros, read

OVERLAPS = ("FORBID", "ALLOW", "REPLACE", "QUEUE_ONE")
MISFIRES = ("FIRE_ONCE", "SKIP", "FIRE_ALL")

Row = dict[str, str]


def _time(text: str) -> int | None:
    return int(text) if text else None


def run_id(row: Row) -> str:
    return f"{int(row['job_id']):016x}{int(row['run_key']) & (1 << 64) - 1:016x}"


def _instant(text: Any) -> int | None:
    return int(datetime.datetime.fromisoformat(str(text).replace("Z", "+00:00")).timestamp() * h.SECOND) if text else None


def _windows(rules: str) -> list[tuple[int, int]]:
    ends = [rule.split("..") for rule in rules.splitlines()]
    if any(not (begin.endswith("Z") and end.endswith("Z")) for begin, end in ends):
        raise ValueError("of calendars, the checker knows only windows between two instants")
    return [(_instant(begin) or 0, _instant(end) or 0) for begin, end in ends]


def schedule_of(text: str, rules: str = "") -> dict[str, object]:
    told = json.loads(text)
    if told["jitter_micros"]:
        raise ValueError("the walk knows no jitter")
    kinds = [{"cron": told["cron_expression"], "zone": told["timezone"]}, {"every": told["every_micros"]}, {"run_at": _instant(told["run_at"])}]
    calendar = {"windows": _windows(rules), "delays": bool(told.get("calendar_policy"))} if told["calendar"] else {}
    return {**kinds[told["type"]], "start_at": _instant(told["start_at"]), "end_at": _instant(told["end_at"]), **calendar}


def _revision(row: Row) -> h.Revision:
    return h.Revision(int(row["job_id"]), int(row["revision"]), int(row["effective_from"]), h.STATUSES[int(row["status"])], row["name"],
                      row["job_type"], schedule_of(row["schedule"], row["calendar_rules"]), OVERLAPS[int(row["overlap"])], MISFIRES[int(row["misfire"])],
                      int(row["max_attempts"]), _time(row["paused_until"]))


def _run(row: Row) -> h.Run:
    return h.Run(int(row["job_id"]), int(row["run_key"]), h.ORIGINS[int(row["origin"])], h.STATES[int(row["state"])],
                 int(row["scheduled_for"]), int(row["decided_at"]), _time(row["started_at"]), _time(row["finished_at"]), int(row["attempt"]),
                 int(row["fence"]), int(row["partition"]), int(row["epoch"]), row["node"], int(row["revision"]),
                 _time(row["lease_until"]), _time(row["due_at"]))


def take(database: Database | Embedded, folder: pathlib.Path, begin: int, horizon: int) -> h.History:
    # The journals are read after the tables, so that they know of whatever is there; answers that came meanwhile may
    # speak of what is not there yet.
    taken_at = now_micros()
    rows = database.tables()
    history = h.History(begin, horizon, taken_at)
    history.revisions = [_revision(row) for row in rows["revisions"]]
    history.runs = [_run(row) for row in rows["runs"]]
    history.skips = [h.Skip(int(r["job_id"]), int(r["first_tick"]), int(r["last_tick"]), int(r["count"]), h.REASONS[int(r["reason"])],
                            int(r["epoch"])) for r in rows["skips"]]
    history.attempts = [h.Attempt(run_id(r), int(r["attempt"]), int(r["fence"]), h.OUTCOMES[int(r["outcome"])], r["worker"],
                                  int(r["started_at"]), int(r["finished_at"])) for r in rows["attempts"]]
    history.cursors = [h.Cursor(int(r["partition"]), int(r["epoch"]), r["owner"], int(r["through_before"]), int(r["through"]))
                       for r in rows["cursors"]]
    history.grants = [h.Grant(run_id(r), int(r["job_id"]), int(r["fence"]), int(r["attempt"]), int(r["at"])) for r in rows["grants"]]
    history.ends = [h.End(run_id(r), h.STATES[int(r["state"])], int(r["fence"]), int(r["at"])) for r in rows["ends"]]
    history.partitions = [h.Partition(int(r["id"]), r["owner"], int(r["epoch"]), int(r["decided_through"])) for r in rows["partitions"]]
    history.live_nodes = [r["incarnation"] for r in rows["nodes"]]
    for file in sorted(folder.glob("worker-*.jsonl")):
        _add(history, file)
    _add(history, folder / "harness.jsonl")
    history.receipts = receipts(folder)
    history.seen = sorted((seen for seen in history.seen if seen.event != "answer" or seen.at < taken_at), key=lambda seen: seen.at)
    return history


def receipts(folder: pathlib.Path) -> list[h.Receipt]:
    return [h.Receipt(line["at"], line["run"], line["job"], line["way"], line["said"])
            for line in read(folder / "harness.jsonl") if line["event"] == "receipt"]


def _add(history: h.History, file: pathlib.Path) -> None:
    """Journals of workers have begin, end, gave_up and answer; that of the harness has the rest."""
    for line in read(file):
        event = line["event"]
        if event in ("begin", "end", "gave_up", "answer"):
            history.seen.append(h.Seen(event, line["at"], line["run"], int(line["fence"]), line["worker"], line.get("job", ""),
                                       line.get("tenant", "default"), line.get("answer", ""), line.get("status", "")))
        elif event == "effect":
            history.effects.append(h.Effect(line["at"], line["run"], line["fence"], line["accepted"]))
        elif event == "call":
            history.calls.append(h.Call(line["at"], line["action"], line["name"], line["answered"], line.get("run", ""),
                                        line.get("schedule", {}), line.get("batch", "")))
        elif event == "fault":
            history.faults.append(h.Fault(line["kind"], line["target"], line["begin"], line["until"]))
        elif event == "writable":
            history.writable.append(line["at"])
