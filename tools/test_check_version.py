"""Proves that check_version.py bites."""

import shutil
import tempfile
import unittest
from pathlib import Path

import check_version

ROOT = Path(__file__).resolve().parent.parent


class VersionTest(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for file, _ in [check_version.SOURCE, *check_version.COPIES]:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)

    def test_the_tree_as_it_is(self) -> None:
        self.assertEqual(check_version.check(self.root), [])

    def test_each_place_that_differs_is_named(self) -> None:
        source = self.root / check_version.SOURCE[0]
        source.write_text(source.read_text().replace("project(belfry VERSION ", "project(belfry VERSION 9"))
        problems = check_version.check(self.root)
        self.assertEqual(len(problems), len(check_version.COPIES))
        self.assertTrue(all("use 9" in problem for problem in problems), problems)

    def test_a_place_without_a_version_is_named(self) -> None:
        file, _ = check_version.COPIES[0]
        (self.root / file).write_text("")
        self.assertIn("version None", check_version.check(self.root)[0])


if __name__ == "__main__":
    unittest.main()
