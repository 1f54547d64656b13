"""Scenario files say only what the rig understands, and cover the matrix."""

import unittest

from chaos.faults.kinds import KINDS
from chaos.rig import player, scenario  # player registers all kinds of faults

WORKERS = {"rest", "python", "typescript", "grpc"}
USERS = {"edit", "pause", "pause_until", "resume", "trigger", "retry", "delete", "create", "batch", "backfill"}


class ScenariosTest(unittest.TestCase):
    def test_every_file_can_be_read(self) -> None:
        assert player
        for name in scenario.names():
            with self.subTest(name):
                told = scenario.load(name)
                self.assertTrue(told.title and told.covers)
                for fault in told.faults:
                    self.assertIn(fault.kind, KINDS)
                    self.assertLess(fault.at, told.seconds)
                self.assertLessEqual(set(told.workload.users), USERS)
                needs = set(told.workload.kinds)
                self.assertLessEqual(needs & WORKERS, set(told.shape.workers))
                self.assertLessEqual(needs & {"redis", "nats"}, set(told.shape.brokers))

    def test_the_gate_is_short(self) -> None:
        gate = [scenario.load(name) for name in scenario.names() if scenario.load(name).gate]
        self.assertGreaterEqual(len(gate), 1)
        self.assertLessEqual(sum(each.seconds for each in gate), 240)


if __name__ == "__main__":
    unittest.main()
