"""A server with two tenants and a key of each kind, and functions that make things to call about."""

import datetime
import itertools
import json
from typing import Any

from harness import Answer, Client, Server

ROLES = ("viewer", "operator", "worker", "admin", "metrics", "root")
ALLOWED = {
    "read": {"viewer", "operator", "admin", "root"},
    "operate": {"operator", "admin", "root"},
    "work": {"worker", "operator", "admin", "root"},
    "administer": {"admin", "root"},
    "metrics": {"metrics", "root"},
    "root": {"root"},
    "public": {*ROLES, "nobody"},
}
# The least role that may call an operation, unless something else is said.
LEAST = {"read": "viewer", "operate": "operator", "work": "worker", "administer": "admin", "metrics": "metrics",
         "root": "root", "public": "nobody"}
THEIRS = "theirs-5e1f"  # the name of everything that is the rival's, and of nothing else


class World:
    def __init__(self, belfry: str, store: str) -> None:
        self.server = Server(belfry, store)
        self._numbers = itertools.count(1)
        try:
            self._settle()
        except BaseException:
            self.server.stop()
            raise

    def _settle(self) -> None:
        """Without any key, the owner of the server is root; from the first key on, nobody is without one."""
        first = Client(self.server.address)
        for tenant in ("acme", "rival"):
            first.call("putTenant", path={"tenant": tenant}, body={})
        acme, rival = {"Belfry-Tenant": "acme"}, {"Belfry-Tenant": "rival"}
        root = first.call("createKey", headers=acme, body={"name": "root", "scope": "root"}).json["secret"]
        self.clients = {"nobody": first, "root": Client(self.server.address, root)}
        for role in ("viewer", "operator", "worker", "admin", "metrics"):
            self.clients[role] = Client(self.server.address, self._key(role, acme))
        self.rival = Client(self.server.address, self._key("operator", rival))
        self._settle_rival(rival)

    def proven_day(self, tenant_name: str = "acme", day: str = "2026-01-02") -> str:
        """A day that is stated: nobody waits for midnight here. What is in the ledger is another matter."""
        stated = {name: 0 for name in ("belfry_proof", "jobs", "ticks", "runs", "holes", "doubles", "early", "strays", "wrong_fates",
                                       "wrong_counts", "unproven", "ledger_rows")}
        stated |= {"tenant": tenant_name, "day": day, "from": f"{day}T00:00:00Z", "to": f"{day}T23:59:59.999999Z",
                   "as_of": f"{day}T23:59:59Z", "skips": {}, "ledger_digest": "0" * 64, "previous": None}
        tenant = f"(select id from tenants where name = '{tenant_name}')"
        rest = f"'{json.dumps(stated)}', '{'0' * 64}', '', ''"
        micros = int(datetime.datetime.fromisoformat(f"{day}T00:00:00Z").timestamp()) * 1_000_000
        columns = "tenant_id, day, statement, digest, public_key, signature, sealed_at"
        self.server.change_store(
            postgres=f"insert into proofs ({columns}) select {tenant}, '{day}Z', {rest}, now() on conflict do nothing",
            sqlite=f"insert into proofs ({columns}) select {tenant}, {micros}, {rest}, {micros} where true on conflict do nothing")
        return day

    def _settle_rival(self, rival: dict[str, str]) -> None:
        """One of each kind of thing that is none of acme's business."""
        root = self.clients["root"]
        self.rival_key = root.call("createKey", headers=rival, body={"name": THEIRS, "scope": "viewer"}).json
        root.call("putCalendar", path={"calendar": THEIRS}, headers=rival, body={"rules": ["SAT"]})
        root.call("putSecret", path={"secret": THEIRS}, headers=rival, body={"value": THEIRS})
        receiver = {"kind": "HTTP", "url": f"http://127.0.0.1:9/{THEIRS}"}
        root.call("putAlertRule", path={"rule": THEIRS}, headers=rival, body={"when": "missed", "to": [receiver]})
        self.rival_silence = root.call("createAlertSilence", headers=rival, body={"duration": "30d", "job": THEIRS}).json
        self.rival_job = self.rival.call("createJob", body={"job_name": THEIRS, "job_type": THEIRS, "every": "365d"}).json
        self.rival_run = self.rival.call("triggerJob", path={"job": self.rival_job["job_id"]}).json
        action = {"action": "resume", "selector": {"name_prefix": "nobody's "}, "note": THEIRS}
        self.rival_bulk = self.rival.call("changeJobs", body=action).json

    def rivals_things(self) -> str:
        """All that the rival has, as it is now."""
        lists = ("listJobs", "listRuns", "listCalendars", "listSecrets", "listAlertRules", "listAlertSilences", "listKeys")
        things = [self.call(each, headers={"Belfry-Tenant": "rival"}).json["items"] for each in lists]
        for key in things[-1]:
            key.pop("last_used_at", None)
        return json.dumps([*things, self.call("getTenant", path={"tenant": "rival"}).json], indent=1)

    def _key(self, role: str, tenant: dict[str, str]) -> str:
        body = {"name": role, "scope": role, "permissions": ["exec"] if role in ("operator", "admin") else []}
        return self.clients["root"].call("createKey", headers=tenant, body=body).json["secret"]

    def stop(self) -> int:
        return self.server.stop()

    # ---- Things of acme to call about; each one new

    def name(self) -> str:
        return f"thing-{next(self._numbers)}"

    def call(self, operation: str, role: str = "root", **parts: Any) -> Answer:
        return self.clients[role].call(operation, **parts)

    def job(self, **fields: Any) -> dict:
        return self.call("createJob", body={"job_name": self.name(), "cron_expression": "0 3 * * *", **fields}).json

    def run(self, **fields: Any) -> dict:
        """A run that waits. Its type is its own, so that no other test claims it."""
        job = self.job(job_type=self.name(), **fields)
        return self.call("triggerJob", path={"job": job["job_id"]}, body={"payload": {"n": 1}}).json

    def claimed(self, **fields: Any) -> dict:
        """A run that a worker has."""
        run = self.run(**fields)
        body = {"worker_id": "w", "job_types": [run["job_type"]], "wait_seconds": 20, "lease_seconds": 600}
        [claimed] = self.call("claimRuns", "worker", body=body).json["runs"]
        return claimed

    def finished(self, status: str = "SUCCEEDED", **fields: Any) -> dict:
        """A run that is over."""
        claimed = self.claimed(**fields)
        report = {"run_id": claimed["run_id"], "fence": claimed["fence"], "status": status, "retryable": False}
        self.call("completeRuns", "worker", body={"runs": [report]})
        return claimed

    def checkin(self) -> dict:
        """A job whose work is done elsewhere, with its token."""
        job = self.job(target={"kind": "CHECKIN"})
        made = self.call("makeCheckin", path={"job": job["job_id"]}, body={}).json
        return {"job_id": job["job_id"], "token": made["token"]}

    def secret(self) -> str:
        name = self.name()
        self.call("putSecret", path={"secret": name}, body={"value": "whsec_YWJj"})
        return name

    def alert_rule(self) -> str:
        name = self.name()
        receivers = [{"kind": "HTTP", "url": "http://127.0.0.1:9/", "form": "slack"}]
        self.call("putAlertRule", path={"rule": name}, body={"when": "missed", "to": receivers})
        return name

    def alert_silence(self) -> str:
        silence = self.call("createAlertSilence", body={"duration": "1m", "job": self.name()})
        return str(silence.json["id"])

    def job_type(self) -> str:
        name = self.name().replace(" ", "-")
        self.call("putType", path={"type": name}, body={"max_concurrent": 1000, "defaults": {"timeout": "1h"}})
        return name

    def calendar(self) -> str:
        name = self.name()
        self.call("putCalendar", path={"calendar": name}, body={"rules": ["SAT,SUN"]})
        return name
