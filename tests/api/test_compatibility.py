"""What the last release promised is kept: nothing of its REST and gRPC is removed or narrowed untold.

The comparison is tools/compatibility.py; the second half of this file proves that each of its rules bites.
"""

import copy
import pathlib
import re
import sys
import tempfile
import unittest
from typing import Any, Callable

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
RELEASED = pathlib.Path(__file__).resolve().parent / "released"
sys.path.insert(0, str(ROOT / "tools"))
from compatibility import grpc, rest  # noqa: E402


def releases() -> list[pathlib.Path]:
    return [path for path in RELEASED.iterdir() if path.is_dir()]


def words(text: str) -> str:
    return " ".join(text.replace("**", "").split())


class LastRelease(unittest.TestCase):
    def test_one_is_kept(self) -> None:
        self.assertEqual(len(releases()), 1, "tools/release.py keeps the documents of the last release only")
        told = re.findall(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
        self.assertIn(releases()[0].name, told)

    def test_nothing_is_lost_untold(self) -> None:
        accepted = yaml.safe_load((RELEASED / "accepted.yaml").read_text("utf-8")) or []
        found = rest(releases()[0], ROOT / "api") + grpc(releases()[0], ROOT / "api")
        untold = set(found) - {each["lost"] for each in accepted}
        self.assertEqual(sorted(untold), [], "programs of the last release break: keep what they use, or read tests/api/released/README.md")
        self.assertEqual({each["lost"] for each in accepted} - set(found), set(), "not lost any more: take the lines out of accepted.yaml")

    def test_what_is_lost_is_in_the_changelog(self) -> None:
        changelog = words((ROOT / "CHANGELOG.md").read_text("utf-8"))
        for each in yaml.safe_load((RELEASED / "accepted.yaml").read_text("utf-8")) or []:
            with self.subTest(each["lost"]):
                self.assertIn(words(each["told"]), changelog)

    def test_the_newest_version_has_its_part_of_the_changelog(self) -> None:
        version = re.search(r"project\(belfry VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))
        assert version
        self.assertIn(f"\n## {version[1]} (", (ROOT / "CHANGELOG.md").read_text("utf-8"))


JOB = {"type": "object", "additionalProperties": False, "required": ["name"], "properties": {
    "name": {"type": "string", "maxLength": 200},
    "policy": {"type": "string", "enum": ["SKIP", "RUN"], "default": "SKIP"},
    "count": {"type": "integer", "minimum": 0, "maximum": 10},
    "target": {"oneOf": [{"$ref": "#/components/schemas/Http"}, {"$ref": "#/components/schemas/Topic"}]},
    "next": {"$ref": "#/components/schemas/Job"},
}}
DOCUMENT: dict[str, Any] = {
    "paths": {"/jobs": {"post": {
        "operationId": "createJob", "x-belfry-access": "operate",
        "parameters": [{"name": "limit", "in": "query", "schema": {"type": "integer"}}],
        "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Job"}}}},
        "responses": {"201": {"headers": {"ETag": {}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}}, "409": {}},
    }}},
    "components": {"schemas": {
        "Job": JOB,
        "Http": {"type": "object", "properties": {"kind": {"const": "HTTP"}, "url": {"type": "string"}}},
        "Topic": {"type": "object", "properties": {"kind": {"const": "TOPIC"}}},
        "Answer": {"type": "object", "required": ["id"], "properties": {
            "id": {"type": "string"}, "state": {"type": "string", "enum": ["NEW"]}, "items": {"type": "array", "items": {"type": "string"}}}},
    }},
}
PROTO = """
package a.v1;  // a comment; with { signs
service S { rpc Do(Ask) returns (stream Answer) { option (access) = "work"; } }
message Ask { string id = 1; oneof what { int32 a = 2; Inner b = 3; } message Inner { repeated string x = 1; } }
message Answer { Kind kind = 1 [deprecated = true]; reserved 4; }
enum Kind { NONE = 0; SOME = 1; }
"""


def post(document: dict) -> dict:
    return document["paths"]["/jobs"]["post"]


def fields(document: dict, schema: str) -> dict:
    return document["components"]["schemas"][schema]["properties"]


