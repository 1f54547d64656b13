"""For each operation of the document, a call that succeeds: the only thing the matrix cannot make up itself."""

from typing import Callable

from harness import Request
from world import World

PERIOD = {"from": "2026-01-01T00:00:00Z", "to": "2100-01-01T00:00:00+01:00"}
BIG_JOB = {
    "job_type": "report.build",
    "schedule_type": "CRON",
    "cron_expression": "30 2 * * MON-FRI",
    "timezone": "Europe/Berlin",
    "dialect": "standard",
    "dst_gap": "SKIP",
    "dst_overlap": "BOTH",
    "start_at": "2026-01-01T00:00:00Z",
    "end_at": "2099-12-31T23:59:59.999999+02:00",
    "jitter": "5m",
    "target": {"kind": "HTTP", "url": "https://example.org/hook", "method": "PUT", "headers": {"X-A": "b"}, "secret": "whsec_YWJj"},
    "payload": {"deep": [1, 2.5, None, True, {"ü": "日本"}]},
    "max_attempts": 7,
    "retry": {"base": "2s", "cap": "1m30s"},
    "timeout": "250ms",
    "concurrency_policy": "ALLOW",
    "max_concurrent": 4,
    "misfire_policy": "FIRE_ALL",
    "misfire_grace": "2d",
    "max_missed_firings": 5,
    "priority": -3,
    "labels": {"env": "prod", "team": "näb"},
    "description": "line\nline",
}

Maker = Callable[[World], Request]


def about_job(operation: str, body: object = None, query: dict | None = None) -> Maker:
    return lambda world: Request(operation, path={"job": world.job()["job_id"]}, body=body, query=query)


def heartbeat(world: World) -> Request:
    run = world.claimed()
    beat = {"run_id": run["run_id"], "fence": run["fence"], "log": "line\nline\n", "progress": {"done": 1, "total": 3}}
    return Request("beatRuns", body={"runs": [beat], "lease_seconds": 60})


def shown(world: World) -> Request:
    run = world.claimed()
    beat = {"run_id": run["run_id"], "fence": run["fence"], "log": "so far"}
    world.call("beatRuns", "worker", body={"runs": [beat]})
    return Request("getRunLog", path={"run": run["run_id"]}, query={"attempt": 1})


def complete(world: World) -> Request:
    run = world.claimed()
    report = {"run_id": run["run_id"], "fence": run["fence"], "status": "FAILED", "error": "no", "retryable": True}
    shown = {"log": "all of it", "progress": {"done": 3, "total": 3}, "retry_after_seconds": 5}
    return Request("completeRuns", body={"runs": [{**report, **shown, "result": {"sent": 1}}]})


def claim(world: World) -> Request:
    body = {"worker_id": "w", "job_types": [world.run()["job_type"], "other"], "exec_types": ["default"], "max_runs": 2, "lease_seconds": 30, "wait_seconds": 1}
    return Request("claimRuns", body=body)


def revoke(world: World) -> Request:
    key = world.call("createKey", body={"name": world.name(), "scope": "viewer"}).json
    return Request("revokeKey", path={"key": key["key_id"]})


def rotate(world: World) -> Request:
    key = world.call("createKey", body={"name": world.name(), "scope": "viewer"}).json
    return Request("rotateKey", path={"key": key["key_id"]}, body={"overlap": "5m"})


def bulk(world: World) -> str:
    body = {"action": "resume", "selector": {"name_prefix": world.name()}}
    return world.call("changeJobs", body=body).json["bulk_id"]


def sign_in_code(world: World) -> str:
    return world.call("drawSignInLink", "viewer", body={}).json["path"].partition("#sign-in=")[2]


def used_job(world: World) -> str:
    return world.finished()["job_id"]


