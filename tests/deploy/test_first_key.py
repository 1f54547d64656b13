"""A node beyond loopback that makes its first key itself, from a file (compose, Kubernetes).

    python3 test_first_key.py BELFRY
"""

import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from harness import Client, Server  # noqa: E402

BELFRY = os.path.abspath(sys.argv[1])
KEY = "bf_" + "k" * 40


class FirstKey(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="belfry-first-")
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "key")
        self.store = f"sqlite:{folder.name}/belfry.db"

    def serve(self, text: str) -> Server:
        self.file.write_text(text, "utf-8")
        server = Server(BELFRY, self.store, ("--first-key-file", str(self.file), "--with-worker", "off"))
        self.addCleanup(server.stop)
        return server

    def test_the_key_is_roots_and_is_made_once(self) -> None:
        first = self.serve(KEY + "\n")
        answer = Client(first.address, key=KEY).call("listKeys")
        self.assertEqual([(key["name"], key["scope"]) for key in answer.json["items"]], [("first", "root")])
        first.stop()
        other = "bf_" + "o" * 40
        again = self.serve(other)  # there is a key: the file is not looked at
        Client(again.address, key=KEY).call("listKeys")
        Client(again.address, key=other).call("listKeys", expect=401)

    def test_what_is_no_key_is_refused_with_a_way_to_make_one(self) -> None:
        for text, why in (("", "empty"), ("secret", "begin with `bf_`"), ("bf_short", "too short"),
                          ("bf_" + "ä" * 40, "letters, digits")):
            with self.subTest(text), self.assertRaises(RuntimeError) as refused:
                self.serve(text)
            self.assertIn(why, str(refused.exception))
            self.assertIn("openssl rand", str(refused.exception))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
