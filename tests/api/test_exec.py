"""Without the permission `exec` no call makes or changes a job that runs a command: test_exec.py BELFRY sqlite|postgres

Made from the document: a new operation that may change something, and a new field of a job, need a decision here.
"""

import sys
import unittest
from typing import Any, Callable, Iterator

from document import Operation
from fixtures import FIXTURES
from harness import DOCUMENT, Client, Request
from matrix import change, role_of
from world import World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World

COMMAND = {"kind": "EXEC", "command": ["true"]}
PLAIN = {"every": "1d"}

# What a patch of each field would make of a job with a command. What only says something of the job is free.
FREE = {"labels": {"team": "ops"}, "description": "what it is for"}
PATCHES: dict[str, Any] = {
    "job_name": "another-name", "job_type": "other", "schedule_type": "EVERY", "cron_expression": "1 1 * * *",
    "timezone": "Asia/Tokyo", "dialect": "quartz", "dst_gap": "SKIP", "dst_overlap": "BOTH", "every": "2d",
    "run_at": "2099-01-01T00:00:00Z", "delay": "1h", "start_at": "2098-01-01T00:00:00Z", "end_at": "2099-01-01T00:00:00Z",
    "jitter": "5m", "calendar": None, "calendar_policy": "DELAY", "target": {"kind": "WORKER"}, "payload": {"n": 2},
    "handler_url": "https://example.org/", "max_attempts": 9, "retry": {"base": "2s"}, "timeout": "7m",
    "concurrency_policy": "ALLOW", "allow_overlap": True, "max_concurrent": 4, "misfire_policy": "FIRE_ALL", "misfire_grace": "2d",
    "max_missed_firings": 5, "start_within": "5m", "stop_within": "9s", "priority": -3, "run_in": "any",
}
IMMOVABLE = {"tenant_id", "home_region"}  # for everybody
# Of a job as it is shown, what is not its definition.
BESIDE = {*FREE, "status", "next_scheduled_run", "version", "updated_at", "last_run", "failures_in_a_row", "paused"}


def setUpModule() -> None:
    global WORLD
    WORLD = World(BELFRY, STORE)


def tearDownModule() -> None:
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def at(job: dict) -> dict[str, str]:
    return {"job": job["job_id"]}


def with_command() -> dict:
    """A job that runs a command. Its type and its calendar are its own."""
    return WORLD.job(target=COMMAND, job_type=WORLD.job_type(), calendar=WORLD.calendar(), payload={"n": 1})


def definition(job: dict) -> dict:
    shown = WORLD.call("getJob", path=at(job)).json
    return {name: value for name, value in shown.items() if name not in BESIDE}


# ---- The ways to a command. What each yields must be refused; `job` has a command.

Way = dict[str, Any]


def creating(_job: dict) -> Iterator[Way]:
    yield {"body": {"job_name": WORLD.name(), **PLAIN, "target": COMMAND}}


def putting(job: dict) -> Iterator[Way]:
    """A job without a command, put over one that has a command, is a change of that one."""
    by_id, by_name = at(job), {"job": f"name:{job['job_name']}"}
    yield {"path": by_name, "body": PLAIN}
    yield {"path": by_id, "body": PLAIN}
    yield {"path": by_id, "body": {**PLAIN, "job_name": WORLD.name()}}
    yield {"path": by_id, "body": PLAIN, "headers": {"If-Match": f'"{job["version"]}"'}}
    yield {"path": by_id, "body": {**PLAIN, **FREE, "target": COMMAND}}
    yield {"path": by_name, "body": {**PLAIN, "target": {"kind": "WORKER"}}}
    yield {"path": at(WORLD.job()), "body": {**PLAIN, "target": COMMAND}}
    yield {"path": {"job": f"name:{WORLD.name()}"}, "body": {**PLAIN, "target": COMMAND}}


def putting_many(job: dict) -> Iterator[Way]:
    harmless = {"job_name": WORLD.name(), **PLAIN}
    for other in ({"job_name": job["job_name"], **PLAIN}, {"job_name": WORLD.name(), **PLAIN, "target": COMMAND}):
        for how in ({}, {"atomic": False}, {"dry_run": True}):
            yield {"body": {"jobs": [harmless, other], **how}}


