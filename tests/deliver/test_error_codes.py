"""What went wrong, as a code beside the text: test_error_codes.py BELFRY sqlite|postgres"""

import sys
import unittest

from brokers import Redis
from endpoint import Endpoint
from node import Node

BELFRY, STORE = sys.argv[1], sys.argv[2]


class ErrorCodes(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.endpoint, cls.broker = Endpoint(), Redis()
        cls.node = Node(BELFRY, STORE, "--broker", f"bus={cls.broker.url}", commands=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.broker.close()
        cls.endpoint.close()

    def check(self, code: str, target: dict) -> None:
        job = self.node.add(target, max_attempts=2)
        run = self.node.ended(job)
        self.assertEqual((run["state"], run["code"]), ("DEAD", code), run)
        self.assertEqual({attempt["code"] for attempt in run["attempt_history"]}, {code})
        self.assertEqual([each["code"] for each in self.node.runs(job)], [code])

    def test_of_commands(self) -> None:
        self.check("exit_3", {"kind": "EXEC", "command": ["/bin/sh", "-c", "exit 3"]})
        self.check("signal_SIGKILL", {"kind": "EXEC", "command": ["/bin/sh", "-c", "kill -9 $$"]})

    def test_of_webhooks(self) -> None:
        self.check("status_404", {"kind": "HTTP", "url": self.endpoint.url("/status/404")})
        self.check("connect", {"kind": "HTTP", "url": "http://127.0.0.1:1024/"})

    def test_of_topics(self) -> None:
        self.broker.say("SET", "taken", "by something else")
        self.check("refused", {"kind": "TOPIC", "broker": "bus", "topic": "taken"})

    def test_success_has_none(self) -> None:
        run = self.node.ended(self.node.add({"kind": "HTTP", "url": self.endpoint.url("/ok")}))
        self.assertEqual((run["state"], run["code"]), ("SUCCEEDED", None))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
