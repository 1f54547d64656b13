"""Conflicts, repeating, pages, streams: what takes more than one call: test_stories.py BELFRY sqlite|postgres"""

import json
import sys
import threading
import time
import unittest
from datetime import datetime, timedelta, timezone

from fixtures import FIXTURES
from harness import DOCUMENT, PATIENCE, Client, Request, check_answer
from matrix import change, role_of
from world import THEIRS, World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World


def setUpModule() -> None:
    global WORLD
    WORLD = World(BELFRY, STORE)


def tearDownModule() -> None:
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def at(job: dict) -> dict[str, str]:
    return {"job": job["job_id"]}


def soon(seconds: float) -> str:
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat()


def wait_for_refusal(job: dict) -> None:
    """Waits until a one-shot lies so far in the past that a new one like it is refused."""
    deadline, operation = time.monotonic() + PATIENCE, DOCUMENT.operations["createJob"]
    while True:
        request = Request("createJob", body={**job, "job_name": WORLD.name()})
        if WORLD.clients["admin"].exchange(operation, request).status == 422:
            return
        assert time.monotonic() < deadline, "it is never refused"
        time.sleep(0.2)


class Conflicts(unittest.TestCase):
    def refused(self, status: int, code: str, operation: str, **parts: object) -> None:
        answer = WORLD.call(operation, expect=status, **parts)
        self.assertEqual(answer.json["code"], code)

    def test_a_name_is_taken(self) -> None:
        job, other = WORLD.job(), WORLD.job()
        again = {"job_name": job["job_name"], "every": "1m"}
        self.refused(409, "name_taken", "createJob", body=again)
        self.refused(412, "version_mismatch", "putJob", path={"job": f"name:{job['job_name']}"}, headers={"If-None-Match": "*"}, body=again)
        self.refused(409, "name_taken", "patchJob", path=at(other), body={"job_name": job["job_name"]})
        self.assertEqual(WORLD.call("getJob", path=at(job)).json, job)

    def test_a_name_twice_in_a_batch(self) -> None:
        twice = {"job_name": WORLD.name(), "every": "1m"}
        answer = WORLD.call("putJobs", expect=409, body={"jobs": [twice, twice]})
        self.assertEqual(answer.json["code"], "name_taken")
        self.assertEqual([each["pointer"] for each in answer.json["errors"]], ["/jobs/1/job_name"])
        WORLD.call("getJob", expect=404, path={"job": f"name:{twice['job_name']}"})
        wrong = {"job_name": WORLD.name(), "every": "1x"}
        answer = WORLD.call("putJobs", expect=422, body={"jobs": [twice, wrong, twice]})
        self.assertEqual([each["pointer"] for each in answer.json["errors"]], ["/jobs/1/every", "/jobs/2/job_name"])
        # Where the good ones are kept, that is the first of them.
        answer = WORLD.call("putJobs", body={"atomic": False, "jobs": [twice, {**twice, "every": "2m"}]}).json
        self.assertEqual([item["outcome"] for item in answer["items"]], ["CREATED", "REFUSED"])
        self.assertEqual(answer["items"][1]["errors"][0]["pointer"], "/jobs/1/job_name")
        self.assertEqual(WORLD.call("getJob", path={"job": f"name:{twice['job_name']}"}).json["every"], "1m")

    def test_a_cancelled_job(self) -> None:
        job = WORLD.job()
        WORLD.call("cancelJob", path=at(job))
        self.refused(409, "cancelled", "resumeJob", path=at(job))
        self.refused(409, "not_active", "pauseJob", path=at(job))
        back = WORLD.call("putJob", path=at(job), body={"every": "1m"}).json
        self.assertEqual((back["job_id"], back["status"]), (job["job_id"], "ACTIVE"))

    def test_a_run_that_is_over(self) -> None:
        run = WORLD.finished()
        self.refused(409, "run_over", "cancelRun", path={"run": run["run_id"]})

    def test_a_calendar_in_use(self) -> None:
        name = WORLD.calendar()
        WORLD.job(calendar=name)
        self.refused(409, "in_use", "deleteCalendar", path={"calendar": name})

    def test_a_calendar_that_delays(self) -> None:
        name = WORLD.name()
        WORLD.call("putCalendar", path={"calendar": name}, body={"rules": ["00:00..06:00 UTC"]})
        job = WORLD.job(cron_expression="30 3 * * *", calendar=name, calendar_policy="DELAY")
        self.assertEqual(job["calendar_policy"], "DELAY")
        self.assertIn("T06:00:00", job["next_scheduled_run"])
        ahead = WORLD.call("nextTicks", path=at(job), query={"count": 2}).json
        self.assertEqual([run["starts_at"] for run in ahead["delayed"]], ahead["next"])
        self.assertTrue(all("T03:30:00" in run["scheduled_for"] for run in ahead["delayed"]))
        skips = WORLD.call("previewSchedule", expect=422, body={"cron_expression": "30 3 * * *", "calendar": name})
        self.assertEqual(skips.json["errors"][0]["pointer"], "/calendar", "it would never run")
        back = WORLD.call("patchJob", path=at(job), body={"cron_expression": "30 9 * * *", "calendar_policy": None}).json
        self.assertEqual(back["calendar_policy"], "SKIP")

    def test_advice_against_a_herd_can_be_applied(self) -> None:
        jobs = [WORLD.job(cron_expression="17 * * * *") for _ in range(20)]
        advice = WORLD.call("getForecastAdvice", query={"hours": 2}).json
        herds = [minute for minute in advice["minutes"] if jobs[0]["job_name"] in minute["jobs"]]
        self.assertTrue(herds)
        for minute in herds:
            self.assertGreaterEqual(minute["job_count"], 20)
            self.assertLessEqual(minute["after"], minute["before"] // 2)
        changes = {change["job_id"]: change for change in advice["changes"]}
        ours = [changes[job["job_id"]] for job in jobs if job["job_id"] in changes]
        self.assertGreaterEqual(len(ours), 10)
        for change in ours:
            changed = WORLD.call("patchJob", path={"job": change["job_id"]}, body={change["field"]: change["after"]},
                                 headers={"If-Match": f'"{change["version"]}"'}).json
            self.assertEqual(changed["cron_expression"], "H * * * *")

    def test_a_type_gives_its_jobs_what_they_do_not_say(self) -> None:
        name = WORLD.name()
        defaults = {"max_attempts": 7, "timeout": "1m30s", "start_within": "2h", "misfire_grace": "5m"}
        WORLD.call("putType", path={"type": name}, body={"defaults": defaults})
        job = WORLD.job(job_type=name, timeout="10s")
        self.assertEqual({field: job[field] for field in defaults}, defaults | {"timeout": "10s"})
        other = WORLD.job()
        self.assertEqual((other["max_attempts"], other["timeout"]), (3, "5m"))
        back = WORLD.call("patchJob", path=at(job), body={"timeout": None}).json
        self.assertEqual(back["timeout"], "1m30s")
        kept = WORLD.call("patchJob", path=at(job), body={"priority": 1}).json
        self.assertEqual((kept["timeout"], kept["max_attempts"]), ("1m30s", 7))
        batch = {"jobs": [{"job_name": WORLD.name(), "every": "1m", "job_type": name}]}
        WORLD.call("putJobs", body=batch)
        made = WORLD.call("getJob", path={"job": f"name:{batch['jobs'][0]['job_name']}"}).json
        self.assertEqual(made["start_within"], "2h")
        WORLD.call("deleteType", path={"type": name})
        self.assertEqual(WORLD.call("getJob", path=at(job)).json["timeout"], "1m30s", "a job keeps what it has")
        self.assertEqual(WORLD.job(job_type=name)["timeout"], "5m")

    def test_a_run_waits_for_the_limit_of_its_type(self) -> None:
        name = WORLD.name()
        WORLD.call("putType", path={"type": name}, body={"max_concurrent": 1})
        jobs = [WORLD.job(job_type=name) for _ in range(2)]
        for job in jobs:
            WORLD.call("triggerJob", path=at(job), body={})
        claim = {"worker_id": "w", "job_types": [name], "max_runs": 5, "wait_seconds": 5}
        claimed = WORLD.call("claimRuns", body=claim).json["runs"]
        self.assertEqual(len(claimed), 1)
        self.assertEqual(WORLD.call("claimRuns", body=claim | {"wait_seconds": 0}).json["runs"], [])
        waits = next(job for job in jobs if job["job_id"] != claimed[0]["job_id"])
        told = WORLD.call("explainJob", path=at(waits)).json
        self.assertEqual(told["cause"], "type_limit", told)
        self.assertIn("has at most 1 at a time", told["sentence"])
        types = {each["job_type"]: each for each in WORLD.call("getStats").json["types"]}
        self.assertEqual(types[name], {"job_type": name, "running": 1, "waiting": 1, "full": True})

    def test_an_outdated_version(self) -> None:
        job = WORLD.job()
        changed = WORLD.call("patchJob", path=at(job), headers={"If-Match": '"1"'}, body={"priority": 1})
        self.assertEqual(changed.json["version"], 2)
        for operation in ("patchJob", "putJob"):
            body = {"every": "1m", "job_name": job["job_name"]}
            self.refused(412, "version_mismatch", operation, path=at(job), headers={"If-Match": '"1"'}, body=body)
        self.refused(412, "version_mismatch", "deleteJob", path=at(job), headers={"If-Match": '"1"'})
        self.assertEqual(WORLD.call("getJob", path=at(job)).json["version"], 2)

    def test_what_is_known_is_not_sent_again(self) -> None:
        job = WORLD.job()
        known = WORLD.call("getJob", path=at(job)).headers["etag"]
        WORLD.call("getJob", expect=304, path=at(job), headers={"If-None-Match": known})
        WORLD.call("getJob", expect=200, path=at(job), headers={"If-None-Match": '"7"'})


class Repeating(unittest.TestCase):
    def test_with_an_idempotency_key(self) -> None:
        keyed = [each for each in DOCUMENT.operations.values() if "Idempotency-Key" in each.parameters_in("header")]
        self.assertEqual(len(keyed), 6)
        for operation in keyed:
            with self.subTest(operation.id):
                request = change(FIXTURES[operation.id](WORLD), headers={"Idempotency-Key": WORLD.name()})
                client = WORLD.clients[role_of(operation)]
                first, second = client.send(request).json, client.send(request).json
                self.assertEqual(self.ids(first), self.ids(second))

    def ids(self, body: dict) -> list:
        """Of what was made; the whole of an answer that made nothing."""
        parts = body.get("items", [body])
        return [next((part[name] for name in ("run_id", "job_id", "bulk_id") if name in part), part) for part in parts]

    def test_an_idempotency_key_of_another_request(self) -> None:
        for operation in ("createJob", "putJobs"):
            key = {"Idempotency-Key": WORLD.name()}
            WORLD.clients["operator"].send(change(FIXTURES[operation](WORLD), headers=key))
            other = WORLD.clients["operator"].send(change(FIXTURES[operation](WORLD), headers=key), 422)
            self.assertEqual(other.json["code"], "idempotency_key_reused")

    def test_keys_of_tenants_do_not_meet(self) -> None:
        key = {"Idempotency-Key": WORLD.name()}
        body = {"job_name": WORLD.name(), "every": "1m"}
        ours = WORLD.call("createJob", headers=key, body=body).json
        theirs = WORLD.rival.call("createJob", headers=key, body=body).json
        self.assertNotEqual(ours["job_id"], theirs["job_id"])

    def test_a_batch_whose_refused_item_would_be_accepted_by_now(self) -> None:
        """The answer is the first call's, even if another item has become good since, and each item keeps its job."""
        good, bad, calendar = WORLD.name(), WORLD.name(), WORLD.name()
        jobs = [{"job_name": bad, "every": "1m", "calendar": calendar}, {"job_name": good, "every": "1m"}]
        request = Request("putJobs", headers={"Idempotency-Key": WORLD.name()}, body={"atomic": False, "jobs": jobs})
        first = WORLD.clients["operator"].send(request).json
        self.assertEqual([item["outcome"] for item in first["items"]], ["REFUSED", "CREATED"])
        WORLD.call("putCalendar", path={"calendar": calendar}, body={"rules": ["SAT"]})
        again = WORLD.clients["operator"].send(request).json
        self.assertEqual([item["outcome"] for item in again["items"]], ["REFUSED", "REPEATED"])
        self.assertEqual(again["items"][1]["job_id"], first["items"][1]["job_id"])
        WORLD.call("getJob", expect=404, path={"job": f"name:{bad}"})

    def test_without_a_key(self) -> None:
        """The same call again gives the same state, and no new version."""
        for name in ("putJob", "pauseJob", "resumeJob", "cancelJob", "patchJob", "putCalendar"):
            with self.subTest(name):
                operation = DOCUMENT.operations[name]
                request = FIXTURES[name](WORLD)
                client = WORLD.clients[role_of(operation)]
                first, second = client.send(request).json, client.send(request, 200).json
                self.assertEqual(first["version"], second["version"])

    def test_of_ends(self) -> None:
        for name, again in (("deleteJob", 404), ("revokeKey", 204), ("deleteCalendar", 404), ("cancelRun", 200)):
            with self.subTest(name):
                client = WORLD.clients[role_of(DOCUMENT.operations[name])]
                request = FIXTURES[name](WORLD)
                client.send(request)
                client.send(request, again)

    def test_of_reports(self) -> None:
        for name, word in (("beatRuns", "EXTENDED"), ("completeRuns", "OK")):
            request = FIXTURES[name](WORLD)
            for _ in range(2):
                [result] = WORLD.clients["worker"].send(request).json["results"]
                self.assertEqual(result["answer"], word, name)


    def test_a_worker_says_when_to_try_again(self) -> None:
        run = WORLD.claimed(retry={"base": "1ms", "cap": "1ms"})
        report = {"run_id": run["run_id"], "fence": run["fence"], "status": "FAILED", "error": "busy"}
        WORLD.call("completeRuns", "worker", body={"runs": [{**report, "retry_after_seconds": 3600}]})
        waiting = WORLD.call("getRun", path={"run": run["run_id"]}).json
        waits = datetime.fromisoformat(waiting["due_at"]) - datetime.fromisoformat(waiting["attempt_history"][0]["finished_at"])
        self.assertEqual(waiting["state"], "RETRYING")
        self.assertGreaterEqual(waits.total_seconds(), 3599)

    def test_a_report_is_not_lost_for_its_words(self) -> None:
        run = WORLD.claimed()
        report = {"run_id": run["run_id"], "fence": run["fence"], "status": "FAILED", "retryable": False}
        WORLD.call("completeRuns", "worker", body={"runs": [{**report, "error": "\x1b[31mred\0\nline"}]})
        self.assertEqual(WORLD.call("getRun", path={"run": run["run_id"]}).json["error"], "?[31mred?\nline")


    def test_of_what_would_be_refused_by_now(self) -> None:
        """The key is looked up before the request is judged: a one-shot that has run since is still the answer."""
        at_once = {"job_name": WORLD.name(), "run_at": soon(0.3)}
        key = {"Idempotency-Key": WORLD.name()}
        first = WORLD.call("createJob", headers=key, body=at_once).json
        batch = {"jobs": [{"job_name": WORLD.name(), "run_at": soon(0.3)}]}
        batch_key = {"Idempotency-Key": WORLD.name()}
        [item] = WORLD.call("putJobs", headers=batch_key, body=batch).json["items"]
        wait_for_refusal(at_once)
        again = WORLD.call("createJob", headers=key, body=at_once)
        self.assertEqual((again.json["job_id"], again.json["created_at"]), (first["job_id"], first["created_at"]))
        self.assertEqual(again.headers["idempotent-replayed"], "true")
        [repeated] = WORLD.call("putJobs", headers=batch_key, body=batch).json["items"]
        self.assertEqual((repeated["job_id"], repeated["outcome"]), (item["job_id"], "REPEATED"))

    def test_of_a_trigger_with_another_payload(self) -> None:
        job, key = WORLD.job(concurrency_policy="ALLOW"), {"Idempotency-Key": WORLD.name()}
        body = {"payload": {"b": 1, "a": 2.50}}
        first = WORLD.call("triggerJob", path=at(job), headers=key, body=body).json
        self.assertEqual(WORLD.call("triggerJob", path=at(job), headers=key, body=body).json["run_id"], first["run_id"])
        other = WORLD.call("triggerJob", expect=422, path=at(job), headers=key, body={"payload": {"b": 2}})
        self.assertEqual(other.json["code"], "idempotency_key_reused")


class Tenants(unittest.TestCase):
    def test_runs_of_others_are_fenced(self) -> None:
        run = WORLD.claimed()
        grant = {"run_id": run["run_id"], "fence": run["fence"]}
        self.assertEqual(WORLD.rival.call("beatRuns", body={"runs": [grant]}).json["results"][0]["answer"], "FENCED")
        report = {**grant, "status": "SUCCEEDED"}
        self.assertEqual(WORLD.rival.call("completeRuns", body={"runs": [report]}).json["results"][0]["answer"], "FENCED")
        self.assertEqual(WORLD.call("getRun", path={"run": run["run_id"]}).json["state"], "RUNNING")

    def test_runs_of_others_are_not_handed_out(self) -> None:
        run = WORLD.run()
        asked = {"worker_id": "w", "job_types": [run["job_type"]]}
        self.assertEqual(WORLD.rival.call("claimRuns", body=asked).json["runs"], [])
        self.assertEqual(WORLD.call("getRun", path={"run": run["run_id"]}).json["state"], "READY")

    def test_lists_hold_only_ones_own(self) -> None:
        WORLD.run()
        for operation in ("listJobs", "listRuns"):
            items = WORLD.rival.call(operation).json["items"]
            self.assertEqual({item["tenant_id"] for item in items}, {"rival"})
        self.assertEqual([each["name"] for each in WORLD.rival.call("listCalendars").json["items"]], [THEIRS])

    def test_root_acts_for_another(self) -> None:
        headers = {"Belfry-Tenant": "rival"}
        job = WORLD.call("createJob", headers=headers, body={"job_name": WORLD.name(), "every": "1m"}).json
        self.assertEqual(job["tenant_id"], "rival")
        WORLD.call("getJob", expect=404, path=at(job))
        self.assertEqual(WORLD.call("getJob", headers=headers, path=at(job)).json, WORLD.rival.call("getJob", path=at(job)).json)

    def test_a_revoked_key_opens_nothing(self) -> None:
        key = WORLD.call("createKey", body={"name": "brief", "scope": "viewer"}).json
        client = Client(WORLD.server.address, key["secret"])
        client.call("listJobs")
        WORLD.call("revokeKey", path={"key": key["key_id"]})
        client.call("listJobs", expect=401)

    def test_a_tenant_that_calls_too_often(self) -> None:
        tenant = {"Belfry-Tenant": WORLD.name()}
        WORLD.call("putTenant", path={"tenant": tenant["Belfry-Tenant"]}, body={"max_requests": 2})
        key = WORLD.call("createKey", headers=tenant, body={"name": "fast", "scope": "viewer"}).json["secret"]
        client = Client(WORLD.server.address, key)
        seen = set()
        for _ in range(1000):  # more than any machine answers while two calls a second are refilled
            answer = client.exchange(DOCUMENT.operations["listJobs"], FIXTURES["listJobs"](WORLD))
            seen.add(answer.status)
            wrong = check_answer(DOCUMENT.operations["listJobs"], answer)
            self.assertEqual(wrong, [])
            self.assertEqual(answer.headers["ratelimit-policy"], f'"{tenant["Belfry-Tenant"]}";q=2;w=1')
            self.assertRegex(answer.headers["ratelimit"], r'";r=[01];t=1$')
            if answer.status == 429:
                break
        self.assertEqual(seen, {200, 429})
        self.assertGreaterEqual(int(answer.headers["retry-after"]), 1)
        self.assertEqual(answer.json["code"], "rate_limited")
        WORLD.call("putTenant", path={"tenant": "acme"}, body={"max_requests": 0})
        self.assertNotIn("ratelimit", WORLD.call("listJobs").headers)  # no limit, no word of it

    def test_a_new_tenant_has_limits_and_the_nodes_own_has_none(self) -> None:
        made = WORLD.call("putTenant", expect=201, path={"tenant": WORLD.name()}, body={}).json
        self.assertEqual((made["max_in_flight"], made["max_requests"]), (10_000, 1_000))
        own = WORLD.call("putTenant", path={"tenant": "default"}, body={}).json
        self.assertEqual((own["max_in_flight"], own["max_requests"]), (0, 0))


class Scopes(unittest.TestCase):
    """Nobody gets more than theirs."""

    def key(self, **body: object) -> Client:
        made = WORLD.call("createKey", body={"name": WORLD.name(), **body}).json
        return Client(WORLD.server.address, made["secret"])

    def test_an_admin_stays_in_its_tenant(self) -> None:
        admin = WORLD.clients["admin"]
        admin.call("listJobs", expect=403, headers={"Belfry-Tenant": "rival"})
        admin.call("createJob", expect=422, body={"job_name": WORLD.name(), "every": "1d", "tenant_id": "rival"})
        rows = admin.call("listAudit", query={"limit": 1000}).json["items"]
        self.assertEqual({row["tenant_id"] for row in rows}, {"acme"})
        worker = admin.call("claimRuns", body={"worker_id": "w", "job_types": ["default"], "max_runs": 100})
        self.assertNotIn(WORLD.rival_run["run_id"], [run["run_id"] for run in worker.json["runs"]])

    def test_nobody_gives_what_they_do_not_have(self) -> None:
        admin = self.key(scope="admin")
        admin.call("createKey", expect=403, body={"name": WORLD.name(), "scope": "root"})
        admin.call("createKey", expect=403, body={"name": WORLD.name(), "scope": "operator", "permissions": ["exec"]})
        admin.call("createKey", body={"name": WORLD.name(), "scope": "admin"})

    def test_an_admin_does_not_touch_roots_keys(self) -> None:
        root = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "root"}).json
        for operation in ("rotateKey", "revokeKey"):
            WORLD.clients["admin"].call(operation, expect=403, path={"key": root["key_id"]})
        trusted = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "operator", "permissions": ["exec"]}).json
        self.key(scope="admin").call("rotateKey", expect=403, path={"key": trusted["key_id"]})

    def test_only_root_sees_the_nodes(self) -> None:
        seen = WORLD.clients["viewer"].call("getCluster").json
        self.assertEqual((seen["nodes"], seen["leader"], seen["partitions"]["map"]), ([], None, []))
        self.assertEqual(len(WORLD.call("getCluster").json["nodes"]), 1)

    def test_the_numbers_are_ones_own(self) -> None:
        tenant = {"Belfry-Tenant": WORLD.name()}
        WORLD.call("putTenant", path={"tenant": tenant["Belfry-Tenant"]}, body={})
        key = WORLD.call("createKey", headers=tenant, body={"name": "numbers", "scope": "operator"}).json
        client = Client(WORLD.server.address, key["secret"])
        for expected in (0, 1):
            self.assertEqual(client.call("getStats").json["jobs"]["active"], {"value": expected, "exact": True})
            client.call("createJob", body={"job_name": WORLD.name(), "every": "1d"})
        self.assertGreater(WORLD.call("getStats").json["jobs"]["active"]["value"], 1)
        # What stands in line for later waits for nobody yet.
        job = client.call("createJob", body={"job_name": WORLD.name(), "job_type": "past", "every": "1h", "allow_overlap": True}).json
        now = datetime.now(timezone.utc)
        window = {"from": (now - timedelta(hours=3)).isoformat(), "to": now.isoformat()}
        made = client.call("backfillJob", path=at(job), body=window).json["created"]
        self.assertGreater(made, 1)
        claim = {"worker_id": "w", "job_types": ["past"], "max_runs": 9, "wait_seconds": 20}
        self.assertEqual(len(client.call("claimRuns", body=claim).json["runs"]), 1)
        stats = client.call("getStats").json
        self.assertEqual((stats["runs"]["ready"]["value"], stats["oldest_ready_at"]), (made - 1, None))

    def test_names_of_keys_are_unique(self) -> None:
        body = {"name": WORLD.name(), "scope": "viewer"}
        WORLD.call("createKey", body=body)
        answer = WORLD.call("createKey", expect=409, body=body).json
        self.assertIn(body["name"], answer["detail"])

    def test_a_rotated_key_goes_on_for_a_while(self) -> None:
        old = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "viewer"}).json
        new = WORLD.call("rotateKey", path={"key": old["key_id"]}, body={"overlap": "1h"}).json
        for key in (old, new):
            Client(WORLD.server.address, key["secret"]).call("listJobs")
        gone = WORLD.call("rotateKey", path={"key": new["key_id"]}, body={"overlap": "0s"}).json
        Client(WORLD.server.address, new["secret"]).call("listJobs", expect=401)
        listed = {key["key_id"]: key for key in WORLD.call("listKeys").json["items"]}
        self.assertIsNotNone(listed[old["key_id"]]["replaced_at"])
        self.assertIsNone(listed[gone["key_id"]]["replaced_at"])

    def test_the_use_of_a_key_is_seen(self) -> None:
        made = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "viewer"}).json
        self.assertIsNone(made["last_used_at"])
        Client(WORLD.server.address, made["secret"]).call("listJobs")
        [listed] = [key for key in WORLD.call("listKeys").json["items"] if key["key_id"] == made["key_id"]]
        self.assertIsNotNone(listed["last_used_at"])


