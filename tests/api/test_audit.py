"""Every call that changes something leaves a row in the audit: test_audit.py BELFRY sqlite|postgres

Made from the document: a new operation that may change something needs its deed here, or a reason to have none.
"""

import re
import sys
import time
import unittest
from typing import Any

from document import PATH, Operation
from fixtures import FIXTURES, Maker
from harness import DOCUMENT, PATIENCE, Client, Request
from matrix import role_of
from world import World

BELFRY, STORE = sys.argv[1], sys.argv[2]
WORLD: World
PROTO = PATH.parent / "proto" / "belfry" / "v1" / "dispatcher.proto"

# What needs no row, and why not.
WITHOUT_A_ROW = {
    **dict.fromkeys(("claimRuns", "beatRuns", "completeRuns"), "a worker's daily work: the run's history has it"),
    **dict.fromkeys(("reportCheckin", "startCheckin", "okCheckin", "failCheckin"), "a report of work: the run's history has it"),
    **dict.fromkeys(("signIn", "signOut", "drawSignInLink", "redeemSignInLink"),
                    "a cookie for a key that the caller has, or a link to it: nothing is kept"),
    "previewSchedule": "computes, and changes nothing",
    "testAlertRule": "a try-out: no rule is changed; the messages are listed",
}
# All that there is over gRPC: a worker's daily work, too.
OVER_GRPC = ["Claim", "Heartbeat", "Complete", "Work"]

# The action that the row of each operation names.
DEEDS = {
    "createJob": "job.create", "putJobs": "job.create", "putJob": "job.create", "patchJob": "job.update",
    "deleteJob": "job.delete", "pauseJob": "job.pause", "resumeJob": "job.resume", "cancelJob": "job.cancel",
    "restoreRevision": "job.update", "triggerJob": "run.trigger", "backfillJob": "run.backfill",
    "makeCheckin": "checkin.token", "revokeCheckin": "checkin.revoked",
    "changeJobs": "bulk.begin", "changeRuns": "bulk.begin", "stopBulk": "bulk.stop",
    "cancelRun": "run.cancel", "unstickRun": "run.unstick", "retryRun": "run.retry",
    "putTenant": "tenant.put", "createKey": "key.created", "revokeKey": "key.revoked", "rotateKey": "key.replaced",
    "putAlertRule": "alert_rule.put", "deleteAlertRule": "alert_rule.deleted",
    "createAlertSilence": "alert_silence.created", "deleteAlertSilence": "alert_silence.deleted",
    "putCalendar": "calendar.put", "deleteCalendar": "calendar.deleted",
    "putType": "type.put", "deleteType": "type.deleted",
    "putSecret": "secret.put", "deleteSecret": "secret.deleted", "rotateSecrets": "secrets.rotate",
}


def setUpModule() -> None:
    global WORLD
    WORLD = World(BELFRY, STORE)


def tearDownModule() -> None:
    assert WORLD.stop() == 0, "the server did not end well:\n" + "".join(WORLD.server.log[-20:])


def at(job: dict) -> dict:
    return {"job": job["job_id"]}


def resumed(world: World) -> Request:
    job = world.job()
    world.call("pauseJob", path=at(job))
    return Request("resumeJob", path=at(job), body={})


def restored(world: World) -> Request:
    job = world.job()
    world.call("patchJob", path=at(job), body={"timeout": "7m"})
    return Request("restoreRevision", path={**at(job), "version": "1"}, body={})


def cancelled(world: World) -> Request:
    run = world.run()
    return Request("changeRuns", body={"action": "cancel", "selector": {"state": "READY", "job_id": run["job_id"]}})


def backfilled(world: World) -> Request:
    body = {"from": "2026-01-01T00:00:00Z", "to": "2026-01-03T00:00:00Z"}
    return Request("backfillJob", path=at(world.job()), body=body)


# Where the matrix's call succeeds without changing anything, one that does.
CHANGES: dict[str, Maker] = {**FIXTURES, "resumeJob": resumed, "restoreRevision": restored, "changeRuns": cancelled,
                             "backfillJob": backfilled}


def newest() -> int:
    return WORLD.call("listAudit", query={"limit": 1}).json["items"][0]["seq"]


