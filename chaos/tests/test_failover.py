"""What the checker says of a database that fails over: how soon nodes fire again, and whether a loss is told."""

import unittest

from chaos.checker.history import SECOND, History
from chaos.checker.liveness import Bounds
from chaos.checker.verdict import Rules, judge
from chaos.tests.sound import HOOK, at, sound
from chaos.tests.test_checker import change, index


class FailoverTest(unittest.TestCase):
    RULES = Rules(Bounds(max_again=1.0))

    def found(self, history: History, rules: Rules = RULES) -> set[str]:
        return {violation.property for violation in judge(history, rules).violations}

    def test_firing_soon_after_the_first_write_is_sound(self) -> None:
        history = sound()
        history.writable = [at(5)]  # the ticks of 4 s were decided before
        self.assertEqual(self.found(history), set())
        change(history.runs, index(history, HOOK, 4), decided_at=at(5.5))
        self.assertEqual(self.found(history), set())
        self.assertEqual(judge(history, self.RULES).figures["again"], SECOND // 2)

    def test_one_partition_that_fires_late_is_noticed(self) -> None:
        history = sound()
        history.writable = [at(5)]
        change(history.runs, index(history, HOOK, 4), decided_at=at(9))
        change(history.runs, index(history, HOOK, 6), decided_at=at(9))
        change(history.runs, index(history, HOOK, 8), decided_at=at(9))
        self.assertEqual(self.found(history), {"L2"})

    def test_a_failover_that_never_came_is_noticed(self) -> None:
        self.assertEqual(self.found(sound()), {"L2"})

    def test_what_is_wrong_must_be_told(self) -> None:
        rules = Rules(tells=("commits_lost",))
        history = sound()
        self.assertEqual(self.found(history, rules), {"T1"})
        history.problems = ["catching_up", "commits_lost"]
        self.assertEqual(self.found(history, rules), set())


if __name__ == "__main__":
    unittest.main()