FIXTURES: dict[str, Maker] = {
    "getSession": lambda world: Request("getSession"),
    "signIn": lambda world: Request("signIn", body={}),
    "signOut": lambda world: Request("signOut"),
    "drawSignInLink": lambda world: Request("drawSignInLink", body={}),
    "redeemSignInLink": lambda world: Request("redeemSignInLink", body={"code": sign_in_code(world)}),
    "listJobs": lambda world: Request(
        "listJobs", query={"status": "ACTIVE", "job_type": "default", "label": ["a=b", "c=d"], "q": "x", "limit": 10}
    ),
    "createJob": lambda world: Request("createJob", body={"job_name": world.name(), **BIG_JOB, "calendar": world.calendar()}),
    "putJobs": lambda world: Request(
        "putJobs", body={"jobs": [{"job_name": world.name(), **BIG_JOB}, {"job_name": world.name(), "every": "90s"}], "paused": True}
    ),
    "changeJobs": lambda world: Request(
        "changeJobs",
        body={
            "action": "pause",
            "selector": {"labels": ["no!=body", "env in (a,b)"], "name_prefix": world.name(), "name_contains": "x", "status": "ACTIVE",
                         "job_type": "default", "failing": True, "all": False},
            "until": "2099-01-01T00:00:00Z", "note": "a note", "dry_run": False,
        },
    ),
    "changeRuns": lambda world: Request(
        "changeRuns", body={"action": "cancel", "selector": {"state": "READY", "job_id": world.job()["job_id"], **PERIOD}, "note": "why", "dry_run": True}
    ),
    "listBulk": lambda world: Request("listBulk", query={"limit": 2}),
    "getBulk": lambda world: Request("getBulk", path={"bulk": bulk(world)}),
    "stopBulk": lambda world: Request("stopBulk", path={"bulk": bulk(world)}, body={}),
    "getJob": about_job("getJob"),
    "putJob": lambda world: Request("putJob", path={"job": f"name:{world.name()}"}, body=BIG_JOB),
    "patchJob": about_job("patchJob", {"timeout": "10m", "labels": {"env": "dev"}, "retry": {"base": "1s"}, "priority": 2}),
    "deleteJob": about_job("deleteJob", query={"ready_runs": "keep"}),
    "pauseJob": about_job("pauseJob", {"until": "2099-01-01T00:00:00Z", "note": "a note"}),
    "resumeJob": about_job("resumeJob", {}),
    "cancelJob": about_job("cancelJob", {"ready_runs": "cancel"}),
    "triggerJob": about_job("triggerJob", {"payload": {"n": 2}}),
    "backfillJob": about_job("backfillJob", {"from": "2026-01-01T00:00:00Z", "to": "2026-01-05T00:00:00Z", "dry_run": True}),
    "getCheckin": lambda world: Request("getCheckin", path={"job": world.checkin()["job_id"]}),
    "makeCheckin": lambda world: Request("makeCheckin", path={"job": world.checkin()["job_id"]}, body={}),
    "revokeCheckin": lambda world: Request("revokeCheckin", path={"job": world.checkin()["job_id"]}),
    **{report: (lambda world, report=report: Request(report, path={"token": world.checkin()["token"]}, body={"exit_code": 3, "output": "ü\nend"}))
       for report in ("reportCheckin", "startCheckin", "okCheckin", "failCheckin")},
    "listRevisions": about_job("listRevisions", query={"limit": 2}),
    "restoreRevision": lambda world: Request("restoreRevision", path={"job": world.job()["job_id"], "version": "1"}, body={}),
    "listJobRuns": lambda world: Request("listJobRuns", path={"job": used_job(world)}, query={**PERIOD, "state": "SUCCEEDED", "limit": 5}),
    "listJobTicks": lambda world: Request("listJobTicks", path={"job": used_job(world)}, query={**PERIOD, "order": "oldest", "limit": 5}),
    "explainJob": about_job("explainJob", query={"at": "2026-03-01T03:00:00Z"}),
    "verifyJob": lambda world: Request("verifyJob", path={"job": used_job(world)}, query={**PERIOD, "cursor": used_job(world) + ".0"}),
    "verifyLedger": lambda world: Request("verifyLedger", query={**PERIOD, "cursor": "0000000000000000"}),
    "listProofs": lambda world: Request("listProofs", query={"limit": 5}),
    "getProof": lambda world: Request("getProof", path={"day": world.proven_day()}),
    "listProvenRows": lambda world: Request("listProvenRows", path={"day": world.proven_day()}, query={"limit": 5}),
    "nextTicks": about_job("nextTicks", query={"count": 3}),
    "previewSchedule": lambda world: Request(
        "previewSchedule",
        body={"cron_expression": "H 2 29 2 *", "timezone": "Europe/Berlin", "job_name": "x", "count": 3, "from": "2026-01-01T00:00:00Z"},
    ),
    "listRuns": lambda world: Request("listRuns", query={**PERIOD, "state": "DEAD", "limit": 3}),
    "getRun": lambda world: Request("getRun", path={"run": world.finished("FAILED")["run_id"]}),
    "getRunLog": shown,
    "cancelRun": lambda world: Request("cancelRun", path={"run": world.run()["run_id"]}, body={}),
    "unstickRun": lambda world: Request("unstickRun", path={"run": world.claimed()["run_id"]}, body={"note": "it hangs"}),
    "retryRun": lambda world: Request("retryRun", path={"run": world.finished("FAILED")["run_id"]}, body={}),
    "claimRuns": claim,
    "beatRuns": heartbeat,
    "completeRuns": complete,
    "getCluster": lambda world: Request("getCluster"),
    "getForecast": lambda world: Request("getForecast", query={"hours": 2}),
    "getForecastAdvice": lambda world: Request("getForecastAdvice", query={"hours": 2}),
    "getStats": lambda world: Request("getStats"),
    "getWorkers": lambda world: Request("getWorkers"),
    "jobWarnings": about_job("jobWarnings"),
    "streamEvents": lambda world: Request("streamEvents"),
    "listTenants": lambda world: Request("listTenants", query={"limit": 2}),
    "getTenant": lambda world: Request("getTenant", path={"tenant": "acme"}),
    "putTenant": lambda world: Request(
        "putTenant", path={"tenant": world.name()}, body={"weight": 2, "max_in_flight": 5, "max_requests": 100}
    ),
    "listKeys": lambda world: Request("listKeys"),
    "createKey": lambda world: Request(
        "createKey", body={"name": world.name(), "scope": "worker", "permissions": ["exec"], "expires_at": "2099-01-01T00:00:00Z"}
    ),
    "revokeKey": revoke,
    "rotateKey": rotate,
    "listAlerts": lambda world: Request("listAlerts", query={"open": True, "limit": 2}),
    "listAlertMessages": lambda world: Request("listAlertMessages", query={"failed": True}),
    "listAlertRules": lambda world: Request("listAlertRules", query={"limit": 2}),
    "getAlertRule": lambda world: Request("getAlertRule", path={"rule": world.alert_rule()}),
    "putAlertRule": lambda world: Request(
        "putAlertRule",
        path={"rule": world.name()},
        body={
            "when": "failures",
            "count": 2,
            "window": "10m",
            "labels": ["team=ops"],
            "recovered": False,
            "group_wait": "1m",
            "to": [
                {"kind": "HTTP", "url": "https://example.com/hook", "secret": "a-secret"},
                {"kind": "MAIL", "to": ["ops@example.com"]},
                {"kind": "TOPIC", "broker": "b", "topic": "t"},
            ],
        },
    ),
    "deleteAlertRule": lambda world: Request("deleteAlertRule", path={"rule": world.alert_rule()}),
    "testAlertRule": lambda world: Request("testAlertRule", path={"rule": world.alert_rule()}),
    "listAlertSilences": lambda world: Request("listAlertSilences"),
    "createAlertSilence": lambda world: Request(
        "createAlertSilence", body={"duration": "2h", "labels": ["team=ops"], "note": "the server moves"}
    ),
    "deleteAlertSilence": lambda world: Request("deleteAlertSilence", path={"silence": world.alert_silence()}),
    "listCalendars": lambda world: Request("listCalendars", query={"limit": 2}),
    "getCalendar": lambda world: Request("getCalendar", path={"calendar": world.calendar()}),
    "putCalendar": lambda world: Request(
        "putCalendar", path={"calendar": world.name()}, body={"rules": ["2026-12-24..2027-01-02", "25 DEC *", "SUN"]}
    ),
    "deleteCalendar": lambda world: Request("deleteCalendar", path={"calendar": world.calendar()}),
    "listTypes": lambda world: Request("listTypes", query={"limit": 2}),
    "getType": lambda world: Request("getType", path={"type": world.job_type()}),
    "putType": lambda world: Request(
        "putType",
        path={"type": world.job_type()},
        body={
            "max_concurrent": 5,
            "rate": "100/m",
            "burst": 10,
            "defaults": {"max_attempts": 2, "timeout": "90s", "start_within": "1h", "misfire_grace": "0s"},
        },
    ),
    "deleteType": lambda world: Request("deleteType", path={"type": world.job_type()}),
    "listSecrets": lambda world: Request("listSecrets", query={"limit": 2}),
    "putSecret": lambda world: Request("putSecret", path={"secret": world.name()}, body={"value": "whsec_YWJj"}),
    "deleteSecret": lambda world: Request("deleteSecret", path={"secret": world.secret()}),
    "rotateSecrets": lambda world: Request("rotateSecrets", body={"new_key": False}),
    "verifyAudit": lambda world: Request("verifyAudit", query={"cursor": "0.0.0.", "head": "1:" + "0" * 64}),
    "listAudit": lambda world: Request("listAudit", query={"limit": 2}),
    "getHealth": lambda world: Request("getHealth"),
    "getReadiness": lambda world: Request("getReadiness"),
    "getMetrics": lambda world: Request("getMetrics"),
    "getOpenapi": lambda world: Request("getOpenapi"),
    "getJobsSchema": lambda world: Request("getJobsSchema"),
}