class Rules(unittest.TestCase):
    """Each change of a small document, and what is said of it; None: nothing, it breaks nobody."""

    def said(self, change: Callable[[dict], Any], proto: str = PROTO) -> list[str]:
        new = copy.deepcopy(DOCUMENT)
        change(new)
        with tempfile.TemporaryDirectory() as folder:
            sides = []
            for name, document, text in (("old", DOCUMENT, PROTO), ("new", new, proto)):
                side = pathlib.Path(folder, name)
                (side / "proto/belfry").mkdir(parents=True)
                (side / "openapi.yaml").write_text(yaml.safe_dump(document), "utf-8")
                (side / "proto/belfry/a.proto").write_text(text, "utf-8")
                sides.append(side)
            return rest(*sides) + grpc(*sides)

    def test_rest(self) -> None:
        cases: list[tuple[Callable[[dict], Any], str | None]] = [
            (lambda d: None, None),
            # what a caller may notice
            (lambda d: d["paths"].clear(), "is gone"),
            (lambda d: post(d).update(operationId="makeJob"), "is called makeJob"),
            (lambda d: post(d).update({"x-belfry-access": "administer"}), "operator may not call it"),
            (lambda d: post(d)["parameters"].clear(), "parameter limit is gone"),
            (lambda d: post(d)["parameters"].append({"name": "x", "in": "query", "required": True}), "x is required now"),
            (lambda d: post(d)["requestBody"].update(required=True), "a body is required"),
            (lambda d: post(d)["responses"].pop("201"), "not answered 201"),
            (lambda d: post(d)["responses"]["201"]["headers"].clear(), "no header ETag"),
            (lambda d: fields(d, "Job").pop("count"), "body.count: is not accepted"),
            (lambda d: d["components"]["schemas"]["Job"]["required"].append("policy"), "policy is required now"),
            (lambda d: fields(d, "Job")["name"].update(maxLength=100), "maxLength is 100 now, was 200"),
            (lambda d: fields(d, "Job")["name"].update(minLength=3), "minLength is 3 now"),
            (lambda d: fields(d, "Job")["name"].update(pattern="^a"), "another pattern"),
            (lambda d: fields(d, "Job")["count"].update(minimum=1), "minimum is 1 now, was 0"),
            (lambda d: fields(d, "Job")["count"].update(type="string"), "has to be string now, might be integer"),
            (lambda d: fields(d, "Job")["policy"]["enum"].remove("RUN"), "may not be RUN any more"),
            (lambda d: fields(d, "Job")["policy"].update(default="RUN"), "means RUN where it is left out"),
            (lambda d: fields(d, "Job")["target"]["oneOf"].pop(), "schemas/Topic is not accepted"),
            (lambda d: fields(d, "Http").pop("url"), "body.target.url: is not accepted"),
            (lambda d: fields(d, "Answer").pop("state"), "201.state: is gone"),
            (lambda d: fields(d, "Answer")["id"].update(type=["string", "null"]), "may be null/string now"),
            (lambda d: fields(d, "Answer")["items"]["items"].update(type="integer"), "201.items[]: may be integer now"),
            (lambda d: d["components"]["schemas"]["Answer"]["required"].clear(), "id may be missing now"),
            # what nobody does
            (lambda d: d["paths"].update({"/runs": {"get": post(d)}}), None),
            (lambda d: post(d).update({"x-belfry-access": "read"}), None),
            (lambda d: post(d)["responses"].update({"412": {}}), None),
            (lambda d: fields(d, "Job").update(more={"type": "string"}), None),
            (lambda d: fields(d, "Job")["name"].update(maxLength=300), None),
            (lambda d: fields(d, "Job")["count"].update(type="number"), None),
            (lambda d: fields(d, "Job")["policy"]["enum"].append("ALL"), None),
            (lambda d: fields(d, "Answer")["state"]["enum"].append("OLD"), None),
            (lambda d: fields(d, "Answer").update(more={"type": "string"}), None),
        ]
        for number, (change, expected) in enumerate(cases):
            with self.subTest(number, expected=expected):
                said = self.said(change)
                if expected is None:
                    self.assertEqual(said, [])
                else:
                    self.assertTrue(any(expected in line for line in said), said)

    def test_grpc(self) -> None:
        cases: list[tuple[str, str, str | None]] = [
            ("string id = 1;", "", "a.v1.Ask.id: was `string = 1`, is gone"),
            ("string id = 1;", "string id = 5;", "is `string = 5`"),
            ("string id = 1;", "bytes id = 1;", "is `bytes = 1`"),
            ("int32 a = 2;", "", "a.v1.Ask.a"),
            ("repeated string x", "string x", "a.v1.Ask.Inner.x"),
            ("returns (stream Answer)", "returns (Answer)", "a.v1.S.Do: was `Ask -> stream Answer`"),
            ("SOME = 1;", "SOME = 2;", "a.v1.Kind.SOME"),
            ("package a.v1;", "package a.v2;", "a.v1.S: was `service`, is gone"),
            ("string id = 1;", "string id = 1; string more = 9;", None),
            ("SOME = 1;", "SOME = 1; MORE = 2;", None),
        ]
        for old, new, expected in cases:
            with self.subTest(new=new):
                self.assertIn(old, PROTO)
                said = self.said(lambda d: None, PROTO.replace(old, new))
                self.assertTrue(any(expected in line for line in said) if expected else not said, said)


if __name__ == "__main__":
    unittest.main(verbosity=2)
