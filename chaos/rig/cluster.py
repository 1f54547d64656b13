"""The real thing: PostgreSQL, nodes behind fault proxies, workers of every kind, a sink, brokers."""

import base64
import json
import pathlib
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from typing import Any

from chaos.rig.database import Database
from chaos.rig.embedded import Embedded
from chaos.rig.journal import Journal
from chaos.rig.links import ROOT, Links, Route
from chaos.rig.patroni import Patroni
from chaos.rig.ways import WAYS, Way
from chaos.rig.processes import Process, free_port, wait_until
from chaos.rig.sink import Sink

sys.path.append(str(ROOT / "tests" / "deliver"))
from brokers import Nats, Redis  # noqa: E402

LEASE = 10  # seconds that workers ask for
SECRETS_KEY = base64.b64encode(b"a key of 32 bytes for the tests!").decode()
TYPES = ("rest", "python", "typescript", "grpc")  # what workers take; the rest goes to couriers


@dataclass(frozen=True)
class Tools:
    """What the build made."""

    belfry: pathlib.Path
    wrong_clock: pathlib.Path
    full_disk: pathlib.Path
    before: pathlib.Path | None = None  # the program of the last release


@dataclass
class Shape:
    """How large the rig is, as a scenario says."""

    store: str = "postgres"  # or sqlite, with one node
    connections: int = 0  # that all nodes together may have; 0: as many as they like
    standby: bool = False  # a synchronous one, for fail_over
    patroni: int = 0  # so many members that elect their primary, instead of one PostgreSQL
    synchronous: bool = True  # of these: one of the others has what was committed
    way: str = "direct"  # how nodes get to the database: direct, pooler; with Patroni: hosts, haproxy, pgbouncer
    nodes: int = 3
    spare_nodes: int = 0  # started by faults only
    before: bool = False  # nodes begin with the program of the last release
    workers: dict[str, int] = field(default_factory=lambda: {"rest": 2})
    brokers: list[str] = field(default_factory=list)
    same_names: bool = False
    wrong_clocks: list[int] = field(default_factory=list)  # seconds, by node, from the start
    database_options: str = ""
    lease_ttl: str = "5s"
    lease_renew: str = "1s"
    node_arguments: list[str] = field(default_factory=list)


