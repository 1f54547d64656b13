"""Tokens of an OpenID provider instead of keys: test_oidc.py BELFRY"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from harness import Client, Server

BELFRY = sys.argv[1]
ISSUER = "https://id.example"
FOLDER = tempfile.TemporaryDirectory(prefix="belfry-oidc-")
KEY, JWKS = f"{FOLDER.name}/key.pem", f"{FOLDER.name}/jwks.json"
SERVER: Server


def openssl(*arguments: str, data: bytes = b"") -> bytes:
    return subprocess.run(["openssl", *arguments], input=data, capture_output=True, check=True).stdout


def url_safe(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def publish() -> None:
    """A new key for the issuer, and its public half for the server."""
    openssl("genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", KEY)
    modulus = openssl("rsa", "-in", KEY, "-noout", "-modulus").decode().strip().split("=")[1]
    key = {"kty": "RSA", "use": "sig", "n": url_safe(bytes.fromhex(modulus)), "e": "AQAB"}
    pathlib.Path(JWKS).write_text(json.dumps({"keys": [key]}), encoding="utf-8")


def token(**claims: object) -> str:
    said = {"iss": ISSUER, "aud": "belfry", "sub": "alice", "exp": int(time.time()) + 600, "tenant": "acme", "belfry": "viewer", **claims}
    text = url_safe(b'{"alg":"RS256"}') + "." + url_safe(json.dumps(said).encode())
    return text + "." + url_safe(openssl("dgst", "-sha256", "-sign", KEY, data=text.encode()))


def setUpModule() -> None:
    global SERVER
    publish()
    SERVER = Server(BELFRY, arguments=("--oidc-issuer", ISSUER, "--oidc-jwks", JWKS))
    Client(SERVER.address).call("putTenant", path={"tenant": "acme"}, body={})


def tearDownModule() -> None:
    assert SERVER.stop() == 0, "".join(SERVER.log[-20:])
    FOLDER.cleanup()


class Oidc(unittest.TestCase):
    def client(self, **claims: object) -> Client:
        return Client(SERVER.address, token(**claims))

    def test_the_claims_say_who_and_what(self) -> None:
        session = self.client(belfry=["operator", "exec"]).call("getSession").json
        self.assertEqual((session["actor"], session["tenant_id"], session["scope"], session["permissions"]),
                         ("oidc:alice", "acme", "operator", ["exec"]))
        self.client().call("listJobs")
        self.client().call("createJob", expect=403, body={"job_name": "x", "every": "1d"})
        self.client().call("listJobs", expect=403, headers={"Belfry-Tenant": "default"})
        job = self.client(belfry="operator").call("createJob", body={"job_name": "x", "every": "1d"}).json
        self.assertEqual(job["tenant_id"], "acme")
        rows = self.client(belfry="admin").call("listAudit").json["items"]
        self.assertIn("oidc:alice", {row["actor"] for row in rows})

    def test_others_are_refused(self) -> None:
        for claims in ({"iss": "https://other.example"}, {"aud": "other"}, {"exp": 1}, {"tenant": "nobody"}, {"belfry": "emperor"}):
            with self.subTest(claims):
                self.client(**claims).call("listJobs", expect=401)
        good = token()
        head, body, _ = good.split(".")
        unsigned = url_safe(b'{"alg":"none"}')
        for bad in (f"{head}.{body}.", f"{unsigned}.{body}.", good[:-4] + "AAAA"):
            Client(SERVER.address, bad).call("listJobs", expect=401)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