def rows_after(seq: int) -> list[dict]:
    rows = WORLD.call("listAudit", query={"limit": 200}).json["items"]
    return [row for row in rows if row["seq"] > seq]


class Rows(unittest.TestCase):
    """One test for each operation that may change something, made below."""

    def who(self, role: str) -> dict[str, Any]:
        [key] = [key for key in WORLD.call("listKeys").json["items"] if key["name"] == role]
        return key

    def check(self, operation: Operation) -> None:
        self.assertIn(operation.id, DEEDS, "say which row it leaves, or in WITHOUT_A_ROW why it leaves none")
        role = role_of(operation)
        request = CHANGES[operation.id](WORLD)
        before = newest()
        WORLD.clients[role].send(request)
        self.left_by(role, DEEDS[operation.id], before)

    def left_by(self, role: str, action: str, before: int) -> dict:
        rows = [row for row in rows_after(before) if row["actor"] == f"key:{role}"]
        self.assertIn(action, [row["action"] for row in rows], rows)
        row = next(row for row in rows if row["action"] == action)
        origin = {name: row["detail"].get(name) for name in ("key_id", "address")}
        self.assertEqual(origin, {"key_id": self.who(role)["key_id"], "address": "127.0.0.1"}, row)
        self.assertTrue(row["detail"]["request_id"], row)
        self.assertRegex(row["object"], "^[a-z_]+:.")
        return row

    def check_stop(self, operation: Operation) -> None:
        """Work that is over cannot be stopped any more, so this takes much of it, and maybe a few tries."""
        prefix = WORLD.name() + "."
        WORLD.call("putJobs", body={"jobs": [{"job_name": f"{prefix}{i}", "every": "30d"} for i in range(2000)]})
        end = time.monotonic() + PATIENCE
        for turn in range(1000):
            body = {"action": "label", "selector": {"name_prefix": prefix}, "set": {"turn": str(turn)}}
            work = WORLD.call("changeJobs", body=body).json
            before = newest()
            stopped = WORLD.clients["operator"].call("stopBulk", path={"bulk": work["bulk_id"]}, body={}).json
            if stopped["state"] == "STOPPED":
                self.assertEqual(self.left_by("operator", "bulk.stop", before)["object"], f"bulk:{work['bulk_id']}")
                return
            self.assertLess(time.monotonic(), end, "each time the work was over at once")


class Lists(unittest.TestCase):
    def test_both_lists_are_of_operations_that_there_are(self) -> None:
        changing = {each.id for each in DOCUMENT.operations.values() if each.method != "GET"}
        self.assertEqual(changing, {*DEEDS, *WITHOUT_A_ROW})
        self.assertFalse(set(DEEDS) & set(WITHOUT_A_ROW))

    def test_over_grpc_there_is_only_work(self) -> None:
        self.assertEqual(re.findall(r"^  rpc (\w+)", PROTO.read_text("utf-8"), re.MULTILINE), OVER_GRPC)


