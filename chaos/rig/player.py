"""Plays a scenario: warm-up, faults by their times, healing, settling; then the history is taken."""

import heapq
import itertools
import random
import threading
import time
from typing import Callable

from chaos.checker import ticks as tick_rules
from chaos.checker.history import LIVE, History
from chaos.faults import primaries, surroundings  # noqa: F401  register their kinds
from chaos.faults.kinds import KINDS, Active, NotNow
from chaos.rig import snapshot
from chaos.rig.cluster import Cluster
from chaos.rig.journal import now_micros
from chaos.rig.scenario import FaultPlan, Scenario
from chaos.rig.workload import Users


class Player:
    def __init__(self, scenario: Scenario, cluster: Cluster, seed: int) -> None:
        self.scenario, self.cluster = scenario, cluster
        self.chance = random.Random(f"{seed}/{scenario.name}")
        self.users = Users(cluster, scenario.workload, random.Random(f"{seed}/users"))
        self.faults = 0
        self._order = itertools.count()
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._active: list[tuple[FaultPlan, Active, int]] = []
        self._over = threading.Event()
        self._start = time.monotonic()

    def play(self) -> History:
        self.users.register_all()
        begin = now_micros()
        self._plan()
        people = [threading.Thread(target=self._people, args=each, daemon=True) for each in self.scenario.workload.users.items()]
        for person in people:
            person.start()
        self._run_agenda()
        self._over.set()
        for person in people:
            person.join(30)
        self._heal_all()
        return self._settle(begin, now_micros())

    def _plan(self) -> None:
        for plan in self.scenario.faults:
            for n in range(plan.times):
                # The seed moves each fault a little, so that it does not always meet the same instruction.
                at = plan.at + n * plan.again_every + self.chance.uniform(0, 0.5)
                self._at(at, lambda plan=plan: self._begin(plan))

    def _at(self, second: float, what: Callable[[], None]) -> None:
        heapq.heappush(self._agenda, (second, next(self._order), what))

    def _run_agenda(self) -> None:
        self._start = time.monotonic()
        while (passed := time.monotonic() - self._start) < self.scenario.seconds:
            self._supervise()
            if self._agenda and self._agenda[0][0] <= passed:
                heapq.heappop(self._agenda)[2]()
                continue
            wake = min(self.scenario.seconds, self._agenda[0][0] if self._agenda else self.scenario.seconds)
            time.sleep(max(0.005, min(0.25, wake - passed)))
        self._agenda.clear()

    def _supervise(self) -> None:
        """Workers that died by themselves are started again, as systemd would."""
        broken = {active.target for _, active, _ in self._active}
        for worker in self.cluster.workers:
            if not worker.alive() and worker.name not in broken:
                worker.start()

    def _begin(self, plan: FaultPlan) -> None:
        begin = now_micros()
        try:
            active = KINDS[plan.kind](self.cluster, self.chance, plan.told)
        except NotNow:
            self._at(time.monotonic() - self._start + 0.5, lambda: self._begin(plan))
            return
        self.faults += 1
        entry = (plan, active, begin)
        self._active.append(entry)
        self._at(time.monotonic() - self._start + plan.seconds, lambda: self._heal(entry))

    def _heal(self, entry: tuple[FaultPlan, Active, int]) -> None:
        if entry not in self._active:
            return
        self._active.remove(entry)
        plan, active, begin = entry
        active.heal()
        self.cluster.journal.note("fault", kind=plan.kind, target=active.target, begin=begin, until=now_micros())

    def _heal_all(self) -> None:
        for entry in list(self._active):
            self._heal(entry)
        self.cluster.links.heal()
        for process in [*self.cluster.nodes[: self.cluster.shape.nodes], *self.cluster.workers]:
            process.thaw()
            if not process.alive():
                process.start()

    def _people(self, action: str, rate: float) -> None:
        chance = random.Random(f"{self.chance.random()}/{action}")
        while not self._over.wait(chance.expovariate(rate)):
            self.users.act(action)

    def _settle(self, begin: int, horizon: int) -> History:
        """Until every tick has its fate and every run its end, or patience does."""
        end = time.monotonic() + self.scenario.settle
        while True:
            history = self._take(begin, horizon)
            if self._is_settled(history) or time.monotonic() > end:
                break
            self._supervise()
            time.sleep(1)
        history.problems = self.cluster.problems()
        if not self.cluster.brokers:
            return history
        # Messages are known before the ledger, so that each must have its run, and after it, so that each run has its own.
        self.cluster.note_messages()
        history = self._take(begin, horizon)
        self.cluster.note_messages()
        history.receipts = snapshot.receipts(self.cluster.folder)
        history.problems = self.cluster.problems()
        return history

    def _take(self, begin: int, horizon: int) -> History:
        return snapshot.take(self.cluster.database, self.cluster.folder, begin, horizon)

    def _is_settled(self, history: History) -> bool:
        if any(run.state in LIVE and run.scheduled_for <= history.horizon for run in history.runs):
            return False
        if {p.owner for p in history.partitions} - set(history.live_nodes):
            return False
        figures = tick_rules.check(history)[1]
        return figures["missing"] + figures["undecided"] == 0


def play(scenario: Scenario, cluster: Cluster, seed: int) -> tuple[History, Player]:
    player = Player(scenario, cluster, seed)
    return player.play(), player
