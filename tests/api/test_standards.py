"""What other people's software expects of an HTTP interface: test_standards.py BELFRY sqlite|postgres"""

import gzip
import http.client
import json
import subprocess
import sys
import time
import unittest

from harness import DOCUMENT, PATIENCE, Answer, Request, check_answer
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


def unbrotli(body: bytes) -> bytes:
    script = "process.stdin.pipe(require('node:zlib').createBrotliDecompress()).pipe(process.stdout)"
    return subprocess.run(["node", "-e", script], input=body, capture_output=True, check=True).stdout


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
        tag = WORLD.call("getJob", path=at(job)).headers["etag"]
        for known in (tag, f"W/{tag}", f'"7", {tag}', f'W/"7",W/{tag}', "*"):
            answer = WORLD.call("getJob", expect=304, path=at(job), headers={"If-None-Match": known})
            self.assertEqual((answer.headers["etag"], answer.body), (tag, b""))
        for other in ('"7"', 'W/"7"', '"7", "8"', "one", '"1"'):
            WORLD.call("getJob", expect=200, path=at(job), headers={"If-None-Match": other})
        WORLD.call("getJob", expect=412, path=at(job), headers={"If-Match": '"7"'})

    def test_a_run_that_ended_is_news_to_who_reads_and_no_hindrance_to_who_changes(self) -> None:
        run = WORLD.claimed()
        job = {"job_id": run["job_id"]}
        known = WORLD.call("getJob", path=at(job)).headers["etag"]
        report = {"run_id": run["run_id"], "fence": run["fence"], "status": "FAILED", "retryable": False}
        WORLD.call("completeRuns", "worker", body={"runs": [report]})
        now = WORLD.call("getJob", expect=200, path=at(job), headers={"If-None-Match": known})
        self.assertEqual((now.json["version"], now.json["failures_in_a_row"]), (1, 1))
        self.assertNotEqual(now.headers["etag"], known)
        WORLD.call("getJob", expect=304, path=at(job), headers={"If-None-Match": now.headers["etag"]})
        changed = WORLD.call("patchJob", path=at(job), headers={"If-Match": known}, body={"priority": 1})
        self.assertEqual(changed.json["version"], 2)

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
            self.assertEqual((changed.json["version"], changed.headers["etag"].split("-")[0]), (version, f'"{version}'))

    def test_creating_only_what_is_new(self) -> None:
        name = {"job": f"name:{WORLD.name()}"}
        WORLD.call("putJob", expect=412, path=name, headers={"If-Match": "*"}, body={"every": "1m"})
        WORLD.call("putJob", expect=201, path=name, headers={"If-None-Match": "*"}, body={"every": "1m"})
        WORLD.call("putJob", expect=412, path=name, headers={"If-None-Match": "*"}, body={"every": "2m"})


class Encodings(unittest.TestCase):
    """Large answers are compressed for those who can read it."""

    def fetch(self, target: str, **headers: str) -> Answer:
        headers["Authorization"] = f"Bearer {WORLD.clients['admin'].key}"
        connection = http.client.HTTPConnection(WORLD.server.address, timeout=PATIENCE)
        connection.request("GET", target, headers={name.replace("_", "-"): value for name, value in headers.items()})
        response = connection.getresponse()
        answer = Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, response.read())
        connection.close()
        return answer

    def test_gzip_and_brotli_of_a_large_answer(self) -> None:
        plain = self.fetch("/openapi.json", Accept_Encoding="identity")
        self.assertNotIn("content-encoding", plain.headers)
        zipped = self.fetch("/openapi.json", Accept_Encoding="gzip")
        self.assertEqual((zipped.headers["content-encoding"], zipped.headers["vary"]), ("gzip", "Accept-Encoding"))
        self.assertEqual(gzip.decompress(zipped.body), plain.body)
        brotli = self.fetch("/openapi.json", Accept_Encoding="gzip, deflate, br")
        self.assertEqual(brotli.headers["content-encoding"], "br")
        self.assertEqual(unbrotli(brotli.body), plain.body)
        self.assertLess(max(len(zipped.body), len(brotli.body)), len(plain.body) / 3)

    def test_a_small_answer_stays_as_it_is(self) -> None:
        self.assertNotIn("content-encoding", self.fetch("/healthz", Accept_Encoding="gzip, br").headers)

    def test_a_compressed_job_has_a_tag_of_its_own_that_names_its_version(self) -> None:
        job = WORLD.job(description="long " * 500)
        target = f"/api/v1/jobs/{job['job_id']}"
        answer = self.fetch(target, Accept_Encoding="gzip")
        self.assertEqual(json.loads(gzip.decompress(answer.body)), job)
        tag = answer.headers["etag"]
        self.assertRegex(tag, '^"1-[0-9a-f]{16}-gzip"$')
        again = self.fetch(target, Accept_Encoding="gzip", If_None_Match=tag)
        self.assertEqual((again.status, again.headers["etag"], again.body), (304, tag, b""))
        WORLD.call("patchJob", path=at(job), headers={"If-Match": tag}, body={"priority": 1})
        WORLD.call("patchJob", expect=412, path=at(job), headers={"If-Match": tag}, body={"priority": 2})