class BeforeAndAfter(unittest.TestCase):
    """A change says what was there, and what is there now; secrets hidden."""

    def changed(self, operation: str, path: dict, first: dict, second: dict) -> dict:
        WORLD.call(operation, path=path, body=first)
        before = newest()
        WORLD.call(operation, path=path, body=second)
        [row] = rows_after(before)
        return row["detail"]

    def test_a_tenant(self) -> None:
        detail = self.changed("putTenant", {"tenant": WORLD.name()}, {"weight": 2, "max_jobs": 5}, {"weight": 3, "max_jobs": 5})
        self.assertEqual((detail["changed"], detail["before"], detail["after"]), (["weight"], {"weight": 2}, {"weight": 3}))

    def test_a_key(self) -> None:
        before = newest()
        wanted = {"scope": "worker", "expires_at": "2099-01-01T00:00:00Z"}
        key = WORLD.call("createKey", body={"name": WORLD.name(), **wanted, "permissions": ["exec"]}).json
        WORLD.call("revokeKey", path={"key": key["key_id"]})
        [revoked, made] = rows_after(before)
        for shown in (made["detail"]["after"], revoked["detail"]["before"]):
            self.assertEqual(shown, {**wanted, "may_exec": True})

    def test_a_calendar(self) -> None:
        detail = self.changed("putCalendar", {"calendar": WORLD.name()}, {"rules": ["SAT"]}, {"rules": ["SUN"]})
        self.assertEqual((detail["before"], detail["after"]),
                         ({"revision": 1, "rules": ["SAT"]}, {"revision": 2, "rules": ["SUN"]}))

    def test_a_type(self) -> None:
        detail = self.changed("putType", {"type": WORLD.name()}, {"max_concurrent": 5}, {"rate": "2/s"})
        self.assertEqual(detail["before"], {"max_concurrent": 5})
        self.assertEqual(detail["after"]["rate"], "2/s")

    def test_a_rule_of_alerts(self) -> None:
        to = [{"kind": "HTTP", "url": "https://example.org/T0PSECRET/x", "form": "slack"},
              {"kind": "HTTP", "url": "https://example.org/", "secret": "whsec_Q0FOQVJZ"}]
        path = {"rule": WORLD.name()}
        detail = self.changed("putAlertRule", path, {"when": "missed", "to": to[:1]}, {"when": "dead_letters", "to": to})
        self.assertEqual((detail["before"]["when"], detail["after"]["when"]), ("missed", "dead_letters"))
        before = newest()
        WORLD.call("deleteAlertRule", path=path)
        [row] = rows_after(before)
        self.assertEqual(row["detail"]["before"]["when"], "dead_letters")
        for secret in ("T0PSECRET", "whsec", "Q0FOQVJZ"):
            self.assertNotIn(secret, str((detail, row)))

    def test_what_is_gone_is_told(self) -> None:
        calendar, name = WORLD.calendar(), WORLD.job_type()
        before = newest()
        WORLD.call("deleteCalendar", path={"calendar": calendar})
        WORLD.call("deleteType", path={"type": name})
        silence = WORLD.alert_silence()
        WORLD.call("deleteAlertSilence", path={"silence": silence})
        told = {row["action"]: row["detail"].get("before") for row in rows_after(before)}
        self.assertEqual(told["calendar.deleted"]["rules"], ["SAT,SUN"])
        self.assertEqual(told["type.deleted"]["max_concurrent"], 1000)
        self.assertIn("until", told["alert_silence.deleted"])

    def test_bulk_work_says_what_was_asked_for_and_a_repeated_call_nothing(self) -> None:
        before = newest()
        body = {"action": "pause", "selector": {"name_prefix": WORLD.name()}, "note": "the disk is full"}
        for _ in range(2):
            WORLD.call("changeJobs", body=body, headers={"Idempotency-Key": body["selector"]["name_prefix"]})
        WORLD.call("changeJobs", body={**body, "dry_run": True})
        [row] = rows_after(before)
        self.assertEqual((row["detail"]["what"], row["detail"]["note"]), ("pause jobs", "the disk is full"))
        self.assertIn(body["selector"]["name_prefix"], row["detail"]["selector"])


class Refusals(unittest.TestCase):
    """What only admins and root may do, asked for by another: one test for each such operation, made below."""

    def check(self, operation: Operation) -> None:
        name = WORLD.name()
        key = WORLD.call("createKey", body={"name": name, "scope": "viewer"}).json
        before = newest()
        request = FIXTURES[operation.id](WORLD)
        Client(WORLD.server.address, key["secret"]).send(request, 403)
        rows = [row for row in rows_after(before) if row["action"] == "call.refused"]
        self.assertEqual([row["actor"] for row in rows], [f"key:{name}"])
        self.assertEqual(rows[0]["object"], f"call:{operation.method} {request.target().partition('?')[0]}")
        self.assertEqual((rows[0]["detail"]["key_id"], rows[0]["detail"]["reason"]), (key["key_id"], "forbidden"))


def add(case: type[unittest.TestCase], name: str, check: str, operation: Operation) -> None:
    setattr(case, f"test_{name}", lambda self: getattr(self, check)(operation))


for each in DOCUMENT.operations.values():
    if each.method != "GET" and each.id not in WITHOUT_A_ROW:
        add(Rows, each.id, "check_stop" if each.id == "stopBulk" else "check", each)
    if each.access in ("administer", "root"):
        add(Refusals, each.id, "check", each)

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
