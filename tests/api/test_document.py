"""The OpenAPI document is valid, complete and tidy."""

import json
import re
import unittest
from typing import Any, Iterator

import jsonschema

from document import Document

DOCUMENT = Document()
ACCESS = {"public", "read", "operate", "work", "administer", "metrics", "root"}
PROBLEM = {"application/problem+json"}


def walk(node: Any, place: str = "#") -> Iterator[tuple[str, Any]]:
    """Each node of the document with its place."""
    yield place, node
    children: Any = ()
    if isinstance(node, dict):
        children = node.items()
    elif isinstance(node, list):
        children = enumerate(node)
    for key, child in children:
        yield from walk(child, f"{place}/{str(key).replace('~', '~0').replace('/', '~1')}")


def schemas(node: Any, place: str = "#") -> Iterator[tuple[str, dict]]:
    """Each schema, and each schema within it."""
    for where, child in walk(node, place):
        if re.search(r"/(schema|items|additionalProperties)$|/(properties|schemas)/[^/]+$|/(anyOf|oneOf)/\d+$", where):
            if isinstance(child, dict) and "/example" not in where and "/default/" not in where:
                yield where, child


class Structure(unittest.TestCase):
    def test_version(self) -> None:
        self.assertEqual(DOCUMENT.raw["openapi"], "3.1.0")
        self.assertEqual(set(DOCUMENT.raw["info"]) & {"title", "version", "description"}, {"title", "version", "description"})

    def test_only_known_members(self) -> None:
        known = {"openapi", "jsonSchemaDialect", "info", "servers", "security", "tags", "paths", "components"}
        self.assertEqual(set(DOCUMENT.raw) - known, set())
        for path, item in DOCUMENT.raw["paths"].items():
            self.assertEqual(set(item) - {"parameters", "get", "put", "post", "patch", "delete"}, set(), path)

    def test_every_reference_resolves(self) -> None:
        for place, node in walk(DOCUMENT.raw):
            if isinstance(node, dict) and isinstance(node.get("$ref"), str):
                with self.subTest(place):
                    DOCUMENT.at(node["$ref"])

    def test_every_schema_is_one(self) -> None:
        for place, schema in schemas(DOCUMENT.raw):
            with self.subTest(place):
                jsonschema.Draft202012Validator.check_schema(schema)

    def test_no_aliases_are_left_over(self) -> None:
        """The shared part holds nothing that the document does not."""
        text = json.dumps(DOCUMENT.raw)
        for name, part in DOCUMENT.shared.items():
            self.assertTrue(all(json.dumps(value)[1:-1] in text for value in part.values()), name)


class Operations(unittest.TestCase):
    def test_each_is_described(self) -> None:
        names = {tag["name"] for tag in DOCUMENT.raw["tags"]}
        for operation in DOCUMENT.operations.values():
            with self.subTest(operation.id):
                self.assertRegex(operation.id, r"^[a-z][A-Za-z]+$")
                self.assertRegex(operation.raw["summary"], r"^[A-Z].*\.$")
                self.assertTrue(operation.raw["tags"])
                self.assertLessEqual(set(operation.raw["tags"]), names)

    def test_ids_are_unique(self) -> None:
        count = sum(1 for place, _ in walk(DOCUMENT.raw["paths"]) if place.endswith("/operationId"))
        self.assertEqual(count, len(DOCUMENT.operations))

    def test_access(self) -> None:
        for operation in DOCUMENT.operations.values():
            with self.subTest(operation.id):
                self.assertIn(operation.access, ACCESS)
                self.assertEqual(operation.access == "public", operation.raw.get("security") == [])

    def test_path_parameters_are_those_of_the_path(self) -> None:
        for operation in DOCUMENT.operations.values():
            with self.subTest(operation.id):
                self.assertEqual(set(operation.parameters_in("path")), set(re.findall(r"\{(\w+)\}", operation.path)))
                self.assertTrue(all(each["required"] for each in operation.parameters_in("path").values()))

    def test_parameters_are_described(self) -> None:
        for operation in DOCUMENT.operations.values():
            names = [(each["in"], each["name"]) for each in operation.parameters]
            self.assertEqual(len(names), len(set(names)), operation.id)
            for each in operation.parameters:
                self.assertTrue(each.get("description"), (operation.id, each["name"]))

    def test_refusals_are_problems(self) -> None:
        for operation in DOCUMENT.operations.values():
            with self.subTest(operation.id):
                refusals = {status: each for status, each in operation.responses.items() if status >= 400}
                self.assertTrue(all(set(each["content"]) == PROBLEM for each in refusals.values()))
                wanted = set() if operation.access == "public" else {400, 401, 403, 422, 429, 500, 503}
                wanted |= {404} if "{" in operation.path and operation.method != "PUT" else set()
                wanted |= {413, 415, 504} if operation.bodies else set()
                wanted |= {412} if "If-Match" in operation.parameters_in("header") else set()
                self.assertLessEqual(wanted, set(refusals))

    def test_each_succeeds_somehow(self) -> None:
        for operation in DOCUMENT.operations.values():
            self.assertTrue([status for status in operation.responses if status < 300], operation.id)


