#!/usr/bin/env python3
"""Completion, as bash, zsh and fish do it: each runs the script that `belfry completion` prints.

usage: test_completion.py BINARY
"""

import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import PATIENCE, Server  # noqa: E402

BINARY = os.path.abspath(sys.argv[1])

# Each prints what it would offer for the line in $1, one word a line.
BASH = 'eval "$(belfry completion bash)"; COMP_LINE=$1 COMP_POINT=${#1}; _belfry; printf "%s\\n" "${COMPREPLY[@]}"'
ZSH = ('compdef() { :; }; _files() { :; }; compadd() { print -rl -- "${(@P)@[-1]}"; }; eval "$(belfry completion zsh)"; '
       'words=("${(@s: :)1}"); CURRENT=$#words; _belfry')
FISH = 'belfry completion fish | source; complete -C "$argv[1]"'
SHELLS = {"bash": ["bash", "--norc", "-c", BASH, "bash"], "zsh": ["zsh", "-f", "-c", ZSH, "zsh"], "fish": ["fish", "--no-config", "-c", FISH]}


class Completion(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server(BINARY)
        cls.folder = os.path.join(cls.server.folder.name, "bin")
        os.mkdir(cls.folder)
        os.symlink(BINARY, os.path.join(cls.folder, "belfry"))
        for line in (["calendars", "put", "holidays", "SAT,SUN"], ["tenants", "put", "acme"],
                     ["add", "backup", "--every", "1h", "--type", "night.work", "--label", "env=prod", "--label", "env2=x"]):
            done = cls.server.run(*line)
            assert done.returncode == 0, done.stderr
        cls.run_id = cls.server.run("run", "backup").stdout.strip()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    def offered(self, shell: str, line: str) -> list[str]:
        path = self.folder + ":" + os.environ["PATH"]
        done = subprocess.run([*SHELLS[shell], line], capture_output=True, text=True, timeout=PATIENCE,
                              env=self.server.environment(PATH=path, HOME=self.folder), cwd=self.folder)
        return [word.split("\t")[0] for word in done.stdout.splitlines() if word]

    def test_every_shell_offers_the_same(self) -> None:
        expected = {
            "belfry pau": ["pause"],
            "belfry runs get ": [self.run_id],
            "belfry pause ba": ["backup"],
            "belfry pause --un": ["--until"],
            "belfry add x --tz Europe/Berl": ["Europe/Berlin"],
            "belfry add x --overlap q": ["queue-one"],
            "belfry add x --calendar h": ["holidays"],
            "belfry ls --type ni": ["night.work"],
            "belfry ls --status pa": ["paused"],
            "belfry runs list --state timed": ["timed-out"],
            "belfry ls --tenant ac": ["acme"],
            "belfry ls -o jsonl": ["jsonl"],
            "belfry help expl": ["explain"],
        }
        for shell in SHELLS:
            for line, words in expected.items():
                with self.subTest(shell=shell, line=line):
                    self.assertEqual(self.offered(shell, line), words)

    def test_labels_whose_words_bash_would_break(self) -> None:
        for shell, words in {"bash": ["prod"], "zsh": ["env=prod"], "fish": ["env=prod"]}.items():
            with self.subTest(shell):
                self.assertEqual(self.offered(shell, "belfry ls -l env=p"), words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
