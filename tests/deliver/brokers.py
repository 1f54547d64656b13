"""Real brokers from Debian, each private to a test: with its own folder and ports, and ended by the id we started. None
of the system's services is used."""

import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from children import die_with_parent  # noqa: E402


PATIENCE = 30.0  # seconds for what takes moments
START = 300.0  # seconds that a broker may take to start; Erlang beside other work needs many


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Broker:
    """A server process that can be stopped, frozen and started again on the same port and folder."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="belfry-broker-")
        self.process: subprocess.Popen | None = None
        for tries_left in range(4, -1, -1):
            self.prepare()
            try:
                return self.start()
            except RuntimeError:  # somebody else may have got a port that was free a moment ago
                slow = self.process.poll() is None
                self.kill()  # nobody else will: there is no broker yet to close
                if slow or not tries_left:
                    shutil.rmtree(self.folder, ignore_errors=True)
                    raise

    def prepare(self) -> None:
        self.port = free_port()

    def command(self) -> list[str]:
        raise NotImplementedError

    def environment(self) -> dict[str, str]:
        return dict(os.environ)

    ready = b""  # what it writes once it listens; that somebody listens there would not say who

    def is_up(self) -> bool:
        with open(f"{self.folder}/log", "rb") as log:
            log.seek(self.log_before)
            return self.ready in log.read()

    def start(self) -> None:
        with open(f"{self.folder}/log", "ab") as log:
            self.log_before = log.tell()
            self.process = subprocess.Popen(self.command(), cwd=self.folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                            env=self.environment(), preexec_fn=die_with_parent)
        end = time.monotonic() + START
        while time.monotonic() < end and self.process.poll() is None:
            if self.is_up():
                return
            time.sleep(0.1)
        raise RuntimeError("the broker does not start:\n" + "\n".join(
            file.read_text("utf-8", "replace") for file in pathlib.Path(self.folder).glob("**/*log") if file.is_file()))

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.wait()

    def freeze(self) -> None:
        """Returns once it stands still: until then it may still answer."""
        assert self.process
        self.process.send_signal(signal.SIGSTOP)
        self._await_stillness([self.process.pid])

    @staticmethod
    def _await_stillness(pids: list[int]) -> None:
        def moves(pid: int) -> bool:
            try:
                return any("T" not in (task / "stat").read_text("utf-8").rpartition(")")[2].split()[0]
                           for task in pathlib.Path(f"/proc/{pid}/task").iterdir())
            except (FileNotFoundError, ProcessLookupError):
                return False  # it is gone

        end = time.monotonic() + PATIENCE
        while any(moves(pid) for pid in pids):
            if time.monotonic() > end:
                raise RuntimeError("the broker does not stand still")
            time.sleep(0.005)

    def thaw(self) -> None:
        assert self.process
        self.process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def messages(self, topic: str) -> list[tuple[str, dict]]:
        """All messages of a topic, in order: the broker's own id of each, and the event."""
        raise NotImplementedError


class Redis(Broker):
    ready = b"Ready to accept connections"

    def command(self) -> list[str]:
        return ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder, "--appendonly", "yes",
                "--appendfsync", "always", "--save", ""]

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def say(self, *words: str) -> str:
        return subprocess.run(["redis-cli", "-p", str(self.port), "--json", *words], capture_output=True, text=True, check=True).stdout

    def messages(self, topic: str) -> list[tuple[str, dict]]:
        found = []
        for _, fields in json.loads(self.say("XRANGE", topic, "-", "+")):
            pairs = dict(zip(fields[::2], fields[1::2]))
            found.append((pairs["id"], json.loads(pairs["event"])))
        return found


class Nats(Broker):
    ready = b"Server is ready"

    def command(self) -> list[str]:
        return ["nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", f"{self.folder}/store"]

    @property
    def url(self) -> str:
        return f"nats://127.0.0.1:{self.port}"

    def ask(self, subject: str, body: dict, most: int = 1) -> list[dict]:
        """A request by hand: the judge shares no code with the judged."""
        with socket.create_connection(("127.0.0.1", self.port), 60) as connection:
            stream = connection.makefile("rb")
            stream.readline()
            data = json.dumps(body).encode()
            connection.sendall(b'CONNECT {"verbose":false,"headers":true}\r\nSUB _INBOX.t 1\r\n'
                               + f"PUB {subject} _INBOX.t {len(data)}\r\n".encode() + data + b"\r\n")
            answers = []
            try:
                while len(answers) < most:
                    words = stream.readline().split()
                    if words and words[0] in (b"MSG", b"HMSG"):
                        payload = stream.read(int(words[-1]) + 2)[:-2]
                        headers = int(words[-2]) if words[0] == b"HMSG" else 0
                        answers.append(json.loads(payload[headers:] or b"{}"))
            except TimeoutError:
                pass
            return answers

    def add_stream(self, name: str, subject: str) -> None:
        answer = self.ask(f"$JS.API.STREAM.CREATE.{name}", {"name": name, "subjects": [subject], "storage": "file"})
        assert "error" not in answer[0], answer

    def messages(self, topic: str) -> list[tuple[str, dict]]:
        import base64
        stream = topic.split(".")[0].upper()
        info = self.ask(f"$JS.API.STREAM.INFO.{stream}", {})[0]
        found = []
        for seq in range(1, info["state"]["last_seq"] + 1):
            message = self.ask(f"$JS.API.STREAM.MSG.GET.{stream}", {"seq": seq})[0].get("message", {})
            if message.get("subject") != topic:
                continue
            headers = base64.b64decode(message["hdrs"]).decode()
            identity = [line.split(": ")[1] for line in headers.split("\r\n") if line.startswith("Nats-Msg-Id")][0]
            found.append((identity, json.loads(base64.b64decode(message["data"]))))
        return found


