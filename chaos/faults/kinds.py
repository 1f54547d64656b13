"""The kinds of faults that scenarios name. Each begins when it is made, and is healed once; both happen in the main
thread, because processes die with the thread that started them."""

import random
import signal
from dataclasses import dataclass
from typing import Any, Callable, Mapping

from chaos.rig.cluster import Cluster


@dataclass
class Active:
    """A fault that has begun: whom it hit, and how it ends."""

    target: str
    heal: Callable[[], None]


class NotNow(Exception):
    """What it would hit is not there yet; it is tried again soon."""


Maker = Callable[[Cluster, random.Random, Mapping[str, Any]], Active]
KINDS: dict[str, Maker] = {}


def kind(maker: Maker) -> Maker:
    KINDS[maker.__name__] = maker
    return maker


def nothing() -> None:
    """Some faults need no healing."""


def pick(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> int:
    """A node: the one that is told, or any that runs."""
    if "node" in told:
        return int(told["node"])
    running = [i for i, node in enumerate(cluster.nodes) if node.alive() and not node.frozen]
    return chance.choice(running or [0])


def pick_worker(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> int:
    wanted = [i for i, worker in enumerate(cluster.workers) if worker.name.startswith(str(told.get("worker", "")))]
    return chance.choice(wanted)


# ---- Processes


@kind
def kill_node(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    node = cluster.nodes[pick(cluster, chance, told)]
    node.kill()
    return Active(node.name, node.start)


@kind
def stop_node(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """SIGTERM, as in a rolling restart."""
    node = cluster.nodes[pick(cluster, chance, told)]
    node.send(signal.SIGTERM)

    def again() -> None:
        node.stop(20)
        node.start()

    return Active(node.name, again)


@kind
def upgrade_node(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """A node of the last release is told to stop and comes back with today's program; healed, the other way round."""
    node = cluster.nodes[pick(cluster, chance, told)]
    before = node.command[0]

    def run(program: str) -> None:
        node.stop(20)
        node.command[0] = program
        node.start()

    run(str(cluster.tools.belfry))
    return Active(node.name, lambda: run(before))


@kind
def freeze_node(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """With `jump` its clock is that many seconds ahead when it wakes, as after a suspend."""
    i = pick(cluster, chance, told)
    node = cluster.nodes[i]
    node.freeze()

    def wake() -> None:
        if jump := int(told.get("jump", 0)):
            cluster.clock_file(f"node:{i}", jump)
        node.thaw()

    return Active(node.name, wake)


@kind
def freeze_all(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    for node in cluster.nodes:
        node.freeze()

    def wake() -> None:
        for node in cluster.nodes:
            node.thaw()

    return Active("all", wake)


@kind
def kill_all(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    running = [node for node in cluster.nodes if node.alive()]
    for node in running:
        node.kill()

    def again() -> None:
        for node in running:
            node.start()

    return Active("all", again)


@kind
def join_node(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """A spare node joins, and leaves again."""
    node = next(node for node in cluster.nodes[cluster.shape.nodes :] if not node.alive())
    node.start()
    return Active(node.name, lambda: node.send(signal.SIGTERM))


@kind
def kill_worker(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    worker = cluster.workers[pick_worker(cluster, chance, told)]
    worker.kill()
    return Active(worker.name, worker.start)


@kind
def stop_worker(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    worker = cluster.workers[pick_worker(cluster, chance, told)]
    worker.send(signal.SIGTERM)

    def again() -> None:
        worker.stop(20)
        worker.start()

    return Active(worker.name, again)


@kind
def freeze_worker(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    worker = cluster.workers[pick_worker(cluster, chance, told)]
    worker.freeze()
    return Active(worker.name, worker.thaw)


# ---- Links, clocks, disks


@kind
def link(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """`between`: db, http or grpc; of one node or, with `node = "all"`, of each. The rest is what the proxy knows."""
    which = cluster.links.names if told["between"] == "all" else [n for n in cluster.links.names if n.startswith(f"{told['between']}:")]
    if told.get("node") != "all":
        i = pick(cluster, chance, told)
        which = [name for name in which if name.endswith(f":{i}")]
    faults = {key: value for key, value in told.items() if key not in ("between", "node")}
    for name in which:
        cluster.links.set(name, **faults)

    def heal() -> None:
        for name in which:
            cluster.links.set(name)

    return Active(",".join(which), heal)


@kind
def clock(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """A clock jumps by `jump` seconds, and back when healed. `whose`: database, or a node."""
    whose = "database" if told.get("whose") == "database" else f"node:{pick(cluster, chance, told)}"
    cluster.clock_file(whose, int(told["jump"]))
    return Active(whose, lambda: cluster.clock_file(whose, 0) and None)


@kind
def full_disk(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    i = pick(cluster, chance, told)
    flag = cluster.folder / f"full-{i}"
    flag.touch()
    return Active(f"node-{i}", flag.unlink)
