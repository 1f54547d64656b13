#!/usr/bin/env python3
"""Checks a statement of Belfry about a day, from what `belfry proof` prints. It shares no code with Belfry.

    belfry proof 2026-11-17 -o json > proof.json
    belfry proof 2026-11-17 --ledger > ledger.jsonl
    check_proof.py proof.json ledger.jsonl [--previous YESTERDAY.json] [--key PUBLIC.pem]

--key: the public key that you noted when you first saw it. Without it, that beside the statement is used, which shows
only that both belong together. Needs Python 3.11, and openssl for the signature. The exit code is 1 if anything differs.
"""

import argparse
import base64
import datetime
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def micros(instant: str) -> int:
    """Microseconds since 1970, exactly."""
    return (datetime.datetime.fromisoformat(instant) - EPOCH) // datetime.timedelta(microseconds=1)


def ledger_digest(rows: list[dict], as_of: int) -> tuple[str, int]:
    """A chain of SHA-256 over one line for each row, by job and tick; and how many rows it has."""
    lines = []
    for row in rows:
        if micros(row["decided_at"]) <= as_of:  # a row that came later is none of the statement's
            tick = micros(row["tick"])
            lines.append((row["job_id"], tick, f"{row['job_id']} {tick} {row['fate']}\n"))
    digest = "0" * 64
    for _, _, line in sorted(lines):
        digest = hashlib.sha256((digest + line).encode()).hexdigest()
    return digest, len(lines)


def is_signed(statement: str, signature: str, key: str) -> bool:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "statement").write_text(statement, "utf-8")
        (folder / "signature").write_bytes(base64.b64decode(signature))
        (folder / "key").write_text(key, "utf-8")
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", folder / "key", "-rawin", "-in", folder / "statement",
                   "-sigfile", folder / "signature"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def check(proof: dict, rows: list[dict], previous: dict | None, key: str | None) -> list[str]:
    """What is wrong."""
    wrong = []
    stated = json.loads(proof["statement"])
    first, last = micros(stated["from"]), micros(stated["to"])
    digest, count = ledger_digest(rows, micros(stated["as_of"]))
    if any(not first <= micros(row["tick"]) <= last for row in rows):
        wrong.append("there are rows of another day")
    if digest != stated["ledger_digest"]:
        wrong.append(f"the ledger is another: {count} rows with the digest {digest}, "
                     f"where {stated['ledger_rows']} with {stated['ledger_digest']} are stated")
    if hashlib.sha256(proof["statement"].encode()).hexdigest() != proof["digest"]:
        wrong.append("the digest is not that of the statement")
    if previous is not None and stated["previous"] != hashlib.sha256(previous["statement"].encode()).hexdigest():
        wrong.append("the statement does not follow the one before")
    if proof["signature"] is None:
        wrong.append("the statement is not signed")
    elif not is_signed(proof["statement"], proof["signature"], key or proof["public_key"]):
        wrong.append("the signature is not that of the key")
    for flaw in ("holes", "doubles", "early", "strays", "wrong_fates", "wrong_counts"):
        if stated[flaw] != 0:
            wrong.append(f"it states {flaw}: {stated[flaw]}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks a statement of Belfry about a day.")
    parser.add_argument("proof", type=pathlib.Path)
    parser.add_argument("ledger", type=pathlib.Path)
    parser.add_argument("--previous", type=pathlib.Path)
    parser.add_argument("--key", type=pathlib.Path)
    asked = parser.parse_args()
    proof = json.loads(asked.proof.read_text("utf-8"))
    rows = [json.loads(line) for line in asked.ledger.read_text("utf-8").splitlines()]
    previous = json.loads(asked.previous.read_text("utf-8")) if asked.previous else None
    wrong = check(proof, rows, previous, asked.key.read_text("utf-8") if asked.key else None)
    for problem in wrong:
        print(problem)
    stated = json.loads(proof["statement"])
    if not wrong:
        print(f"{stated['day']}: {stated['ticks']} ticks, {stated['runs']} runs, no hole, no double, nothing early; "
              f"the ledger ({len(rows)} rows) and the signature are as stated")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
