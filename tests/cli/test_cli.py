#!/usr/bin/env python3
"""Every verb of the command line, as a real binary against a real server on the embedded store.

usage: test_cli.py BINARY
"""

import json
import os
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import PATIENCE, Server, Worker  # noqa: E402

BINARY = ""


def wait_until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.1)


class CliCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def cli(self, *words: str, code: int = 0, stdin: str = "", **environment: str) -> str:
        """Returns what it prints; the exit code must be this one."""
        done = self.server.run(*words, stdin=stdin, **environment)
        self.err = done.stderr
        self.assertEqual(done.returncode, code, f"{words}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def data(self, *words: str, **more):
        return json.loads(self.cli(*words, "-o", "json", **more))


class Jobs(CliCase):
    def test_add_list_get_edit_remove(self) -> None:
        out = self.cli("add", "report", "--cron", "30 2 * * *", "--tz", "America/New_York",
                       "--url", "http://127.0.0.1:9/x", "--label", "env=prod", "--retries", "4")
        self.assertIn("report created · At 02:30 every day", out)
        self.assertIn("  next  ", out)
        self.assertRegex(out, r"! .*02:30 does not exist")
        self.cli("add", "report", "--every", "1h", code=4)
        self.assertIn("report", self.err)
        job = self.data("get", "report")
        self.assertEqual(job["max_attempts"], 5)
        self.assertEqual(job["target"]["url"], "http://127.0.0.1:9/x")
        self.assertIn("report", self.cli("ls", "-l", "env=prod"))
        self.assertEqual(self.cli("ls", "-l", "env=none"), "")
        self.assertEqual([each["job_name"] for each in self.data("jobs", "list", "repo")], ["report"])
        self.assertIn("timeout: 5m", self.cli("get", "report", "-o", "yaml"))
        self.assertIn("version 2", self.cli("jobs", "edit", "report", "--timeout", "10m"))
        self.assertEqual(self.data("jobs", "get", "report")["timeout"], "10m")
        self.cli("get", "reprot", code=3)
        self.assertIn("did you mean `report`?", self.err)
        self.cli("rm", "report")
        self.cli("rm", "report", code=3)

    def test_what_is_wrong_is_named(self) -> None:
        self.cli("add", "x", "--cron", "0 0 * * MOM", code=2)
        self.assertIn("did you mean `MON`?", self.err)
        self.cli("add", "x", "--cron", "@daily", "--tz", "Berlin", code=2)
        self.assertIn("Europe/Berlin", self.err)
        self.cli("ad", "x", code=2)
        self.assertIn("did you mean `add`?", self.err)
        self.cli("ls", "--server", "http://127.0.0.1:1", code=6)
        self.assertIn("belfry serve", self.err)
        self.cli("add", "x", "--cron", "0 0 * * MOM", "-v", code=2)
        self.assertIn("request ", self.err)

    def test_pause_resume_cancel_and_why(self) -> None:
        self.cli("add", "paused-one", "--every", "1s", "--label", "set=pausing")
        self.cli("add", "paused-two", "--every", "1h", "--label", "set=pausing", "--paused")
        self.assertEqual(self.data("get", "paused-two")["status"], "PAUSED")
        self.cli("add", "paused-two", "--every", "1h", "--paused", code=4)
        self.cli("pause", "paused-one", "-m", "lunch", "--until", "+1h")
        paused = self.data("get", "paused-one")["paused"]
        self.assertEqual(paused["note"], "lunch")
        why = self.data("explain", "paused-one", "--at", "+10s")
        self.assertIn(why["verdict"], ("paused", "not_yet"))
        self.assertIn("✓ existed", self.cli("explain", "paused-one", "--at", "+10s"))
        self.cli("resume", "-l", "set=pausing", code=2)
        self.assertIn("--yes", self.err)
        self.cli("resume", "-l", "set=pausing", "--yes")
        self.assertEqual({each["status"] for each in self.data("ls", "-l", "set=pausing")}, {"ACTIVE"})
        self.assertEqual(self.data("cancel", "paused-two")["status"], "CANCELLED")
        self.cli("resume", "paused-two", code=4)
        self.cli("pause", "nobody", code=3)
        self.cli("rm", "paused-one", "paused-two", "--yes")

    def test_many_jobs_by_one_call(self) -> None:
        for name, env in (("bulk-a", "prod"), ("bulk-b", "stage"), ("bulk-c", "dev")):
            self.cli("add", name, "--every", "1h", "--label", f"env={env}", "--label", "set=bulk")
        shown = self.data("pause", "-l", "set=bulk,env in (prod,stage)", "--dry-run")
        self.assertEqual((shown["matched"], [job["job_name"] for job in shown["samples"]]), (2, ["bulk-a", "bulk-b"]))
        self.cli("pause", "-l", "set=bulk,env in (prod,stage)", "-m", "lunch", "--yes")
        self.assertIn("pause: 2 done", self.err)
        status = {job["job_name"]: job["status"] for job in self.data("ls", "-l", "set=bulk")}
        self.assertEqual(status, {"bulk-a": "PAUSED", "bulk-b": "PAUSED", "bulk-c": "ACTIVE"})
        self.cli("resume", "--prefix", "bulk-", "--yes")
        self.cli("label", "team=x", "env-", "-l", "set=bulk,env!=dev", "--yes")
        self.assertEqual([job["job_name"] for job in self.data("ls", "-l", "team=x")], ["bulk-a", "bulk-b"])
        self.cli("run", "--match", "LK-C", "--yes")
        self.assertEqual(len(self.data("runs", "list", "bulk-c")), 1)
        self.cli("runs", "cancel", "--state", "ready", "--job", "bulk-c", "--yes")
        self.assertEqual([run["state"] for run in self.data("runs", "list", "bulk-c")], ["CANCELLED"])
        self.cli("rm", "-l", "set=bulk", "--ready-runs", "cancel", "--yes")
        self.assertEqual(self.data("ls", "-l", "set=bulk"), [])
        works = self.data("bulk", "ls")
        self.assertEqual((works[0]["action"], works[0]["done"], works[0]["state"]), ("delete", 3, "DONE"))
        self.assertIn("action: delete", self.cli("bulk", "show", works[0]["bulk_id"]))
        self.cli("bulk", "stop", works[0]["bulk_id"])
        self.cli("bulk", "show", "999999", code=3)
        self.cli("rm", "--dry-run", code=2)

    def test_next_and_explain(self) -> None:
        self.cli("add", "hourly", "--cron", "0 * * * *", "--tz", "Asia/Tokyo")
        lines = self.cli("next", "hourly", "-n", "3").splitlines()
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\d\d:00:00\+09:00$")
        self.assertEqual(self.data("next", "hourly", "-n", "2")["timezone"], "Asia/Tokyo")
        self.assertEqual(len(self.cli("next", "@daily", "-n", "2").splitlines()), 2)
        self.assertIn("every day", self.cli("explain", "@daily"))
        self.assertEqual(self.data("explain", "hourly", "--at", "00:30:07")["verdict"] in
                         ("not_matching", "no_job"), True)
        period = ("--from", "2026-01-05T00:30:00Z", "--to", "2026-01-05T03:30:00Z")
        report = self.data("backfill", "hourly", *period)
        self.assertTrue(report["dry_run"])
        self.assertIn("--yes", self.err)
        done = self.data("backfill", "hourly", *period, "--yes")
        self.assertEqual((report["created"], done["created"]), (3, 3))
        self.cli("rm", "hourly")


class Revisions(CliCase):
    def test_list_diff_restore(self) -> None:
        self.cli("add", "changing", "--cron", "0 3 * * *", "--payload", '{"n": 1}', "--label", "team=a")
        self.cli("jobs", "edit", "changing", "--cron", "0 4 * * *", "--label", "team=b")
        listed = self.cli("revisions", "changing")
        self.assertIn("cron_expression", listed)
        self.assertEqual(self.cli("revisions", "list", "changing"), listed)
        self.assertEqual([each["version"] for each in self.data("revisions", "changing")], [2, 1])
        told = self.cli("revisions", "diff", "changing", "1", "2", code=1)
        self.assertIn("cron_expression  0 3 * * * → 0 4 * * *", told)
        self.assertIn("labels.team  a → b", told)
        self.assertEqual(self.cli("revisions", "diff", "changing", "2"), "")
        self.cli("revisions", "restore", "changing", "1")
        restored = self.data("get", "changing")
        self.assertEqual((restored["cron_expression"], restored["labels"]), ("0 3 * * *", {"team": "a"}))
        self.cli("revisions", "restore", "changing", "9", code=3)
        self.cli("revisions", "diff", "changing", "x", code=2)
        self.cli("revisions", "nobody", code=3)

    def test_failed_runs_are_found_by_the_word_people_use(self) -> None:
        self.cli("add", "failing", "--every", "1d", "--exec", "exit 3", "--retries", "0")
        self.cli("run", "failing", "--wait", code=1)
        for word in ("failed", "dead"):
            self.assertEqual([run["state"] for run in self.data("runs", "list", "failing", "--state", word)], ["DEAD"])


class Terminals(CliCase):
    def test_rows_fit_and_times_are_relative(self) -> None:
        self.cli("add", "a-name-that-is-rather-long-for-a-narrow-terminal", "--every", "1h",
                 "--label", "some=label", "--label", "other=label")
        for columns in (20, 40, 80, 200):
            code, shown = self.server.at_terminal("ls", "a-name", columns=columns, NO_COLOR="1")
            self.assertEqual(code, 0)
            lines = shown.splitlines()
            self.assertEqual(len(lines), 2, shown)
            self.assertLessEqual(max(map(len, lines)), columns)
        self.assertRegex(shown, r"in \d+[hms]")
        self.assertIn("\x1b[", self.server.at_terminal("ls")[1])
        self.assertNotIn("\x1b[", self.server.at_terminal("ls", "--no-color")[1])
        self.assertNotIn("\x1b[", self.server.at_terminal("ls", TERM="dumb")[1])

    def test_nothing_from_elsewhere_drives_the_terminal(self) -> None:
        hostile = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u009b31m"
        self.cli("add", "hostile", "--every", "1d", "--retries", "0", "--description", hostile.replace("\x07", "").replace("\x1b", ""),
                 "--exec", f"printf '%s\\n' '{hostile}'; exit 3")
        self.cli("run", "hostile", "--wait", code=1)
        [run] = self.data("runs", "list", "hostile")
        for words in (("runs", "log", run["run_id"]), ("get", "hostile"), ("runs", "get", run["run_id"]), ("ls", "hostile", "-o", "json"),
                      ("runs", "log", run["run_id"], "-o", "json")):
            with self.subTest(words):
                shown = self.cli(*words)
                for bad in "\x1b\x07\u202e\u009b":
                    self.assertNotIn(bad, shown)
        self.assertEqual(self.cli("runs", "log", run["run_id"]), "\\x1b]0;owned\\x07\\x1b[2J\\u202egnp.exe\\x9b31m\n")
        self.assertEqual(self.data("runs", "log", run["run_id"])["log"], hostile + "\n")

    def test_asks_before_more_than_one(self) -> None:
        for name in ("asked-1", "asked-2"):
            self.cli("add", name, "--every", "1h", "--label", "ask=yes")
        code, shown = self.server.at_terminal("pause", "-l", "ask=yes", typed="n\n")
        self.assertEqual(code, 0)
        self.assertIn("asked-1", shown)
        self.assertEqual({job["status"] for job in self.data("ls", "-l", "ask=yes")}, {"ACTIVE"})
        self.server.at_terminal("pause", "-l", "ask=yes", typed="y\n")
        self.assertEqual({job["status"] for job in self.data("ls", "-l", "ask=yes")}, {"PAUSED"})
        code, shown = self.server.at_terminal("resume", "-l", "ask=yes", "--no-input")
        self.assertEqual(code, 2, shown)

    def test_edits_in_an_editor(self) -> None:
        self.cli("add", "edited", "--every", "1h", "--description", "before")
        code, shown = self.server.at_terminal("jobs", "edit", "edited", EDITOR="sed -i s/before/after/")
        self.assertEqual(code, 0, shown)
        self.assertIn("description  before → after", shown)
        self.assertEqual(self.data("get", "edited")["description"], "after")
        code, shown = self.server.at_terminal("jobs", "edit", "edited", EDITOR="true")
        self.assertIn("nothing changed", shown)
        self.assertEqual(self.server.at_terminal("jobs", "edit", "edited", EDITOR="false")[0], 2)
        self.cli("jobs", "edit", "edited", code=2)


class Runs(CliCase):
    def test_run_and_wait(self) -> None:
        self.cli("add", "manual", "--at", "2199-01-01", "--type", "good", "--payload", '{"a": 1}')
        self.cli("run", "manual", "--wait", "--timeout", "200ms", code=7)
        self.assertIn("no worker of type `good`", self.err)
        waiting = self.data("runs", "list", "manual")
        self.assertEqual([run["state"] for run in waiting], ["READY"])
        self.assertEqual(self.data("runs", "cancel", waiting[0]["run_id"])[0]["state"], "CANCELLED")
        with Worker(self.server, "good"):
            out = self.cli("run", "manual", "--wait", "--timeout", "30s", "--payload", "[2]")
            self.assertIn("✓ succeeded", out)
            run = self.data("run", "manual", "--wait", "--timeout", "30s")
        self.assertEqual(run["payload"], {"a": 1})
        self.assertEqual(self.data("runs", "get", run["run_id"])["result"], {"done": True})
        self.assertIn("attempt 1 of 3", self.cli("runs", "get", run["run_id"]))
        self.cli("runs", "get", "0" * 32, code=3)
        self.cli("runs", "cancel", run["run_id"], code=4)
        self.cli("runs", "retry", run["run_id"], "0" * 32, code=8)
        self.cli("run", "nobody", code=3)

    def test_dead_letters(self) -> None:
        self.cli("add", "failing", "--at", "2199-01-01", "--type", "bad")
        with Worker(self.server, "bad", "FAILED"):
            self.assertIn("✗ dead", self.cli("run", "failing", "--wait", "--timeout", "30s", code=1))
        self.assertIn("as told", self.cli("dlq", "list"))
        dead = self.data("dlq", "list", "failing")
        self.assertEqual(len(dead), 1)
        self.cli("dlq", "retry", code=2)
        self.cli("dlq", "retry", "--job", "failing", code=2)  # nobody to ask
        self.cli("dlq", "retry", "--job", "failing", "--yes")
        self.assertEqual(self.data("dlq", "list", "failing"), [])
        self.assertEqual(self.data("runs", "list", "failing", "--state", "ready")[0]["run_id"],
                         dead[0]["run_id"])

    def test_tail(self) -> None:
        self.cli("add", "ticking", "--every", "1s", "--type", "ticks", "--label", "tail=yes")
        with Worker(self.server, "ticks"):
            lines = self.cli("tail", "-l", "tail=yes", "-n", "2").splitlines()
            self.assertEqual(len(lines), 2)
            self.assertRegex(lines[0], r"^\S+Z  ticking  SUCCEEDED  .*lag \d")
            runs = [json.loads(line) for line in
                    self.cli("tail", "ticking", "-n", "2", "-o", "json").splitlines()]
        self.assertEqual([run["state"] for run in runs], ["SUCCEEDED"] * 2)
        self.cli("rm", "ticking")


class Files(CliCase):
    JOBS = """
defaults: {timezone: Europe/Berlin, labels: {set: files}}
jobs:
  invoices:
    cron_expression: 30 2 * * 1-5
    target: {kind: HTTP, url: 'https://billing.internal/run', secret: whsec_c2VjcmV0, headers: {x-a: b}}
    retry: {base: 10s}
    payload: {a: [1, "2", null, {b: true}], big: 9007199254740993, "on": off}
    description: "two\\nlines: and #more"
  hashed: {cron_expression: H H * * *, jitter: 90s, max_attempts: 1}
  once: {run_at: '2199-01-01T00:00:00+01:00', concurrency_policy: ALLOW, max_concurrent: 2}
---
defaults: {labels: {set: files}}
jobs:
  - {job_name: 'spaced name: yes', every: 3600s, target: {kind: EXEC, command: [echo, hi]}}
"""

    def test_apply_diff_export_prune(self) -> None:
        self.cli("diff", "-", stdin=self.JOBS, code=1)
        self.assertIn("4 created, 0 changed", (self.cli("apply", "-", stdin=self.JOBS), self.err)[1])
        self.assertEqual(self.cli("diff", "-", stdin=self.JOBS), "")
        self.cli("apply", "-", stdin=self.JOBS)
        self.assertIn("0 created, 0 changed, 4 unchanged", self.err)
        for form in ("yaml", "json"):
            exported = self.cli("export", "-l", "set=files", "-o", form)
            self.cli("apply", "-", stdin=exported)
            self.assertIn("0 created, 0 changed, 4 unchanged", self.err)
            self.assertEqual(self.cli("diff", "-", stdin=exported), "")
        self.assertEqual(self.data("get", "invoices")["payload"]["big"], 9007199254740993)

        changed = self.JOBS.replace("30 2 * * 1-5", "0 2 * * 1-5").replace("H H * * *", "H 3 * * *")
        out = self.cli("diff", "-", stdin=changed, code=1)
        self.assertIn("cron_expression  30 2 * * 1-5 → 0 2 * * 1-5", out)
        # Usually as many as before; not where the period begins between the two times.
        self.assertRegex(out, r"in the next 30d: \d+ fires become \d+, \d+ gained, \d+ lost")
        self.assertIn("next fire moves", out)
        self.assertEqual(len(self.data("diff", "-", stdin=changed, code=1)), 2)
        self.cli("apply", "--dry-run", "-", stdin=changed, code=1)
        self.cli("apply", "-", stdin=changed)
        self.assertIn("2 changed, 2 unchanged", self.err)

        fewer = "jobs: {hashed: {cron_expression: H 3 * * *, jitter: 90s, max_attempts: 1, " \
                "timezone: Europe/Berlin, labels: {set: files}}}"
        self.cli("apply", "--prune", "-", stdin=fewer, code=2)
        self.cli("apply", "--prune", "--selector", "set=files", "-", stdin=fewer, code=2)
        self.assertIn("--yes", self.err)
        self.cli("apply", "--prune", "--selector", "set=files", "--yes", "-", stdin=fewer)
        self.assertEqual([job["job_name"] for job in self.data("ls", "-l", "set=files")], ["hashed"])

    def test_nothing_to_apply_prunes_nothing(self) -> None:
        self.cli("add", "kept", "--every", "1h", "--label", "set=kept")
        folder = os.path.join(self.server.folder.name, "empty")
        os.makedirs(os.path.join(folder, "below"), exist_ok=True)
        self.cli("apply", "--prune", "--selector", "set=kept", "--yes", folder, code=2)
        self.cli("get", "kept")
        with open(os.path.join(folder, "below", "jobs.yaml"), "w", encoding="utf-8") as out:
            out.write("jobs: {kept: {every: 1h, labels: {set: kept}}}")
        self.cli("apply", "--prune", "--selector", "set=kept", "--yes", folder)
        self.assertIn("0 created, 0 changed, 1 unchanged, 0 deleted", self.err)

    def test_diff_tells_that_apply_brings_a_job_back(self) -> None:
        jobs = "jobs: {back: {every: 1h}}"
        self.cli("apply", "-", stdin=jobs)
        self.cli("cancel", "back")
        self.assertIn("CANCELLED", self.cli("diff", "-", stdin=jobs, code=1))
        self.cli("apply", "-", stdin=jobs)
        self.assertEqual(self.cli("diff", "-", stdin=jobs), "")

    def test_names_and_a_selection_do_not_go_together(self) -> None:
        self.cli("pause", "whatever", "-l", "set=files", code=2)

    def test_export_leaves_out_what_is_over(self) -> None:
        self.cli("add", "over", "--every", "1h", "--label", "set=over")
        self.cli("add", "going", "--every", "1h", "--label", "set=over", "--paused")
        self.cli("cancel", "over")
        exported = self.cli("export", "-l", "set=over")
        self.assertIn("left out: 1 job", self.err)
        self.cli("apply", "-", stdin=exported)
        self.assertIn("0 changed, 1 unchanged", self.err)
        self.assertEqual({job["status"] for job in self.data("ls", "-l", "set=over")}, {"CANCELLED", "PAUSED"})

    def test_a_bad_job_changes_nothing(self) -> None:
        bad = "jobs: {good: {every: 1h}, bad: {cron_expression: 61 * * * *}}"
        self.cli("apply", "-", stdin=bad, code=2)
        self.assertIn("bad", self.err)
        self.cli("get", "good", code=3)
        self.cli("apply", "-", stdin="jobs: [", code=2)
        self.assertIn("line 1", self.err)
        self.cli("apply", "nowhere.yaml", code=2)

    WRONG = """
jobs:
  zone: {cron_expression: 0 9 * * *, timezone: Mars/Olympus, priority: 5000}
  word: {cron_expression: 0 9 * * MOM, misfire_policy: SOMETIMES}
  label: {every: 1h, labels: {"a=b": c}}
  never: {cron_expression: 0 0 30 2 *}
  fine: {every: 1h}
"""

    def test_diff_and_dry_run_refuse_what_apply_refuses(self) -> None:
        said = {}
        for words in (("diff",), ("apply", "--dry-run"), ("apply",)):
            self.cli(*words, "-", stdin=self.WRONG, code=2)
            said[words] = self.err
            for place in ("zone: timezone", "zone: priority", "word: cron_expression", "word: misfire_policy", "label: labels/a=b",
                          "never: cron_expression"):
                self.assertIn(place, self.err)
            self.cli("get", "fine", code=3)
        self.assertEqual(len(set(said.values())), 1, said)

    def test_diff_asks_for_what_only_the_server_knows(self) -> None:
        self.cli("tenants", "put", "small", "--max-jobs", "1")
        two = "jobs: {one: {every: 1h}, two: {every: 1h}}"
        for words in (("diff",), ("apply", "--dry-run"), ("apply",)):
            self.cli(*words, "-", "--tenant", "small", stdin=two, code=5)
            self.assertIn("at most 1 job", self.err)
        self.assertEqual(self.data("ls", "--tenant", "small"), [])

    def test_output_that_cannot_be_written_is_a_failure(self) -> None:
        self.cli("add", "written", "--every", "1h")
        for words in (("export",), ("export", "-o", "json"), ("ls",), ("get", "written"), ("cron", "next", "* * * * *"), ("version",)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([self.server.binary, *words], stdout=full, stderr=subprocess.PIPE, text=True,
                                      env=self.server.environment())
            self.assertEqual(done.returncode, 1, words)
            self.assertIn("could not be written", done.stderr)

    def test_many_jobs_go_in_batches(self) -> None:
        jobs = {"jobs": {f"many-{i:04}": {"every": "1h", "labels": {"set": "many"}} for i in range(2500)}}
        done = self.data("apply", "-", stdin=json.dumps(jobs))
        self.assertEqual(done["created"], 2500)
        self.assertEqual(len(self.data("ls", "-l", "set=many", "--all")), 2500)
        self.assertEqual(len(self.data("ls", "-l", "set=many")), 500)


class Imports(CliCase):
    CRONTAB = "MAILTO=ops\n# nightly\n30 2 * * * /usr/local/bin/backup.sh\n@reboot start.sh\n"

    def test_crontab(self) -> None:
        out = self.cli("import", "crontab", "-", "--tz", "Europe/Berlin", stdin=self.CRONTAB)
        self.assertIn("backup", out)
        self.assertIn("refused", out)
        self.assertIn("nothing was written", self.err)
        self.assertIn("stdin:3  30 2 * * * /usr/local/bin/backup.sh", self.err)
        self.assertEqual(self.data("ls", "-l", "imported_from=crontab"), [])
        report = self.data("import", "crontab", "-", stdin=self.CRONTAB)
        self.assertIn("refused", {entry["verdict"] for entry in report["entries"]})
        self.cli("import", "crontab", "-", "--write", "--tz", "Europe/Berlin", stdin=self.CRONTAB)
        jobs = self.data("ls", "-l", "imported_from=crontab")
        self.assertEqual([job["status"] for job in jobs], ["PAUSED"])
        self.cli("import", "crontab", "-", "--write", "--tz", "Europe/Berlin", stdin=self.CRONTAB)
        self.assertIn("0 created", self.err)

    def test_a_job_of_ones_own_is_not_overwritten(self) -> None:
        self.cli("add", "mine", "--every", "1h")
        self.cli("import", "crontab", "-", "--write", "--tz", "UTC", stdin="1 2 * * * /opt/mine\n3 4 * * * /opt/theirs\n", code=8)
        self.assertIn("refused  mine", self.err)
        self.assertEqual(self.data("get", "mine")["schedule_type"], "EVERY")
        self.assertEqual(self.data("get", "theirs")["status"], "PAUSED")
        self.cli("rm", "mine", "theirs", "--yes")

    def test_systemd_drop_ins(self) -> None:
        folder = os.path.join(self.server.folder.name, "dropped")
        os.makedirs(os.path.join(folder, "late.timer.d"), exist_ok=True)
        for name, text in (("late.timer", "[Timer]\nOnCalendar=daily\n"), ("late.service", "[Service]\nExecStart=/usr/bin/late\n"),
                           ("late.timer.d/override.conf", "[Timer]\nOnCalendar=\nOnCalendar=*-*-* 07:00\n")):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as unit:
                unit.write(text)
        self.cli("import", "systemd", folder, "--write", "--tz", "UTC")
        self.assertEqual(self.data("get", "late")["cron_expression"], "0 7 * * *")

    def test_systemd(self) -> None:
        folder = os.path.join(self.server.folder.name, "units")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "clean.timer"), "w", encoding="utf-8") as unit:
            unit.write("[Timer]\nOnCalendar=daily\n")
        with open(os.path.join(folder, "clean.service"), "w", encoding="utf-8") as unit:
            unit.write("[Service]\nExecStart=/usr/bin/clean\n")
        self.cli("import", "systemd", folder, "--write", "--activate")
        self.assertEqual(self.data("ls", "-l", "imported_from=systemd")[0]["status"], "ACTIVE")

    def test_kubernetes(self) -> None:
        text = ("apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: tidy}\nspec:\n  schedule: '0 3 * * *'\n"
                "  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, "
                "containers: [{name: c, image: i, command: [tidy]}]}}}}\n")
        self.cli("import", "k8s", "-", "--write", stdin=text)
        self.assertEqual(self.data("ls", "-l", "imported_from=kubernetes")[0]["job_name"], "tidy")


