"""A node proves its ledger by itself: through midnight, after a restart, against somebody who falsifies it.

    python3 test_proof.py BELFRY WRONG_CLOCK [TEST...]
"""

import datetime
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request
from typing import Any, Callable

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent / "api")]
from harness import Server  # noqa: E402

BELFRY, WRONG_CLOCK = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
PATIENCE = 180.0  # seconds; a limit for broken tests, never a measurement
NOW = datetime.datetime.now(datetime.timezone.utc)
TODAY = NOW.date()
# The node begins two minutes before midnight.
TO_MIDNIGHT = 86_400 - int((NOW - NOW.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds())


class Proof(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="belfry-proof-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.offset = TO_MIDNIGHT - 120
        self.set_clock(0)
        self.server = self.start()

    def start(self) -> Server:
        server = Server(BELFRY, f"sqlite:{self.folder}/belfry.db", ("--metrics-listen", "127.0.0.1:0"),
                        {"LD_PRELOAD": WRONG_CLOCK, "WRONG_CLOCK_FILE": str(self.folder / "clock")})
        self.addCleanup(server.stop)
        return server

    def set_clock(self, ahead: int) -> None:
        """From now on the node's clock is this many seconds further ahead."""
        self.offset += ahead
        fresh = self.folder / "clock.new"
        fresh.write_text(str(self.offset))
        fresh.rename(self.folder / "clock")

    def run_belfry(self, *words: str, code: int = 0) -> str:
        done = subprocess.run([BELFRY, *words], capture_output=True, text=True, timeout=60, check=False, cwd=self.folder,
                              env={"PATH": os.environ["PATH"], "BELFRY_SERVER": f"http://{self.server.address}", "TZ": "UTC"})
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout

    def until(self, what: str, probe: Callable[[], Any]) -> Any:
        end = time.monotonic() + PATIENCE
        while not (found := probe()):
            self.assertLess(time.monotonic(), end, f"{what} does not happen; the log:\n{''.join(self.server.log[-20:])}")
            time.sleep(0.5)
        return found

    def proof(self) -> dict[str, Any]:
        with urllib.request.urlopen(f"http://{self.server.address}/api/v1/proof", timeout=60) as answer:
            return json.loads(answer.read())

    def proven_through(self) -> str:
        return self.proof()["checked_through"] or ""

    def falsify(self, *statements: str) -> None:
        with sqlite3.connect(self.folder / "belfry.db", timeout=PATIENCE) as store:
            for statement in statements:
                self.assertGreater(store.execute(statement).rowcount, 0, statement)
        store.close()

    def audit(self, day: str, *more: str) -> subprocess.CompletedProcess:
        """The commands of the guide, word for word."""
        page = (ROOT / "docs/guides/proof.md").read_text("utf-8")
        (script,) = re.findall(r"^```sh\n(day=.*?)```\n", page, re.DOTALL | re.MULTILINE)
        script = script.replace("day=2026-11-17", f"day={day}").replace("python3 check_proof.py", f"python3 {ROOT}/docs/guides/check_proof.py")
        self.assertIn(day, script)
        return subprocess.run(["bash", "-c", script.strip() + " " + " ".join(more)], capture_output=True, text=True, cwd=self.folder, timeout=60, check=False,
                              env={"PATH": f"{os.path.dirname(BELFRY)}:{os.environ['PATH']}", "BELFRY_SERVER": f"http://{self.server.address}"})

    def test_1_a_day_is_stated_and_an_auditor_computes_it_again(self) -> None:
        self.run_belfry("add", "beat", "--every", "1s", "--type", "nobody", "--overlap", "allow")
        self.run_belfry("add", "gone", "--every", "1s", "--type", "nobody", "--overlap", "allow")
        self.until("a tick", lambda: json.loads(self.run_belfry("verify", "beat", "-o", "json"))["counts"]["runs"] > 3)
        self.run_belfry("rm", "gone", "--yes")
        self.until("the first look", self.proven_through)
        self.set_clock(180)  # past midnight: what is missed meanwhile is decided by the misfire policy
        self.until("a statement", lambda: self.proof()["items"])
        day = TODAY.isoformat()
        (item,) = self.proof()["items"]
        self.assertEqual(item["day"], day)
        self.assertEqual([item["summary"][flaw] for flaw in ("holes", "doubles", "early")], [0, 0, 0])
        self.assertEqual(item["summary"]["jobs"], 2, "the deleted one has ticks on that day, too")
        self.assertEqual(self.proof()["public_key"], item["public_key"])
        self.assertIn(day, self.run_belfry("proof"))
        self.assertIn("signature", self.run_belfry("proof", day))
        done = self.audit(day)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("no hole, no double, nothing early", done.stdout)
        self.run_belfry("proof", "1999-01-01", code=3)

        # Somebody takes a row out, and somebody else changes the statement.
        first = "(select min(scheduled_for) from runs)"
        self.falsify(f"delete from runs where scheduled_for = {first} and job_id = (select min(job_id) from runs where scheduled_for = {first})")
        done = self.audit(day)
        self.assertEqual(done.returncode, 1)
        self.assertIn("the ledger is another", done.stdout)
        self.falsify("update proofs set statement = replace(statement, '\"holes\":0', '\"holes\": 0')")
        self.assertIn("not that of the", self.audit(day).stdout)

    def test_2_who_falsifies_the_ledger_is_told_of_also_after_a_restart(self) -> None:
        self.run_belfry("add", "beat", "--every", "1s", "--type", "nobody", "--overlap", "allow")
        self.until("ticks", lambda: json.loads(self.run_belfry("verify", "beat", "-o", "json"))["counts"]["runs"] > 5)
        self.until("the first look", self.proven_through)
        began = self.proven_through()
        self.assertEqual(self.server.stop(), 0)
        self.falsify("delete from runs where scheduled_for = (select min(scheduled_for) + 2000000 from runs)",
                     "update runs set decided_at = scheduled_for - 1 where scheduled_for = (select min(scheduled_for) from runs)")
        self.server = self.start()
        self.assertGreaterEqual(self.proven_through(), began, "it goes on, and does not begin anew")
        self.set_clock(100)
        found = self.until("a finding", lambda: self.proof()["violations"])
        self.assertEqual({(each["kind"], each["job_name"], each["ticks"]) for each in found}, {("hole", "beat", 1), ("early", "beat", 1)})
        told = [line for line in self.server.log if "ERROR ledger_violated" in line]
        self.assertEqual(len(told), 2, "".join(self.server.log[-20:]))
        self.assertIn("kind=hole", told[1])
        self.assertIn("the ledger has nothing", told[1])
        self.assertIn("hole of beat", self.run_belfry("proof", code=1))
        self.until("the trouble", lambda: "ledger_violated" in self.run_belfry("cluster", "-o", "json"))
        metrics = next(match[1] for line in self.server.log if (match := re.search(r'metrics_ready.*?([0-9.]+:[0-9]+)', line)))
        with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=60) as answer:
            text = answer.read().decode()
        self.assertRegex(text, r"(?m)^belfry_ledger_violations_total 2$")
        self.assertRegex(text, r'(?m)^belfry_problems\{code="ledger_violated"\} 1$')
        self.assertRegex(text, r"(?m)^belfry_ledger_checked_through_seconds [0-9.e+]+$")
        self.set_clock(100)
        through = self.proven_through()
        self.until("another pass", lambda: self.proven_through() > through)
        self.assertEqual(len(self.proof()["violations"]), 2, "each is told once")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
