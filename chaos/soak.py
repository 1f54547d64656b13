"""Hours of steady work with mild faults, and what grows meanwhile: ./dev soak [hours]

The rig plays soak.toml; every few seconds a sample is taken of memory, descriptors, connections, tables and lag. In the
end the checker judges every tick, the curves are drawn, and what should be flat is compared: its second quarter with
its last. The ledger is not among it: it grows with every tick, until its days are dropped."""

import argparse
import csv
import dataclasses
import pathlib
import shutil
import statistics
import sys
import tempfile
import threading
from typing import Any, Callable

from chaos.checker.history import SECOND
from chaos.checker.verdict import Verdict, judge
from chaos.rig import scenario as scenarios
from chaos.rig.cluster import Cluster
from chaos.rig.journal import now_micros
from chaos.rig.player import play
from chaos.rig.scenario import Scenario
from chaos.run import SHOWN, tools_of

ROOT = pathlib.Path(__file__).resolve().parents[1]
FILE = ROOT / "chaos" / "soak.toml"
WATCHED = 0  # the node that no fault hits
LEDGER = ("history", "attempts", "skips", "run_logs", "audit", "job_revisions", "proof")
MEBI = 1 << 20

Sample = dict[str, float]

SIZES = """select c.relname as name, pg_total_relation_size(c.oid) as bytes from pg_class c
where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'"""
CONNECTIONS = "select count(*) as n from pg_stat_activity where backend_type = 'client backend'"
# Until its end was written: a start is given the time of its tick where a worker waited for it.
LAG = """select coalesce(percentile_disc(0.99) within group (order by lag), 0) as p99, count(*) as n
from (select extract(epoch from h.finished_at - h.scheduled_for) * 1000 as lag from history h
  where h.origin = 0 and h.attempt = 1 and h.finished_at > now() - interval '{seconds} seconds') as h"""


@dataclasses.dataclass(frozen=True)
class Curve:
    """One column of the samples, and by how much it may rise from its second quarter to its last."""

    name: str
    title: str
    share: float = 0.0  # of what it was
    slack: float = 0.0  # and so much besides, in its own unit
    judged: bool = True  # else it is only drawn


CURVES = (
    Curve("memory", "resident memory of a node, MiB", 0.1, 4),
    Curve("descriptors", "open files of a node", 0.1, 8),
    Curve("connections", "connections to the database", 0.1, 4),
    Curve("hot", "tables and indexes of live work, MiB", 0.25, 4),
    Curve("lag", "from the tick to the end of its work, p99, ms", 0.5, 300),
    Curve("ledger", "the ledger, MiB", judged=False),
    Curve("fires", "fires a second", judged=False),
)


class Sampler:
    """Takes a sample every few seconds, in a thread of its own, while the rig plays."""

    def __init__(self, cluster: Cluster, every: float) -> None:
        self.cluster, self.every = cluster, every
        self.samples: list[Sample] = []
        self._begin = now_micros()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> "Sampler":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._over.wait(self.every):
            try:
                self.samples.append(self._sample())
            except (OSError, RuntimeError) as error:  # what is down for a moment leaves a gap
                print(f"  no sample: {error}", flush=True)

    def _sample(self) -> Sample:
        process = pathlib.Path(f"/proc/{self.cluster.nodes[WATCHED].pid}")
        pages = int((process / "statm").read_text("ascii").split()[1])
        sizes = {row["name"]: float(row["bytes"]) for row in self.cluster.database.rows(SIZES)}
        ledger = sum(size for name, size in sizes.items() if name.startswith(LEDGER))
        lag = self.cluster.database.rows(LAG.format(seconds=2 * self.every))[0]
        return {"minute": (now_micros() - self._begin) / SECOND / 60,
                "memory": pages * 4096 / MEBI,
                "descriptors": len(list((process / "fd").iterdir())),
                "connections": float(self.cluster.database.rows(CONNECTIONS)[0]["n"]),
                "hot": (sum(sizes.values()) - ledger) / MEBI,
                "ledger": ledger / MEBI,
                "lag": float(lag["p99"]),
                "fires": float(lag["n"]) / (2 * self.every)}


def long_scenario(hours: float) -> Scenario:
    """Faults come again and again until a while before the end."""
    told = scenarios.read(FILE)
    told.seconds = hours * 3600
    for i, plan in enumerate(told.faults):
        times = int((told.seconds - 30 - plan.at) // plan.again_every) + 1
        told.faults[i] = dataclasses.replace(plan, times=max(0, times))
    return told


def quarters(samples: list[Sample], name: str) -> tuple[float, float]:
    """The medians of its second quarter and of its last."""
    values = [sample[name] for sample in samples]
    quarter = max(1, len(values) // 4)
    return statistics.median(values[quarter : 2 * quarter] or values), statistics.median(values[-quarter:])


def rises(samples: list[Sample]) -> list[str]:
    found = []
    for curve in CURVES:
        before, after = quarters(samples, curve.name)
        flat = not curve.judged or after <= before * (1 + curve.share) + curve.slack
        print(f"  {curve.title:42} {before:10.1f} -> {after:10.1f}{'' if flat else '   RISES'}", flush=True)
        found += [] if flat else [curve.name]
    return found


def write(samples: list[Sample], folder: pathlib.Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "soak.csv", "w", encoding="utf-8", newline="") as file:
        rows = csv.DictWriter(file, samples[0].keys())
        rows.writeheader()
        rows.writerows({name: round(value, 3) for name, value in sample.items()} for sample in samples)


def judged(hours: float, build: pathlib.Path, seed: int, every: float) -> tuple[Verdict, list[Sample]]:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-soak-"))
    folder.chmod(0o755)
    told = long_scenario(hours)
    cluster = Cluster(tools_of(build), told.shape, folder / "rig", seed)
    try:
        cluster.start()
        with Sampler(cluster, every) as sampler:
            history, _ = play(told, cluster, seed)
        return judge(history, told.rules), sampler.samples
    finally:
        cluster.close()
        shutil.rmtree(folder, ignore_errors=True)


def report(verdict: Verdict, samples: list[Sample]) -> int:
    for violation in verdict.violations[:SHOWN]:
        print(f"  {violation.property}: {violation.what}", flush=True)
    figures: Callable[[str], Any] = lambda name: verdict.figures.get(name, 0)
    print(f"{figures('ticks')} ticks, {figures('missing')} missing, {figures('doubled')} doubled, {figures('early')} early, "
          f"{figures('untried')} untried; {len(verdict.violations)} violations", flush=True)
    risen = rises(samples)
    print(f"{len(samples)} samples, {len(risen)} curves rise{': ' + ' '.join(risen) if risen else ''}")
    return 1 if risen or not verdict.good else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__)
    parser.add_argument("hours", type=float, nargs="?", default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two samples")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of the build")
    parser.add_argument("--into", type=pathlib.Path, default=ROOT / "build" / "soak", help="where the samples go")
    told = parser.parse_args()
    verdict, samples = judged(told.hours, told.build.resolve(), told.seed, told.every)
    write(samples, told.into)
    return report(verdict, samples)


if __name__ == "__main__":
    sys.exit(main())
