"""What a node tells the service manager that started it (Type=notify of deploy/systemd/belfry.service).

    python3 test_service.py BELFRY
"""

import os
import pathlib
import socket
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from harness import Client, Server  # noqa: E402

BELFRY = os.path.abspath(sys.argv[1])
PATIENCE = 60.0  # seconds; a limit for broken tests, never a measurement


class Service(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="belfry-notify-")
        self.addCleanup(folder.cleanup)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(self.socket.close)
        self.socket.bind(f"{folder.name}/notify")
        self.socket.settimeout(PATIENCE)
        self.server = Server(BELFRY, "sqlite", (), {"NOTIFY_SOCKET": f"{folder.name}/notify"})
        self.addCleanup(self.server.stop)

    def hear(self, word: str) -> None:
        while word not in self.socket.recv(4096).decode().splitlines():
            pass

    def test_ready_alive_stopping(self) -> None:
        self.hear("READY=1")
        self.hear("WATCHDOG=1")
        self.server.process.terminate()
        self.hear("STOPPING=1")
        self.assertEqual(self.server.process.wait(PATIENCE), 0)

    def test_who_is_ready_serves(self) -> None:
        self.hear("READY=1")
        self.assertEqual(Client(self.server.address).call("listJobs").status, 200)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