class Administration(CliCase):
    def test_cluster_forecast_doctor_api(self) -> None:
        wait_until(lambda: "256 of 256 partitions have an owner" in self.cli("cluster"))
        self.assertEqual(self.data("cluster")["partitions"]["total"], 256)
        self.cli("add", "often", "--every", "1m")
        lines = self.cli("forecast", "--hours", "2").splitlines()
        self.assertEqual(len(lines), 2)
        self.assertIn("peak", lines[0])
        self.assertEqual(len(self.data("forecast", "--hours", "3")["minutes"]), 180)

    def test_forecast_advises_how_to_spread_a_herd(self) -> None:
        for i in range(12):
            self.cli("add", f"herd{i:02}", "--cron", "0 * * * *")
        advice = self.data("forecast", "--advise", "--hours", "3")
        worst = advice["minutes"][0]
        self.assertLessEqual({f"herd{i:02}" for i in range(12)}, set(worst["jobs"]))
        self.assertLessEqual(worst["after"], worst["before"] // 2)
        self.assertIn("+ cron_expression: H * * * *", self.cli("forecast", "--advise", "--hours", "3"))
        self.assertEqual(self.data("get", advice["changes"][0]["job_name"])["version"], 1)
        self.cli("forecast", "--advise", "--apply", "--hours", "3")
        again = self.data("forecast", "--advise", "--hours", "3")
        self.assertLessEqual(again["minutes"][0]["before"], worst["before"] // 2 + 1)
        self.assertNotIn("✗", self.cli("doctor"))
        self.assertTrue(all(check["passed"] for check in self.data("doctor")))
        self.cli("doctor", "--server", "http://127.0.0.1:1", code=6)
        self.assertEqual(json.loads(self.cli("api", "GET", "jobs?limit=1&q=often"))["items"][0]["job_name"], "often")
        self.assertEqual(json.loads(self.cli("api", "post", "schedules/preview", "-d",
                                             '{"every": "1h"}'))["timezone"], "UTC")
        self.cli("api", "GET", "nothing", code=3)

    def test_types_and_what_their_jobs_inherit(self) -> None:
        self.cli("types", "put", "mail.send", "--max-concurrent", "5", "--rate", "100/m", "--timeout", "90s")
        (mail,) = [each for each in self.data("types", "ls") if each["job_type"] == "mail.send"]
        self.assertEqual((mail["max_concurrent"], mail["rate"], mail["burst"]), (5, "100/m", 2))
        self.assertEqual(mail["defaults"], {"timeout": "1m30s"})
        self.cli("types", "put", "mail.send", "--rate", "often", code=2)
        self.cli("add", "inherits", "--every", "1h", "--type", "mail.send", "--paused")
        self.assertEqual(self.data("get", "inherits")["timeout"], "1m30s")
        exported = self.cli("export", "inherits")
        self.assertNotIn("timeout", exported, "as it was written")
        self.cli("types", "rm", "mail.send")
        self.assertIn("1m30s", self.cli("export", "inherits"), "the job keeps it, and the type no longer says it")

    def test_calendars_and_tenants(self) -> None:
        self.cli("calendars", "put", "holidays", "SAT,SUN", "25 DEC *")
        self.assertEqual(self.data("calendars", "list")[0]["rules"], ["SAT,SUN", "25 DEC *"])
        self.cli("add", "working", "--cron", "0 9 * * *", "--calendar", "holidays")
        self.cli("calendars", "rm", "holidays", code=4)
        self.cli("rm", "working")
        self.cli("calendars", "rm", "holidays")
        self.cli("calendars", "put", "bad", "NODAY", code=2)
        self.cli("calendars", "put", "bad", "FRI 18:00..MON 06:00 Europe/Berlim", code=2)
        self.assertEqual(self.data("tenants", "put", "acme", "--weight", "3")["weight"], 3)
        self.assertEqual(self.data("tenants", "put", "acme", "--max-jobs", "7")["weight"], 3)
        self.assertEqual(self.data("tenants", "get", "acme")["max_jobs"], 7)
        self.assertIn("acme", self.cli("tenants", "list"))
        self.cli("tenants", "get", "nobody", code=3)
        self.cli("add", "theirs", "--every", "1h", "--tenant", "acme")
        self.cli("get", "theirs", code=3)
        self.assertEqual(self.data("get", "theirs", "--tenant", "acme")["tenant_id"], "acme")

    def test_completion_and_version(self) -> None:
        self.cli("add", "completed", "--every", "1h")
        self.assertEqual(self.cli("__complete", "--", "get", "compl"), "completed\n")
        self.assertIn("--until", self.cli("__complete", "--", "pause", "--"))
        for shell in ("bash", "zsh", "fish"):
            self.assertIn("__complete", self.cli("completion", shell))
        self.assertRegex(self.cli("version"), r"^belfry \d")
        self.assertIn("Examples:", self.cli("--help"))


class Upkeep(CliCase):
    def test_backup_and_migrate(self) -> None:
        self.cli("add", "in-the-backup", "--every", "1h")
        store = f"sqlite:{self.server.store}"
        self.assertEqual(self.cli("migrate", "--dry-run", "--store", store), "")
        copy = os.path.join(self.server.folder.name, "copy.db")
        self.cli("backup", copy, "--store", store)  # while the server uses it
        self.cli("backup", copy, "--store", store, code=4)
        self.cli("backup", copy + "2", "--store", "sqlite:/nowhere/at.db", code=3)
        self.cli("backup", "x.dump", "--store", "postgres://me:hush@db/belfry", code=2)
        self.assertIn("pg_dump", self.err)
        self.assertNotIn("hush", self.err)
        with sqlite3.connect(copy) as database:
            self.assertEqual(database.execute("select count(*) from jobs where name = 'in-the-backup'").fetchone(), (1,))
        fresh = f"sqlite:{self.server.folder.name}/fresh.db"
        pending = self.cli("migrate", "--dry-run", "--store", fresh).split()
        self.assertFalse(os.path.exists(os.path.join(self.server.folder.name, "fresh.db")))
        self.assertEqual([line.split()[1] for line in self.cli("migrate", "--store", fresh).splitlines()], pending)
        self.assertIn("start", pending[0])
        self.assertEqual(self.cli("migrate", "--store", fresh), "")
        self.assertRegex(self.cli("keys", "create", "rescue", "--scope", "admin", "--store", fresh), "^bf_")

    def test_exit_codes_of_serve(self) -> None:
        fresh = f"sqlite:{self.server.folder.name}/serve.db"
        self.cli("serve", "--store", fresh, "--listen", "0.0.0.0:0", code=5)
        self.cli("serve", "--store", fresh, "--listen", "127.0.0.1:0", "--broker", "nonsense", code=2)
        self.cli("serve", "--store", "postgres://127.0.0.1:1/x", "--listen", "127.0.0.1:0", code=6)
        self.cli("worker", "--server", "nonsense", code=2)


class Keys(CliCase):
    def test_keys(self) -> None:
        admin = self.cli("keys", "create", "root", "--scope", "root").strip()
        self.assertRegex(admin, r"^bf_\S{20,}$")
        self.cli("ls", code=5)
        self.assertIn("BELFRY_TOKEN", self.err)
        self.cli("ls", BELFRY_TOKEN=admin)
        file = os.path.join(self.server.folder.name, "key")
        with open(file, "w", encoding="utf-8") as out:
            out.write(admin + "\n")
        viewer = self.data("keys", "create", "eyes", "--scope", "viewer", "--expires", "+1h",
                           "--token-file", file)
        self.cli("add", "x", "--every", "1h", code=5, BELFRY_TOKEN=viewer["secret"])
        self.cli("ls", BELFRY_TOKEN=viewer["secret"])
        keys = self.data("keys", "list", "--token-file", file)
        self.assertEqual({key["name"] for key in keys}, {"root", "eyes"})
        fresh = self.data("keys", "rotate", viewer["key_id"], "--overlap", "1h", "--token-file", file)
        for secret in (viewer["secret"], fresh["secret"]):
            self.cli("ls", BELFRY_TOKEN=secret)
        self.assertIn("replaced, until", self.cli("keys", "list", "--token-file", file))
        self.cli("keys", "revoke", viewer["key_id"], "--token-file", file)
        self.cli("ls", code=5, BELFRY_TOKEN=viewer["secret"])
        self.cli("ls", BELFRY_TOKEN=fresh["secret"])
        hand = self.cli("keys", "create", "hand", "--scope", "operator", "--token-file", file).strip()
        self.cli("add", "quiet", "--every", "1h", "--exec", "true", code=5, BELFRY_TOKEN=hand)
        self.assertIn("--allow exec", self.err)
        trusted = self.cli("keys", "create", "trusted", "--allow", "exec", "--token-file", file).strip()
        self.cli("add", "quiet", "--every", "1h", "--exec", "true", BELFRY_TOKEN=trusted)
        self.assertIn("revoked", self.cli("keys", "list", "--token-file", file))


if __name__ == "__main__":
    BINARY = sys.argv.pop(1)
    unittest.main(verbosity=2)
