"""The rig's end of the fault proxy: one process that carries every link."""

import json
import os
import pathlib
import subprocess
import sys
import threading
from dataclasses import dataclass
from typing import Any

from chaos.rig.processes import die_with_parent

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Route:
    name: str
    listen: int
    to: int
    postgres: bool


class Links:
    def __init__(self, routes: list[Route], seed: int, log: pathlib.Path) -> None:
        told = [{"name": r.name, "listen": r.listen, "to": r.to, "postgres": r.postgres, "seed": f"{seed}/{r.name}"} for r in routes]
        self.names = [route.name for route in routes]
        self._lock = threading.Lock()
        with open(log, "ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "chaos.rig.proxy", json.dumps(told)], cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, preexec_fn=die_with_parent)
        assert self._process.stdout
        if self._process.stdout.readline().strip() != "ready":
            raise RuntimeError(f"the proxy does not start: {log.read_text('utf-8')}")

    def set(self, link: str, **faults: Any) -> None:
        self._order({"link": link, "faults": faults})

    def lead(self, link: str, to: int) -> None:
        self._order({"link": link, "to": to})

    def heal(self) -> None:
        for name in self.names:
            self.set(name)

    def counts(self) -> dict[str, dict[str, int]]:
        return self._order({"report": True})

    def _order(self, order: dict[str, Any]) -> dict[str, dict[str, int]]:
        with self._lock:
            assert self._process.stdin and self._process.stdout
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            return json.loads(self._process.stdout.readline())

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
