#!/usr/bin/env python3
"""`belfry rehearse`: what people see, kept as files that can be read (tests/cli/rehearse/NAME.txt); what programs read; and
the commands of docs/guides/rehearse.md. All of it without a server, except for a calendar that one has.

usage: test_rehearse.py BINARY ROOT [--write]    with --write the files are rewritten; read what changed before you keep it
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

BINARY, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
HERE = os.path.dirname(os.path.abspath(__file__))
SCREENS = os.path.join(HERE, "rehearse")
sys.path.insert(0, HERE)
from server import PATIENCE, Server  # noqa: E402

FILES = {
    "jobs.yaml": """
defaults: {timezone: Europe/Berlin}
jobs:
  backup: {cron_expression: 0 2 * * *, timeout: 2h}
  report: {cron_expression: 30 2 * * *, dst_gap: SKIP}
  digest: {cron_expression: 45 2 * * *}
  sync: {cron_expression: "*/10 * * * *", timezone: UTC, misfire_policy: SKIP}
  feed: {cron_expression: "*/20 * * * *", timezone: UTC, misfire_policy: FIRE_ALL, concurrency_policy: ALLOW}
  import: {cron_expression: 0 * * * *, concurrency_policy: QUEUE_ONE, timeout: 3h}
  index: {cron_expression: 0 * * * *, concurrency_policy: REPLACE, timeout: 3h}
""",
    "old.yaml": """
defaults: {timezone: Europe/Berlin}
jobs:
  backup: {cron_expression: 0 2 * * *, timeout: 2h}
  report: {cron_expression: 30 2 * * 1-5}
  sync: {cron_expression: "*/10 * * * *", timezone: UTC, misfire_policy: SKIP}
  retired: {cron_expression: 0 12 * * *}
""",
    "office.yaml": "jobs: {office: {cron_expression: 0 9 * * *, calendar: weekend}}\n",
    "weekend.rules": "# nobody is there\nSAT,SUN\n2027-03-29  # a Monday\n",
    "durations.yaml": "import: 100m\nindex: 90m\n",
    "wrong.yaml": """
jobs:
  nightly: {cron_expression: 61 2 * * *, timezone: Europe/Berlin}
  free: {every: 1h, calendar: holidays, colour: red}
