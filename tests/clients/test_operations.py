"""No operation of the contract is forgotten: each has a method in every client, and a step in the scenarios."""

import json
import pathlib
import re
import sys
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "clients" / "python"))

import belfry  # noqa: E402

TAGS = {"jobs", "schedules", "runs", "work", "cluster"}  # the others: `call`
OTHER_NAMES = {"streamEvents": "events"}


def operations() -> list[str]:
    document = yaml.safe_load((ROOT / "api" / "openapi.yaml").read_text("utf-8"))
    found = [each for path in document["paths"].values() for each in path.values() if isinstance(each, dict)]
    return [each["operationId"] for each in found if TAGS & set(each.get("tags", []))]


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


class Operations(unittest.TestCase):
    def test_each_has_a_method(self) -> None:
        typescript = (ROOT / "clients" / "typescript" / "src" / "client.ts").read_text("utf-8")
        java = (ROOT / "clients" / "java" / "src" / "belfry" / "Client.java").read_text("utf-8")
        go = "".join(file.read_text("utf-8") for file in (ROOT / "clients" / "go").glob("*.go"))
        self.assertGreater(len(operations()), 25)
        for name in operations():
            with self.subTest(name):
                method = OTHER_NAMES.get(name, name)
                self.assertTrue(callable(getattr(belfry.Client, snake(method), None)))
                self.assertRegex(typescript, rf"(?m)^  (async )?\*?{method}\(")
                self.assertRegex(java, rf"(?m)^    public [\w<>]+ {method}\(")
                self.assertRegex(go, rf"(?m)^func \(c \*Client\) {method[0].upper()}{method[1:]}\(")

    def test_each_has_a_step(self) -> None:
        steps = (ROOT / "clients" / "scenarios.json").read_text("utf-8")
        used = set(re.findall(r'"(?:do|list)": "(\w+)"', steps))
        for name in operations():
            with self.subTest(name):
                self.assertTrue(name in used or (name == "streamEvents" and '"watch"' in steps))

    def test_names_of_scenarios_are_their_own(self) -> None:
        file = json.loads((ROOT / "clients" / "scenarios.json").read_text("utf-8"))
        names = [each["name"] for each in file["scenarios"] + file["webhooks"]]
        self.assertEqual(len(names), len(set(names)))


if __name__ == "__main__":
    unittest.main()
