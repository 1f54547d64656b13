"""README.md names only tests that exist."""

import pathlib
import re
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[1]
NAMED = re.findall(r"`([\w/]+(?:\.\w+)+(?::\w+)?)`", (TESTS / "health" / "README.md").read_text("utf-8").partition("## Which")[2])


class Table(unittest.TestCase):
    def test_every_point_has_its_row(self) -> None:
        text = (TESTS / "health" / "README.md").read_text("utf-8")
        for point in [*(str(number) for number in range(1, 13)), "missing 1", "missing 2"]:
            self.assertIn(f"\n| {point} | ", text)

    def test_what_it_names_exists(self) -> None:
        known = set()
        for folder in (TESTS, TESTS.parent / "src"):
            for file in folder.glob("**/*_test.cc"):
                known |= {f"{suite}.{name}" for suite, name in re.findall(r"^TEST(?:_[FP])?\((\w+), *(\w+)\)", file.read_text("utf-8"), re.M)}
        self.assertGreater(len(NAMED), 60)
        for name in NAMED:
            file, _, test = name.partition(":")
            with self.subTest(name):
                if not file.endswith(".py"):
                    self.assertIn(name, known)
                elif test:
                    self.assertIn(f"def {test}(", (TESTS / file).read_text("utf-8"))
                else:
                    self.assertTrue((TESTS / file).exists() or (TESTS / "health" / file).exists())


if __name__ == "__main__":
    unittest.main()
