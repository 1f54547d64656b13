"""Topics end to end: a real node and a real broker, on either store.

    test_topics.py BELFRY sqlite|postgres redis|nats|rabbitmq|kafka

There is no Kafka broker in Debian: its tests run on the mock cluster that librdkafka has built in, inside the node, so they see
what the node reports and not what a broker keeps.
"""

import sys
import time
import unittest

from brokers import Nats, RabbitMq, Redis
from endpoint import Endpoint
from node import Node, wait_for

BELFRY, STORE, KIND = sys.argv[1:4]


class KafkaTest(unittest.TestCase):
    def test_a_cron_job_fires_and_is_published_once(self) -> None:
        node = Node(BELFRY, STORE, "--broker", "bus=kafka://mock?test.mock.num.brokers=3")
        job = node.add({"kind": "TOPIC", "broker": "bus", "topic": "events"}, cron_expression="* * * * * *", payload={"a": 1})
        runs = wait_for(lambda: len(node.runs(job)) >= 3 and node.runs(job))
        run = wait_for(lambda: node.run(runs[-1])["state"] == "SUCCEEDED" and node.run(runs[-1]))
        self.assertEqual(run["attempts"], 1)
        self.assertIn("offset", run["result"])
        node.stop()

    def test_what_the_broker_refuses_ends_in_the_dead_letters(self) -> None:
        node = Node(BELFRY, STORE, "--broker", "bus=kafka://mock?test.mock.num.brokers=1&message.max.bytes=1000")
        run = node.ended(node.add({"kind": "TOPIC", "broker": "bus", "topic": "events"}, payload="x" * 2000))
        self.assertEqual(run["state"], "DEAD")
        node.stop()

    def test_nobody_waits_for_a_broker_that_is_not_there(self) -> None:
        endpoint = Endpoint()
        node = Node(BELFRY, STORE, "--broker", "bus=kafka://127.0.0.1:1")
        stuck = node.add({"kind": "TOPIC", "broker": "bus", "topic": "events"})
        self.assertEqual(node.ended(node.add({"kind": "HTTP", "url": endpoint.url("/ok")}))["state"], "SUCCEEDED")
        self.assertEqual(node.runs(stuck)[0]["state"], "READY")
        node.stop()