class Once(unittest.TestCase):
    """A job with one instant, which is over or nearly so."""

    def test_now_means_now(self) -> None:
        job = WORLD.call("createJob", body={"job_name": WORLD.name(), "job_type": WORLD.name(), "delay": "0s"}).json
        runs = WORLD.call("claimRuns", body={"worker_id": "w", "job_types": [job["job_type"]], "wait_seconds": 20}).json["runs"]
        self.assertEqual([run["scheduled_for"] for run in runs], [job["run_at"]])

    def test_the_past_is_refused_in_words(self) -> None:
        answer = WORLD.call("createJob", expect=422, body={"job_name": WORLD.name(), "run_at": "2020-01-01T00:00:00Z"})
        self.assertEqual([error["pointer"] for error in answer.json["errors"]], ["/run_at"])
        self.assertIn("lies in the past", answer.json["errors"][0]["message"])


class Pages(unittest.TestCase):
    def pages(self, operation: str, **parts: dict) -> list[dict]:
        items, query = [], dict(parts.pop("query", {}))
        for _ in range(1000):
            page = WORLD.call(operation, query=query, **parts).json
            items += page["items"]
            if page["next_cursor"] is None:
                return items
            query["cursor"] = page["next_cursor"]
        raise AssertionError(f"{operation}: no last page")

    def test_each_thing_once(self) -> None:
        label = WORLD.name()
        names = [WORLD.job(labels={label: "x"})["job_name"] for _ in range(7)]
        for limit in (1, 3, 7, 100):
            found = self.pages("listJobs", query={"label": [f"{label}=x"], "limit": limit})
            self.assertEqual([job["job_name"] for job in found], sorted(names))

    def test_runs_and_ticks(self) -> None:
        job = WORLD.job(concurrency_policy="ALLOW")
        runs = {WORLD.call("triggerJob", path=at(job)).json["run_id"] for _ in range(5)}
        for operation in ("listJobRuns", "listJobTicks"):
            found = self.pages(operation, path=at(job), query={"limit": 2})
            self.assertEqual([len(found), {each["run_id"] for each in found}], [5, runs], operation)

    def test_administration(self) -> None:
        for _ in range(3):
            WORLD.calendar()
            WORLD.run()
        for operation in ("listTenants", "listCalendars", "listAudit", "listRuns"):
            found = self.pages(operation, query={"limit": 2})
            self.assertEqual(len(found), len({json.dumps(each, sort_keys=True) for each in found}), operation)
            self.assertGreater(len(found), 1, operation)

    def test_a_cursor_of_another_list(self) -> None:
        for _ in range(3):
            WORLD.job()
        cursor = WORLD.call("listJobs", query={"limit": 1}).json["next_cursor"]
        self.assertIsNotNone(cursor)
        for query in ({"cursor": cursor, "q": "other"}, {"cursor": "nonsense"}, {"cursor": "x" + cursor}):
            answer = WORLD.call("listJobs", expect=422, query=query)
            self.assertEqual(answer.json["errors"][0]["parameter"], "cursor")


