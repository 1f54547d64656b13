"""Starts a real server, runs a command against it, stops it: with_server.py BELFRY sqlite|postgres COMMAND…

{server} in the command stands for the server's address. The exit code is the command's."""

import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "api"))

from harness import Server  # noqa: E402


def main() -> int:
    server = Server(sys.argv[1], sys.argv[2])
    try:
        command = [part.replace("{server}", f"http://{server.address}") for part in sys.argv[3:]]
        code = subprocess.run(command, check=False).returncode
    finally:
        ended = server.stop()
    if code or ended:
        print("the server said:", *server.log[-20:], sep="\n", file=sys.stderr)
    return code or ended


if __name__ == "__main__":
    sys.exit(main())