class TopicTest(unittest.TestCase):
    topic = "events.due"
    unknown = "nowhere"

    @classmethod
    def setUpClass(cls) -> None:
        cls.broker = cls.kind()
        cls.make_topic()
        cls.endpoint = Endpoint()
        cls.node = Node(BELFRY, STORE, "--broker", f"bus={cls.broker.url}", "--broker", "gone=redis://127.0.0.1:1")

    @classmethod
    def tearDownClass(cls) -> None:
        cls.node.stop()
        cls.broker.close()
        cls.endpoint.close()

    @classmethod
    def make_topic(cls) -> None:
        pass

    def add(self, topic: str = "", broker: str = "bus", **fields):
        return self.node.add({"kind": "TOPIC", "broker": broker, "topic": topic or self.topic}, **fields)

    def events_of(self, job) -> list:
        return [(key, event) for key, event in self.broker.messages(self.topic) if event["subject"] == job["job_name"]]

    def test_a_cron_job_fires_and_is_published_once(self) -> None:
        job = self.add(cron_expression="* * * * * *", payload={"a": 1}, concurrency_policy="ALLOW")
        wait_for(lambda: sum(run["state"] == "SUCCEEDED" for run in self.node.runs(job)) >= 3)
        self.node.call("POST", f"/jobs/{job['job_id']}/pause", {})

        def settled():
            """The runs, once each is published; one that was due before the pause may still begin."""
            runs = {run["run_id"]: run for run in self.node.runs(job)}
            over = all(run["state"] == "SUCCEEDED" for run in runs.values())
            return runs if over and len(self.events_of(job)) >= len(runs) else None

        runs = wait_for(settled)
        events = self.events_of(job)
        self.assertEqual(sorted(key for key, _ in events), sorted(runs))
        for key, event in events:
            self.assertEqual(event["specversion"], "1.0")
            self.assertEqual(event["id"], key)
            self.assertEqual(event["type"], "belfry.run.due.v1")
            self.assertEqual(event["time"], runs[key]["scheduled_for"])
            self.assertEqual(event["fence"], str(runs[key]["fence"]))
            self.assertEqual(event["data"], {"a": 1})
            self.assertEqual(runs[key]["attempts"], 1)

    def test_a_refusal_is_tried_again_and_ends_in_the_dead_letters(self) -> None:
        run = self.node.ended(self.add(self.unknown, max_attempts=2))
        self.assertEqual((run["state"], run["attempts"]), ("DEAD", 2))
        self.assertTrue(run["error"].startswith("refused:"), run)

    def test_a_broker_that_is_away_delays_only_its_own(self) -> None:
        self.broker.kill()
        jobs = [self.add() for _ in range(20)]
        self.assertEqual(self.node.ended(self.node.add({"kind": "HTTP", "url": self.endpoint.url("/ok")}))["state"], "SUCCEEDED")
        self.broker.start()
        for job in jobs:
            run = self.node.ended(job)
            self.assertEqual(run["state"], "SUCCEEDED", run)
            self.assertEqual({key for key, _ in self.events_of(job)}, {run["run_id"]})

    def test_a_broker_that_swallows_delays_only_its_own(self) -> None:
        self.broker.freeze()
        try:
            jobs = [self.add() for _ in range(5)]
            self.assertEqual(self.node.ended(self.node.add({"kind": "HTTP", "url": self.endpoint.url("/ok")}))["state"], "SUCCEEDED")
            time.sleep(6)  # longer than the node waits for a confirmation
        finally:
            self.broker.thaw()
        for job in jobs:
            run = self.node.ended(job)
            self.assertEqual(run["state"], "SUCCEEDED", run)
            self.assertEqual({key for key, _ in self.events_of(job)}, {run["run_id"]})

    def test_a_timeout_is_enforced(self) -> None:
        self.broker.freeze()
        try:
            run = self.node.ended(self.add(timeout="2s", max_attempts=1))
        finally:
            self.broker.thaw()
        self.assertEqual(run["attempt_history"][0]["outcome"], "TIMED_OUT", run)
        self.assertIn("timeout", run["error"])

    def test_a_waiting_run_can_be_cancelled(self) -> None:
        job = self.add(broker="gone")
        run = wait_for(lambda: self.node.runs(job))[0]
        self.assertEqual(run["state"], "READY")
        self.node.call("POST", f"/runs/{run['run_id']}/cancel", {})
        self.assertEqual(self.node.ended(job)["state"], "CANCELLED")


class RedisTest(TopicTest):
    kind = Redis

    @classmethod
    def make_topic(cls) -> None:
        cls.broker.say("SET", cls.unknown, "not a stream")


class NatsTest(TopicTest):
    kind = Nats

    @classmethod
    def make_topic(cls) -> None:
        cls.broker.add_stream("EVENTS", "events.*")

    def test_a_job_gives_the_server_no_commands(self) -> None:
        self.assertEqual(self.node.ended(self.add())["state"], "SUCCEEDED")
        before = len(self.broker.messages(self.topic))
        run = self.node.ended(self.add("$JS.API.STREAM.PURGE.EVENTS", max_attempts=3))
        self.assertEqual((run["state"], run["attempts"]), ("DEAD", 1))
        self.assertTrue(run["error"].startswith("message:"), run)
        self.assertGreaterEqual(len(self.broker.messages(self.topic)), before)


class RabbitMqTest(TopicTest):
    kind = RabbitMq

    @classmethod
    def make_topic(cls) -> None:
        cls.broker.add_queue(cls.topic)

    def test_an_exchange_that_is_not_there_costs_nobody_else_an_attempt(self) -> None:
        """RabbitMQ ends the channel for it, with everything published there and not yet confirmed."""
        self.broker.freeze()  # the first waits for its confirmation, the others for the first: one batch
        try:
            good = [self.add(max_attempts=2) for _ in range(10)]
            bad = [self.add("nosuch/x", max_attempts=2) for _ in range(2)]
            good += [self.add(max_attempts=2) for _ in range(10)]
        finally:
            self.broker.thaw()
        for job in good:
            run = self.node.ended(job)
            self.assertEqual((run["state"], run["attempts"]), ("SUCCEEDED", 1), run)
        for job in bad:
            self.assertEqual(self.node.ended(job)["state"], "DEAD")


if __name__ == "__main__":
    chosen = {"redis": RedisTest, "nats": NatsTest, "rabbitmq": RabbitMqTest, "kafka": KafkaTest}[KIND]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(chosen)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())