class Jobs(unittest.TestCase):
    def test_what_was_read_can_be_sent_back(self) -> None:
        request = FIXTURES["createJob"](WORLD)
        job = WORLD.clients["operator"].send(request).json
        self.assertEqual(WORLD.call("getJob", path=at(job)).json, job)
        self.assertEqual(WORLD.call("putJob", path=at(job), body=job).json, job)
        self.assertEqual(WORLD.call("patchJob", path=at(job), body=job).json, job)
        for field, value in request.body.items():
            hidden = {"secret": "********", "headers": {"X-A": "********"}}
            shown = {**value, **hidden} if field == "target" else value
            with self.subTest(field):
                self.assertEqual(job[field], self.normal(field, shown))

    def normal(self, field: str, value: object) -> object:
        return "2099-12-31T21:59:59.999999Z" if field == "end_at" else value

    def test_a_secret_is_never_shown(self) -> None:
        target = {"kind": "HTTP", "url": "https://example.org/", "secret": "whsec_hush"}
        job = WORLD.job(target=target)
        self.assertEqual(job["target"]["secret"], "********")
        for operation in ("getJob", "explainJob"):
            self.assertNotIn(b"hush", WORLD.call(operation, path=at(job)).body)
        self.assertNotIn(b"hush", WORLD.call("listAudit").body)

    def test_a_patch_changes_the_kind_of_things(self) -> None:
        job = WORLD.job(target={"kind": "HTTP", "url": "https://example.org/"}, concurrency_policy="ALLOW", max_concurrent=3)

        def patched(**fields: object) -> dict:
            return WORLD.call("patchJob", path=at(job), body=fields).json

        self.assertEqual(patched(target={"kind": "EXEC", "command": ["true"]})["target"], {"kind": "EXEC", "command": ["true"]})
        self.assertEqual(patched(handler_url="https://example.org/x")["target"]["url"], "https://example.org/x")
        self.assertEqual(patched(target={"method": "PUT"})["target"]["url"], "https://example.org/x", "the same kind is merged into")
        changed = patched(concurrency_policy="FORBID")
        self.assertEqual((changed["concurrency_policy"], changed.get("max_concurrent")), ("FORBID", None))
        self.assertEqual(patched(allow_overlap=True)["concurrency_policy"], "ALLOW")
        self.assertEqual(patched(allow_overlap=False)["concurrency_policy"], "FORBID")
        patched(concurrency_policy="REPLACE")
        self.assertEqual(patched(allow_overlap=False)["concurrency_policy"], "REPLACE")

    def test_patches_at_once_lose_nothing(self) -> None:
        job = WORLD.job()
        fields = [{"priority": 5}, {"description": "d"}, {"labels": {"a": "b"}}, {"max_attempts": 7}, {"timeout": "7m"}, {"cron_expression": "1 2 * * *"}]
        for _ in range(5):
            job = WORLD.job()
            threads = [threading.Thread(target=WORLD.call, args=("patchJob",), kwargs={"path": at(job), "body": each}) for each in fields]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            found = WORLD.call("getJob", path=at(job)).json
            self.assertEqual(found["version"], 1 + len(fields))
            for each in fields:
                for name, value in each.items():
                    self.assertEqual(found[name], value)

    def test_put_under_a_condition_does_the_same(self) -> None:
        job = WORLD.job()
        WORLD.call("cancelJob", path=at(job))
        back = WORLD.call("putJob", path=at(job), headers={"If-Match": '"2"'}, body={"every": "1m"}).json
        self.assertEqual((back["job_id"], back["status"], back["version"]), (job["job_id"], "ACTIVE", 3))
        same = WORLD.call("putJob", path=at(job), headers={"If-Match": '"3"'}, body={"every": "1m"}).json
        self.assertEqual(same["version"], 3)

    def test_put_is_about_the_job_of_its_path(self) -> None:
        job = WORLD.job()
        body = {"job_name": job["job_name"], "every": "1m"}
        answer = WORLD.call("putJob", expect=422, path={"job": f"name:{WORLD.name()}"}, body=body).json
        self.assertEqual(answer["errors"][0]["pointer"], "/job_name")
        self.assertEqual(WORLD.call("getJob", path=at(job)).json, job)
        moved = WORLD.call("putJob", expect=422, path=at(job), body={"every": "1m", "home_region": "elsewhere"}).json
        self.assertEqual(moved["errors"][0]["pointer"], "/home_region")

    def test_a_one_shot_that_is_over_can_be_touched(self) -> None:
        body = {"job_name": WORLD.name(), "job_type": WORLD.name(), "run_at": soon(0.3), "labels": {"a": "b"}}
        job = WORLD.call("createJob", body=body).json
        wait_for_refusal(body)
        deadline = time.monotonic() + PATIENCE
        while WORLD.call("getJob", path=at(job)).json["status"] != "COMPLETED":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)
        [item] = WORLD.call("putJobs", body={"jobs": [body]}).json["items"]
        self.assertEqual((item["outcome"], item["job_id"]), ("UNCHANGED", job["job_id"]))
        self.assertEqual(WORLD.call("putJob", path=at(job), body=body).json["version"], 1)
        changed = WORLD.call("patchJob", path=at(job), body={"labels": {"a": "c"}}).json
        self.assertEqual((changed["labels"], changed["status"]), ({"a": "c"}, "COMPLETED"))
        WORLD.call("putJobs", expect=422, body={"jobs": [body]})
        self.assertEqual(len(WORLD.call("listJobRuns", path=at(job)).json["items"]), 1)

    def test_root_names_the_tenant_in_the_job(self) -> None:
        body = {"job_name": WORLD.name(), "every": "1m", "tenant_id": "rival"}
        for operation, sent in (("createJob", body), ("putJobs", {"jobs": [body]})):
            WORLD.call(operation, "operator", expect=422, body=sent)
        job = WORLD.call("createJob", body=body).json
        self.assertEqual(job["tenant_id"], "rival")
        self.assertEqual(WORLD.rival.call("getJob", path=at(job)).json["job_id"], job["job_id"])
        [item] = WORLD.call("putJobs", body={"jobs": [body]}).json["items"]
        self.assertEqual((item["outcome"], item["job_id"]), ("UNCHANGED", job["job_id"]))

    def test_many_names_are_refused_quickly(self) -> None:
        many = ("{" + ",".join(f'"n{number}":1' for number in range(50_000)) + "}").encode()
        answer = WORLD.call("previewSchedule", "viewer", expect=422, body=many)
        self.assertIn("10,000 names", answer.json["detail"])
        some = {f"n{number}": 1 for number in range(5_000)}
        answer = WORLD.call("previewSchedule", "viewer", expect=422, body=some)
        self.assertLess(len(answer.json["errors"]), 200)

    def test_a_batch_keeps_the_good_ones(self) -> None:
        good, bad = {"job_name": WORLD.name(), "every": "1m"}, {"job_name": WORLD.name(), "every": "never"}
        refused = WORLD.call("putJobs", expect=422, body={"jobs": [good, bad]}).json
        self.assertEqual([error["pointer"] for error in refused["errors"]], ["/jobs/1/every"])
        WORLD.call("getJob", expect=404, path={"job": f"name:{good['job_name']}"})
        operation = DOCUMENT.operations["putJobs"]
        answer = WORLD.clients["operator"].exchange(operation, Request("putJobs", body={"jobs": [good, bad], "atomic": False}))
        self.assertEqual((answer.status, check_answer(operation, answer)), (200, []))
        self.assertEqual([item["outcome"] for item in answer.json["items"]], ["CREATED", "REFUSED"])
        self.assertEqual(answer.json["items"][1]["errors"][0]["pointer"], "/jobs/1/every")

    def test_names_need_encoding(self) -> None:
        for name in ("a/b", "ä ö?#%", "name:x", "..", "a+b", "日本"):
            job = WORLD.job(job_name=name)
            self.assertEqual(WORLD.call("getJob", path={"job": f"name:{name}"}).json["job_id"], job["job_id"], name)


