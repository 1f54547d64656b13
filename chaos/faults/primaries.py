"""Faults of a primary that Patroni watches over. For each the rig notes when another member takes writes."""

import random
import signal
import threading
import time
from typing import Any, Mapping

from chaos.faults.kinds import Active, NotNow, kind, nothing
from chaos.rig.cluster import Cluster
from chaos.rig.patroni import Member, Patroni
from chaos.rig.processes import PATIENCE, send_all

_LOOK = 0.1  # seconds between two tries to write


def primary_of(cluster: Cluster) -> Member:
    """Of a database that is whole: a second failure, while no standby has everything, is one that it need not survive."""
    database: Patroni = cluster.database
    whole = all(member.process.alive() and not member.process.frozen for member in database.members) and database.all_follow()
    found = database.writable() if whole else []
    if len(found) != 1:
        raise NotNow
    return found[0]


def note_next_primary(cluster: Cluster, old: Member) -> None:
    """In the background: the first write that another member takes."""
    database: Patroni = cluster.database

    def look() -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for member in database.members:
                # The signal goes with the promotion: only then it is worth a session.
                if member is not old and not (member.data / "standby.signal").exists() and database.takes_writes(member):
                    cluster.journal.note("writable", member=member.name, instead_of=old.name)
                    return
            time.sleep(_LOOK)

    threading.Thread(target=look, daemon=True).start()


@kind
def kill_primary(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """The whole machine; with `only = "postgres"` Patroni lives, and knows at once."""
    member = primary_of(cluster)
    note_next_primary(cluster, member)
    if told.get("only") == "postgres":
        send_all(member.server_pids(), signal.SIGKILL)
        return Active(member.name, nothing)
    pids = member.pids()
    send_all(pids, signal.SIGKILL)
    member.process.kill()
    return Active(member.name, member.process.start)


@kind
def freeze_primary(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """It keeps its connections and its port, and says nothing. When it wakes it still believes to be what it was."""
    member = primary_of(cluster)
    pids = member.pids()
    note_next_primary(cluster, member)
    send_all(pids, signal.SIGSTOP)
    member.process.frozen = True

    def wake() -> None:
        member.process.frozen = False
        send_all(pids, signal.SIGCONT)

    return Active(member.name, wake)


@kind
def cut_off_primary(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """`links`: of pg, peer, rest and etcd; all of them, if nothing is said. Without etcd it has to step down."""
    member = primary_of(cluster)
    cut = told.get("links", tuple(member.routes))
    names = [member.routes[what].name for what in cut]
    if "etcd" in cut:
        note_next_primary(cluster, member)
    for name in names:
        cluster.links.set(name, black_up=True, black_down=True)

    def heal() -> None:
        for name in names:
            cluster.links.set(name)

    return Active(member.name, heal)


@kind
def switch_over(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """As an operator does it before maintenance: to a standby that has everything."""
    database: Patroni = cluster.database
    member = primary_of(cluster)
    wanted = "sync_standby" if database.synchronous else "replica"
    candidates = [each["name"] for each in database.known_members() if each["role"] == wanted]
    note_next_primary(cluster, member)
    order = {"leader": member.name, "candidate": candidates[0]} if candidates else {"leader": member.name}
    threading.Thread(target=member.ask, args=("/switchover", order, 60), daemon=True).start()
    return Active(member.name, nothing)


@kind
def lose_commits(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """The standbys hear nothing for `behind` seconds, while nodes go on; then the primary's machine is gone."""
    member = primary_of(cluster)
    cluster.links.set(member.routes["peer"].name, black_up=True, black_down=True)
    time.sleep(float(told.get("behind", 2)))
    note_next_primary(cluster, member)
    send_all(member.pids(), signal.SIGKILL)
    member.process.kill()
    cluster.links.set(member.routes["peer"].name, cut=True)
    return Active(member.name, member.process.start)