""",
}
NIGHT = "--tz Europe/Berlin --from '2027-03-27 12:00' --to '2027-03-28 12:00'"
DAY = "--tz Europe/Berlin --from 2027-03-01 --to 2027-03-02"

WALKS = {
    "summary": [f"rehearse jobs.yaml {NIGHT}",
                f"rehearse jobs.yaml {DAY} --down 02:00-02:40 --durations 5m --durations durations.yaml"],
    "list": ["rehearse jobs.yaml --tz UTC --from '2027-03-28 00:30' --to '2027-03-28 02:10' --down 00:45-01:15 --list "
             "--durations import=70m --durations index=90m"],
    "diff": [f"rehearse jobs.yaml --diff old.yaml {DAY} --down 02:00-02:40",
             "rehearse jobs.yaml --diff old.yaml --tz Europe/Berlin --from 2027-03-06 --to 2027-03-15 --durations index=90m",
             f"rehearse old.yaml --diff old.yaml {DAY}"],
    "calendar": ["rehearse office.yaml --tz UTC --from 2027-03-26 --to 2027-03-31 --calendar weekend=weekend.rules --list"],
    "wrong": ["rehearse", "rehearse nowhere.yaml", "rehearse wrong.yaml", f"rehearse jobs.yaml {DAY} --down soon",
              f"rehearse jobs.yaml {DAY} --down 2027-03-02/2027-03-01", "rehearse jobs.yaml --from tomorrow",
              "rehearse jobs.yaml --from 2027-01-01 --to 2026-01-01", "rehearse jobs.yaml --from 2027-01-01 --to 2199-01-01",
              "rehearse jobs.yaml --tz Berlin", "rehearse jobs.yaml --durations 5x", "rehearse jobs.yaml --durations sync=fast",
              "rehearse jobs.yaml --durations snyc=5m", "rehearse jobs.yaml --calendar weekend", "rehearse jobs.yaml -o yaml",
              "rehearse jobs.yaml --diff old.yaml --list", "rehearse wrong.yaml -o json"],
}


class Rehearsal(unittest.TestCase):
    maxDiff = None

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.symlink(BINARY, os.path.join(self.folder.name, "belfry"))

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
                file.write(text)

    def run_line(self, line: str, **more: str) -> subprocess.CompletedProcess:
        environment = {"PATH": self.folder.name + os.pathsep + os.environ["PATH"], "LANG": "C.UTF-8", "NO_COLOR": "1",
                       "BELFRY_SERVER": "http://127.0.0.1:1", "HOME": self.folder.name, **more}
        return subprocess.run(["bash", "-c", line], cwd=self.folder.name, env=environment, text=True, capture_output=True,
                              timeout=PATIENCE, check=False)


class Screens(Rehearsal):
    def test_screens(self) -> None:
        self.write(FILES)
        for name, lines in WALKS.items():
            with self.subTest(name):
                shown = []
                for line in lines:
                    done = self.run_line(f"belfry {line}")
                    shown.append(f"$ belfry {line}\n{done.stdout}{done.stderr}(exit code {done.returncode})\n")
                text = "\n".join(shown)
                path = os.path.join(SCREENS, name + ".txt")
                if "--write" in sys.argv:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(text, file.read(), "if it is better now: test_rehearse.py BINARY ROOT --write")


class Programs(Rehearsal):
    def lines(self, line: str, code: int = 0) -> list[dict]:
        self.write(FILES)
        done = self.run_line(f"belfry {line}")
        self.assertEqual(done.returncode, code, done.stderr)
        return [json.loads(text) for text in done.stdout.splitlines()]

    def test_each_line_is_an_object_and_the_sums_agree(self) -> None:
        for form in ("json", "jsonl"):
            lines = self.lines(f"rehearse jobs.yaml {DAY} --down 02:00-02:40 --durations durations.yaml --list -o {form}")
            fired = [line for line in lines if line["kind"] == "fired"]
            skipped = sum(line["count"] for line in lines if line["kind"] == "skipped")
            summary = lines[-1]
            self.assertEqual(summary["kind"], "summary")
            self.assertEqual(summary["fires"], len(fired))
            self.assertEqual(sum(summary["skips"].values()), skipped)
            self.assertEqual(sum(line["fires"] for line in lines if line["kind"] == "job"), len(fired))
            self.assertEqual([line["at"] for line in lines if line["kind"] == "busy_minute"][0], "2027-03-01T01:40:00Z")

    def test_a_tick_has_one_fate(self) -> None:
        """Each tick of the day is a run, stood for by one, or skipped: nothing is lost between the events."""
        lines = self.lines(f"rehearse jobs.yaml {DAY} --down 02:00-02:40 --list -o json")
        for job, ticks in (("sync", 144), ("feed", 72), ("import", 24), ("backup", 1)):
            own = [line for line in lines if line.get("job_name") == job]
            fires = sum(1 for line in own if line["kind"] == "fired")
            self.assertEqual(fires + sum(line["count"] for line in own if line["kind"] == "skipped"), ticks, job)

    def test_a_difference(self) -> None:
        lines = self.lines(f"rehearse jobs.yaml --diff old.yaml {DAY} -o json", code=1)
        self.assertEqual({line["job_name"]: line["kind"] for line in lines[:-1]},
                         {"digest": "new", "feed": "new", "import": "new", "index": "new", "retired": "gone"})
        self.assertEqual((lines[-1]["kind"], lines[-1]["differences"]), ("comparison", 5))

    def test_stdin(self) -> None:
        done = self.run_line("printf 'jobs: {a: {every: 1h}}' | belfry rehearse - --from 2027-03-01 --to 2027-03-02 --tz UTC -o json")
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["fires"], 24, done.stderr)

    def test_a_calendar_that_a_server_has(self) -> None:
        self.write(FILES)
        server = Server(BINARY)
        try:
            self.assertEqual(server.run("calendars", "put", "weekend", "SAT,SUN").returncode, 0)
            done = self.run_line("belfry rehearse office.yaml --tz UTC --from 2027-03-01 --to 2027-03-08 -o json", BELFRY_SERVER=server.url)
            summary = json.loads(done.stdout.splitlines()[-1])
            self.assertEqual((summary["fires"], summary["skips"]), (5, {"calendar": 2}))
        finally:
            server.stop()


class Guide(Rehearsal):
    def test_the_commands_do_what_the_page_says(self) -> None:
        with open(os.path.join(ROOT, "docs/guides/rehearse.md"), encoding="utf-8") as file:
            page = file.read()
        self.write(dict(re.findall(r"^```yaml\n# (\S+)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)))
        steps = re.findall(r"^```\n(belfry .*?)\n```\n<!-- says: (.*?) -->", page, re.DOTALL | re.MULTILINE)
        self.assertEqual(len(steps), len(re.findall(r"^belfry rehearse", page, re.MULTILINE)))
        for line, words in steps:
            with self.subTest(line):
                done = self.run_line(line)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(words, done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