class WebhookHeaders(unittest.TestCase):
    def test_what_concerns_one_connection_is_refused(self) -> None:
        for name in ("Connection", "keep-alive", "Proxy-Authorization", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding",
                     "Upgrade", "Host", "Content-Length", "Expect", "HTTP2-Settings"):
            with self.subTest(name):
                target = {"kind": "HTTP", "url": "https://example.org/", "headers": {name: "x"}}
                problem = WORLD.call("createJob", expect=422, body={"job_name": WORLD.name(), "every": "1d", "target": target}).json
                self.assertEqual(problem["errors"][0]["code"], "reserved", problem)


class Methods(unittest.TestCase):
    def ask(self, method: str, target: str) -> tuple[int, dict[str, str]]:
        connection = http.client.HTTPConnection(WORLD.server.address, timeout=PATIENCE)
        connection.request(method, target, headers={"Authorization": f"Bearer {WORLD.clients['admin'].key}"})
        response = connection.getresponse()
        headers = {name.lower(): value for name, value in response.getheaders()}
        self.assertEqual(response.read() if method == "HEAD" else b"", b"")
        connection.close()
        return response.status, headers

    def test_allow_names_head(self) -> None:
        status, headers = self.ask("DELETE", "/api/v1/jobs")
        self.assertEqual((status, headers["allow"]), (405, "GET, HEAD, POST"))

    def test_head_has_the_length_of_get(self) -> None:
        status, headers = self.ask("HEAD", "/healthz")
        self.assertEqual((status, headers["content-length"]), (200, str(len(b'{"status":"ok"}'))))

    def test_head_of_an_endless_stream_has_no_length(self) -> None:
        status, headers = self.ask("HEAD", "/api/v1/events")
        self.assertEqual((status, headers["content-type"]), (200, "text/event-stream"))
        self.assertNotIn("content-length", headers)


class Repeating(unittest.TestCase):
    def test_a_quoted_idempotency_key_equals_the_bare_one(self) -> None:
        key, body = WORLD.name(), {"job_name": WORLD.name(), "every": "1m"}
        first = WORLD.call("createJob", headers={"Idempotency-Key": f'"{key}"'}, body=body)
        again = WORLD.call("createJob", headers={"Idempotency-Key": key}, body=body)
        self.assertEqual((again.json, again.headers["idempotent-replayed"]), (first.json, "true"))
        run = WORLD.call("triggerJob", path=at(first.json), headers={"Idempotency-Key": key}).json
        self.assertEqual(WORLD.call("triggerJob", path=at(first.json), headers={"Idempotency-Key": f'"{key}"'}).json["run_id"], run["run_id"])


