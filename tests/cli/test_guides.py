#!/usr/bin/env python3
"""The commands of guides in docs/guides against a real server, and the words of docs/concepts/states.md.

usage: test_guides.py BINARY ROOT
"""

import json
import os
import re
import sqlite3
import subprocess
import sys
import time
import unittest

import yaml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import Server  # noqa: E402

BINARY, ROOT = sys.argv[1:3]
PATIENCE = 90.0  # seconds; a limit for broken tests, never a measurement


def read(path: str) -> str:
    with open(os.path.join(ROOT, path), encoding="utf-8") as text:
        return text.read()


def questions(guide: str) -> list[tuple[str, str, str]]:
    """Of a guide, each with its commands and what the last of them must say."""
    form = r"^## (\d+\. [^\n]+)\n\n```\n(.*?)```\n<!-- says: (.*?) -->"
    return re.findall(form, read(f"docs/guides/{guide}.md"), re.DOTALL | re.MULTILINE)


class Guide(unittest.TestCase):
    """Commands of a page, run one after the other on a server of their own."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        os.symlink(cls.server.binary, os.path.join(cls.server.folder.name, "belfry"))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def run_line(self, line: str) -> str:
        environment = self.server.environment()
        environment["PATH"] = self.server.folder.name + os.pathsep + environment["PATH"]
        done = subprocess.run(["bash", "-c", line], cwd=self.server.folder.name, env=environment, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        # By then the questions before have left something for doctor to find.
        fine = (0, 1) if line == "belfry doctor" else (0,)
        self.assertIn(done.returncode, fine, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout


class Alerts(Guide):
    def test_the_commands_about_alerts_work(self) -> None:
        blocks = re.findall(r"^```\n(.*?)```", read("docs/guides/alerts.md"), re.DOTALL | re.MULTILINE)
        lines = [line for block in blocks for line in block.strip().splitlines() if line.startswith("belfry ")]
        self.assertGreater(len(lines), 8)
        said = [self.run_line(line) for line in lines]
        self.assertIn("nightly", said[lines.index("belfry alerts rules")])
        self.assertIn("alert_", said[lines.index("belfry alerts sent")])


class Bulk(Guide):
    def test_the_commands_do_what_the_page_says(self) -> None:
        steps = re.findall(r"^```\n(belfry .*?)```\n<!-- says: (.*?) -->", read("docs/guides/bulk.md"), re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(steps), 6)
        for commands, words in steps:
            said = "".join(self.run_line(line) for line in commands.strip().splitlines())
            self.assertIn(words, said, commands)


class Proof(Guide):
    def test_1_the_commands_do_what_the_page_says(self) -> None:
        steps = re.findall(r"^```\n(belfry .*?)```\n<!-- says: (.*?) -->", read("docs/guides/proof.md"), re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(steps), 2)
        for commands, words in steps:
            said = "".join(self.run_line(line) for line in commands.strip().splitlines())
            self.assertIn(words, said, commands)

    def test_2_a_row_that_somebody_took_out_is_missed(self) -> None:
        self.run_line("belfry add victim --every 1s --type nobody --overlap allow")
        end = time.monotonic() + PATIENCE
        while json.loads(self.run_line("belfry verify victim -o json"))["counts"]["runs"] < 4:
            self.assertLess(time.monotonic(), end, "it does not tick")
            time.sleep(0.2)
        with sqlite3.connect(self.server.store, timeout=PATIENCE) as store:
            (job,) = store.execute("select id from jobs where name = 'victim'").fetchone()
            (tick,) = store.execute("select min(scheduled_for) from runs where job_id = ?", (job,)).fetchone()
            store.execute("delete from runs where job_id = ? and scheduled_for = ?", (job, tick + 1_000_000))
            store.execute("update runs set decided_at = scheduled_for - 1 where job_id = ? and scheduled_for = ?", (job, tick))
        store.close()
        for line in ("belfry verify victim -o json", "belfry verify --all -o json"):
            done = self.server.run(*line.split()[1:])
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            found = {(flaw["kind"], flaw["job_name"], flaw["ticks"]) for flaw in json.loads(done.stdout)["flaws"]}
            self.assertEqual(found, {("hole", "victim", 1), ("early", "victim", 1)})
        done = self.server.run("verify", "victim")
        self.assertIn("2 findings", done.stdout)
        self.assertEqual(self.server.run("verify", "heartbeat").returncode, 0)
        self.assertEqual(self.server.run("verify").returncode, 2)
        self.assertEqual(self.server.run("verify", "nobody-at-all").returncode, 3)


class Steps(Guide):
    def run_guide(self, guide: str, parts: int) -> None:
        asked = questions(guide)
        self.assertEqual(len(asked), parts)
        for title, commands, words in asked:
            with self.subTest(title):
                *before, last = commands.strip().splitlines()
                for line in before:
                    self.run_line(line)
                end = time.monotonic() + PATIENCE
                while words not in (said := self.run_line(last)):
                    self.assertLess(time.monotonic(), end, f"`{words}` is not in:\n{said}")
                    time.sleep(0.2)


class Why(Steps):
    def test_every_question_is_answered(self) -> None:
        self.run_guide("why", 10)


class Calendars(Steps):
    def test_the_commands_do_what_the_page_says(self) -> None:
        self.run_guide("calendars", 4)


class Limits(Steps):
    def test_the_commands_do_what_the_page_says(self) -> None:
        self.run_guide("limits", 4)


class CheckIns(unittest.TestCase):
    """docs/guides/checkins.md from top to bottom, in one shell's folder."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        os.symlink(cls.server.binary, os.path.join(cls.server.folder.name, "belfry"))

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def shell(self, script: str, fine: tuple[int, ...] = (0,), **variables: str) -> subprocess.CompletedProcess:
        environment = self.server.environment() | variables
        environment["PATH"] = self.server.folder.name + os.pathsep + environment["PATH"]
        done = subprocess.run(["bash", "-ec", script], cwd=self.server.folder.name, env=environment, text=True,
                              capture_output=True, timeout=PATIENCE, check=False)
        self.assertIn(done.returncode, fine, f"{script}\n{done.stdout}{done.stderr}")
        return done

    def test_1_the_page(self) -> None:
        page = read("docs/guides/checkins.md")
        blocks = re.findall(r"^```\n(belfry .*?|token=.*?)```\n(?:<!-- says: (.*?) -->)?", page, re.DOTALL | re.MULTILINE)
        self.assertEqual(len(blocks), 6)
        for commands, words in blocks:
            with self.subTest(commands):
                said = self.shell(commands).stdout
                last = commands.strip().splitlines()[-1]
                end = time.monotonic() + PATIENCE
                while words not in said:
                    self.assertLess(time.monotonic(), end, f"`{words}` is not in:\n{said}")
                    time.sleep(0.2)
                    said = self.shell(last).stdout

    def test_2_a_wrapped_command_is_itself(self) -> None:
        token = self.shell("belfry checkin rotate nightly").stdout.strip()
        done = self.shell("printf in | belfry wrap -- sh -c 'cat; echo out; echo err >&2; exit 7'", (7,), BELFRY_CHECKIN=token)
        self.assertEqual((done.stdout, done.stderr), ("inout\n", "err\n"))
        done = self.shell(f"belfry wrap --checkin {token} -- no-such-command-here", (127,))
        self.assertIn("no-such-command-here", done.stderr)
        done = self.shell(f"belfry wrap --checkin {token} -- sh -c 'kill -9 $$'", (137,))
        # One that leaves something running behind it ends all the same.
        started = time.monotonic()
        self.shell(f"belfry wrap --checkin {token} -- sh -c 'sleep 60 & echo $! > left'")
        self.assertLess(time.monotonic() - started, 30)
        self.shell('kill "$(cat left)"')

    def test_3_the_command_runs_although_the_server_is_away(self) -> None:
        done = self.shell("belfry wrap --checkin x -- echo worked", BELFRY_SERVER="http://127.0.0.1:1")
        self.assertEqual(done.stdout, "worked\n")
        self.assertIn("was not reported", done.stderr)

    def test_4_a_run_that_waits_for_its_check_in_is_not_without_a_worker(self) -> None:
        self.shell("belfry add silent --cron '0 2 * * *' --checkin; belfry run silent")
        self.assertIn("waits for its check-in", self.shell("belfry explain silent").stdout)
        self.shell("belfry export > jobs.yaml; belfry diff jobs.yaml")
        self.assertIn("kind: CHECKIN", (exported := self.shell("cat jobs.yaml").stdout))
        self.assertNotIn("max_attempts", exported)

    def test_5_wrong_tokens_get_slower_and_right_ones_do_not(self) -> None:
        token = self.shell("belfry checkin rotate nightly").stdout.strip()
        post = "curl -sS -o answer -w '%{http_code}\\n' -X POST $BELFRY_SERVER/api/v1/checkin/"
        self.assertEqual(self.shell(post + token).stdout, "200\n")
        tries = self.shell(f"for i in $(seq 12); do {post}wrong-$i; done").stdout.split()
        self.assertEqual((tries[0], tries[-1]), ("404", "429"))
        self.assertEqual(self.shell(post + token).stdout, "200\n")
        self.shell("belfry checkin rotate nightly")
        self.assertEqual(self.shell(post + token).stdout, "404\n")