class RabbitMq(Broker):
    """Has its own home, cookie and node name, and no Erlang port mapper, which the whole machine would share."""

    def prepare(self) -> None:
        super().prepare()
        self.queues: set[str] = set()
        self.management = free_port()
        self.distribution = free_port()
        pathlib.Path(self.folder, "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = 127.0.0.1:{self.port}\nmanagement.tcp.ip = 127.0.0.1\nmanagement.tcp.port = {self.management}\n"
            "vm_memory_high_watermark.relative = 0.9\ndisk_free_limit.absolute = 1MB\n", "utf-8")
        pathlib.Path(self.folder, "enabled_plugins").write_text("[rabbitmq_management].\n", "utf-8")

    def environment(self) -> dict[str, str]:
        folder = self.folder
        return {**os.environ, "HOME": folder, "RABBITMQ_NODENAME": f"belfry{self.port}@localhost", "RABBITMQ_MNESIA_BASE": f"{folder}/mnesia",
                "RABBITMQ_LOG_BASE": f"{folder}/logs", "RABBITMQ_CONFIG_FILE": f"{folder}/rabbitmq",
                "RABBITMQ_ENABLED_PLUGINS_FILE": f"{folder}/enabled_plugins", "RABBITMQ_DIST_PORT": str(self.distribution),
                "RABBITMQ_PID_FILE": f"{folder}/pid", "RABBITMQ_FEATURE_FLAGS_FILE": f"{folder}/feature_flags",
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": f"-start_epmd false -erl_epmd_port {self.distribution}"}

    def command(self) -> list[str]:
        return ["/usr/lib/rabbitmq/bin/rabbitmq-server"]

    def is_up(self) -> bool:
        try:
            listeners = self.call("GET", "/api/overview")["listeners"]
        except (OSError, ValueError, KeyError, http.client.HTTPException):
            return False
        return any(each["port"] == self.port and each["node"] == f"belfry{self.port}@localhost" for each in listeners)

    def start(self) -> None:
        """A broker that was killed may have forgotten a durable queue all the same; its messages would have no way to go."""
        super().start()
        for name in self.queues:
            self.call("PUT", f"/api/queues/%2F/{name}", {"durable": True})

    @property
    def url(self) -> str:
        return f"amqp://guest:guest@127.0.0.1:{self.port}"

    def call(self, method: str, path: str, body: dict | None = None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.management}{path}", data,
                                         {"Content-Type": "application/json", "Authorization": "Basic Z3Vlc3Q6Z3Vlc3Q="}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if text else {}

    def add_queue(self, name: str) -> None:
        """Durable once it is on disk, which may be seconds after the answer: only then may the broker be killed."""
        self.queues.add(name)
        self.call("PUT", f"/api/queues/%2F/{name}", {"durable": True})
        tables = lambda: (file for kind in ("LOG", "DCL", "DCD") for file in pathlib.Path(self.folder, "mnesia").rglob(f"*.{kind}"))
        end = time.monotonic() + START
        while time.monotonic() < end:
            if any(name.encode() in file.read_bytes() for file in tables()):
                return
            time.sleep(0.1)
        raise RuntimeError(f"the queue {name} does not get to the disk")

    def messages(self, topic: str) -> list[tuple[str, dict]]:
        found = self.call("POST", f"/api/queues/%2F/{topic}/get", {"count": 10_000, "ackmode": "ack_requeue_true", "encoding": "auto"})
        return [(each["properties"]["message_id"], json.loads(each["payload"])) for each in found]

    def _tell_all(self, number: int) -> None:
        """The script we started is the parent of the virtual machine, which has helpers; all of them are ours."""
        assert self.process
        family, index = [self.process.pid], 0
        while index < len(family):
            children = pathlib.Path(f"/proc/{family[index]}/task/{family[index]}/children")
            family += [int(child) for child in (children.read_text("utf-8").split() if children.exists() else [])]
            index += 1
        for pid in family[1:]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        self.process.send_signal(number)
        if number == signal.SIGSTOP:
            self._await_stillness(family)

    def kill(self) -> None:
        self._tell_all(signal.SIGKILL)
        super().kill()

    def freeze(self) -> None:
        self._tell_all(signal.SIGSTOP)

    def thaw(self) -> None:
        self._tell_all(signal.SIGCONT)
