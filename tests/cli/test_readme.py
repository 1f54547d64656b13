#!/usr/bin/env python3
"""The README, read by a stranger who tries everything: what it shows is printed, what it counts is there, and every
command it names exists. Its first minutes have a test of their own.

usage: test_readme.py BINARY ROOT
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

BINARY, ROOT = os.path.abspath(sys.argv[1]), Path(sys.argv[2]).resolve()
README = (ROOT / "README.md").read_text(encoding="utf-8")
PATIENCE = 60.0  # seconds; a limit for broken tests, never a measurement


def one(pattern: str) -> str:
    found = re.findall(pattern, README)
    assert len(found) == 1, f"`{pattern}` is {len(found)} times in the README"
    return str(found[0])


class Readme(unittest.TestCase):
    def test_what_it_shows_is_printed(self) -> None:
        (block,) = [text for text in re.findall(r"^```\n(.*?)^```$", README, re.DOTALL | re.MULTILINE) if text.startswith("$ ")]
        shown = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        self.assertGreaterEqual(len(shown), 2)
        for part in shown:
            command, _, output = part.partition("\n")
            with self.subTest(command):
                done = subprocess.run(["bash", "-c", command.replace("build/belfry", BINARY)], text=True, timeout=PATIENCE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env={**os.environ, "COLUMNS": "120"})
                self.assertEqual(done.stdout.strip(), output.strip())

    def test_what_it_counts_is_there(self) -> None:
        tricks = re.search(r"::tricks\(\) \{(.*?)^\}", (ROOT / "tests/sim/saboteur.cc").read_text("utf-8"), re.DOTALL | re.MULTILINE)
        assert tricks
        self.assertEqual(int(one(r"each of (\d+) sabotages")), len(re.findall(r'^ +\{"', tricks[1], re.MULTILINE)))
        rows = sum(len(path.read_text("utf-8").splitlines()) for path in (ROOT / "tests/cron/data").glob("*.tsv"))
        self.assertEqual(one(r"([\d,]+) rows from"), f"{rows:,}")

    def test_every_figure_has_a_command_that_exists(self) -> None:
        table = README.partition("## Measured")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| (?!what |---)(.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
        self.assertGreaterEqual(len(rows), 5)
        for what, figure, command in rows:
            with self.subTest(what):
                self.assertRegex(figure, r"\d")
                found = re.fullmatch(r"`\./dev (bench|test) (\w+)`", command)
                assert found, f"{command} is no command that repeats it"
                if found[1] == "bench":
                    self.assertTrue(os.access(ROOT / "bench" / found[2] / "run.sh", os.X_OK))

    def test_commands_of_dev_exist(self) -> None:
        known = set(re.findall(r"^#: (\w+)", (ROOT / "dev").read_text("utf-8"), re.MULTILINE))
        for name in ("README.md", "CONTRIBUTING.md", *(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md"))):
            for command in re.findall(r"\./dev ([a-z]+)", (ROOT / name).read_text("utf-8")):
                with self.subTest(page=name, command=command):
                    self.assertIn(command, known)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
