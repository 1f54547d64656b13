#!/usr/bin/env python3
"""What people see: walks through the command line, at 60, 80 and 120 columns, kept as files that can be read.

tests/cli/screens/NAME.txt is one walk. Instants, lengths of time, ids and ports are masked, and blanks between columns
are drawn together, because a masked value has another width.

usage: test_screens.py BINARY [--write]    with --write the files are rewritten; read what changed before you keep it
"""

import os
import re
import shlex
import sys
import unittest

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "screens")
BINARY = sys.argv[1]
sys.path.insert(0, os.path.dirname(FOLDER))
from server import Server  # noqa: E402

WIDTHS = (60, 80, 120)

# What is there before anybody looks. Paused jobs have no next fire, so that their rows stay the same.
SCENE = """
calendars put holidays SAT,SUN
tenants put acme --weight 3 --max-jobs 7
add report --cron '30 2 * * *' --tz America/New_York --url http://127.0.0.1:9/x --label env=prod --paused
add a-name-that-is-rather-long-for-a-narrow-screen --every 1h --type billing.invoices --label team=billing --paused
add broken --at 2199-01-01 --exec 'echo no such customer; exit 3' --retries 0
run broken --wait
add chatty --at 2199-01-01 --exec 'for i in $(seq 12); do echo line $i; done'
run chatty --wait
"""

WALKS = {
    # Only rows without lengths of time: those would move the places where cells are cut.
    "lists": ["ls report", "ls a-name", "jobs list --status paused", "ls nothing-like-it", "calendars list", "tenants",
              "ls report -o name", "keys", "secrets", "alerts", "alerts rules", "alerts sent", "bulk", "context"],
    "one-job": ["next report -n 2", "explain broken", "revisions report", "run broken --wait", "run chatty --wait", "logs chatty -n 2",
                "restore report 1"],
    "wrong-words": ["ad x", "frobnicate", "ls --foo", "ls --limit x", "ls -o xml", "forecast --hours 999", "add", "get", "jobs lsit",
                    "add x --cron", "cron", "import", "ls -o json --foo", "help frobnicate", "keys create k --scope rot",
                    "completion tcsh", "checkin", "config", "alerts put x --when sometimes"],
    "wrong-values": ["add x --cron '61 * * * *'", "add x --cron '0 0 * * MOM'", "add x --cron @daily --tz Berlin", "add x",
                     "add x --every 1h --cron @daily", "add x --every 1h --payload {a}", "add x --every 1h --label nonsense",
                     "add x --at tomorrow", "add report --every 1h", "add x --every 1h --topic nobroker",
                     "add x --every 1h --calendar nothing", "add x --every 1h --method GET", "add x --every 1h --env A=1",
                     "add x --every 1h --url http://127.0.0.1:9/ --header nonsense", "add x --every 1h --priority 5000",
                     "edit report --cron '61 * * * *'", "pause report --until soon", "runs list --state sleepy",
                     "backfill report --from x --to now", "calendars put x NOTADAY", "label nonsense --all", "top --interval 1ms",
                     "context add x nowhere"],
    "missing-things": ["get reprot", "pause nobody", "run nobody", "runs get 17", "runs get 0000000000000000ff", "logs nobody", "logs report",
                       "tenants get nobody", "calendars rm nothing", "revisions restore report 9", "restore nobody 1",
                       "ls --server http://127.0.0.1:1", "ls --server http://127.0.0.1:1,http://127.0.0.1:2", "ls --server nowhere",
                       "ls --context prod", "ls --token-file /nonexistent", "apply nowhere.yaml", "checkin rotate nobody", "edit nobody",
                       "explain nobody", "next nobody", "backfill nobody --from -1h --to now", "tail nobody", "export nobody",
                       "secrets rm nothing", "alerts rm nothing", "alerts test nothing", "bulk show 17", "keys revoke 17",
                       "context use prod", "config check nowhere.toml"],
    "questions": ["pause", "pause --all --no-input", "dlq retry", "rm report --no-input", "runs cancel", "label a=b", "edit report --no-input"],
    "help": ["--help", "add --help", "runs --help", "help logs", "help context add"],
}

MASKS = [
    (r"\x1b\[[0-9;]*m", ""),
    (r"\b[0-9a-f]{32}\b", "<run>"),
    (r"\b[0-9a-f]{16}\b", "<job>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "<instant>"),
    (r"(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d+ [A-Z][a-z]{2}( \d{4})? \d\d:\d\d(:\d\d)?", "<wall clock>"),
    (r"\b(in )?(\d+(d|h|ms|us|m|s|µs))+( ago)?\b|\bnow\b", "<time>"),
    (r"(?<=127\.0\.0\.1:)\d{4,5}", "<port>"),
    (r" {2,}", "  "),
]


def masked(text: str, host: str) -> str:
    for pattern, mask in MASKS:
        text = re.sub(pattern, mask, text)
    text = re.sub(rf"\b{re.escape(host)}[-\w.]*", "<host>", text)
    return "\n".join(line.rstrip() for line in text.replace("\r\n", "\n").split("\n"))


class Screens(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        for line in SCENE.strip().splitlines():
            done = cls.server.run(*shlex.split(line))
            assert done.returncode == (1 if line.startswith("run broken") else 0), line + done.stderr

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def walk(self, lines: list[str]) -> str:
        shown = []
        for line in lines:
            seen: dict[str, list[int]] = {}
            for columns in WIDTHS:
                code, text = self.server.at_terminal(*shlex.split(line), columns=columns, NO_COLOR="1")
                said = f"{masked(text, os.uname().nodename).rstrip()}\n(exit code {code})\n"
                seen.setdefault(said, []).append(columns)
            shown += [f"$ belfry {line}    # {', '.join(map(str, widths))} columns\n{said}" for said, widths in seen.items()]
        return "\n".join(shown)

    def test_screens(self) -> None:
        for name, lines in WALKS.items():
            with self.subTest(name):
                path = os.path.join(FOLDER, name + ".txt")
                text = self.walk(lines)
                if "--write" in sys.argv:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write(text)
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(text, file.read(), "if it is better now: test_screens.py BINARY --write")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
