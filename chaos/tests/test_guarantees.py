"""docs/guarantees.md names only what exists: scenarios, tests, files, sabotages."""

import pathlib
import re
import unittest

from chaos.rig import scenario

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guarantees.md").read_text("utf-8")


def rows() -> list[list[str]]:
    """Of the table of promises: promise, assumes, argument, scenarios, tests."""
    table = PAGE.partition("## Promises")[2]
    found = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in table.splitlines() if line.startswith("| ")]
    return found[1:]


def suites() -> dict[str, set[str]]:
    """GoogleTest's names, by suite."""
    found: dict[str, set[str]] = {}
    for folder in ("src", "tests"):
        for file in (ROOT / folder).glob("**/*_test.cc"):
            for suite, name in re.findall(r"^TEST(?:_[FP])?\((\w+), *(\w+)\)", file.read_text("utf-8"), re.M):
                found.setdefault(suite, set()).add(name)
    return found


class GuaranteesTest(unittest.TestCase):
    def test_each_promise_is_whole(self) -> None:
        self.assertGreater(len(rows()), 15)
        for row in rows():
            with self.subTest(row[0]):
                self.assertEqual(len(row), 5)
                for assumption in re.findall(r"A\d", row[1]):
                    self.assertIn(f"| {assumption} |", PAGE)
                self.assertTrue(re.search("`|every scenario", row[3]) or re.search("`", row[4]), "nothing would catch its loss")

    def test_the_scenarios_exist(self) -> None:
        known = scenario.names()
        for row in rows():
            for name in re.findall(r"`([^`]+)`", row[3]):
                self.assertIn(name, known, row[0])

    def test_the_tests_exist(self) -> None:
        known, saboteur = suites(), (ROOT / "tests/sim/saboteur.cc").read_text("utf-8")
        for row in rows():
            for name in re.findall(r"`([^`]+)`", row[4]):
                with self.subTest(name):
                    suite, _, test = name.partition(".")
                    if "/" in name:
                        self.assertTrue(name.startswith("./dev ") or (ROOT / name).exists(), name)
                    elif name[0].isupper():
                        self.assertIn(suite, known)
                        self.assertTrue(not test or test in known[suite], name)
                    else:
                        self.assertIn(f'"{name}"', saboteur)


if __name__ == "__main__":
    unittest.main()
