"""All properties of a history, and the figures for the report."""

from collections import Counter
from dataclasses import dataclass, field

from chaos.checker import attempts, blackbox, effects, liveness, owners, promises, ticks
from chaos.checker.history import SECOND, History, Violation


@dataclass(frozen=True)
class Rules:
    """What a scenario says about its own judging."""

    bounds: liveness.Bounds = liveness.Bounds()
    tolerance: float = 120.0  # seconds that a start may follow its tick, for the black box
    trust_database_clock: bool = True
    steady_owners: bool = False  # nothing here harms a node, so none may lose a partition
    blackbox_kinds: tuple[str, ...] = ("rest", "python", "typescript", "grpc")
    tells: tuple[str, ...] = ()  # problems that some node must tell of at the end
    known: tuple[str, ...] = ()  # properties that break here, as docs/guarantees.md says: reported, not failed


@dataclass
class Verdict:
    violations: list[Violation]
    figures: dict[str, int] = field(default_factory=dict)
    known: list[Violation] = field(default_factory=list)

    @property
    def good(self) -> bool:
        return not self.violations


def judge(history: History, rules: Rules = Rules()) -> Verdict:
    figures: Counter[str] = Counter()
    violations: list[Violation] = []
    for found, counted in (ticks.check(history), attempts.check(history, rules.trust_database_clock),
                           blackbox.check(history, rules.blackbox_kinds, int(rules.tolerance * SECOND))):
        violations += found
        figures += counted
    for found in (owners.check(history, rules.steady_owners), effects.check(history), promises.check(history), liveness.check(history, rules.bounds)):
        violations += found
    violations += [Violation("T1", f"no node told of {code}") for code in rules.tells if code not in history.problems]
    late = liveness.lateness(history)
    figures["late_max"] = late[-1] if late else 0
    figures["late_p99"] = late[len(late) * 99 // 100] if late else 0
    figures["recovery"] = liveness.recovery(history)
    if (found_again := liveness.again(history)) is not None:
        figures["again"] = found_again
    figures["runs"] = len(history.runs)
    figures["begun"] = sum(1 for seen in history.seen if seen.event == "begin")
    figures["lease_lost"] = sum(1 for each in history.attempts if each.outcome == "LEASE_LOST")
    figures["fenced"] = sum(1 for seen in history.seen if seen.event == "answer" and seen.answer == "FENCED")
    known = [each for each in violations if each.property in rules.known]
    return Verdict([each for each in violations if each.property not in rules.known], dict(figures), known)
