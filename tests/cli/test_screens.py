#!/usr/bin/env python3
"""What people see: walks through the command line, at 60, 80 and 120 columns, kept as files that can be read.

tests/cli/screens/NAME.txt is one walk. Instants, lengths of time, ids and ports are masked, and blanks between columns
are drawn together, because a masked value has another width. Each command occurs with an input that is right and one that
is wrong.

usage: test_screens.py BINARY [--write]    with --write the files are rewritten; read what changed before you keep it
"""

import json
import os
import re
import shlex
import sys
import time
import unittest
from pathlib import Path

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "screens")
BINARY = sys.argv[1]
sys.path.insert(0, os.path.dirname(FOLDER))
from server import PATIENCE, Server  # noqa: E402

WIDTHS = (60, 80, 120)
# These do not end by themselves, or write very much: with an input that is right, their screen is their help.
SHOWN_BY_HELP = {"serve", "worker", "audit export"}

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
add elsewhere --at 2199-01-01 --checkin
secrets put kept
alerts put nightly --when failed_in_a_row --count 2 --job report --url http://127.0.0.1:9/
types put billing.invoices --max-concurrent 2
"""

FILES = {
    "jobs.yaml": "jobs:\n  from-a-file:\n    run_at: 2199-01-01T00:00:00Z\n    job_type: nobody.asks\n",
    "wrong.yaml": "jobs:\n  wrong:\n    cron_expression: 61 * * * *\n",
    "my.crontab": "15 3 * * * /usr/local/bin/backup.sh\n@reboot /opt/start.sh\n",
    "good.toml": 'listen = "127.0.0.1:7070"\n',
    "wrong.toml": 'lissten = "127.0.0.1:7070"\n',
    "days.ics": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20270101\nSUMMARY:New Year\nEND:VEVENT\nEND:VCALENDAR\n",
    "cron.k8s.yaml": "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: hello}\nspec:\n  schedule: '0 5 * * *'\n  jobTemplate:\n"
                     "    spec: {template: {spec: {containers: [{name: c, image: busybox, command: [date]}]}}}\n",
    "all.jsonl": '{"belfry_export":{"format":1,"made_at":"2026-11-18T12:00:00Z"}}\n'
                 '{"tenant":{"name":"default","number":1,"weight":1,"max_in_flight":0,"max_jobs":0,"max_requests":0}}\n{"end":{"lines":2}}\n',
    "units/report.timer": "[Timer]\nOnCalendar=Mon..Fri 02:30\n[Install]\nWantedBy=timers.target\n",
    "units/report.service": "[Service]\nExecStart=/opt/report\n",
}

# `{n}` is another number at each width, so that a line can be walked three times; `{token}`, `{run}`, `{good}` and `{bulk}` are
# those of the scene, and `{key}` and `{held}` of the lines before. A line that ends with `@120` is walked at 120 columns only: its cells would be cut elsewhere, some shorter, some not.
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
    "jobs": ["add new-{n} --cron '30 2 * * *' --tz Asia/Tokyo --exec backup.sh --label team=ops", "get new-{n}", "jobs get report",
             "ls new-{n} -o name", "jobs list report -o name", "edit new-{n} --timeout 10m", "jobs edit new-{n} --retries 1",
             "label team=data --prefix new-{n} --yes", "pause new-{n} -m lunch --until +1h", "resume new-{n}", "cancel new-{n} --yes",
             "rm new-{n} --yes", "add new-{n} --at 2199-01-01", "jobs rm new-{n} --yes"],
    "warnings": ["add mail-{n} --at 2199-01-01 --type nobody.asks", "add away-{n} --every 1h --paused --url http://no-such-host.invalid/x",
                 "add event-{n} --every 1h --paused --topic nobroker/events", "apply jobs-{n}.yaml",
                 "rm mail-{n} away-{n} event-{n} from-file-{n} --yes"],
    "schedules": ["next '0 9 * * MON-FRI' -n 2", "cron next '0 9 * * MON-FRI' -n 2 --tz Asia/Tokyo", "cron explain '30 2 * * *' --tz Asia/Tokyo -n 1",
                  "cron resolve --batch", "explain '30 2 * * *' --tz Asia/Tokyo", "forecast --hours 1",
                  "backfill report --from 2026-01-01 --to 2026-01-02 --no-input", "revisions diff report 1 1", "verify report"],
    "watching": ["add tick-{n} --every 1s --exec true", "tail tick-{n} -n 1", "rm tick-{n} --yes", "top -n 1 @120", "cluster @120", "workers @120",
                 "doctor @120", "proof", "audit -n 1 @120", "audit verify", "open --print"],
    "runs": ["runs broken --limit 1 @120", "runs list broken --limit 1 @120", "runs get {run} @120", "runs log {run}", "dlq @120", "dlq list @120",
             "runs unstick {run}", "runs cancel {run}", "runs retry {good}", "add wait-{n} --at 2199-01-01 --type nobody.asks", "run wait-{n}",
             "runs cancel --state ready --job wait-{n} --yes", "rm wait-{n} --yes", "add held-{n} --at 2199-01-01 --exec 'sleep 60'", "run held-{n}",
             "runs unstick {held}", "rm held-{n} --yes", "dlq retry --job broken --yes @80"],
    "files": ["export report", "diff jobs.yaml", "rehearse jobs.yaml --from 2027-01-01 --to 2027-01-02", "import crontab my.crontab --tz Europe/Berlin",
              "import systemd units", "import k8s cron.k8s.yaml", "config check good.toml", "config show --config good.toml @120",
              "migrate --dry-run --store sqlite:{store}", "backup copy-{n}.db --store sqlite:{store}",
              "recover copy-{n}.db --missed skip --store sqlite:new-{n}.db",
              "import all all.jsonl --missed skip --store sqlite:other-{n}.db", "history --archive units"],
    "around": ["tenants list @120", "tenants get acme", "tenants put acme --weight 3 --max-jobs 7", "bulk ls @120", "bulk show {bulk}", "bulk stop {bulk}",
               "alerts ls", "alerts rules @120", "alerts put gone-{n} --when dead_letters --count 3 --url http://127.0.0.1:9/", "alerts rm gone-{n}",
               "alerts test nightly", "alerts silence 2h --rule nightly -m lunch",
               "calendars put days-{n} SAT,SUN", "calendars import days.ics --name new-{n} --write", "calendars rm days-{n}",
               "types list @120", "types put t-{n} --max-concurrent 2", "types rm t-{n}",
               "secrets put key-{n}", "secrets ls @120", "secrets rm key-{n}", "secrets rotate",
               "checkin show elsewhere", "wrap --checkin {token} -- echo done", "checkin rotate elsewhere", "checkin revoke elsewhere @120",
               "context add c-{n} http://127.0.0.1:1", "context ls @120", "context use c-{n}", "context rm c-{n}",
               "api GET types", "completion fish", "version", "serve --help", "worker --help", "audit export --help"],
    "wrong-again": ["resume nobody", "cancel nobody", "rm nobody", "jobs get nobody", "jobs edit nobody", "jobs rm nobody", "jobs list --status asleep",
                    "bulk ls x", "bulk stop 17", "runs log nobody", "runs retry 17", "runs unstick 17", "runs cancel 17", "dlq list nobody",
                    "runs 0000000000", "revisions nobody", "restore report 9", "diff nowhere.yaml", "diff wrong.yaml", "apply wrong.yaml",
                    "rehearse nowhere.yaml", "rehearse wrong.yaml", "import crontab nowhere", "import systemd nowhere", "import k8s nowhere",
                    "import k8s wrong.yaml", "import all nowhere.jsonl --missed skip --store sqlite:x.db", "cluster x", "workers x", "tenants list x", "tenants put acme --weight x", "alerts ls x", "alerts rules x",
                    "alerts sent x", "alerts silence soon", "calendars list x", "calendars import nowhere.ics", "calendars import my.crontab",
                    "types list x", "types put t --rate fast", "types rm nothing", "checkin show nobody", "checkin show report", "checkin revoke nobody",
                    "wrap -- true", "secrets put", "secrets ls x", "secrets rotate x", "audit -n x", "audit export x", "audit verify --head nonsense",
                    "verify", "verify nobody", "proof yesterday", "proof --ledger", "context ls x", "context rm prod", "doctor x",
                    "doctor --server http://127.0.0.1:1", "open --server unix:/nowhere", "api FETCH jobs", "api GET nowhere", "migrate --store nonsense",
                    "backup copy.db --store sqlite:nowhere.db", "recover nowhere.db --missed skip --store sqlite:x.db", "recover nowhere.db --no-input",
                    "history", "history --archive nowhere", "worker --exec-type nonsense", "serve --listen nonsense", "serve --store nonsense",
                    "serve --region", "cron next '0 0 * * MOM'", "cron explain '0 0 31 2 *'", "cron explain", "cron resolve", "version x",
                    "config show --config nowhere.toml", "config check wrong.toml", "keys list x", "keys rotate 17", "next '61 * * * *'",
                    "run chatty --payload {a} --wait"],
    "questions": ["pause", "pause --all --no-input", "dlq retry", "rm report --no-input", "runs cancel", "label a=b", "edit report --no-input"],
    "help": ["--help", "add --help", "runs --help", "help logs", "help context add"],
}

# What is typed into those that read it, with the end of it.
TYPED = {"secrets put key": "s3cret\n\x04", "cron resolve --batch": "H H * * *\tacme/backup\n\x04"}

# As soon as there is a key, a server asks everybody for one; so these have a server of their own.
KEY_WALK = ["keys create ci-{n} --scope viewer", "keys list @120", "keys rotate {key}", "keys revoke {key}"]

MASKS = [
    (r"\x1b\[[0-9;]*[A-Za-z]", ""),
    (r"#sign-in=\S+", "#sign-in=<code>"),
    (r"\b(bf[a-z]*)_[\w-]{16,}", r"\1_<secret>"),
    (r"\b[0-9a-f]{64}\b", "<digest>"),
    (r"^belfry \d.*", "<version>"),
    (r"Name or service not known|Temporary failure in name resolution", "<reason>"),
    (r"^\d{4}-\d\d-\d\dT\d\d:\d\dZ", "<minute>"),
    (r"(?<!T)\b\d\d:\d\d:\d\d\.\d{3}\b", "<clock>"),
    (r"(?<=· )\d\d:\d\d:\d\d UTC", "<clock>"),
    (r"may open [\d,]+ files", "may open <n> files"),
    (r"last \d+ scheduled runs?", "last <n> scheduled runs"),
    (r"^\d+ rows are as they were written; \w+ waits? for", "<n> rows are as they were written; <n> wait for"),
    (r"^head \d+:\S*", "head <head>"),
    (r"with the key [0-9a-f]{8}$", "with the key <key>"),
    (r"^[\w-]{32}$", "<token>"),
    (r"\bkey \d+ \(", "key <id> ("),
    (r"^revoked \d+", "revoked <id>"),
    (r"(ahead of|behind)(?= the database's clock)", "<off>"),
    (r"\b[0-9a-f]{32}\b", "<run>"),
    (r"\b[0-9a-f]{16}\b", "<job>"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", "<instant>"),
    (r"(Sun|Mon|Tue|Wed|Thu|Fri|Sat) \d+ [A-Z][a-z]{2}( \d{4})? \d\d:\d\d(:\d\d)?", "<wall clock>"),
    (r"\b(in )?(\d+(d|h|ms|us|m|s|µs))+( ago)?\b|(?<=  )now(?=  |$)", "<time>"),
    (r"(?<=127\.0\.0\.1:)\d{4,5}", "<port>"),
    (r" {2,}", "  "),
    (r"^(<run>  )(READY|RUNNING)$", r"\1<READY or RUNNING>"),
    (r"\b(Sun|Mon|Tue|Wed|Thu|Fri|Sat) <instant>", "<instant>"),
    (r"^\d+(?=  <time>  owner@)", "<n>"),
]


def masked(text: str, folder: str) -> str:
    text = text.replace("\r\n", "\n")
    for pattern, mask in MASKS:
        text = re.sub(pattern, mask, text, flags=re.MULTILINE)
    text = re.sub(rf"\b{re.escape(os.uname().nodename)}[-\w.]*", "<host>", text.replace(folder, "<folder>"))
    return "\n".join(line.rstrip() for line in text.split("\n"))


def filled(word: str, known: dict[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: known.get(name[1], name[0]), word)


def commands(server: Server, *path: str) -> list[str]:
    """All that `belfry help` leads to, each with the words that name it."""
    text = server.run("help", *path).stdout
    below = re.search(r"^Commands:\n((?:.+\n)+)", text, re.MULTILINE)
    names = re.findall(r"^  (\S+)", below[1], re.MULTILINE) if below else []
    return [each for name in names for each in commands(server, *path, name)] or [" ".join(path)]


class Screens(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        cls.folder = cls.server.folder.name
        for name, text in FILES.items():
            path = Path(cls.folder, name)
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        for columns in WIDTHS:
            Path(cls.folder, f"jobs-{columns}.yaml").write_text(FILES["jobs.yaml"].replace("from-a-file", f"from-file-{columns}"), encoding="utf-8")
        for line in SCENE.strip().splitlines():
            done = cls.server.run(*shlex.split(line), stdin="s3cret")
            assert done.returncode == (1 if line.startswith("run broken") else 0), line + done.stderr
        cls.known = {"store": cls.server.store, "run": cls.ask("runs", "broken", "--limit", "1", "-o", "name"),
                     "good": cls.ask("runs", "chatty", "--limit", "1", "-o", "name"),
                     "token": json.loads(cls.ask("checkin", "rotate", "elsewhere", "-o", "json"))["token"]}
        cls.ask("label", "seen=yes", "--prefix", "chatty", "--yes")
        cls.known["bulk"] = cls.ask("bulk", "ls", "-o", "name")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    @classmethod
    def ask(cls, *words: str) -> str:
        done = cls.server.run(*words)
        assert done.returncode == 0, f"{words} {done.stderr}"
        return done.stdout.strip()

    def walk(self, lines: list[str], server: Server, **environment: str) -> str:
        shown = []
        for line in lines:
            line, only = re.fullmatch(r"(.*?)(?: @(\d+))?", line).groups()
            seen: dict[str, list[int]] = {}
            for columns in [int(only)] if only else WIDTHS:
                known = {**self.known, "n": str(columns)}
                if "{held}" in line:
                    known["held"] = self.in_hand(f"held-{columns}")
                if "{key}" in line:
                    keys = json.loads(server.run("keys", "list", "-o", "json", **environment).stdout)
                    known["key"] = next(each["key_id"] for each in keys if each["name"] == f"ci-{columns}")
                words = [filled(word, known) for word in shlex.split(line)]
                typed = next((text for words, text in TYPED.items() if line.startswith(words)), "")
                code, text = server.at_terminal(*words, typed=typed, columns=columns, NO_COLOR="1", HOME=server.folder.name, **environment)
                if "{n}" in line:
                    text = re.sub(rf"(?<=[a-z]-){columns}\b", "<n>", text)
                said = f"{masked(text, server.folder.name).rstrip()}\n(exit code {code})\n"
                seen.setdefault(said, []).append(columns)
            shown += [f"$ belfry {line}    # {', '.join(map(str, widths))} columns\n{said}" for said, widths in seen.items()]
        return "\n".join(shown)

    def in_hand(self, job: str) -> str:
        """The run of this job, once a worker has it."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up:
            runs = json.loads(self.ask("runs", job, "-o", "json"))
            if runs and runs[0]["state"] == "RUNNING":
                return runs[0]["run_id"]
            time.sleep(0.05)
        raise AssertionError(f"nobody takes the run of {job}")

    def hold(self, name: str, text: str) -> None:
        path = os.path.join(FOLDER, name + ".txt")
        if "--write" in sys.argv:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(path, encoding="utf-8") as file:
            self.assertEqual(text, file.read(), "if it is better now: test_screens.py BINARY --write")

    def test_screens(self) -> None:
        for name, lines in WALKS.items():
            with self.subTest(name):
                self.hold(name, self.walk(lines, self.server))

    def test_screens_of_keys(self) -> None:
        server = Server(BINARY)
        self.addCleanup(server.stop)
        token = json.loads(server.run("keys", "create", "admin", "--scope", "root", "-o", "json").stdout)["secret"]
        self.hold("keys", self.walk(KEY_WALK, server, BELFRY_TOKEN=token))

    def test_each_command_has_a_screen_of_each_kind(self) -> None:
        right, wrong = set(), set()
        known = commands(self.server)
        for path in Path(FOLDER).glob("*.txt"):
            for line, code in re.findall(r"^\$ belfry (.+?)    # .*?^\(exit code (\d+)\)$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL):
                words = line.split()
                name = max((each for each in known if words[: len(each.split())] == each.split()), key=len, default="")
                if int(code) > 1:
                    wrong.add(name)
                elif "--help" not in words or name in SHOWN_BY_HELP:
                    right.add(name)
        self.assertGreater(len(known), 90)
        self.assertEqual(([each for each in known if each not in right], [each for each in known if each not in wrong]), ([], []))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