class Examples(unittest.TestCase):
    def check(self, place: str, schema: dict, value: Any) -> None:
        with self.subTest(place):
            self.assertEqual(DOCUMENT.complaints(schema, value), [])

    def test_of_messages_and_parameters(self) -> None:
        seen = 0
        for place, node in walk(DOCUMENT.raw):
            if not isinstance(node, dict) or not isinstance(node.get("schema"), dict):
                continue
            values = [node["example"]] if "example" in node else []
            values += [each["value"] for each in node.get("examples", {}).values()]
            seen += len(values)
            for value in values:
                self.check(place, node["schema"], value)
        self.assertGreater(seen, 30)

    def test_of_schemas(self) -> None:
        for place, schema in schemas(DOCUMENT.raw):
            for value in schema.get("examples", []):
                self.check(place, schema, value)

    def test_defaults(self) -> None:
        for place, schema in schemas(DOCUMENT.raw):
            if "default" in schema and schema["default"] is not None:
                self.check(place, schema, schema["default"])


class Tidiness(unittest.TestCase):
    def described(self, schema: dict) -> bool:
        schema = DOCUMENT.resolve(schema)
        choices = schema.get("anyOf", []) if "description" not in schema else []
        return bool(schema.get("description")) or any(self.described(each) for each in choices)

    def test_every_property_is_described(self) -> None:
        for place, schema in schemas(DOCUMENT.raw):
            if re.search(r"/(properties|schemas)/[^/]+$", place):
                self.assertTrue(self.described(schema), place)

    def test_every_object_is_closed(self) -> None:
        """So that an undocumented field is noticed. Open ones are maps, and what others define."""
        open_ones = {"detail", "target", "schema"}  # of the audit; of a merge patch; this document itself
        for place, schema in schemas(DOCUMENT.raw):
            if schema.get("type") == "object" and "additionalProperties" not in schema:
                self.assertIn(place.split("/")[-1], open_ones, place)

    def test_what_is_required_exists(self) -> None:
        for place, schema in schemas(DOCUMENT.raw):
            self.assertLessEqual(set(schema.get("required", [])), set(schema.get("properties", {})), place)

    def test_lists_have_one_shape(self) -> None:
        for name, schema in DOCUMENT.raw["components"]["schemas"].items():
            if name.endswith("Page"):
                self.assertEqual(set(schema["properties"]), {"items", "next_cursor"}, name)
                self.assertEqual(set(schema["required"]), {"items", "next_cursor"}, name)

    def test_nothing_is_unused(self) -> None:
        used = {node["$ref"] for _, node in walk(DOCUMENT.raw) if isinstance(node, dict) and "$ref" in node}
        for kind, parts in DOCUMENT.raw["components"].items():
            if kind != "securitySchemes":
                for name in parts:
                    self.assertIn(f"#/components/{kind}/{name}", used)


if __name__ == "__main__":
    unittest.main()
