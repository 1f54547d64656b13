"""Framing: messages come out whole, however the bytes are cut, and the proxy knows which statement an answer belongs to."""

import struct
import unittest

from chaos.rig.pgwire import Exchanges, Framer, Statements


def message(letter: bytes, body: bytes) -> bytes:
    return letter + struct.pack(">I", len(body) + 4) + body


STARTUP = struct.pack(">II", 8 + 5, 196608) + b"user\0"
PARSE = message(b"P", b"s1\0select 1\0\0\0")
BIND = message(b"B", b"\0s1\0" + b"\0\0" * 3)
EXECUTE = message(b"E", b"\0" + struct.pack(">I", 0))
SYNC = message(b"S", b"")


class FramerTest(unittest.TestCase):
    def test_messages_come_out_whole_however_they_are_cut(self) -> None:
        stream = STARTUP + PARSE + BIND + EXECUTE + SYNC
        for size in (1, 2, 3, 7, len(stream)):
            framer = Framer(startup=True)
            found = [each for at in range(0, len(stream), size) for each in framer.feed(stream[at : at + size])]
            self.assertEqual([letter for letter, _ in found], [b"", b"P", b"B", b"E", b"S"])
            self.assertEqual(b"".join(whole for _, whole in found), stream)

    def test_what_is_no_message_is_refused(self) -> None:
        with self.assertRaises(ValueError):
            list(Framer(startup=False).feed(b"Z\0\0\0\1"))


class StatementsTest(unittest.TestCase):
    def test_a_sync_belongs_to_the_statement_that_was_bound(self) -> None:
        statements = Statements()
        said = [statements.see(whole[:1], whole) for whole in (PARSE, BIND, EXECUTE, SYNC)]
        self.assertEqual(said, [None, None, None, "select 1"])
        # Prepared once, it is bound again by its name.
        self.assertEqual([statements.see(whole[:1], whole) for whole in (BIND, SYNC)], [None, "select 1"])

    def test_a_simple_query_is_its_own_end(self) -> None:
        self.assertEqual(Statements().see(b"Q", message(b"Q", b"commit\0")), "commit")


class ExchangesTest(unittest.TestCase):
    def test_pipelined_answers_are_lost_by_their_order(self) -> None:
        exchanges = Exchanges()
        exchanges.sent(lose=False)
        exchanges.sent(lose=True)
        self.assertFalse(exchanges.answer_is_lost())
        exchanges.answered()
        self.assertTrue(exchanges.answer_is_lost())


if __name__ == "__main__":
    unittest.main()
