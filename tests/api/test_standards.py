"""What other people's software expects of an HTTP interface: test_standards.py BELFRY sqlite|postgres"""

import sys
import unittest

from harness import DOCUMENT, Answer, Request, check_answer
from world import World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World


def setUpModule() -> None:
    global WORLD
    WORLD = World(BELFRY, STORE)


def tearDownModule() -> None:
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def at(job: dict) -> dict[str, str]:
    return {"job": job["job_id"]}


def pointers(answer: Answer) -> set[str]:
    return {each["pointer"] for each in answer.json["errors"]}


class Links(unittest.TestCase):
    """`Link: <…>; rel="next"` of RFC 8288, as the document promises."""

    def follow(self, operation: str, **parts: object) -> list[dict]:
        """All items of a list, read by its Link headers alone."""
        answer = WORLD.call(operation, **parts)
        items = answer.json["items"]
        while link := answer.headers.get("link"):
            target, _, relation = link.partition(">; ")
            self.assertEqual(relation, 'rel="next"')
            path, _, query = target.removeprefix("<").partition("?")
            request = Request(operation, **{**parts, "query": None})
            self.assertEqual(path, request.target())
            answer = self.fetch(operation, f"{path}?{query}")
            items += answer.json["items"]
        self.assertIsNone(answer.json["next_cursor"])
        return items

    def fetch(self, operation: str, target: str) -> Answer:
        class Followed(Request):
            def target(self) -> str:
                return target

        answer = WORLD.clients["admin"].exchange(DOCUMENT.operations[operation], Followed(operation))
        self.assertEqual(check_answer(DOCUMENT.operations[operation], answer), [])
        return answer

    def test_a_list_is_read_by_its_links(self) -> None:
        team = {"team": WORLD.name()}
        jobs = [WORLD.job(labels=team)["job_name"] for _ in range(5)]
        found = self.follow("listJobs", query={"label": [f"team={team['team']}"], "limit": 2})
        self.assertEqual(sorted(each["job_name"] for each in found), sorted(jobs))

    def test_every_list_has_them(self) -> None:
        job = WORLD.job()
        for _ in range(3):
            WORLD.call("triggerJob", path=at(job))
        self.assertEqual(len(self.follow("listJobRuns", path=at(job), query={"limit": 1})), 3)
        for _ in range(3):
            WORLD.calendar()
        for operation in ("listTenants", "listCalendars", "listAudit", "listRuns"):
            with self.subTest(operation):
                self.assertIn("link", WORLD.call(operation, query={"limit": 1}).headers)


class Tenants(unittest.TestCase):
    def test_nobodys_tenant_in_a_job_is_a_wrong_field(self) -> None:
        body = {"job_name": WORLD.name(), "every": "1m", "tenant_id": "nobody", "priority": 5000}
        self.assertEqual(pointers(WORLD.call("createJob", expect=422, body=body)), {"/tenant_id", "/priority"})
        name = {"job": f"name:{body['job_name']}"}
        self.assertEqual(pointers(WORLD.call("putJob", expect=422, path=name, body=body)), {"/tenant_id", "/priority"})
        answer = WORLD.call("putJobs", expect=422, body={"jobs": [body]})
        self.assertEqual(pointers(answer), {"/jobs/0/tenant_id", "/jobs/0/priority"})

    def test_nobodys_tenant_in_the_header_is_not_found(self) -> None:
        for operation in ("listJobs", "listRuns", "listAudit"):
            WORLD.call(operation, expect=404, headers={"Belfry-Tenant": "nobody"})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
