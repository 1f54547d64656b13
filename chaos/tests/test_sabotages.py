"""What is to be taken out is still there, and whoever must notice exists."""

import unittest

from chaos import sabotage
from chaos.rig import scenario
from chaos.tests.test_guarantees import suites


class SabotagesTest(unittest.TestCase):
    def test_each_finds_its_place(self) -> None:
        for name in sabotage.names():
            for cut in sabotage.load(name).cut:
                with self.subTest(name, text=cut.text):
                    self.assertTrue(cut.found_in(sabotage.ROOT))
                    self.assertNotEqual(cut.text, cut.instead)

    def test_somebody_must_notice(self) -> None:
        for name in sabotage.names():
            told = sabotage.load(name)
            with self.subTest(name):
                if told.test:
                    suite, _, case = told.test.partition(".")
                    self.assertIn(case, suites().get(suite, set()))
                else:
                    self.assertIn(told.scenario, scenario.names())
                    self.assertTrue(told.noticed)


if __name__ == "__main__":
    unittest.main()
