"""Every operation of the document: succeeds as it says, and refuses what it must: test_matrix.py BELFRY sqlite|postgres"""

import sys
import unittest
from typing import Any, Callable

from document import Operation
from fixtures import FIXTURES
from harness import DOCUMENT
from matrix import ASPECTS, Refusal, change, good_bodies, role_of
from world import THEIRS, World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World
RIVALS: str  # what the rival has, before anybody does anything


def setUpModule() -> None:
    global WORLD, RIVALS
    WORLD = World(BELFRY, STORE)
    RIVALS = WORLD.rivals_things()


def tearDownModule() -> None:
    after = WORLD.rivals_things()
    assert after == RIVALS, f"somebody else's things were changed: {RIVALS} became {after}"
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def points_at(problem: dict, pointer: str) -> bool:
    """Whether the problem names the place, the list or object around it, or something within it."""
    for error in problem.get("errors", []):
        given = ("?" + error["parameter"] if "parameter" in error else error.get("pointer", error.get("header"))).strip("/")
        wanted = pointer.strip("/")
        if given == wanted or (given and wanted.startswith(given + "/")) or given.startswith(wanted):
            return True
    return False


class Successes(unittest.TestCase):
    """One test for each operation, made below."""

    def check(self, operation: Operation) -> None:
        if operation.id == "streamEvents":
            return  # has no end; test_stories.py reads it
        client = WORLD.clients[role_of(operation)]
        answer = client.send(FIXTURES[operation.id](WORLD))
        if role_of(operation) != "root":
            for mark in (THEIRS, WORLD.rival_job["job_id"], WORLD.rival_run["run_id"]):
                self.assertNotIn(mark, answer.body.decode(), "it shows what is another tenant's")
        for body in good_bodies(operation, WORLD)[1:]:
            with self.subTest(body=body):
                client.send(change(FIXTURES[operation.id](WORLD), body=body))


class Refusals(unittest.TestCase):
    """One test for each operation and aspect, made below."""

    def check(self, operation: Operation, aspect: Callable) -> None:
        for refusal in aspect(operation, WORLD):
            with self.subTest(refusal.what[:200]):
                self.refused(refusal)

    def refused(self, refusal: Refusal) -> None:
        answer = WORLD.clients[refusal.role].send(refusal.request, refusal.status)
        if refusal.pointer is not None:
            for pointer in (refusal.pointer, *refusal.also):
                self.assertTrue(points_at(answer.json, pointer), (pointer, answer.json))


class Coverage(unittest.TestCase):
    def test_each_operation_has_a_fixture(self) -> None:
        self.assertEqual(set(FIXTURES), set(DOCUMENT.operations))


def add(case: type[unittest.TestCase], name: str, *arguments: Any) -> None:
    def test(self: Any) -> None:
        self.check(*arguments)

    setattr(case, f"test_{name}", test)


for each in DOCUMENT.operations.values():
    add(Successes, each.id, each)
    for aspect_name, maker in ASPECTS.items():
        add(Refusals, f"{each.id}_{aspect_name}", each, maker)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
