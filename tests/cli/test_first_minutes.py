#!/usr/bin/env python3
"""The first minutes of the README, word for word, against a server started as `./dev run` does.

usage: test_first_minutes.py BINARY README
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import Server  # noqa: E402


def commands(readme: str) -> str:
    with open(readme, encoding="utf-8") as text:
        block = re.search(r"<!-- first-minutes -->\n```\n(.*?)```", text.read(), re.DOTALL)
    assert block, "the README has no first minutes"
    return block[1]


def main() -> int:
    binary, readme = sys.argv[1:3]
    server = Server(binary)
    try:
        os.symlink(server.binary, os.path.join(server.folder.name, "build", "belfry"))
        script = "set -euxo pipefail\n" + commands(readme)
        done = subprocess.run(["bash", "-c", script], cwd=server.folder.name, timeout=120,
                              env=server.environment(), check=False)
        return done.returncode
    finally:
        server.stop()


if __name__ == "__main__":
    sys.exit(main())