class Names(unittest.TestCase):
    def test_the_audit_names_things_as_users_do(self) -> None:
        job = WORLD.job()
        run = WORLD.call("triggerJob", path=at(job)).json
        WORLD.call("cancelRun", path={"run": run["run_id"]})
        objects = {each["object"] for each in WORLD.call("listAudit", query={"limit": 5}).json["items"]}
        self.assertLessEqual({f"job:{job['job_id']}", f"run:{run['run_id']}"}, objects)

    def test_a_refusal_has_no_internal_ids(self) -> None:
        tenant = {"Belfry-Tenant": WORLD.name()}
        WORLD.call("putTenant", path={"tenant": tenant["Belfry-Tenant"]}, body={"max_jobs": 1})
        WORLD.call("createJob", headers=tenant, body={"job_name": "one", "every": "1m"})
        refused = WORLD.call("createJob", expect=403, headers=tenant, body={"job_name": "two", "every": "1m"}).json
        self.assertEqual(refused["detail"], "the tenant has 1 of at most 1 jobs; 1 more are too many")


class DryRuns(unittest.TestCase):
    def test_a_batch_says_what_it_would_do_and_does_nothing(self) -> None:
        same, other, new = WORLD.job(), WORLD.job(), WORLD.name()
        fields = {"cron_expression": "0 3 * * *"}
        jobs = [{"job_name": same["job_name"], **fields}, {"job_name": other["job_name"], "every": "1m"}, {"job_name": new, "every": "1m"}]
        answer = WORLD.call("putJobs", body={"jobs": jobs, "dry_run": True}).json
        self.assertEqual([item["outcome"] for item in answer["items"]], ["UNCHANGED", "REPLACED", "CREATED"])
        self.assertTrue(answer["dry_run"])
        WORLD.call("getJob", expect=404, path={"job": f"name:{new}"})
        self.assertEqual(WORLD.call("getJob", path=at(other)).json, other)
        twice = {"jobs": [jobs[2], jobs[2]], "dry_run": True}
        self.assertEqual(WORLD.call("putJobs", expect=409, body=twice).json["code"], "name_taken")


class Revisions(unittest.TestCase):
    def test_what_a_job_was_is_listed_and_restored(self) -> None:
        job = WORLD.job(payload={"n": 1}, target={"kind": "HTTP", "url": "http://example.org/", "secret": "s1"},
                        labels={"a": "b"}, description="first")
        WORLD.call("patchJob", path=at(job), body={"cron_expression": "0 4 * * *", "target": {"secret": "s2"}})
        WORLD.call("patchJob", path=at(job), body={"labels": {"c": "d"}, "description": "second"})
        WORLD.call("pauseJob", path=at(job), body={})
        listed = WORLD.call("listRevisions", path=at(job)).json["items"]
        self.assertEqual([each["version"] for each in listed], list(range(len(listed), 0, -1)))
        changed = next(each for each in listed if "cron_expression" in each["changed"])
        self.assertEqual(sorted(changed["changed"]), ["cron_expression", "target"])
        self.assertEqual(sorted(listed[1]["changed"]), ["description", "labels"])
        self.assertEqual(listed[1]["definition"]["labels"], {"a": "b", "c": "d"})
        self.assertEqual(listed[-1]["definition"]["cron_expression"], "0 3 * * *")
        self.assertNotIn("s1", str(listed))
        restored = WORLD.call("restoreRevision", path={**at(job), "version": "1"}).json
        kept = ("cron_expression", "payload", "target", "labels", "description", "job_name")
        self.assertEqual({field: restored[field] for field in kept}, {field: job[field] for field in kept})
        self.assertEqual((restored["version"], restored["status"]), (listed[0]["version"] + 1, "PAUSED"))
        again = WORLD.call("restoreRevision", path={**at(job), "version": "1"}).json
        self.assertEqual(again["version"], restored["version"])

    def test_a_version_that_does_not_know_its_labels_leaves_them_as_they_are(self) -> None:
        """As 0.1 wrote it."""
        job = WORLD.job(labels={"a": "b"}, description="first")
        number = int(job["job_id"], 16)
        WORLD.server.change_store(
            postgres=f"update job_revisions set schedule = (schedule::jsonb - 'labels' - 'description')::json where job_id = {number}",
            sqlite=f"update job_revisions set schedule = json_remove(schedule, '$.labels', '$.description') where job_id = {number}")
        WORLD.call("patchJob", path=at(job), body={"priority": 1, "labels": {"c": "d"}, "description": "second"})
        now, then = WORLD.call("listRevisions", path=at(job)).json["items"]
        self.assertEqual(now["changed"], ["priority"])
        self.assertNotIn("labels", then["definition"])
        restored = WORLD.call("restoreRevision", path={**at(job), "version": "1"}).json
        self.assertEqual([restored[field] for field in ("priority", "labels", "description")], [job["priority"], {"a": "b"} | {"c": "d"}, "second"])

    def test_pages(self) -> None:
        job = WORLD.job()
        for priority in range(1, 5):
            WORLD.call("patchJob", path=at(job), body={"priority": priority})
        seen, cursor = [], None
        while True:
            query = {"limit": 2, **({"cursor": cursor} if cursor else {})}
            page = WORLD.call("listRevisions", path=at(job), query=query).json
            seen += page["items"]
            if not (cursor := page["next_cursor"]):
                break
        self.assertEqual([each["version"] for each in seen], [5, 4, 3, 2, 1])
        self.assertEqual([each["changed"] for each in seen], [["priority"]] * 4 + [[]])

    def test_under_conditions_and_only_what_is_possible(self) -> None:
        job = WORLD.job(calendar=WORLD.calendar())
        WORLD.call("patchJob", path=at(job), body={"calendar": None})
        WORLD.call("restoreRevision", expect=412, path={**at(job), "version": "1"}, headers={"If-Match": '"1"'})
        WORLD.call("deleteCalendar", path={"calendar": job["calendar"]})
        refused = WORLD.call("restoreRevision", expect=422, path={**at(job), "version": "1"})
        self.assertEqual(pointers(refused), {"/calendar"})


