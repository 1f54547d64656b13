"""A scenario is a file: how large the rig is, what it does, what breaks when, and what must hold."""

import pathlib
import tomllib
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from chaos.checker.liveness import Bounds
from chaos.checker.verdict import Rules
from chaos.rig.cluster import Shape
from chaos.rig.workload import Workload

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "scenarios"
T = TypeVar("T")


@dataclass(frozen=True)
class FaultPlan:
    """One line of a scenario: from second `at`, for so long, perhaps again and again."""

    kind: str
    at: float
    seconds: float = 0.0
    again_every: float = 0.0
    times: int = 1
    told: dict[str, Any] = field(default_factory=dict)


@dataclass
class Scenario:
    name: str
    title: str
    covers: list[str]
    seconds: float
    shape: Shape
    workload: Workload
    faults: list[FaultPlan]
    rules: Rules
    settle: float = 150.0  # at most; missed time may pass again before all is caught up
    gate: bool = False


def _make(kind: type[T], told: dict[str, Any], what: str) -> T:
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    if unknown := set(told) - known:
        raise ValueError(f"{what}: there is no {sorted(unknown)}")
    return kind(**told)


def _fault(told: dict[str, Any], what: str) -> FaultPlan:
    plain = {each.name for each in fields(FaultPlan)} - {"told"}
    return FaultPlan(**{key: value for key, value in told.items() if key in plain},
                     told={key: value for key, value in told.items() if key not in plain})


def load(name: str) -> Scenario:
    return read(FOLDER / f"{name}.toml")


def read(file: pathlib.Path) -> Scenario:
    name, told = file.stem, tomllib.loads(file.read_text("utf-8"))
    rules = told.pop("properties", {})
    bounds = _make(Bounds, {key: rules.pop(key) for key in list(rules) if key in {f.name for f in fields(Bounds)}}, name)
    for key in ("known", "blackbox_kinds", "tells"):
        if key in rules:
            rules[key] = tuple(rules[key])
    return _make(Scenario, {
        "name": name,
        "shape": _make(Shape, told.pop("rig", {}), name),
        "workload": _make(Workload, told.pop("workload", {}), name),
        "faults": [_fault(each, name) for each in told.pop("faults", [])],
        "rules": _make(Rules, {"bounds": bounds, **rules}, name),
        **told,
    }, name)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))
