"""One tenant works while others attack its node: no lease is lost, nothing is refused to it, and the node stays small.
How late its runs begin is reported, not judged: that depends on the machine.

    test_attack.py belfry short    all attacks at once, for a few seconds
    test_attack.py belfry long     each by itself, then all at once
"""

import multiprocessing
import pathlib
import resource
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "api"))
from harness import Client, Server  # noqa: E402
import attacks  # noqa: E402
from victim import Victim  # noqa: E402

MOST_MEMORY = 1024  # MiB
HANGING_HOOKS = 80
WORKERS = 8


def peak_memory(process: int) -> float:
    """In MiB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def shown(lags: list[float]) -> str:
    if not lags:
        return "none"
    lags = sorted(lags)
    p50, p99 = lags[len(lags) // 2], lags[min(len(lags) - 1, len(lags) * 99 // 100)]
    return f"{len(lags):4} runs, p50 {p50 * 1000:6.0f} ms, p99 {p99 * 1000:6.0f} ms"


class Siege:
    def __init__(self, belfry: str) -> None:
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        self.server = Server(belfry, "sqlite", ("--allow-private-webhooks", "127.0.0.1", "--grpc-listen", "127.0.0.1:0"))
        host, port = self.server.address.split(":")
        grpc = self.server.grpc_address().split(":")[1]
        admin = Client(self.server.address)
        admin.key = admin.call("createKey", body={"name": "admin", "scope": "admin"}).json["secret"]
        keys = {}
        for tenant in ("victim", "attacker"):
            admin.call("putTenant", path={"tenant": tenant}, body={})
            for scope in ("operator", "worker"):
                made = admin.call("createKey", headers={"Belfry-Tenant": tenant}, body={"name": scope, "scope": scope})
                keys[tenant, scope] = made.json["secret"]
        self.victim = Victim(host, int(port), keys["victim", "operator"], keys["victim", "worker"])
        self.attacker = Victim(host, int(port), keys["attacker", "operator"], keys["attacker", "worker"])
        self.aim = (host, int(port), int(grpc), keys["attacker", "operator"], keys["attacker", "worker"])

    def hang_webhooks(self) -> None:
        for number in range(HANGING_HOOKS):
            self.attacker.add(f"hang-{number}", {"kind": "HTTP", "url": self.victim.url("/hang")}, timeout="30s")

    def phase(self, name: str, chosen: list[str], seconds: float) -> None:
        stop = multiprocessing.Event()
        attackers = [multiprocessing.Process(target=attacks.ALL[each], args=(attacks.Aim(*self.aim, stop),), daemon=True)
                     for each in chosen]
        self.victim.forget()
        for attacker in attackers:
            attacker.start()
        time.sleep(seconds)  # how long the attack goes on
        print(f"{name:20} worker: {shown(self.victim.lags)};  webhooks: {shown(self.victim.hook_lags)};  "
              f"peak {peak_memory(self.server.process.pid):4.0f} MiB", flush=True)
        stop.set()
        for attacker in attackers:
            attacker.join(30)
            if attacker.is_alive():
                attacker.kill()

    def judge(self) -> None:
        peak = peak_memory(self.server.process.pid)
        assert self.server.alive(), "the node has died\n" + "".join(self.server.log[-20:])
        self.victim.stop()
        print(f"the victim did {self.victim.done} runs, lost {len(self.victim.lost)} leases, was refused "
              f"{len(self.victim.refused)} times; peak {peak:.0f} MiB", flush=True)
        assert self.victim.done > 0, "the victim did nothing"
        assert self.victim.hook_lags, "no webhook of the victim arrived"
        assert not self.victim.lost, self.victim.lost[:10]
        assert not self.victim.refused, self.victim.refused[:10]
        assert peak < MOST_MEMORY, f"{peak:.0f} MiB"


def main(belfry: str, form: str) -> None:
    siege = Siege(belfry)
    try:
        siege.victim.start(WORKERS)
        everything = list(attacks.ALL)
        siege.phase("nobody attacks", [], 5 if form == "short" else 20)
        siege.hang_webhooks()
        if form == "long":
            siege.phase("hanging webhooks", [], 30)
            for each in everything:
                siege.phase(each, [each], 30)
        siege.phase("all at once", everything, 15 if form == "short" else 90)
        siege.judge()
    finally:
        siege.server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
