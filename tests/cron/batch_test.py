"""`belfry cron next --batch` and `resolve --batch` give the answers of every row in tests/cron/data."""

import pathlib
import subprocess
import sys
import unittest

BELFRY, DATA = sys.argv[1], pathlib.Path(sys.argv[2])
SCHEDULES = ["basic", "days", "seconds", "year", "special", "dst", "edge", "macros", "every", "never", "peers"]


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (DATA / f"{name}.tsv").read_text("utf-8").splitlines()]


def batch(command: list[str], lines: list[str]) -> list[str]:
    done = subprocess.run(
        [BELFRY, "cron", *command, "--batch"], input="\n".join(lines) + "\n", text=True, capture_output=True, check=True
    )
    return done.stdout.splitlines()


class Batch(unittest.TestCase):
    def check(self, names: list[str], command: list[str], expected_rows: int) -> None:
        asked = [row for name in names for row in rows(name)]
        self.assertEqual(len(asked), expected_rows)
        answers = batch(command, ["\t".join(row) for row in asked])
        self.assertEqual(len(answers), len(asked))
        for row, answer in zip(asked, answers):
            self.assertEqual(answer, row[3], row[:3])

    def test_schedules(self) -> None:
        self.check(SCHEDULES, ["next"], 3138)

    def test_quartz(self) -> None:
        self.check(["quartz"], ["next", "--dialect", "quartz"], 210)

    def test_rejects(self) -> None:
        asked = [row[0] for row in rows("rejects")] + ["", "   ", "\x01 * * * *", "* * * *\v*"]
        answers = batch(["next"], [f"{text}\tUTC\t2026-01-01T00:00:00Z" for text in asked])
        self.assertEqual(len(answers), 408)
        fields = ("second", "minute", "hour", "day-of-month", "month", "day-of-week", "year", "cron expression", "@every")
        for text, answer in zip(asked, answers):
            self.assertTrue(answer.startswith(tuple(f"ERROR {field}: " for field in fields)), (text, answer))

    def test_unknown_zone(self) -> None:
        [answer] = batch(["next"], ["@daily\tMars/Base\t2026-01-01T00:00:00Z"])
        self.assertTrue(answer.startswith("ERROR timezone: "), answer)

    def test_hashes(self) -> None:
        asked = rows("hash")
        self.assertEqual(len(asked), 60)
        answers = batch(["resolve"], ["\t".join(row[:2]) for row in asked])
        self.assertEqual(answers, [row[2] for row in asked])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
