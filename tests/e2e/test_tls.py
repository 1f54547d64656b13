#!/usr/bin/env python3
"""TLS on every way in and out, with a certificate made for the occasion: the node's HTTP and gRPC, the command line, workers,
brokers and PostgreSQL.

usage: test_tls.py BINARY [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest
import warnings

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "api"), str(HERE.parent / "deliver")]
from brokers import Nats, RabbitMq, Redis  # noqa: E402
from harness import PATIENCE, Server, die_with_parent  # noqa: E402
from node import Node, wait_for  # noqa: E402
from postgres import Postgres  # noqa: E402

BINARY = ""


class Authority:
    """A folder with ca.pem, and certificates that it signed."""

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-tls-"))
        self.folder.chmod(0o755)
        self._openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                      "-subj", "/CN=test authority", "-keyout", "ca-key.pem", "-out", "ca.pem")

    def _openssl(self, *arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=self.folder, check=True, capture_output=True)

    def sign(self, name: str) -> tuple[str, str]:
        """The files of a new certificate and its key."""
        self._openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", f"/CN={name}",
                      "-keyout", f"{name}-key.pem", "-out", f"{name}.csr")
        (self.folder / "names").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n", "utf-8")
        self._openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca-key.pem", "-CAcreateserial", "-days", "2",
                      "-extfile", "names", "-out", f"{name}.pem")
        (self.folder / f"{name}-key.pem").chmod(0o644)  # brokers and PostgreSQL have users of their own
        return f"{self.folder}/{name}.pem", f"{self.folder}/{name}-key.pem"

    @property
    def ca(self) -> str:
        return f"{self.folder}/ca.pem"


def setUpModule() -> None:
    global AUTHORITY, CERT, KEY
    AUTHORITY = Authority()
    CERT, KEY = AUTHORITY.sign("server")


def tearDownModule() -> None:
    shutil.rmtree(AUTHORITY.folder)


class SecureRedis(Redis):
    def command(self) -> list[str]:
        return ["redis-server", "--port", "0", "--tls-port", str(self.port), "--bind", "127.0.0.1", "--dir", self.folder, "--save", "",
                "--tls-cert-file", CERT, "--tls-key-file", KEY, "--tls-ca-cert-file", AUTHORITY.ca, "--tls-auth-clients", "yes"]

    @property
    def url(self) -> str:
        return f"rediss://127.0.0.1:{self.port}"


class SecureNats(Nats):
    def command(self) -> list[str]:
        return [*super().command(), "--tls", "--tlscert", CERT, "--tlskey", KEY]

    @property
    def url(self) -> str:
        return f"tls://127.0.0.1:{self.port}"

    def ask(self, subject: str, body: dict, most: int = 1) -> list[dict]:
        raise NotImplementedError("the judge's own client knows no TLS")


class SecureRabbitMq(RabbitMq):
    def prepare(self) -> None:
        super().prepare()
        conf = pathlib.Path(self.folder, "rabbitmq.conf")
        conf.write_text(conf.read_text("utf-8").replace("listeners.tcp.1", "listeners.tcp = none\nlisteners.ssl.1")
                        + f"ssl_options.cacertfile = {AUTHORITY.ca}\nssl_options.certfile = {CERT}\nssl_options.keyfile = {KEY}\n", "utf-8")

    @property
    def url(self) -> str:
        return f"amqps://guest:guest@localhost:{self.port}"


class BrokersTest(unittest.TestCase):
    def check(self, broker, topic: str, prepare=lambda: None, own: str = "") -> None:
        self.addCleanup(broker.close)
        prepare()
        node = Node(BINARY, "sqlite", "--broker", f"bus={broker.url}?ca={AUTHORITY.ca}{own}", "--broker", f"stranger={broker.url}")
        self.addCleanup(node.stop)
        stuck = node.add({"kind": "TOPIC", "broker": "stranger", "topic": topic})
        run = node.ended(node.add({"kind": "TOPIC", "broker": "bus", "topic": topic}, payload={"n": 1}))
        self.assertEqual((run["state"], run["attempts"]), ("SUCCEEDED", 1), run)
        self.assertEqual(node.runs(stuck)[0]["state"], "READY", "a certificate of nobody we know was believed")

    def test_redis(self) -> None:
        cert, key = AUTHORITY.sign("redis-client")
        self.check(SecureRedis(), "events", own=f"&cert={cert}&key={key}")

    def test_nats(self) -> None:
        broker = SecureNats()
        self.check(broker, "events.due", lambda: self.add_stream(broker))

    def add_stream(self, broker: SecureNats) -> None:
        """By hand, in TLS after the greeting."""
        with socket.create_connection(("127.0.0.1", broker.port), PATIENCE) as plain:
            while b"\n" not in plain.recv(4096, socket.MSG_PEEK):
                pass
            plain.recv(plain.recv(65536, socket.MSG_PEEK).index(b"\n") + 1)
            with ssl.create_default_context(cafile=AUTHORITY.ca).wrap_socket(plain, server_hostname="127.0.0.1") as secure:
                body = b'{"name":"EVENTS","subjects":["events.due"],"storage":"memory"}'
                secure.sendall(b'CONNECT {"verbose":false}\r\nSUB _INBOX.t 1\r\nPUB $JS.API.STREAM.CREATE.EVENTS _INBOX.t %d\r\n' % len(body)
                               + body + b"\r\n")
                heard = b""
                while b'"config"' not in heard and b'"error"' not in heard:
                    heard += secure.recv(65536)
        self.assertNotIn(b'"error"', heard)

    def test_rabbitmq(self) -> None:
        broker = SecureRabbitMq()
        self.check(broker, "events", lambda: broker.add_queue("events"))


class PostgresTest(unittest.TestCase):
    def test_verify_full(self) -> None:
        database = Postgres()
        self.addCleanup(database.stop)
        for source, name in ((CERT, "server.crt"), (KEY, "server.key")):
            shutil.copy(source, f"{database.data}/{name}")
            os.chmod(f"{database.data}/{name}", 0o600)
            if os.geteuid() == 0:
                shutil.chown(f"{database.data}/{name}", "postgres")
        hba = pathlib.Path(database.data, "pg_hba.conf")
        hba.write_text("local all all trust\nhostssl all all 127.0.0.1/32 trust\n", "utf-8")
        with open(f"{database.data}/postgresql.conf", "a", encoding="utf-8") as conf:
            conf.write("\nssl = on\n")
        database.go_away()
        database.come_back()
        server = Server(BINARY, f"{database.url}?sslmode=verify-full&sslrootcert={AUTHORITY.ca}")
        self.assertEqual(server.stop(), 0)
        # A stranger's authority; no TLS at all; a name that the certificate does not bear.
        stranger = Authority()
        self.addCleanup(shutil.rmtree, stranger.folder)
        for refused in (f"{database.url}?sslmode=verify-full&sslrootcert={stranger.ca}", f"{database.url}?sslmode=disable",
                        f"{database.url.replace('127.0.0.1', 'other.test')}?hostaddr=127.0.0.1&sslmode=verify-full&sslrootcert={AUTHORITY.ca}"):
            done = subprocess.run([BINARY, "serve", "--store", refused, "--listen", "127.0.0.1:0"], capture_output=True, text=True,
                                  timeout=PATIENCE, check=False)
            self.assertNotEqual(done.returncode, 0, refused)


class NodeTest(unittest.TestCase):
    def setUp(self) -> None:
        self.files = tempfile.TemporaryDirectory()
        self.addCleanup(self.files.cleanup)
        self.cert, self.key = f"{self.files.name}/cert.pem", f"{self.files.name}/key.pem"
        shutil.copy(CERT, self.cert)
        shutil.copy(KEY, self.key)
        self.server = Server(BINARY, "sqlite", ("--tls-cert", self.cert, "--tls-key", self.key, "--tls-client-ca", AUTHORITY.ca,
                                                "--grpc-listen", "127.0.0.1:0", "--with-worker", "off"))
        self.addCleanup(self.server.stop)
        self.grpc = wait_for(lambda: next((re.search(r"grpc=([0-9.:]+)", line)[1] for line in self.server.log if "grpc_ready" in line), None))
        self.own = AUTHORITY.sign("client")

    def cli(self, *words: str, own: bool = True) -> subprocess.CompletedProcess:
        files = ("--tls-cert", self.own[0], "--tls-key", self.own[1]) if own else ()
        return subprocess.run([BINARY, *words, "--server", f"https://{self.server.address}", "--ca-file", AUTHORITY.ca, *files],
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def serial(self, address: str) -> str:
        """Of the certificate that the server shows."""
        host, port = address.rsplit(":", 1)
        context = ssl.create_default_context(cafile=AUTHORITY.ca)
        context.load_cert_chain(*self.own)
        context.set_alpn_protocols(["h2"])
        with socket.create_connection((host, int(port)), PATIENCE) as plain, context.wrap_socket(plain, server_hostname=host) as secure:
            return secure.getpeercert()["serialNumber"]

    def test_only_what_is_still_good_is_spoken(self) -> None:
        old, new = ssl.TLSVersion.TLSv1_1, ssl.TLSVersion.TLSv1_3
        for address in (self.server.address, self.grpc):
            for lowest, highest, ciphers, good in (
                    (ssl.TLSVersion.TLSv1, old, "ALL:@SECLEVEL=0", False),
                    (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES128-SHA256", False),
                    (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_2, "ECDHE-ECDSA-AES128-GCM-SHA256", True),
                    (new, new, "ALL", True)):
                with self.subTest(address=address, highest=highest, ciphers=ciphers):
                    self.assertEqual(self.speaks(address, lowest, highest, ciphers), good)

    def speaks(self, address: str, lowest: ssl.TLSVersion, highest: ssl.TLSVersion, ciphers: str) -> bool:
        host, port = address.rsplit(":", 1)
        context = ssl.create_default_context(cafile=AUTHORITY.ca)
        context.load_cert_chain(*self.own)
        context.set_alpn_protocols(["h2"])
        context.set_ciphers(ciphers)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            context.minimum_version, context.maximum_version = lowest, highest
        with socket.create_connection((host, int(port)), PATIENCE) as plain:
            try:
                context.wrap_socket(plain, server_hostname=host).close()
                return True
            except (ssl.SSLError, ConnectionError):
                return False

    def test_only_who_has_a_certificate_gets_in(self) -> None:
        made = self.cli("add", "hello", "--every", "1d", "--exec", "echo hello")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertNotEqual(self.cli("ls", own=False).returncode, 0)

    def test_workers_come_with_a_certificate(self) -> None:
        for way in ((), ("--grpc", self.grpc), ("--grpc", self.grpc, "--unary")):
            with self.subTest(way=way):
                name = f"job-{len(way)}"
                made = self.cli("add", name, "--every", "1d", "--exec", "echo hello", "--type", name)
                self.assertEqual(made.returncode, 0, made.stderr)
                worker = subprocess.Popen([BINARY, "worker", "--type", name, *way, "--server", f"https://{self.server.address}",
                                           "--ca-file", AUTHORITY.ca, "--tls-cert", self.own[0], "--tls-key", self.own[1]],
                                          stderr=subprocess.DEVNULL, preexec_fn=die_with_parent)
                ran = self.cli("run", name, "--wait")
                worker.send_signal(signal.SIGTERM)
                self.assertEqual(worker.wait(PATIENCE), 0)
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_a_new_certificate_is_taken_up(self) -> None:
        before = self.serial(self.server.address)
        self.assertEqual(self.serial(self.grpc), before)
        cert, key = AUTHORITY.sign("renewed")
        shutil.copy(key, self.key)
        shutil.copy(cert, self.cert)
        wait_for(lambda: self.serial(self.server.address) != before)
        wait_for(lambda: self.serial(self.grpc) != before)

    def test_a_hangup_reads_it_again(self) -> None:
        self.server.process.send_signal(signal.SIGHUP)
        wait_for(lambda: any("tls_reloaded" in line for line in self.server.log))
        self.assertTrue(self.server.alive())


def main() -> None:
    global BINARY
    BINARY = os.path.abspath(sys.argv[1])
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)


if __name__ == "__main__":
    main()