def patching(job: dict) -> Iterator[Way]:
    for name, value in PATCHES.items():
        yield {"path": at(job), "body": {name: value}}
    yield {"path": at(WORLD.job()), "body": {"target": COMMAND}}


def restoring(_job: dict) -> Iterator[Way]:
    got_one, lost_one = WORLD.job(), WORLD.job(target=COMMAND)
    WORLD.call("patchJob", path=at(got_one), body={"target": COMMAND})
    WORLD.call("patchJob", path=at(lost_one), body={"target": {"kind": "WORKER"}})
    for each in (got_one, lost_one):
        yield {"path": {**at(each), "version": "1"}}


def feeding(job: dict) -> Iterator[Way]:
    yield {"path": at(job), "body": {"payload": {"n": 2}}}


def retrying(_job: dict) -> Iterator[Way]:
    """A run with a payload of one's own, from when its job had no command yet."""
    run = WORLD.run()
    WORLD.call("cancelRun", path={"run": run["run_id"]}, body={})
    WORLD.call("patchJob", path=at(run), body={"target": COMMAND})
    yield {"path": {"run": run["run_id"]}}


def giving_it(_job: dict) -> Iterator[Way]:
    yield {"body": {"name": WORLD.name(), "scope": "operator", "permissions": ["exec"]}}


def taking_it(_job: dict) -> Iterator[Way]:
    """A key in the place of one that has it."""
    key = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "operator", "permissions": ["exec"]}).json
    yield {"path": {"key": key["key_id"]}}


WAYS: dict[str, Callable[[dict], Iterator[Way]]] = {
    "createJob": creating, "putJob": putting, "putJobs": putting_many, "patchJob": patching, "restoreRevision": restoring,
    "triggerJob": feeding, "retryRun": retrying, "createKey": giving_it, "rotateKey": taking_it,
}

# ---- What changes no command, and why not. Each is called about a job that has one, which then is as it was.

_LOOKS_AFTER = "whether it runs, not what"
_RUNS = "a run has the command and the payload that it was made with"
_SHARED = "says when jobs may run, and is no job's own"
_OTHER = "is about no job"
NO_WAY: dict[str, str] = {
    **dict.fromkeys(("deleteJob", "pauseJob", "resumeJob", "cancelJob", "backfillJob"), _LOOKS_AFTER),
    **dict.fromkeys(("changeJobs", "changeRuns", "stopBulk"), "the same for many; a trigger of many takes no payload, a retry of many gives none to a command"),
    **dict.fromkeys(("cancelRun", "unstickRun", "claimRuns", "beatRuns", "completeRuns"), _RUNS),
    **dict.fromkeys(("putCalendar", "deleteCalendar", "putType", "deleteType", "putTenant"), _SHARED),
    **dict.fromkeys(("makeCheckin", "revokeCheckin", "reportCheckin", "startCheckin", "okCheckin", "failCheckin"),
                    "belongs to jobs whose work is done elsewhere"),
    **dict.fromkeys(("putAlertRule", "deleteAlertRule", "testAlertRule", "createAlertSilence", "deleteAlertSilence"),
                    "tells what became of runs; nobody is told by a command"),
    **dict.fromkeys(("putSecret", "deleteSecret", "rotateSecrets"), "commands get no secrets"),
    **dict.fromkeys(("signIn", "signOut", "drawSignInLink", "redeemSignInLink"), "a session may what its key may"),
    **dict.fromkeys(("previewSchedule", "revokeKey"), _OTHER),
}


def about(job: dict, request: Request) -> Request:
    """The same call, about this job, its type and its calendar."""
    ours = {"job": job["job_id"], "type": job["job_type"], "calendar": job["calendar"]}
    path = {name: ours.get(name, value) for name, value in (request.path or {}).items()}
    body = request.body
    if isinstance(body, dict) and "selector" in body:
        body = {**body, "selector": {"state": "READY", "job_id": job["job_id"]} if request.operation == "changeRuns"
                else {"name_prefix": job["job_name"]}}
    return change(request, path=path, body=body)


