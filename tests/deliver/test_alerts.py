"""Alerts end to end: a real node; webhooks that fail and hang, a real SMTP server with STARTTLS and authentication,
and real brokers, on either store.

    test_alerts.py BELFRY sqlite|postgres
"""

import asyncio
import email
import json
import ssl
import sys
import tempfile
import unittest

from brokers import Nats, Redis, free_port
from endpoint import Endpoint, self_signed
from node import Node, wait_for

sys.path.append("/usr/lib/python3/dist-packages")  # where Debian has it, for a python3 that is not Debian's
from aiosmtpd.controller import Controller  # noqa: E402
from aiosmtpd.smtp import AuthResult  # noqa: E402

BELFRY, STORE = sys.argv[1], sys.argv[2]


class MailServer:
    """Takes mail from whoever logs in, over TLS only. `busy` mails are put off first; mail to hang@ hangs."""

    def __init__(self, certificate: str) -> None:
        self.mails: list[email.message.Message] = []
        self.logins: list[str] = []
        self.busy = 0
        self.hanging = 0
        self.port = free_port()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port, tls_context=context, require_starttls=True,
                                     auth_required=True, authenticator=self.log_in)
        self.controller.start()

    def log_in(self, server, session, envelope, mechanism, data) -> AuthResult:
        self.logins.append(data.login.decode())
        return AuthResult(success=data.login == b"belfry" and data.password == b"pass")

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        if address.startswith("hang@"):
            self.hanging += 1
            await asyncio.sleep(60)
        envelope.rcpt_tos.append(address)
        return "250 fine"

    async def handle_DATA(self, server, session, envelope) -> str:
        if self.busy > 0:
            self.busy -= 1
            return "451 busy"
        self.mails.append(email.message_from_bytes(envelope.content))
        return "250 taken"


class AlertsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        certificate = self_signed(cls.folder.name)
        cls.mail = MailServer(certificate)
        cls.redis, cls.nats = Redis(), Nats()
        cls.nats.add_stream("ALERTS", "alerts.>")
        cls.endpoint = Endpoint()
        smtp = f"smtp://belfry:pass@localhost:{cls.mail.port}?from=belfry@example.com&ca={certificate}.crt"
        cls.node = Node(BELFRY, STORE, "--broker", f"red={cls.redis.url}", "--broker", f"nat={cls.nats.url}",
                        environment={"BELFRY_SMTP": smtp})

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.endpoint.close()
        cls.mail.controller.stop()
        cls.redis.close()
        cls.nats.close()
        cls.folder.cleanup()

    def rule(self, name: str, *receivers: dict, **fields) -> None:
        rule = {"when": "failed_in_a_row", "count": 1, "group_wait": "0s", "to": list(receivers), **fields}
        self.node.call("PUT", f"/alerts/rules/{name}", rule)

    def failing_job(self, label: str) -> dict:
        target = {"kind": "HTTP", "url": self.endpoint.url("/status/400")}
        return self.node.add(target, labels={"for": label})

    def messages(self, rule: str) -> list[dict]:
        return [one for one in self.node.call("GET", "/alerts/messages")["items"] if one["rule"] == rule]

    def open_alerts(self, rule: str) -> list[dict]:
        return [one for one in self.node.call("GET", "/alerts?open=true")["items"] if one["rule"] == rule]

    def test_a_failure_is_told_once_and_so_is_the_recovery(self) -> None:
        webhook = {"kind": "HTTP", "url": self.endpoint.url("/ok/alert"), "secret": "s"}
        slack = {"kind": "HTTP", "url": self.endpoint.url("/ok/slack"), "form": "slack"}
        self.rule("once", webhook, slack, labels=["for=once"])
        job = self.failing_job("once")
        told = wait_for(lambda: self.endpoint.calls("/ok/alert"))
        body = json.loads(told[0].body)
        self.assertEqual([one["subject"] for one in body["opened"]], [job["job_name"]])
        self.assertTrue(told[0].headers["webhook-id"].startswith("alert_"))
        self.assertIn("webhook-signature", told[0].headers)
        self.assertIn(job["job_name"], json.loads(wait_for(lambda: self.endpoint.calls("/ok/slack"))[0].body)["text"])
        self.assertEqual(self.open_alerts("once")[0]["subject"], job["job_name"])
        self.node.call("PATCH", f"/jobs/{job['job_id']}", {"target": {"kind": "HTTP", "url": self.endpoint.url("/ok/job")}})
        self.node.call("POST", f"/jobs/{job['job_id']}/trigger", {})
        told = wait_for(lambda: len(self.endpoint.calls("/ok/alert")) >= 2 and self.endpoint.calls("/ok/alert"))
        self.assertEqual([one["subject"] for one in json.loads(told[1].body)["recovered"]], [job["job_name"]])
        self.assertEqual(len(told), 2)
        self.assertEqual(self.open_alerts("once"), [])

    def test_mail_goes_over_tls_and_is_tried_again_under_the_same_id(self) -> None:
        self.mail.busy = 1
        self.rule("mail", {"kind": "MAIL", "to": ["ops@example.com", "dev@example.com"]}, labels=["for=mail"])
        job = self.failing_job("mail")
        mail = wait_for(lambda: self.mail.mails)[0]
        self.assertEqual(mail["To"], "ops@example.com, dev@example.com")
        self.assertIn(job["job_name"], mail["Subject"])
        self.assertIn("in a row failed", mail.get_payload(decode=True).decode())
        sent = wait_for(lambda: self.messages("mail")[0]["state"] == "SENT" and self.messages("mail"))
        self.assertEqual(len(sent), 1)
        self.assertEqual(sent[0]["attempts"], 2)
        self.assertEqual(mail["Message-ID"], f"<{sent[0]['id']}@example.com>")
        self.assertEqual(len(self.mail.mails), 1)

    def test_mail_that_hangs_holds_up_nobody(self) -> None:
        self.rule("hangs", {"kind": "MAIL", "to": ["hang@example.com"]}, labels=["for=nothing"])
        self.rule("goes", {"kind": "MAIL", "to": ["others@example.com"]}, labels=["for=nothing"])
        for _ in range(3):
            self.node.call("POST", "/alerts/rules/hangs/test", {})
        wait_for(lambda: self.mail.hanging == 3)
        self.node.call("POST", "/alerts/rules/goes/test", {})
        wait_for(lambda: any(mail["To"] == "others@example.com" for mail in self.mail.mails))
        self.assertEqual({one["state"] for one in self.messages("hangs")}, {"WAITING"})

    def test_any_topic_is_told(self) -> None:
        self.rule("topics", {"kind": "TOPIC", "broker": "red", "topic": "alerts.all"},
                  {"kind": "TOPIC", "broker": "nat", "topic": "alerts.all"}, labels=["for=topics"])
        job = self.failing_job("topics")
        for broker in (self.redis, self.nats):
            wait_for(lambda: len(self.messages("topics")) == 2 and all(one["state"] == "SENT" for one in self.messages("topics")))
            published = broker.messages("alerts.all")
            self.assertEqual(len(published), 1)
            self.assertEqual(published[0][1]["type"], "belfry.alert.v1")
            self.assertEqual(published[0][1]["data"]["opened"][0]["subject"], job["job_name"])

    def test_a_receiver_that_fails_or_hangs_is_visible(self) -> None:
        self.rule("bad", {"kind": "HTTP", "url": self.endpoint.url("/status/500")},
                  {"kind": "HTTP", "url": self.endpoint.url("/hang/alert")},
                  {"kind": "HTTP", "url": self.endpoint.url("/status/404")}, labels=["for=bad"])
        self.failing_job("bad")
        failed = wait_for(lambda: sum(bool(one["error"]) for one in self.messages("bad")) == 3 and self.messages("bad"))
        states = {one["to"]["url"].split("/", 3)[3]: one["state"] for one in failed}
        self.assertEqual(states, {"status/500": "WAITING", "hang/alert": "WAITING", "status/404": "FAILED"})
        self.assertEqual(len(self.node.call("GET", "/alerts/messages?failed=true")["items"]) >= 3, True)
        problem = wait_for(lambda: [one for one in self.node.call("GET", "/cluster")["problems"] if one["subject"] == "bad"])[0]
        self.assertEqual(problem["code"], "alerts_undelivered")
        self.assertIn("alerts_undelivered", json.loads(self.node.text("/readyz"))["problems"])
        self.assertRegex(self.node.text("/metrics"), r"(?m)^belfry_alert_messages_undelivered [1-9]")

    def test_a_rule_can_be_tried(self) -> None:
        self.rule("try", {"kind": "HTTP", "url": self.endpoint.url("/ok/try")}, labels=["for=nothing"])
        sent = self.node.call("POST", "/alerts/rules/try/test", {})["messages"]
        told = wait_for(lambda: self.endpoint.calls("/ok/try"))
        self.assertEqual([call.headers["webhook-id"] for call in told], sent)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
