"""What the reports make of figures. Run by ./dev check."""

import tempfile
import unittest
from pathlib import Path

import figures
import quick
import results
import table


def row(kind: str, who: str, *rates: float | None) -> figures.Row:
    return {
        "kind": kind,
        "who": who,
        "settings": "",
        "figures": [{"rate": rate} for rate in rates],
        "errors": [],
    }


def answer(*rows: figures.Row, better: str = "high", goals: list | None = None) -> figures.Answer:
    return {
        "bench": "drain",
        "question": "How fast?",
        "measures": {"rate": {"title": "runs/s", "better": better, "digits": 0}},
        "size": "full",
        "rounds": 3,
        "date": "2026-11-16T10:00:00.000Z",
        "load_before": 0.1,
        "load_after": 0.2,
        "machine": {"cores": 2, "model": "a model", "memory_gib": 24, "kernel": "6.1"},
        "versions": {"commit": "abc", "PostgreSQL": "15.18"},
        "parts": [{"name": "all of them", "goals": goals or [], "rows": list(rows)}],
    }


def first_row(asked: figures.Answer) -> figures.Row:
    return asked["parts"][0]["rows"][0]


class FiguresTest(unittest.TestCase):
    def test_the_median_is_that_of_the_rounds_that_have_a_value(self) -> None:
        self.assertEqual(figures.median(row("peer", "p", 5, None, 1, 3), "rate"), 3)
        self.assertIsNone(figures.median(row("peer", "p"), "rate"))

    def test_better_means_what_the_measure_says(self) -> None:
        self.assertEqual(figures.times_better(200, 100, "high"), 2)
        self.assertEqual(figures.times_better(200, 100, "low"), 0.5)

    def test_nothing_is_compared_with_nothing(self) -> None:
        self.assertIsNone(figures.times_better(None, 100, "high"))
        self.assertIsNone(figures.times_better(0, 100, "low"))

    def test_peers_stand_beside_the_best_row_of_ours(self) -> None:
        asked = answer(row("belfry", "slow", 10), row("belfry", "fast", 40), row("peer", "p", 20))
        part = asked["parts"][0]
        self.assertEqual(figures.ratio_beside(asked, part, part["rows"][2]), 2)
        self.assertIsNone(figures.ratio_beside(asked, part, part["rows"][1]))

    def test_the_main_measure_is_the_first_that_is_there(self) -> None:
        asked = answer(row("belfry", "us", 10))
        asked["measures"] = {"p99": {"title": "p99", "better": "low", "digits": 1}, **asked["measures"]}
        self.assertEqual(figures.main_measure(asked, asked["parts"][0]), "rate")

    def test_a_goal_is_a_least_or_a_most(self) -> None:
        goal = {"who": "us", "measure": "rate", "limit": 50}
        rate = row("belfry", "us", 60)
        self.assertTrue(figures.verdict(answer(better="high"), goal, rate))
        self.assertFalse(figures.verdict(answer(better="low"), goal, rate))
        self.assertIsNone(figures.verdict(answer(), goal, row("belfry", "us")))


class TableTest(unittest.TestCase):
    def test_a_missed_goal_is_named(self) -> None:
        goals = [{"who": "us", "measure": "rate", "limit": 50}]
        asked = answer(row("belfry", "us", 40), goals=goals)
        self.assertIn("runs/s >= 50: MISSED", table.tables(asked))

    def test_a_failure_says_why(self) -> None:
        asked = answer(row("belfry", "us"))
        first_row(asked)["errors"] = ["no such program"]
        self.assertIn("no such program", table.tables(asked))

    def test_rounds_that_failed_are_counted(self) -> None:
        asked = answer(row("belfry", "us", 40))
        first_row(asked)["errors"] = ["once"]
        self.assertIn("1 rounds failed", table.tables(asked))


class ResultsTest(unittest.TestCase):
    def test_what_was_not_measured_says_so(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            text = results.document(Path(folder))
        self.assertEqual(text.count("Not measured yet."), len(results.QUESTIONS))

    def test_small_figures_are_marked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            asked = {**answer(row("belfry", "us", 40)), "size": "small"}
            (Path(folder) / "drain.json").write_text(figures.json.dumps(asked))
            text = results.document(Path(folder))
        self.assertIn("Not of full size", text)
        self.assertIn("| us | 40 |", text)

    def test_a_bar_does_not_break_the_table(self) -> None:
        self.assertEqual(results.escaped("a|b"), "a\\|b")


class QuickTest(unittest.TestCase):
    def test_ours_stands_beside_the_best_peer_and_the_limit(self) -> None:
        rows = [row("belfry", "us", 50), row("peer", "p", 20), row("peer", "q", 25), row("raw", "bare", 100)]
        found = quick.ratios(answer(*rows))
        self.assertEqual(
            found,
            {
                "all of them, runs/s: us beside q": 2,
                "all of them, runs/s: us beside bare": 0.5,
            },
        )

    def test_only_what_got_much_worse_fails(self) -> None:
        self.assertTrue(quick.compare({"a": 2}, {"a": 1.5}, 1.4)[1])
        self.assertFalse(quick.compare({"a": 2}, {"a": 1.4}, 1.4)[1])
        self.assertTrue(quick.compare({"a": 2}, {"a": 4}, 1.4)[1])

    def test_what_is_missing_fails(self) -> None:
        lines, good = quick.compare({"a": 2}, {}, 1.4)
        self.assertFalse(good)
        self.assertIn("MISSING", lines[0])

    def test_what_is_new_is_told(self) -> None:
        lines, good = quick.compare({}, {"a": 2}, 1.4)
        self.assertTrue(good)
        self.assertIn("new", lines[0])


if __name__ == "__main__":
    unittest.main()
