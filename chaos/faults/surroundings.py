"""Faults of what nodes depend on: the database, brokers, endpoints, the machine."""

import random
import signal
import subprocess
import sys
from typing import Any, Mapping

from chaos.faults.kinds import Active, kind, nothing
from chaos.rig.cluster import Cluster
from chaos.rig.processes import children_of, die_with_parent, send_all


@kind
def kill_database(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    cluster.database.kill()
    return Active("postgres", cluster.database.start)


@kind
def fail_over(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """The primary dies, its standby is promoted, and the nodes are led there."""
    cluster.database.fail_over()
    for route in cluster.to_database:
        cluster.links.lead(route.name, cluster.database.port)
        cluster.links.set(route.name, cut=True)
    return Active("postgres", nothing)


@kind
def freeze_database(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """The postmaster and all its children, as a stalled disk would."""
    postmaster = cluster.database.postmaster()
    pids = [postmaster, *children_of(postmaster)]
    send_all(pids, signal.SIGSTOP)
    return Active("postgres", lambda: send_all(pids, signal.SIGCONT))


@kind
def end_sessions(cluster: Cluster, chance: random.Random, told: Mapping[str, Any]) -> Active:
    """Some of the nodes' sessions are ended by the server."""
    share = float(told.get("share", 0.3))
    cluster.database.script("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = "
                            f"'client backend' and hashtext(pid::text || '{chance.random()}') % 100 between 0 and {int(share * 100)};")
    return Active("postgres", nothing)


class Holder:
    """A session that does something, and stays until it is closed."""

    def __init__(self, cluster: Cluster, sql: str) -> None:
        self.process = subprocess.Popen(cluster.database.command(), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, text=True, preexec_fn=die_with_parent)
        assert self.process.stdin
        self.process.stdin.write(sql + "\n")
        self.process.stdin.flush()

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@kind
def hold(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """Somebody else's transaction: a table lock, a row lock, or an old snapshot, as `sql` says."""
    holder = Holder(cluster, f"begin; {told['sql']};")
    return Active("postgres", holder.close)


@kind
def run_sql(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    cluster.database.script(str(told["sql"]))
    return Active("postgres", (lambda: cluster.database.script(str(told["undo"])) and None) if "undo" in told else nothing)


@kind
def busy_file(cluster: Cluster, _: random.Random, __: Mapping[str, Any]) -> Active:
    """Somebody else writes to the embedded store, and takes long over it."""
    connection = cluster.database.connect()
    connection.execute("begin immediate")

    def heal() -> None:
        connection.rollback()
        connection.close()

    return Active("sqlite", heal)


@kind
def broker(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """`how`: kill or freeze."""
    which = cluster.brokers[str(told["broker"])]
    if told.get("how") == "freeze":
        which.freeze()
        return Active(str(told["broker"]), which.thaw)
    which.kill()
    return Active(str(told["broker"]), which.start)


@kind
def endpoint(cluster: Cluster, _: random.Random, told: Mapping[str, Any]) -> Active:
    """The webhook target misbehaves: error, hang, slow, reset, flood."""
    cluster.sink.behave(str(told["how"]))
    return Active("webhook", lambda: cluster.sink.behave("ok"))


@kind
def cpu(_: Cluster, __: random.Random, told: Mapping[str, Any]) -> Active:
    """Busy loops at normal priority."""
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=die_with_parent) for _ in range(int(told.get("loops", 8)))]

    def heal() -> None:
        for burner in burners:
            burner.kill()
            burner.wait()

    return Active("all", heal)