class Deleted(unittest.TestCase):
    """The history of a deleted job stays, and so does what can be done about it."""

    def test_its_history_is_found_by_its_id(self) -> None:
        run = WORLD.finished("FAILED")
        job = {"job": run["job_id"]}
        WORLD.call("deleteJob", path=job)
        WORLD.call("getJob", expect=404, path=job)
        self.assertEqual([each["run_id"] for each in WORLD.call("listJobRuns", path=job).json["items"]], [run["run_id"]])
        WORLD.call("listJobTicks", path=job)
        self.assertTrue(WORLD.call("listRevisions", path=job).json["items"])
        why = WORLD.call("explainJob", path=job, query={"at": run["scheduled_for"]}).json
        self.assertEqual((why["verdict"], why["run"]["run_id"]), ("run", run["run_id"]))

    def test_its_dead_letter_can_be_retried(self) -> None:
        run = WORLD.finished("FAILED", payload={"kept": True})
        WORLD.call("deleteJob", path={"job": run["job_id"]})
        again = WORLD.call("retryRun", path={"run": run["run_id"]}).json
        self.assertEqual((again["run_id"], again["state"]), (run["run_id"], "READY"))
        ask = {"worker_id": "w", "job_types": [run["job_type"]], "wait_seconds": 20}
        [claimed] = WORLD.call("claimRuns", "worker", body=ask).json["runs"]
        self.assertEqual((claimed["run_id"], claimed["payload"]), (run["run_id"], run["payload"]))


