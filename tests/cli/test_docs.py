#!/usr/bin/env python3
"""The documentation: every link leads somewhere, every page is linked to, and what it tells people to type works.

A block of commands stands below `<!-- run -->`, and is run here, or below `<!-- not run: why -->`. A block that is a file
and begins with its name (`# jobs.yaml`) is there when the commands of its page are run.

usage: test_docs.py BINARY ROOT
"""

import json
import os
import re
import subprocess
import sys
import unittest
import urllib.request
from pathlib import Path

import jsonschema
import yaml

BINARY, ROOT = sys.argv[1], Path(sys.argv[2]).resolve()
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import PATIENCE, Server  # noqa: E402

# Pages whose every block of commands is accounted for.
DOORS = ("docs/start.md", "docs/migrate.md", "docs/use.md", "docs/operate.md",
         *(str(page.relative_to(ROOT)) for folder in ("operating", "migrate") for page in sorted((ROOT / "docs" / folder).glob("*.md"))))
FILES = {"yaml", "toml", "ini", "sql"}  # blocks in these languages are files, not commands
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"(?:<!-- (run|not run: [^>]+) -->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks(name: str) -> list[tuple[str, str, str]]:
    """Of a page: the mark, the language and the text of each."""
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


def pages() -> list[Path]:
    own = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")]
    return own + sorted((ROOT / "docs").rglob("*.md"))


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """Of the headings, as they are made for the web."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page: Path) -> list[tuple[Path, str]]:
    found = []
    for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            found.append(((page.parent / path).resolve() if path else page, anchor))
    return found


class Links(unittest.TestCase):
    def test_each_leads_somewhere(self) -> None:
        for page in pages():
            for target, anchor in links(page):
                with self.subTest(page=str(page.relative_to(ROOT)), target=str(target), anchor=anchor):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_each_page_is_linked_to(self) -> None:
        linked = {target for page in pages() for target, _ in links(page) if target != page}
        decisions = ROOT / "docs" / "decisions"  # a folder that is read as one
        lost = [str(page.relative_to(ROOT)) for page in pages()
                if page not in linked and decisions not in page.parents and page != ROOT / "README.md"]
        self.assertEqual(lost, [])

    def test_the_index_leads_to_every_page(self) -> None:
        seen, todo = set(), [ROOT / "docs" / "README.md"]
        while todo:
            page = todo.pop()
            if page not in seen and page.suffix == ".md":
                seen.add(page)
                todo += [target for target, _ in links(page)]
        wanted = {page for page in (ROOT / "docs").rglob("*.md") if "decisions" not in page.parts}
        self.assertEqual({str(page.relative_to(ROOT)) for page in wanted - seen}, set())


class FilesOfJobs(unittest.TestCase):
    """The schema that editors get agrees with what `apply` takes."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        with urllib.request.urlopen(f"{cls.server.url}/schemas/jobs.json", timeout=PATIENCE) as answer:
            cls.schema = json.load(answer)
        jsonschema.Draft202012Validator.check_schema(cls.schema)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def complaints(self, text: str) -> list[str]:
        # What this reader takes for a date is a text to the editors'.
        loaded = json.loads(json.dumps(yaml.safe_load(text), default=lambda date: date.isoformat().replace("+00:00", "Z")))
        return [error.message for error in jsonschema.Draft202012Validator(self.schema).iter_errors(loaded)]

    def test_files_of_the_docs_are_right(self) -> None:
        files = [text for page in pages() for _, language, text in blocks(str(page.relative_to(ROOT))) if language == "yaml" and "\njobs:" in text]
        files += [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").rglob("*.yaml"))]
        self.assertGreater(len(files), 5)
        for text in files:
            with self.subTest(text):
                self.assertEqual(self.complaints(text), [])

    def test_what_is_exported_is_right(self) -> None:
        for line in (["add", "a", "--every", "1h", "--exec", "true", "--label", "n=1"], ["add", "b", "--at", "2199-01-01", "--payload", '{ "a": 1 }'],
                     ["add", "c", "--cron", "@daily", "--url", "http://127.0.0.1:9/", "--header", "A: b", "--retry", "1s..2s"],
                     ["add", "d", "--cron", "@daily", "--topic", "kafka/x", "--overlap", "queue-one", "--jitter", "5m"]):
            self.assertEqual(self.server.run(*line).returncode, 0, line)
        exported = self.server.run("export").stdout
        self.assertIn("payload_text", exported)
        self.assertEqual(self.complaints(exported), [])

    def test_slips_are_found(self) -> None:
        for text in ("jobs: {a: {evry: 1h}}", "jobs: {a: {every: 1h, max_attempts: many}}", "jobs: {a: {delay: 1h}}", "job: {}",
                     "jobs: [{every: 1h}]", "jobs: {a: {every: 1h, concurrency_policy: MAYBE}}", "defaults: {timezone: 7}\njobs: {a: {every: 1h}}"):
            with self.subTest(text):
                self.assertNotEqual(self.complaints(text), [])
                self.assertNotEqual(self.server.run("apply", stdin=text).returncode, 0)


class Promises(unittest.TestCase):
    """docs/security.md names a test for each promise."""

    def test_each_named_test_is_there(self) -> None:
        page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
        table = page.partition("## What holds each promise")[2].partition("\n## ")[0]
        sources = [path for folder in ("src", "tests") for end in ("*_test.cc", "test_*.py") for path in (ROOT / folder).rglob(end)]
        text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
        known = set(re.findall(r"def (test_\w+)", text))
        known |= {".".join(names) for names in re.findall(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", text, re.MULTILINE)}
        named = re.findall(r"`(test_\w+|\w+Test\.\w+)`", table)
        self.assertGreater(len(named), 50)
        self.assertEqual([name for name in named if name not in known], [])


class Commands(unittest.TestCase):
    def test_each_block_is_accounted_for(self) -> None:
        for name in DOORS:
            for mark, language, text in blocks(name):
                with self.subTest(page=name, block=text):
                    self.assertTrue(mark or language in FILES, "say `<!-- run -->` or `<!-- not run: why -->` above it")

    def run_page(self, name: str) -> None:
        commands = [text for mark, _, text in blocks(name) if mark == "run"]
        if not commands:
            return
        server = Server(BINARY)
        self.addCleanup(server.stop)
        os.symlink(server.binary, os.path.join(server.folder.name, "belfry"))
        environment = server.environment(HOME=server.folder.name)
        environment["PATH"] = server.folder.name + os.pathsep + environment["PATH"]
        for _, language, text in blocks(name):
            if language in FILES and (file := re.match(r"# ([\w.-]+\.\w+)\n", text)):
                Path(server.folder.name, file[1]).write_text(text, encoding="utf-8")
        for text in commands:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=server.folder.name, env=environment,
                                  text=True, capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, 0, f"{name}\n{text}\n{done.stdout}{done.stderr}")

    def test_every_command_works(self) -> None:
        for name in DOORS:
            with self.subTest(name):
                self.run_page(name)


class Migrations(unittest.TestCase):
    """Schedules of others, as the pages write them, fire when the others would (worked out by hand, from their manuals)."""

    FIRES = {
        # job of a page: the first fires in January 2027, in its zone
        "quartz.yaml/report.monthly": ["2027-01-29T10:15:00+01:00", "2027-02-26T10:15:00+01:00"],
        "sidekiq.yaml/cleanup": ["2027-01-01T03:00:00+01:00", "2027-01-02T03:00:00+01:00"],
        "celery.yaml/first-sunday": ["2027-01-03T04:00:00+01:00", "2027-02-07T04:00:00+01:00"],
        "airflow.yaml/ping_partner": ["2027-01-01T08:00:00+01:00", "2027-01-04T08:00:00+01:00"],
        "eventbridge.yaml/nightly": ["2027-01-01T02:30:00+01:00", "2027-01-04T02:30:00+01:00"],
    }

    def test_fires(self) -> None:
        files = {text.split("\n")[0][2:]: yaml.safe_load(text) for name in DOORS if "/migrate/" in name
                 for _, language, text in blocks(name) if language == "yaml"}
        self.assertEqual(set(files), {place.split("/")[0] for place in self.FIRES})
        for place, expected in self.FIRES.items():
            file, job = place.split("/")
            fields = {**files[file]["defaults"], **files[file]["jobs"][job]}
            command = [BINARY, "cron", "next", fields["cron_expression"], "--tz", fields["timezone"], "--dialect",
                       fields.get("dialect", "standard"), "--from", "2026-12-31T23:00:00Z", "-n", str(len(expected))]
            done = subprocess.run(command, text=True, capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(done.stdout.split(), expected, place + done.stderr)


class Strangers(unittest.TestCase):
    """What somebody has to know who writes a worker without a library of ours, or brings a database (issue 14, point 12)."""

    def setUp(self) -> None:
        self.schemas = yaml.safe_load((ROOT / "api" / "openapi.yaml").read_text("utf-8"))["components"]["schemas"]

    def row(self, name: str) -> str:
        found = re.search(rf"^\| {name} \| (.*) \|$", (ROOT / "docs" / "guides" / "workers.md").read_text("utf-8"), re.MULTILINE)
        assert found, name
        return found[1]

    def test_limits_of_workers_are_those_of_the_contract(self) -> None:
        claim = self.schemas["ClaimRequest"]["properties"]
        lease = claim["lease_seconds"]
        self.assertIn(f"1 to {claim['max_runs']['maximum']:,} in a message", self.row("credits"))
        self.assertIn(f"{lease['minimum']} s to {lease['maximum'] // 3600} h, {lease['default']} s unless", self.row("lease"))
        self.assertIn(f"{claim['job_types']['maxItems']} types in a claim", self.row("limits"))
        self.assertIn(f"{self.schemas['CompleteRequest']['properties']['runs']['maxItems']:,} runs in a message", self.row("limits"))
        self.assertIn("every third of the lease", self.row("beat"))
        self.assertIn("like after any failure", (ROOT / "docs" / "guides" / "workers.md").read_text("utf-8").partition("**After a lost lease**")[2])

    def test_the_rule_for_labels_is_that_of_the_contract(self) -> None:
        labels = self.schemas["Labels"]
        most, longest = labels["propertyNames"]["maxLength"], labels["additionalProperties"]["maxLength"]
        text = " ".join((ROOT / "docs" / "reference" / "cli.md").read_text("utf-8").split())
        self.assertIn(f"A label's name has 1 to {most} bytes without blanks, `=` and `,`; its value has up to {longest}; "
                      f"a job has up to {labels['maxProperties']}.", text)

    def test_poolers_and_encodings_have_their_place(self) -> None:
        text = (ROOT / "docs" / "reference" / "configuration.md").read_text("utf-8")
        self.assertIn("`store_prepare = off`", text.partition("## PostgreSQL behind a pooler")[2])
        self.assertIn("The database must be UTF-8", text)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