class Decided(unittest.TestCase):
    def test_there_is_a_decision_for_each_operation(self) -> None:
        changing = {each.id for each in DOCUMENT.operations.values() if each.method != "GET"}
        self.assertEqual(changing, {*WAYS, *NO_WAY})
        self.assertFalse(set(WAYS) & set(NO_WAY))

    def test_there_is_a_decision_for_each_field(self) -> None:
        fields = DOCUMENT.at("#/components/schemas/JobDefinition")["properties"]
        given = {name for name, field in fields.items() if not DOCUMENT.resolve(field).get("readOnly")}
        self.assertEqual(given, {*FREE, *PATCHES, *IMMOVABLE})


class Calls(unittest.TestCase):
    """One test for each operation that may change something, made below."""

    def client(self, operation: Operation) -> Client:
        """Whoever may call it, without the permission."""
        role = role_of(operation)
        if role == "nobody":
            return WORLD.clients["nobody"]
        key = WORLD.call("createKey", body={"name": WORLD.name(), "scope": role}).json
        return Client(WORLD.server.address, key["secret"])

    def check_way(self, operation: Operation) -> None:
        client, job = self.client(operation), with_command()
        before = definition(job)
        for parts in WAYS[operation.id](job):
            with self.subTest(operation.id, parts=parts):
                self.assertIn("`exec`", client.call(operation.id, expect=403, **parts).json["detail"])
                names = {each.get("job_name") for each in (parts.get("body") or {}).get("jobs", [])} - {job["job_name"]}
                for name in names:  # nothing of a batch is done
                    self.assertEqual(WORLD.call("listJobs", query={"q": name}).json["items"], [])
        self.assertEqual(definition(job), before)

    def check_no_way(self, operation: Operation) -> None:
        client, job = self.client(operation), with_command()
        before = definition(job)
        answer = client.exchange(operation, about(job, FIXTURES[operation.id](WORLD)))
        self.assertLess(answer.status, 500)
        self.assertNotEqual(answer.status, 403, answer.body)
        if operation.id != "deleteJob":
            self.assertEqual(definition(job), before)


class Commands(unittest.TestCase):
    """What whoever looks after jobs may do to one that runs a command."""

    @classmethod
    def setUpClass(cls) -> None:
        made = WORLD.call("createKey", body={"name": WORLD.name(), "scope": "operator"}).json
        cls.operator = Client(WORLD.server.address, made["secret"])

    def test_with_the_permission_all_of_it(self) -> None:
        trusted = WORLD.clients["operator"]
        job = trusted.call("createJob", body={"job_name": WORLD.name(), **PLAIN, "target": COMMAND}).json
        trusted.call("patchJob", path=at(job), body={"payload": {"n": 2}})
        trusted.call("triggerJob", path=at(job), body={"payload": {"n": 3}})
        trusted.call("putJob", path=at(job), body=PLAIN)
        trusted.call("restoreRevision", path={**at(job), "version": "1"})

    def test_sending_it_as_it_is(self) -> None:
        job = WORLD.job(target=COMMAND)
        same = {"job_name": job["job_name"], "cron_expression": job["cron_expression"], "target": COMMAND}
        self.operator.call("putJob", path=at(job), body=same)
        self.operator.call("putJobs", body={"jobs": [same]})
        self.operator.call("triggerJob", path=at(job), body={"payload": job["payload"]})

    def test_labels_and_description_say_nothing_of_what_runs(self) -> None:
        job = WORLD.call("createJob", body={"job_name": WORLD.name(), **PLAIN, "target": COMMAND}).json
        self.operator.call("patchJob", path=at(job), body=FREE)
        self.operator.call("putJobs", body={"jobs": [{"job_name": job["job_name"], **PLAIN, "target": COMMAND, **FREE}]})

    def test_looking_after_many(self) -> None:
        """Bulk work gives no job another command; its trigger takes no payload."""
        name = with_command()["job_name"]
        meant = {"selector": {"name_prefix": name}}
        for action in ({"action": "label", "set": {"a": "b"}}, {"action": "pause"}, {"action": "trigger"}, {"action": "delete"}):
            self.operator.call("changeJobs", expect=202, body={**meant, **action})
        self.operator.call("changeJobs", expect=422, body={**meant, "action": "trigger", "payload": {"n": 2}})


for each in DOCUMENT.operations.values():
    if each.method != "GET":
        name = "check_way" if each.id in WAYS else "check_no_way"
        setattr(Calls, f"test_{each.id}", lambda self, name=name, operation=each: getattr(self, name)(operation))

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