class States(unittest.TestCase):
    def test_failed_finds_what_is_dead(self) -> None:
        run = WORLD.finished("FAILED")
        for word in ("FAILED", "DEAD"):
            [found] = WORLD.call("listJobRuns", path={"job": run["job_id"]}, query={"state": word}).json["items"]
            self.assertEqual((found["run_id"], found["state"]), (run["run_id"], "DEAD"))

    def test_a_dead_letter_is_a_warning_in_the_log(self) -> None:
        run = WORLD.finished("FAILED")
        deadline = time.monotonic() + PATIENCE
        while not any("dead_letter" in line and run["run_id"] in line for line in WORLD.server.log):
            self.assertLess(time.monotonic(), deadline, WORLD.server.log[-5:])
            time.sleep(0.05)
        [line] = [line for line in WORLD.server.log if "dead_letter" in line and run["run_id"] in line]
        self.assertRegex(line, r"(?i)\bwarn")

    def test_a_stale_report_is_recorded(self) -> None:
        waiting = WORLD.run(max_attempts=5, retry={"base": "1ms", "cap": "1ms"})
        ask = {"worker_id": "slow", "job_types": [waiting["job_type"]], "wait_seconds": 30, "lease_seconds": 1}
        [slow] = WORLD.call("claimRuns", "worker", body=ask).json["runs"]
        [other] = WORLD.call("claimRuns", "worker", body={**ask, "worker_id": "other", "lease_seconds": 600}).json["runs"]
        self.assertEqual(other["run_id"], slow["run_id"])
        report = {"run_id": slow["run_id"], "fence": slow["fence"], "status": "SUCCEEDED"}
        for _ in range(2):
            [answer] = WORLD.call("completeRuns", "worker", body={"runs": [report]}).json["results"]
            self.assertEqual(answer["answer"], "FENCED")
        deadline = time.monotonic() + PATIENCE
        while "SUCCEEDED" not in (attempt := WORLD.call("getRun", path={"run": slow["run_id"]}).json["attempt_history"][0])["error"]:
            self.assertLess(time.monotonic(), deadline, attempt)
            time.sleep(0.05)
        self.assertEqual((attempt["outcome"], attempt["error"].count("too late")), ("LEASE_LOST", 1))


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

    def test_a_pointer_escapes_what_rfc_6901_escapes(self) -> None:
        body = {"job_name": WORLD.name(), "every": "1m", "labels": {"team/a~b": "x" * 300}, "no/such": 1}
        self.assertEqual(pointers(WORLD.call("createJob", expect=422, body=body)), {"/labels/team~1a~0b", "/no~1such"})

    def test_an_empty_selector_is_wrong_as_a_whole(self) -> None:
        refused = WORLD.call("changeJobs", expect=422, body={"action": "pause", "selector": {}})
        self.assertEqual(pointers(refused), {"/selector"})

    def test_an_end_before_the_first_tick_is_the_field_that_is_wrong(self) -> None:
        body = {"job_name": WORLD.name(), "every": "1m", "end_at": "2020-01-01T00:00:00Z"}
        self.assertEqual(pointers(WORLD.call("createJob", expect=422, body=body)), {"/end_at"})

    def test_a_query_parameter_is_no_pointer(self) -> None:
        for query in ({"limit": "0"}, {"status": "LOST"}, {"cursor": "x"}, {"nonsense": "1"}):
            [error] = WORLD.call("listJobs", expect=422, query=query).json["errors"]
            self.assertEqual((error["parameter"], "pointer" in error), (next(iter(query)), False))

    def test_an_unknown_parameter_hides_nothing(self) -> None:
        query = {"nonsense": "1", "limit": "0", "status": "LOST", "failing": "maybe", "label": "x"}
        errors = WORLD.call("listJobs", expect=422, query=query).json["errors"]
        self.assertEqual({each["parameter"] for each in errors}, set(query))
        job = {"job_name": WORLD.name(), "every": "soon", "colour": "red"}
        errors = WORLD.call("createJob", expect=422, query={"nonsense": "1"}, headers={"Idempotency-Key": "x" * 300}, body=job).json["errors"]
        places = {each.get("parameter") or each.get("header") or each["pointer"] for each in errors}
        self.assertEqual(places, {"nonsense", "Idempotency-Key", "/every", "/colour"})

    def test_an_unknown_parameter_is_refused_before_anything_is_done(self) -> None:
        job = WORLD.job()
        for operation in ("deleteJob", "pauseJob", "cancelJob", "triggerJob"):
            WORLD.call(operation, expect=422, path=at(job), query={"nonsense": "1"})
        patch = {"description": "another"}
        WORLD.call("patchJob", expect=422, path=at(job), query={"nonsense": "1"}, body=patch)
        self.assertEqual(WORLD.call("getJob", path=at(job)).json["version"], job["version"])
        self.assertEqual(WORLD.call("listJobRuns", path=at(job)).json["items"], [])

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
