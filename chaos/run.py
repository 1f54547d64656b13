"""Runs scenarios against the real thing, judges them, and writes the report: python3 -m chaos.run --help"""

import argparse
import dataclasses
import json
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

from chaos import report
from chaos.checker.verdict import Verdict, judge
from chaos.rig import scenario as scenarios
from chaos.rig.cluster import Cluster, Tools
from chaos.rig.player import play
from chaos.rig.scenario import Scenario

LIVENESS = tuple(f"L{n}" for n in range(1, 10))
SHOWN = 12  # violations that are printed; all are kept with the evidence


def tools_of(build: pathlib.Path, before: pathlib.Path | None = None) -> Tools:
    tools = Tools(build.parent / "belfry", build / "tests/e2e/libwrong_clock.so", build / "tests/health/libfull_disk.so", before)
    for tool in dataclasses.asdict(tools).values():
        if tool and not tool.exists():
            raise SystemExit(f"{tool} is missing: build the targets belfry, wrong_clock and full_disk")
    return tools


def keep_evidence(folder: pathlib.Path, kept: pathlib.Path) -> pathlib.Path:
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(folder / "rig", kept, ignore=shutil.ignore_patterns("pg"))
    return kept


def run_one(scenario: Scenario, tools: Tools, seed: int, keep: pathlib.Path, always: bool) -> tuple[Verdict, report.Line]:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-chaos-"))
    folder.chmod(0o755)
    cluster = Cluster(tools, scenario.shape, folder / "rig", seed)
    try:
        cluster.start()
        history, player = play(scenario, cluster, seed)
        verdict = judge(history, scenario.rules)
        counts = cluster.links.counts()
    except Exception:
        keep_evidence(folder, keep / f"{scenario.name}-{seed}")
        raise
    finally:
        cluster.close()
    line = report.line_of(scenario, seed, verdict, player.faults, player.users.asked, counts)
    if always or not verdict.good:
        kept = keep_evidence(folder, keep / f"{scenario.name}-{seed}")
        (kept / "history.json").write_text(json.dumps(dataclasses.asdict(history)), "utf-8")
        (kept / "violations.txt").write_text("".join(f"{v.property} {v.what}\n" for v in verdict.violations), "utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    return verdict, line


def wanted(told: list[str], has_before: bool) -> list[str]:
    known = scenarios.names()
    if told == ["all"]:
        without = [] if has_before else [name for name in known if scenarios.load(name).shape.before]
        if without:
            print(f"not run, for want of the last release's program (./dev chaos upgrade): {' '.join(without)}")
        return [name for name in known if name not in without]
    if told == ["gate"]:
        return [name for name in known if scenarios.load(name).gate]
    if unknown := set(told) - set(known):
        raise SystemExit(f"there is no scenario {', '.join(sorted(unknown))}; there are: {' '.join(known)}")
    if not has_before and any(scenarios.load(name).shape.before for name in told):
        raise SystemExit("this needs the last release's program: ./dev chaos upgrade builds it")
    return told


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev chaos", description="The real thing under fire.")
    parser.add_argument("scenarios", nargs="*", help="their names, or: all, gate")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100_000)
    parser.add_argument("--load", type=float, default=1.0, help="a share of each scenario's jobs, for a machine that is busy")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="the folder of the build")
    parser.add_argument("--before", type=pathlib.Path, help="the program of the last release, for scenarios that need it")
    parser.add_argument("--report", type=pathlib.Path, help="where to write the table")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("build/chaos"), help="where evidence of violations goes")
    parser.add_argument("--evidence", action="store_true", help="keep it also where nothing was violated")
    told = parser.parse_args()
    if not told.scenarios:
        for name in scenarios.names():
            print(f"  {name:24} {scenarios.load(name).title}")
        return 0
    tools, lines, bad = tools_of(told.build.resolve(), told.before and told.before.resolve()), [], []
    for name in wanted(told.scenarios, tools.before is not None):
        scenario = scenarios.load(name)
        if told.scenarios == ["gate"]:
            # The gate shares its machine with other work: what is only late is told, and does not fail.
            scenario.rules = dataclasses.replace(scenario.rules, known=(*scenario.rules.known, *LIVENESS))
        scenario.workload.jobs = max(1, int(scenario.workload.jobs * told.load))
        print(f"{name} (seed {told.seed}): {scenario.title}", flush=True)
        try:
            verdict, line = run_one(scenario, tools, told.seed, told.keep, told.evidence)
        except Exception:  # one broken scenario must not hide the others
            traceback.print_exc()
            bad.append(name)
            continue
        lines.append(line)
        print(f"  {line.text()}", flush=True)
        for violation in verdict.violations[:SHOWN]:
            print(f"  {violation.property}: {violation.what}", flush=True)
        if not verdict.good:
            bad.append(name)
            print(f"  {len(verdict.violations)} violations; evidence in {told.keep}/{name}-{told.seed}", flush=True)
    if told.report:
        report.write(told.report, lines)
    print(f"{len(lines)} scenarios, {len(bad)} bad{': ' + ' '.join(bad) if bad else ''}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
