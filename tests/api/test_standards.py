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


class Conditions(unittest.TestCase):
    """If-Match and If-None-Match in all forms of RFC 9110."""

    def test_reading_what_is_known_is_304(self) -> None:
        job = WORLD.job()
        for known in ('"1"', 'W/"1"', '"7", "1"', 'W/"7",W/"1"', "*"):
            answer = WORLD.call("getJob", expect=304, path=at(job), headers={"If-None-Match": known})
            self.assertEqual((answer.headers["etag"], answer.body), ('"1"', b""))
        for other in ('"7"', 'W/"7"', '"7", "8"', "one"):
            WORLD.call("getJob", expect=200, path=at(job), headers={"If-None-Match": other})
        WORLD.call("getJob", expect=412, path=at(job), headers={"If-Match": '"7"'})

    def test_a_change_under_a_condition_that_does_not_hold_is_412(self) -> None:
        job = WORLD.job()
        for name, tag in (("If-Match", 'W/"1"'), ("If-Match", '"7", "8"'), ("If-Match", "one"), ("If-None-Match", 'W/"1"'), ("If-None-Match", "*")):
            for operation, body in (("patchJob", {"priority": 1}), ("putJob", {"every": "1m"}), ("pauseJob", {}), ("cancelJob", {}), ("deleteJob", None)):
                with self.subTest(operation, header=f"{name}: {tag}"):
                    WORLD.call(operation, expect=412, path=at(job), headers={name: tag}, body=body)
        self.assertEqual(WORLD.call("getJob", path=at(job)).json, job)

    def test_a_change_under_one_that_holds_is_made(self) -> None:
        job = WORLD.job()
        for version, (name, tag) in enumerate((("If-Match", '"7", "1"'), ("If-Match", "*"), ("If-None-Match", '"7"')), 2):
            changed = WORLD.call("patchJob", path=at(job), headers={name: tag}, body={"priority": version})
            self.assertEqual((changed.json["version"], changed.headers["etag"]), (version, f'"{version}"'))

    def test_creating_only_what_is_new(self) -> None:
        name = {"job": f"name:{WORLD.name()}"}
        WORLD.call("putJob", expect=412, path=name, headers={"If-Match": "*"}, body={"every": "1m"})
        WORLD.call("putJob", expect=201, path=name, headers={"If-None-Match": "*"}, body={"every": "1m"})
        WORLD.call("putJob", expect=412, path=name, headers={"If-None-Match": "*"}, body={"every": "2m"})


class WrongFields(unittest.TestCase):
    """All of them at once, and each where a program finds it."""

    WRONG = {"cron_expression": "0 9 * * MOM", "timezone": "Mars/Olympus", "jitter": "30h", "calendar": "no-such", "priority": 5000}

    def test_the_schedules_too(self) -> None:
        job = {"job_name": " ", "start_at": "2030-01-02T00:00:00Z", "end_at": "2030-01-01T00:00:00Z", **self.WRONG}
        wanted = {"/job_name", "/end_at", *(f"/{field}" for field in self.WRONG)}
        answer = WORLD.call("createJob", expect=422, body=job)
        self.assertEqual(pointers(answer), wanted)
        self.assertEqual(len(answer.json["errors"]), len(wanted), answer.json["errors"])
        self.assertEqual(pointers(WORLD.call("patchJob", expect=422, path=at(WORLD.job()), body=job)), wanted)
        answer = WORLD.call("putJobs", expect=422, body={"jobs": [job]})
        self.assertEqual(pointers(answer), {f"/jobs/0{each}" for each in wanted})
        shown = {field: value for field, value in self.WRONG.items() if field != "priority"}
        answer = WORLD.call("previewSchedule", expect=422, body=shown)
        self.assertEqual(pointers(answer), {f"/{field}" for field in shown})

    def test_a_field_that_cannot_be_read_hides_no_other(self) -> None:
        job = {"job_name": WORLD.name(), "every": "soon", "timezone": "Mars/Olympus", "home_region": "nowhere"}
        self.assertEqual(pointers(WORLD.call("createJob", expect=422, body=job)), {"/every", "/timezone", "/home_region"})

    def test_a_query_parameter_is_no_pointer(self) -> None:
        for query in ({"limit": "0"}, {"status": "LOST"}, {"cursor": "x"}, {"nonsense": "1"}):
            [error] = WORLD.call("listJobs", expect=422, query=query).json["errors"]
            self.assertEqual((error["parameter"], "pointer" in error), (next(iter(query)), False))

    def test_a_header_is_no_pointer(self) -> None:
        body = {"job_name": WORLD.name(), "every": "1m"}
        [error] = WORLD.call("createJob", expect=422, headers={"Idempotency-Key": "x" * 300}, body=body).json["errors"]
        self.assertEqual((error["header"], "pointer" in error), ("Idempotency-Key", False))


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
