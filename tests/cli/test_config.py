#!/usr/bin/env python3
"""The configuration of a node as the real binary reads it, and the page about it.

usage: test_config.py BINARY ROOT
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import unittest

BINARY, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])


def serve(*words: str, folder: str = "/", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([BINARY, "serve", *words], capture_output=True, text=True, timeout=60, cwd=folder,
                          env={"PATH": os.environ["PATH"], "HOME": "/hut", **environment}, check=False)


class Configuration(unittest.TestCase):
    def test_each_value_and_where_it_came_from(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "belfry.toml"), "w", encoding="utf-8") as file:
                file.write('region = "file"\nnode_name = "file"\nlease_ttl = "20s"\n')
            done = serve("--config", "belfry.toml", "--region", "flag", "--print-config", "-o", "json",
                         folder=folder, BELFRY_NODE_NAME="variable", BELFRY_REGION="variable")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = {one["name"]: (one["value"], one["source"]) for one in json.loads(done.stdout)}
        self.assertEqual(said["region"], ("flag", "flag --region"))
        self.assertEqual(said["node_name"], ("variable", "environment BELFRY_NODE_NAME"))
        self.assertEqual(said["lease_ttl"], ("20s", "file belfry.toml:3"))
        self.assertEqual(said["lease_renew"], ("1s", "default"))
        self.assertEqual(said["store"], ("sqlite:/hut/.local/share/belfry/belfry.db", "default"))

    def test_what_is_printed_is_a_file_that_says_the_same(self) -> None:
        printed = serve("--print-config", BELFRY_REGION="eu").stdout
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "again.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(printed)
            again = serve("--config", path, "--print-config").stdout
        self.assertEqual(re.sub(" *#.*", "", again), re.sub(" *#.*", "", printed))

    def test_passwords_are_not_shown(self) -> None:
        secret = "postgres://me:hunter2@db/belfry?sslpassword=hunter2"
        for words in (["--print-config"], ["--print-config", "-o", "json"], ["--print-config", "-o", "yaml"]):
            done = serve(*words, BELFRY_STORE=secret)
            self.assertEqual(done.returncode, 0)
            self.assertIn("postgres://********", done.stdout)
            self.assertNotIn("@db", done.stdout)
            self.assertNotIn("hunter2", done.stdout + done.stderr)
        # Nor when it is refused.
        done = serve("--store", "postgrs://me:hunter2@db/belfry", "--listen", "127.0.0.1:0")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("hunter2", done.stdout + done.stderr)

    def test_a_file_is_checked_without_a_node(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            def check(text: str) -> subprocess.CompletedProcess:
                with open(os.path.join(folder, "belfry.toml"), "w", encoding="utf-8") as file:
                    file.write(text)
                return subprocess.run([BINARY, "config", "check", "belfry.toml"], capture_output=True, text=True, timeout=60,
                                      cwd=folder, env={"PATH": os.environ["PATH"], "HOME": "/hut"}, check=False)
            good = check('region = "eu"\n')
            self.assertEqual((good.returncode, good.stdout[:4]), (0, "✓ a "), good.stderr)
            self.assertIn("1 of ", good.stdout)
            bad = check('regoin = "eu"\n')
            self.assertEqual(bad.returncode, 2)
            self.assertIn("region", bad.stderr)
            twice = check('listen = "127.0.0.1:7070"\ngrpc_listen = "127.0.0.1:7070"\n')
            self.assertEqual(twice.returncode, 2)
            self.assertIn("127.0.0.1:7070", twice.stderr)

    def test_a_port_that_is_taken_refuses_the_start(self) -> None:
        with tempfile.TemporaryDirectory() as folder, socket.socket() as http, socket.socket() as grpc:
            while True:  # two neighbours, of which the second is taken
                http.bind(("127.0.0.1", 0))
                try:
                    grpc.bind(("127.0.0.1", http.getsockname()[1] + 1))
                    break
                except OSError:
                    http.close()
                    http = socket.socket()
            grpc.listen()
            port = http.getsockname()[1]
            http.close()
            done = serve("--store", f"sqlite:{folder}/belfry.db", "--data-dir", folder, "--listen", f"127.0.0.1:{port}")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("--grpc-listen off", done.stderr)

    def test_unknown_names_are_errors_that_propose_one(self) -> None:
        done = serve("--print-config", BELFRY_LISTN="127.0.0.1:1")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("did you mean `BELFRY_LISTEN`?", done.stderr)
        done = serve("--lease-tt", "3s")
        self.assertEqual(done.returncode, 2)

    def test_the_page_has_the_settings_of_the_program(self) -> None:
        page = os.path.join(ROOT, "docs", "reference", "configuration.md")
        subprocess.run([os.path.join(ROOT, "tools", "settings_doc.py"), BINARY, page, "--check"], check=True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