class States(unittest.TestCase):
    def setUp(self) -> None:
        self.schemas = yaml.safe_load(read("api/openapi.yaml"))["components"]["schemas"]
        self.page = read("docs/concepts/states.md")

    def in_table(self, *heads: str) -> set[str]:
        """The words in code of the first cells, in the rows that begin with one of these cells."""
        words: set[str] = set()
        for head in heads:
            for cell in re.findall(rf"^\| {head} \| ([^|]*) \|", self.page, re.MULTILINE):
                words |= set(re.findall(r"`(\w+)`", cell))
        return words

    def test_reasons_and_states_are_those_of_the_document(self) -> None:
        text = read("api/openapi.yaml")
        self.assertEqual(self.in_table("job"), {"ACTIVE", "PAUSED", "CANCELLED", "COMPLETED"})
        states = re.search(r"enum: (?:&\w+ )?\[(READY, RUNNING, [^\]]*)\]", text)
        assert states
        self.assertEqual(self.in_table("run"), {word.strip() for word in states[1].split(",")})
        verdicts = set(self.schemas["Explanation"]["properties"]["verdict"]["enum"])
        reasons = self.in_table("skip")
        self.assertLessEqual(reasons, verdicts)
        self.assertEqual(verdicts - reasons, {"run", "no_job", "not_matching", "not_yet", "undecided", "forgotten"})
        for word in sorted(verdicts):
            self.assertIn(f"`{word}`", self.page)

    def test_problems_are_those_of_the_document(self) -> None:
        codes = set(self.schemas["Trouble"]["properties"]["code"]["enum"])
        listed = re.findall(r"^\| `(\w+)` \| (?:critical|warning|note)", self.page, re.MULTILINE)
        self.assertEqual(set(listed), codes)

    def test_words_are_those_of_the_code(self) -> None:
        spelling = read("src/core/spelling.h")

        def words(table: str) -> set[str]:
            found = re.search(rf"{table}\{{(.*?)\}};", spelling, re.DOTALL)
            assert found, table
            return set(re.findall(r'"(\w+)"', found[1]))

        self.assertEqual(self.in_table("job"), words("kJobStatuses") - {"DELETED"})
        self.assertEqual(self.in_table("run"), words("kRunStates"))
        self.assertEqual(self.in_table("attempt"), words("kAttemptOutcomes"))
        self.assertEqual(self.in_table("dead run"), words("kDeadReasons"))
        self.assertEqual(self.in_table("skip"), set(re.findall(r'return "(\w+)"', read("src/core/reason.cc"))))
        for cause in re.findall(r'blame\("(\w+)"', read("src/service/jobs/explain_run.cc")):
            self.assertIn(f"`{cause}`", self.page)

    def test_causes_are_explained(self) -> None:
        described = self.schemas["Explanation"]["properties"]["cause"]["description"]
        for word in re.findall(r"`([a-z_]+)`", described):
            self.assertIn(f"`{word}`", self.page)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