class Cluster:
    def __init__(self, tools: Tools, shape: Shape, folder: pathlib.Path, seed: int) -> None:
        folder.mkdir(parents=True)
        folder.chmod(0o777)
        self.tools, self.shape, self.folder, self.seed = tools, shape, folder, seed
        self.journal = Journal(folder / "harness.jsonl", durable=False)
        self.sink = Sink(self.journal.note)
        self.brokers: dict[str, Any] = {name: {"redis": Redis, "nats": Nats}[name]() for name in shape.brokers}
        self.clock_files: dict[str, pathlib.Path] = {}
        clock = (str(tools.wrong_clock), self.clock_file("database"))
        # A scenario knows which store it has; most faults of the database are those of PostgreSQL.
        self.database: Any = (Embedded(folder / "data") if shape.store == "sqlite"
                              else Patroni(folder / "pg", shape.patroni, shape.synchronous) if shape.patroni
                              else Database(folder / "pg", clock, shape.database_options))
        self.node_user = self.database.limit_nodes(shape.connections) if shape.connections else "postgres"
        if shape.standby:
            self.database.add_standby()
        self.way: Way = WAYS[shape.way](folder, self.database)
        count = shape.nodes + shape.spare_nodes
        self.http = [free_port() for _ in range(count)]
        self.grpc = [free_port() for _ in range(count)]
        self._make_links(count)
        if shape.patroni:
            self.database.start()  # its members meet over links
        self.way.start()
        self.nodes = [self._node(i) for i in range(count)]
        self.sink.complete_at = self.some_server
        self.workers: list[Process] = []

    def _make_links(self, count: int) -> None:
        """Between each node and its database, and between workers and each node."""
        self.to_database = [Route(f"db:{i}", free_port(), self.way.port, True) for i in range(count)]
        self.to_http = [Route(f"http:{i}", free_port(), self.http[i], False) for i in range(count)]
        self.to_grpc = [Route(f"grpc:{i}", free_port(), self.grpc[i], False) for i in range(count)]
        own = self.database.routes() if self.shape.patroni else []
        self.links = Links([*self.to_database, *self.to_http, *self.to_grpc, *own], self.seed, self.folder / "proxy.log")

    def clock_file(self, whose: str, seconds: int = 0) -> pathlib.Path:
        """What the preloaded clock of a process reads: it may change at any time."""
        file = self.folder / f"clock-{whose.replace(':', '-')}"
        file.write_text(str(seconds), "utf-8")
        file.chmod(0o644)
        self.clock_files[whose] = file
        return file

    def _node(self, i: int) -> Process:
        name = "twin" if self.shape.same_names else f"node-{i}"
        offset = self.shape.wrong_clocks[i] if i < len(self.shape.wrong_clocks) else 0
        store = ["--store", self.database.url] if self.shape.store == "sqlite" else self.way.arguments(self.to_database[i].listen, self.node_user)
        program = self.tools.before if self.shape.before else self.tools.belfry
        command = [str(program), "serve", *store, "--node-name", name,
                   "--listen", f"127.0.0.1:{self.http[i]}", "--grpc-listen", f"127.0.0.1:{self.grpc[i]}",
                   "--lease-ttl", self.shape.lease_ttl, "--lease-renew", self.shape.lease_renew,
                   "--allow-private-webhooks", "127.0.0.1", *self.shape.node_arguments]
        for broker in self.brokers:
            command += ["--broker", f"{broker}={self.brokers[broker].url}"]
        flag = self.folder / f"full-{i}"
        return Process(f"node-{i}", command, self.folder / f"node-{i}.log", {
            "LD_PRELOAD": f"{self.tools.wrong_clock}:{self.tools.full_disk}", "FULL_DISK_FLAG": str(flag),
            "WRONG_CLOCK_FILE": str(self.clock_file(f"node:{i}", offset)), "BELFRY_SECRETS_KEY": SECRETS_KEY,
            "BELFRY_DATA_DIR": str(self.folder / f"data-{i}"), **self.way.environment})

    def start(self) -> None:
        if "nats" in self.brokers:
            self.brokers["nats"].add_stream("TICKS", "ticks")
        # At once: the first two nodes of a database also migrate it at once.
        for node in self.nodes[: self.shape.nodes]:
            node.start()
        wait_until(self._all_ready, "nodes that are ready")
        self.database.install_recorder()
        for kind, count in self.shape.workers.items():
            self.workers += [self._worker(kind, i) for i in range(count)]
        for worker in self.workers:
            worker.start()

    def _all_ready(self) -> bool:
        """A node that cannot reach its database yet ends, and a service manager starts it again."""
        for node in self.nodes[: self.shape.nodes]:
            if not node.alive():
                node.start()
        return all(self.is_ready(i) for i in range(self.shape.nodes))

    def is_ready(self, i: int) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.http[i]}/readyz", timeout=2) as answer:
                return answer.status == 200
        except OSError:
            return False

    def _worker(self, kind: str, i: int) -> Process:
        name = f"{kind}-{i}"
        turn = i % self.shape.nodes
        servers = [f"http://127.0.0.1:{route.listen}" for route in self.to_http[: self.shape.nodes]]
        settings = {"servers": servers[turn:] + servers[:turn], "name": name, "types": [kind], "lease": LEASE, "threads": 16,
                    "journal": str(self.folder / f"worker-{name}.jsonl"), "sink": f"{self.sink.address}/sink"}
        command = {
            "rest": [sys.executable, "-m", "chaos.workers.rest_worker", json.dumps(settings)],
            "python": [sys.executable, "-m", "chaos.workers.python_worker", json.dumps(settings)],
            "typescript": ["node", str(ROOT / "chaos/workers/typescript_worker.mjs"), json.dumps(settings)],
            "grpc": [str(self.tools.belfry), "worker", "--type", kind, "--exec-memory-max", "64M", "--concurrency", "32", "--name", name, "--lease", f"{LEASE}s", "--server", servers[turn],
                     "--grpc", f"127.0.0.1:{self.to_grpc[turn].listen}"],
        }[kind]
        return Process(name, command, self.folder / f"worker-{name}.log", {"PYTHONPATH": str(ROOT)})

    # ---- What users do

    def some_server(self) -> str:
        """A node that answers, if there is one."""
        for i, node in enumerate(self.nodes):
            if node.alive() and not node.frozen:
                return f"http://127.0.0.1:{self.http[i]}"
        return f"http://127.0.0.1:{self.http[0]}"

    def call(self, method: str, path: str, body: Any = None, *, patience: float = 10, headers: dict[str, str] | None = None) -> Any:
        """Straight to a node, past the proxies. Raises OSError (HTTPError is one) if it was not answered well."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.some_server()}/api/v1{path}", data,
                                         {"Content-Type": "application/json", **(headers or {})}, method=method)
        with urllib.request.urlopen(request, timeout=patience) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def problems(self) -> list[str]:
        """The codes of what each node says is wrong."""
        found: set[str] = set()
        for port in self.http[: self.shape.nodes]:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/cluster", timeout=10) as answer:
                    found |= {problem["code"] for problem in json.load(answer)["problems"]}
            except OSError:
                continue
        return sorted(found)

    def note_messages(self) -> None:
        """What has arrived at the brokers so far."""
        for name, broker in self.brokers.items():
            for run, event in broker.messages("ticks"):
                self.journal.note("receipt", run=run, job=event["subject"], fence=int(event["fence"]), way=name, said="ok")

    def close(self) -> None:
        for process in [*self.workers, *self.nodes]:
            process.kill()
        self.links.close()
        for broker in self.brokers.values():
            broker.close()
        self.sink.shutdown()
        self.sink.server_close()
        self.way.close()
        self.database.close()
