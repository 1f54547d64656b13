"""The walk agrees with what people know: it is what the ledger is measured with."""

import datetime
import unittest

from chaos.checker.history import SECOND
from chaos.checker.walk import ticks


def instant(text: str) -> int:
    return int(datetime.datetime.fromisoformat(text).timestamp()) * SECOND


def walked(schedule: dict[str, object], begin: str, end: str) -> list[str]:
    return [datetime.datetime.fromtimestamp(tick / SECOND, datetime.timezone.utc).strftime("%d %H:%M:%S")
            for tick in ticks(schedule, instant(begin), instant(end))]


class WalkTest(unittest.TestCase):
    def test_every_is_anchored_at_the_epoch_and_open_at_its_beginning(self) -> None:
        self.assertEqual(walked({"every": 7 * SECOND}, "1970-01-01T00:00:07+00:00", "1970-01-01T00:00:21+00:00"), ["01 00:00:14", "01 00:00:21"])

    def test_every_is_anchored_at_its_start(self) -> None:
        start = instant("2026-01-01T00:00:01+00:00")
        self.assertEqual(walked({"every": 5 * SECOND, "start_at": start}, "2026-01-01T00:00:00+00:00", "2026-01-01T00:00:12+00:00"),
                         ["01 00:00:01", "01 00:00:06", "01 00:00:11"])

    def test_an_end_is_included(self) -> None:
        schedule = {"every": 5 * SECOND, "end_at": instant("2026-01-01T00:00:10+00:00")}
        self.assertEqual(walked(schedule, "2026-01-01T00:00:00+00:00", "2026-01-01T00:01:00+00:00"), ["01 00:00:05", "01 00:00:10"])

    def test_lists_ranges_and_steps(self) -> None:
        schedule = {"cron": "0,30 1-3/2 12 * * *"}
        self.assertEqual(walked(schedule, "2026-01-01T12:00:00+00:00", "2026-01-01T13:00:00+00:00"),
                         ["01 12:01:00", "01 12:01:30", "01 12:03:00", "01 12:03:30"])

    def test_both_day_fields_mean_either(self) -> None:
        schedule = {"cron": "0 0 16 * 1"}  # 2026-06-15 is a Monday, the day after is the 16th
        self.assertEqual(walked(schedule, "2026-06-14T12:00:00+00:00", "2026-06-17T01:00:00+00:00"), ["15 00:00:00", "16 00:00:00"])

    def test_a_time_that_the_clocks_jump_over_runs_after_the_gap(self) -> None:
        schedule = {"cron": "0 30 2 * * *", "zone": "America/New_York"}
        self.assertEqual(walked(schedule, "2026-03-08T06:00:00+00:00", "2026-03-08T08:00:00+00:00"), ["08 07:00:00"])

    def test_a_time_that_comes_twice_runs_once(self) -> None:
        schedule = {"cron": "0 30 1 * * *", "zone": "America/New_York"}
        self.assertEqual(walked(schedule, "2026-11-01T04:00:00+00:00", "2026-11-01T08:00:00+00:00"), ["01 05:30:00"])

    def test_a_wildcard_hour_follows_real_time(self) -> None:
        schedule = {"cron": "0 30 * * * *", "zone": "America/New_York"}
        self.assertEqual(len(walked(schedule, "2026-11-01T04:00:00+00:00", "2026-11-01T08:00:00+00:00")), 4)

    def test_what_it_does_not_know_it_refuses(self) -> None:
        with self.assertRaises(ValueError):
            walked({"cron": "0 0 L * *"}, "2026-01-01T00:00:00+00:00", "2026-01-02T00:00:00+00:00")


if __name__ == "__main__":
    unittest.main()