# More good bodies, for fields and kinds the call above has no room for.
MORE_BODIES: dict[str, list[dict]] = {
    "createJob": [
        {"every": "15m", "target": {"kind": "CHECKIN"}, "start_within": "5m"},
        {"every": "15m", "start_at": "2026-01-01T00:00:00Z"},
        {"schedule_type": "EVERY", "every": "1s"},
        {"run_at": "2099-01-01T00:00:00Z"},
        {"delay": "1h", "handler_url": "http://example.org/x?y=z"},
        {"schedule_type": "CRON", "cron_expression": "@daily", "allow_overlap": True},
        {"cron_expression": "0 0 12 ? * 2#1", "dialect": "quartz"},
        {"cron_expression": "H H * * *", "payload": None},
        {"every": "1h", "target": {"kind": "WORKER"}},
        {"every": "1h", "target": {"kind": "TOPIC", "broker": "main", "topic": "things"}},
        {"every": "1h", "target": {"kind": "EXEC", "command": ["true", "--really", ""]}},
    ],
    "previewSchedule": [{"every": "15m"}, {"run_at": "2099-01-01T00:00:00Z"}, {"delay": "3d", "timezone": "Asia/Tokyo"}],
    "changeJobs": [
        {"action": "label", "selector": {"name_prefix": "nobody's "}, "set": {"a": "b"}, "remove": ["c"]},
        {"action": "delete", "selector": {"name_prefix": "nobody's "}, "ready_runs": "cancel"},
        {"action": "trigger", "selector": {"all": True}, "dry_run": True},
    ],
    "changeRuns": [{"action": "retry", "selector": {"state": "FAILED"}, "dry_run": True}],
    "putCalendar": [{"rules": []}],
    "putType": [{}, {"rate": "1/h"}, {"max_concurrent": 1, "defaults": {}}],
    "putTenant": [{}],
}

