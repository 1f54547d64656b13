"""Webhooks end to end: a real node, real endpoints, on either store.

    test_webhooks.py BELFRY sqlite|postgres
"""

import base64
import hashlib
import hmac
import json
import sys
import tempfile
import time
import unittest
import urllib.error

from endpoint import Endpoint, self_signed
from node import PATIENCE, Node, wait_for

BELFRY, STORE = sys.argv[1], sys.argv[2]


class WebhookTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.endpoint = Endpoint()
        cls.node = Node(BELFRY, STORE)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.endpoint.close()

    def add(self, path: str, **fields):
        target = {"kind": "HTTP", "url": self.endpoint.url(path), **fields.pop("target", {})}
        return self.node.add(target, **fields)

    def expect_named(self, name: str, path: str, state: str = "DEAD", url: str = "", **fields):
        job = self.add(path, target={"url": url} if url else {}, **fields)
        run = self.node.ended(job)
        self.assertEqual(run["state"], state, run)
        self.assertTrue(run["error"].startswith(name + ":"), run["error"])
        return run

    # ---- What users are promised ----

    def test_a_cron_job_fires_and_is_delivered_once(self) -> None:
        job = self.add("/ok/cron", cron_expression="* * * * * *", payload={"a": 1})
        calls = wait_for(lambda: len(self.endpoint.calls("/ok/cron")) >= 3 and self.endpoint.calls("/ok/cron"))
        self.node.call("POST", f"/jobs/{job['job_id']}/pause", {})
        ids = [call.headers["webhook-id"] for call in calls]
        self.assertEqual(len(set(ids)), len(ids))
        runs = {run["run_id"]: run for run in self.node.runs(job)}
        for call in calls[:2]:
            run = wait_for(lambda: self.node.run({"run_id": call.headers["webhook-id"]})["state"] == "SUCCEEDED"
                           and self.node.run({"run_id": call.headers["webhook-id"]}))
            self.assertIn(run["run_id"], runs)
            self.assertEqual(run["result"], {"status": 200, "body": {"ok": True}})
            self.assertEqual(run["attempts"], 1)
            self.assertEqual(call.body, b'{"a": 1}')
            self.assertEqual(call.headers["idempotency-key"], run["run_id"])
            self.assertEqual(call.headers["belfry-fence"], str(run["fence"]))
            self.assertEqual(call.headers["belfry-scheduled-for"], run["scheduled_for"])
            self.assertEqual(call.headers["belfry-attempt"], "1")
            self.assertRegex(call.headers["traceparent"], "^00-[0-9a-f]{32}-[0-9a-f]{16}-01$")

    def test_a_receiver_can_check_the_signature(self) -> None:
        key = b"0123456789abcdef01234567"
        secret = "whsec_" + base64.b64encode(key).decode()
        self.node.ended(self.add("/ok/signed", target={"secret": secret + " plain"}, payload=[1, 2]))
        call = self.endpoint.calls("/ok/signed")[0]
        message = f"{call.headers['webhook-id']}.{call.headers['webhook-timestamp']}.".encode() + call.body
        expected = [base64.b64encode(hmac.new(k, message, hashlib.sha256).digest()).decode() for k in (key, b"plain")]
        self.assertEqual(call.headers["webhook-signature"], f"v1,{expected[0]} v1,{expected[1]}")
        self.assertLess(abs(int(call.headers["webhook-timestamp"]) - time.time()), 300)

    def test_a_failure_is_tried_again_and_ends_in_the_dead_letters(self) -> None:
        job = self.add("/status/500", max_attempts=3)
        run = self.node.ended(job)
        self.assertEqual((run["state"], run["attempts"]), ("DEAD", 3))
        self.assertEqual([attempt["outcome"] for attempt in run["attempt_history"]], ["FAILED"] * 3)
        mine = [call for call in self.endpoint.calls("/status/500") if call.headers["webhook-id"] == run["run_id"]]
        self.assertEqual([call.headers["belfry-attempt"] for call in mine], ["1", "2", "3"])
        fences = [int(call.headers["belfry-fence"]) for call in mine]
        self.assertEqual(fences, sorted(set(fences)))
        dead = self.node.call("GET", "/runs?state=DEAD")["items"]
        self.assertIn(run["run_id"], [each["run_id"] for each in dead])

    def test_other_statuses_are_permanent(self) -> None:
        run = self.expect_named("status", "/status/404")
        self.assertEqual(run["attempts"], 1)
        self.assertEqual(run["result"]["status"], 404)

    def test_an_answer_that_is_no_text_is_reported_all_the_same(self) -> None:
        body = bytes(range(256)) + "\u00e9".encode() * 200
        for path, status in (("/bytes-500", 500), ("/bytes-200", 200)):
            self.endpoint.answers[path] = f"HTTP/1.1 {status} X\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        self.expect_named("status", "/bytes-500", max_attempts=1)
        run = self.node.ended(self.add("/bytes-200", max_attempts=1))
        self.assertEqual(run["state"], "SUCCEEDED", run)

    def test_retry_after_is_honoured(self) -> None:
        run = self.node.ended(self.add("/retry-after/3", max_attempts=2))
        first, second = [call.headers for call in self.endpoint.calls("/retry-after/3")]
        self.assertEqual(run["attempts"], 2)
        self.assertGreaterEqual(int(second["webhook-timestamp"]) - int(first["webhook-timestamp"]), 3)

    def test_a_timeout_is_enforced_and_frees_the_connection(self) -> None:
        job = self.add("/hang/timeout", timeout="3s", max_attempts=1)
        run = self.node.ended(job)
        self.assertEqual(run["attempt_history"][0]["outcome"], "TIMED_OUT")
        self.assertTrue(run["error"].startswith("timeout:"), run)
        self.assertTrue(self.endpoint.calls("/hang/timeout")[0].closed.wait(PATIENCE))

    def test_a_cancel_arrives(self) -> None:
        job = self.add("/hang/cancel", timeout="5m")
        call = wait_for(lambda: self.endpoint.calls("/hang/cancel"))[0]
        self.node.call("POST", f"/runs/{call.headers['webhook-id']}/cancel", {})
        self.assertTrue(call.closed.wait(PATIENCE), "the request was not aborted")
        self.assertEqual(self.node.ended(job)["state"], "CANCELLED")

    def test_a_replaced_run_is_aborted(self) -> None:
        job = self.add("/hang/replace", timeout="5m", every="1s", concurrency_policy="REPLACE")
        calls = wait_for(lambda: len(self.endpoint.calls("/hang/replace")) > 1 and self.endpoint.calls("/hang/replace"))
        self.node.call("DELETE", f"/jobs/{job['job_id']}")
        self.assertTrue(calls[0].closed.wait(PATIENCE))

    def test_the_receiver_may_complete_later(self) -> None:
        job = self.add("/async/later", timeout="10m")
        call = wait_for(lambda: self.endpoint.calls("/async/later"))[0]
        run_id, fence = call.headers["webhook-id"], int(call.headers["belfry-fence"])
        def handed_over():
            run = self.node.run({"run_id": run_id})
            return run["state"] == "RUNNING" and run["lease_until"] and run["lease_until"] >= run["deadline"]
        wait_for(handed_over)
        answer = self.node.call("POST", "/runs:complete", {
            "runs": [{"run_id": run_id, "fence": fence, "status": "SUCCEEDED", "result": {"late": True}}]})
        self.assertEqual(answer["results"][0]["answer"], "OK")
        self.assertEqual(self.node.ended(job)["result"], {"late": True})

    # ---- Endpoints that misbehave ----

    def test_each_misbehaviour_has_a_name(self) -> None:
        self.expect_named("answer_too_large", "/flood")
        self.expect_named("too_many_headers", "/headers")
        self.expect_named("timeout", "/drip", timeout="3s", max_attempts=1)
        self.expect_named("connection", "/reset", max_attempts=1)
        self.expect_named("protocol", "/junk", max_attempts=1)
        self.expect_named("connect", "/", url="http://127.0.0.1:1024/", max_attempts=1)
        self.expect_named("dns", "/", url="http://no-such-host.invalid/", max_attempts=1)
        self.expect_named("address", "/", url="http://10.0.0.1/")

    def test_redirects_are_not_followed(self) -> None:
        inside = Endpoint()
        self.endpoint.redirect_to = inside.url("/secret")
        self.expect_named("redirect", "/redirect")
        self.assertEqual(inside.seen, [])
        inside.close()

    def test_tls_is_checked(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            tls = Endpoint(self_signed(folder))
            self.expect_named("tls", "/", url=tls.url("/ok"), max_attempts=1)
            self.assertEqual(tls.seen, [])
            tls.close()

    def test_a_hanging_endpoint_delays_nobody_else(self) -> None:
        stuck = Endpoint()
        for _ in range(200):
            self.node.add({"kind": "HTTP", "url": stuck.url("/hang")}, timeout="10m")
        wait_for(lambda: len(stuck.seen) >= 16)
        job = self.add("/ok/beside")
        self.assertEqual(self.node.ended(job)["state"], "SUCCEEDED")
        # It got through while the others were still hanging; only a limited number of those is under way.
        self.assertLessEqual(len(stuck.seen), 64)
        self.assertTrue(all(not call.closed.is_set() for call in stuck.seen))
        stuck.close()

    def test_workers_cannot_claim_webhooks(self) -> None:
        for types in (["HTTP *"], ["TOPIC x"]):
            with self.assertRaises(urllib.error.HTTPError) as refused:
                self.node.call("POST", "/runs:claim", {"worker_id": "w", "job_types": types})
            self.assertEqual(refused.exception.code, 422)


class StopTest(unittest.TestCase):
    def test_a_stopping_node_gives_back_what_is_under_way(self) -> None:
        endpoint = Endpoint()
        node = Node(BELFRY, STORE)
        node.add({"kind": "HTTP", "url": endpoint.url("/hang")}, timeout="5m")
        call = wait_for(lambda: endpoint.seen)[0]
        node.server.process.terminate()
        self.assertTrue(call.closed.wait(PATIENCE))
        self.assertEqual(node.server.process.wait(PATIENCE), 0)
        node.stop()
        endpoint.close()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
