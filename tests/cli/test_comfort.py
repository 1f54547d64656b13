#!/usr/bin/env python3
"""What makes the command line pleasant, with the real binary and a real server: contexts, logs, ids by their beginning, the
zone of a job, a screen to look at, a banner, errors in the words that were typed.

usage: test_comfort.py BINARY
"""

import json
import os
import pty
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import PATIENCE, Server, die_with_parent  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])


class Comfort(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def cli(self, *words: str, code: int = 0, **environment: str) -> str:
        done = self.server.run(*words, **environment)
        self.assertEqual(done.returncode, code, f"{words}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def test_a_context_tries_the_next_server(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            here = {"HOME": home, "BELFRY_SERVER": ""}
            self.assertIn("no contexts", self.cli("context", **here))
            self.cli("context", "add", "prod", f"http://127.0.0.1:1,{self.server.url}", **here)
            self.cli("context", "add", "away", "http://127.0.0.1:1", **here)
            self.cli("tenants", **here)
            self.cli("context", "use", "away", **here)
            self.cli("tenants", code=6, **here)
            self.cli("tenants", "--context", "prod", **here)
            self.cli("tenants", BELFRY_CONTEXT="prod", **here)
            self.cli("tenants", "--server", self.server.url, **here)
            self.assertIn("did you mean `prod`", self.cli("tenants", "--context", "prd", code=3, **here))
            listed = json.loads(self.server.run("context", "-o", "json", **here).stdout)
            self.assertEqual([(one["name"], one["current"]) for one in listed], [("away", True), ("prod", False)])
            self.cli("context", "rm", "away", **here)
            self.assertEqual(self.cli("context", "-o", "name", **here), "prod\n")

    def test_logs_of_a_job_and_of_a_run_by_its_beginning(self) -> None:
        self.cli("add", "talker", "--at", "2199-01-01", "--exec", "echo $GREETING from $PWD", "--env", "GREETING=hi", "--cwd", "/usr")
        self.assertIn("has not run yet", self.cli("logs", "talker", code=3))
        self.assertIn("│ hi from /usr", self.cli("run", "talker", "--wait"))
        self.assertEqual(self.cli("logs", "talker"), "hi from /usr\n")
        run = json.loads(self.server.run("runs", "talker", "-o", "json").stdout)[0]["run_id"]
        self.assertEqual(self.cli("logs", run[:-2], "-f"), "hi from /usr\n")
        self.assertIn("succeeded", self.cli("runs", "get", run[:-2]))
        self.assertEqual(self.cli("runs", "talker", "-o", "name"), run + "\n")

    def test_times_are_those_of_the_job(self) -> None:
        self.cli("add", "berlin", "--cron", "0 7 * * *", "--tz", "Europe/Berlin", "--start-at", "2027-03-09 07:00")
        job = json.loads(self.server.run("get", "berlin", "-o", "json").stdout)
        self.assertEqual(job["start_at"], "2027-03-09T06:00:00Z")
        self.cli("edit", "berlin", "--end-at", "2028-03-09 07:00")
        job = json.loads(self.server.run("get", "berlin", "-o", "json").stdout)
        self.assertEqual(job["end_at"], "2028-03-09T06:00:00Z")
        _, shown = self.server.at_terminal("next", "berlin", "-n", "1", NO_COLOR="1")
        self.assertIn("Tue 9 Mar 2027 07:00 Europe/Berlin", shown)
        self.assertIn("no tick", self.cli("explain", "berlin", "--at", "2027-03-09 07:01"))

    def test_the_example_of_the_help_is_accepted(self) -> None:
        example = re.search(r"once: (\S+),", self.cli("add", "--help"))[1]
        self.cli("add", "once", "--at", example, "--paused")

    def test_a_screen_of_everything(self) -> None:
        shown = self.cli("top")
        for word in ("jobs", "runs", "fires", "lag", "ticks", "NODE", "partitions have an owner"):
            self.assertIn(word, shown)
        self.assertLessEqual({"stats", "queues"}, set(json.loads(self.server.run("top", "-o", "json").stdout)))

    def test_the_screen_is_drawn_over_and_fits(self) -> None:
        for number in range(30):
            self.cli("add", f"waiting-{number}", "--at", "2199-01-01", "--type", f"nobody.asks.{number}")
            self.cli("run", f"waiting-{number}")
        self.await_workers(r"nobody\.asks\.29 ")
        code, shown = self.server.at_terminal("top", "-n", "2", "--interval", "200ms")
        screens = shown.split("\033[H")[1:]
        self.assertEqual((code, len(screens)), (0, 2))
        for screen in screens:
            self.assertLess(screen.count("\n"), 25, "the height of that terminal")
            self.assertIn("nobody.asks", screen)
            for line in re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", screen).split("\r\n"):
                self.assertLessEqual(len(line), 80)
        self.cli("rm", "--prefix", "waiting-", "--ready-runs", "cancel", "--yes")

    def await_workers(self, expected: str) -> None:
        """The figures of queues are those of a few seconds ago."""
        give_up = time.monotonic() + PATIENCE
        while not re.search(expected, shown := self.cli("workers")):
            self.assertLess(time.monotonic(), give_up, shown)
            time.sleep(0.2)

    def test_who_takes_runs_and_what_waits(self) -> None:
        self.cli("add", "starving", "--at", "2199-01-01", "--type", "nobody.is.there")
        self.cli("run", "starving")
        self.await_workers(r"nobody\.is\.there +1 .*no worker asks")
        self.server.post("runs:claim", {"worker_id": "idle", "job_types": ["some.type"], "max_runs": 7})
        self.assertRegex(self.cli("workers"), r"idle +default +some\.type +7 +0 ")
        self.assertIn("idle\n", self.cli("workers", "-o", "name"))
        self.cli("rm", "starving", "--ready-runs", "cancel", "--yes")

    def test_a_new_job_that_nobody_would_run(self) -> None:
        self.assertIn("! sent: nobody has asked this node", self.cli("add", "sent", "--at", "2199-01-01", "--type", "not.there"))
        self.assertIn("this node has no broker `nobroker`", self.cli("add", "told", "--at", "2199-01-01", "--topic", "nobroker/x"))
        self.assertIn("no-such-host.invalid", self.cli("add", "called", "--at", "2199-01-01", "--url", "http://no-such-host.invalid/"))
        self.assertNotIn("!", self.cli("add", "fine", "--at", "2199-01-01", "--exec", "true"))
        self.assertNotIn("!", self.cli("add", "here", "--at", "2199-01-01", "--url", "http://127.0.0.1:9/"))
        self.assertIn("! sent: nobody has asked", self.cli("edit", "sent", "--type", "not.there.either"))
        done = self.server.run("apply", stdin="jobs: {one: {run_at: 2199-01-01T00:00:00Z, job_type: of.files}, two: {run_at: "
                                              "2199-01-01T00:00:00Z, job_type: of.files}}")
        self.assertIn("! one (and 1 other job): nobody has asked", done.stderr)

    def test_a_job_by_the_beginning_of_its_id(self) -> None:
        self.cli("add", "by-its-id", "--at", "2199-01-01")
        self.cli("add", "by-another", "--at", "2199-01-01")
        job = json.loads(self.server.run("get", "by-its-id", "-o", "json").stdout)["job_id"]
        self.assertIn("by-its-id", self.cli("get", job[:-1]))
        several = self.cli("get", "000000", code=2)
        self.assertRegex(several, r"jobs begin with `000000`")
        self.assertIn("give more of the id", several)

    def test_no_error_speaks_of_calls(self) -> None:
        self.cli("add", "taken", "--every", "1h", "--paused")
        for line in (["add", "taken", "--every", "1h"], ["add", "x", "--every", "1h", "--calendar", "nothing"],
                     ["add", "x", "--cron", "61 * * * *"], ["add", "x"], ["runs", "--state", "sleepy"], ["edit", "taken", "--priority", "5000"],
                     ["add", "x", "--every", "1h", "--url", "nowhere"], ["add", "x", "--every", "never"], ["forecast", "--hours", "999"]):
            done = self.server.run(*line)
            self.assertNotEqual(done.returncode, 0, line)
            self.assertNotRegex(done.stderr, r"(PUT|POST|PATCH|GET) /|\?\w+:|cron_expression|(?<!-)\bpriority:", line)

    def test_manual_pages_have_all_that_the_help_has(self) -> None:
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "deploy", "man_pages.py")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, script, BINARY, "0", folder], check=True, timeout=PATIENCE)
            for verb in ("add", "logs", "serve"):
                with open(os.path.join(folder, f"belfry-{verb}.1"), encoding="utf-8") as file:
                    page = file.read().replace("\\-", "-")
                flags = re.findall(r"^ +(?:-\w, )?(--[\w-]+)", self.cli(verb, "--help"), re.M)
                self.assertGreater(len(flags), 2, verb)
                for flag in flags:
                    self.assertRegex(page, rf"\\fB(-\w, )?{flag}\b", verb)

    def test_who_starts_a_node_by_hand_is_told_where_it_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            master, slave = pty.openpty()
            node = subprocess.Popen([BINARY, "serve", "--store", f"sqlite:{folder}/belfry.db", "--data-dir", folder, "--listen",
                                     "127.0.0.1:0"], stdout=slave, stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
            os.close(slave)
            shown = ""
            while "Ctrl-C" not in shown:
                shown += os.read(master, 4096).decode()
            node.terminate()
            node.wait(PATIENCE)
            os.close(master)
        self.assertRegex(shown, r"console  http://127\.0\.0\.1:\d+/")
        self.assertRegex(shown, r"sign in  http://127\.0\.0\.1:\d+/#sign-in=[\w-]{43}")
        self.assertIn(f"store    sqlite:{folder}/belfry.db", shown)
        self.assertIn("runs commands", shown)
        self.assertIn("belfry --server http://127.0.0.1:", shown)

    def test_open_hands_the_browser_a_link_that_only_its_user_can_read(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            opener = f"{folder}/xdg-open"
            with open(opener, "w", encoding="ascii") as script:
                script.write(f'#!/bin/sh\ncp -p "$1" {folder}/page; echo "$@" > {folder}/flags.new; mv {folder}/flags.new {folder}/flags\n')
            os.chmod(opener, 0o755)
            master, slave = pty.openpty()
            environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":0", "XDG_RUNTIME_DIR": folder}
            subprocess.run([BINARY, "--server", self.server.url, "open"], stdout=slave, stderr=subprocess.DEVNULL,
                           env=environment, check=True, timeout=PATIENCE)
            os.close(slave)
            link = os.read(master, 4096).decode().split()[0]
            os.close(master)
            deadline = time.monotonic() + PATIENCE
            while not os.path.exists(f"{folder}/flags"):
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.02)
            code = link.partition("#sign-in=")[2]
            self.assertEqual(len(code), 43, link)
            self.assertEqual(os.stat(f"{folder}/page").st_mode & 0o777, 0o600)
            with open(f"{folder}/page", encoding="utf-8") as page, open(f"{folder}/flags", encoding="utf-8") as flags:
                self.assertIn(f"url={link}", page.read())
                self.assertNotIn(code, flags.read())

    def test_open_says_where_the_console_is(self) -> None:
        printed = json.loads(self.server.run("open", "--print", "-o", "json").stdout)
        self.assertRegex(printed["url"], rf"^{re.escape(self.server.url)}/#sign-in=")
        self.assertTrue(printed["expires_at"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