class Events(unittest.TestCase):
    def test_changes_are_told_and_a_stream_goes_on(self) -> None:
        stream = WORLD.clients["viewer"].events()
        self.assertEqual(next(stream)[1], "open")
        job = WORLD.job()
        first = next(each for each in stream if self.names(each, job))
        stream.close()
        WORLD.call("pauseJob", path=at(job))
        again = WORLD.clients["viewer"].events(first[0])
        told = next(each for each in again if self.names(each, job))
        self.assertEqual([news["status"] for news in told[2]["jobs"] if news["job_id"] == job["job_id"]], ["PAUSED"])
        again.close()

    def names(self, event: tuple, job: dict) -> bool:
        return event[1] == "jobs" and any(news["job_id"] == job["job_id"] for news in event[2]["jobs"])

    def test_an_id_yet_to_come_is_a_store_that_went_back(self) -> None:
        """As after a restored backup: new events have ids that the client believes it has seen."""
        events = WORLD.clients["viewer"].events("9000000000000-5")
        self.assertEqual(next(events)[1], "open")
        last, event, _ = next(events)
        self.assertEqual(event, "reset")
        again = WORLD.clients["viewer"].events(last)
        next(again)
        WORLD.job()
        # Beside it the jobs of other tests tick.
        event = next(each[1] for each in again if each[1] != "runs")
        self.assertEqual(event, "jobs", "the id of the reset goes on from there")

    def test_others_hear_nothing(self) -> None:
        stream = WORLD.rival.events()
        next(stream)
        WORLD.job()
        theirs = WORLD.rival.call("createJob", body={"job_name": WORLD.name(), "every": "1d"}).json
        event = next(each for each in stream if each[1] == "jobs")
        self.assertEqual([news["job_id"] for news in event[2]["jobs"]], [theirs["job_id"]])
        stream.close()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