# What no schema says: bad bodies, each with the place that the refusal must name.
BAD_BODIES: dict[str, list[tuple[str, dict]]] = {
    "createJob": [
        ("/every", {"every": "0s"}),
        ("/every", {"every": "1500ms"}),
        ("/every", {"every": "4000d"}),
        ("/every", {"every": "1m", "schedule_type": "CRON", "cron_expression": "@daily"}),
        ("/run_at", {"schedule_type": "ONCE"}),
        ("/run_at", {"run_at": "2099-02-30T00:00:00Z"}),
        ("/run_at", {"run_at": "2099-02-01T00:00:00"}),
        ("/run_at", {"run_at": "2020-01-01T00:00:00Z"}),
        ("/delay", {"run_at": "2099-01-01T00:00:00Z", "delay": "1h"}),
        ("/cron_expression", {}),
        ("/cron_expression", {"cron_expression": "61 * * * *"}),
        ("/cron_expression", {"cron_expression": "0 0 31 2 *"}),
        ("/timezone", {"cron_expression": "@daily", "timezone": "Mars/Base"}),
        ("/end_at", {"every": "1m", "start_at": "2027-01-01T00:00:00Z", "end_at": "2026-01-01T00:00:00Z"}),
        ("/jitter", {"every": "1m", "jitter": "8d"}),
        ("/calendar", {"every": "1m", "calendar": "no-such-calendar"}),
        ("/home_region", {"every": "1m", "home_region": "atlantis"}),
        ("/tenant_id", {"every": "1m", "tenant_id": "rival"}),
        ("/retry/cap", {"every": "1m", "retry": {"base": "1h", "cap": "1m"}}),
        ("/retry/base", {"every": "1m", "retry": {"base": "0s"}}),
        ("/timeout", {"every": "1m", "timeout": "99ms"}),
        ("/timeout", {"every": "1m", "timeout": "31d"}),
        ("/misfire_grace", {"every": "1m", "misfire_grace": "-1h"}),
        ("/max_concurrent", {"every": "1m", "max_concurrent": 2}),
        ("/allow_overlap", {"every": "1m", "concurrency_policy": "FORBID", "allow_overlap": True}),
        ("/handler_url", {"every": "1m", "handler_url": "https://a.example", "target": {"kind": "WORKER"}}),
        ("/handler_url", {"every": "1m", "handler_url": "ftp://a.example"}),
        ("/target/kind", {"every": "1m", "target": {}}),
        ("/target/url", {"every": "1m", "target": {"kind": "HTTP", "url": "not a url"}}),
        ("/target/url", {"every": "1m", "target": {"kind": "HTTP", "url": "file:///etc/passwd"}}),
        ("/target/command", {"every": "1m", "target": {"kind": "EXEC", "command": []}}),
        ("/target/headers", {"every": "1m", "target": {"kind": "HTTP", "url": "http://a.example", "headers": {"Belfry-Fence": "1"}}}),
        ("/target/headers", {"every": "1m", "target": {"kind": "HTTP", "url": "http://a.example", "headers": {"X": "a\r\nY: b"}}}),
        ("/target/headers", {"every": "1m", "target": {"kind": "HTTP", "url": "http://a.example", "headers": {"X Y": "a"}}}),
        ("/target/secret", {"every": "1m", "target": {"kind": "HTTP", "url": "http://a.example", "secret": "********"}}),
        ("/job_name", {"every": "1m", "job_name": " a"}),
        ("/job_name", {"every": "1m", "job_name": "a\nb"}),
        ("/payload", {"every": "1m", "payload": ["x" * 1000] * 66}),
    ],
    "claimRuns": [
        ("/job_types", {"worker_id": "w"}),
        ("/job_types", {"worker_id": "w", "job_types": ["HTTP *"]}),
        ("/exec_types", {"worker_id": "w", "exec_types": ["two words"]}),
        ("/region", {"worker_id": "w", "job_types": ["t"], "region": "atlantis"}),
    ],
    "changeJobs": [
        ("/selector", {"action": "pause", "selector": {"all": False}}),
        ("/selector/labels", {"action": "pause", "selector": {"labels": ["env"]}}),
        ("/until", {"action": "pause", "selector": {"all": True}, "until": "2020-01-01T00:00:00Z"}),
        ("/until", {"action": "resume", "selector": {"all": True}, "until": "2099-01-01T00:00:00Z"}),
        ("/ready_runs", {"action": "pause", "selector": {"all": True}, "ready_runs": "cancel"}),
        ("/set", {"action": "label", "selector": {"all": True}}),
        ("/set/a b", {"action": "label", "selector": {"all": True}, "set": {"a b": "c"}}),
    ],
    "changeRuns": [
        ("/selector/state", {"action": "cancel", "selector": {"state": "DEAD"}}),
        ("/selector/state", {"action": "retry", "selector": {"state": "READY"}}),
        ("/selector/job_id", {"action": "retry", "selector": {"state": "DEAD", "job_id": "nobody"}}),
    ],
    "pauseJob": [("/until", {"until": "2020-01-01T00:00:00Z"})],
    "backfillJob": [
        ("/to", {"from": "2026-01-02T00:00:00Z", "to": "2026-01-01T00:00:00Z"}),
        ("/to", {"from": "1970-01-01T00:00:00Z", "to": "2026-01-01T00:00:00Z"}),
    ],
    "createKey": [("/expires_at", {"name": "late", "scope": "viewer", "expires_at": "2020-01-01T00:00:00Z"}),
                  *(("/name", {"name": f"a{odd}b", "scope": "viewer"}) for odd in ("\t", "\n", "\x1b", "\x7f", "\x9b", "\u202e"))],
    "putCalendar": [("/rules", {"rules": ["someday"]})],
    "putType": [
        ("/rate", {"rate": "1000001/s"}),
        ("/burst", {"burst": 5}),
        ("/burst", {"rate": "1000/s", "burst": 99}),
        ("/defaults/timeout", {"defaults": {"timeout": "99ms"}}),
        ("/defaults/start_within", {"defaults": {"start_within": "0s"}}),
    ],
    "previewSchedule": [("/cron_expression", {}), ("/cron_expression", {"cron_expression": "* * *"})],
}
