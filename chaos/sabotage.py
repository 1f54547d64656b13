"""Takes one protection after the other out of the product and shows that something notices: ./dev chaos sabotages [name…]

Each file of sabotages/ names texts of the sources and what stands in their place, and who must notice: a scenario with
the properties that break, or a test. It is done in a copy of the tree, which is built for each."""

import argparse
import fnmatch
import pathlib
import subprocess
import sys
import tomllib
from dataclasses import dataclass

from chaos.rig import scenario as scenarios

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "chaos" / "sabotages"
SEEDS = 3  # how many are tried: a fault has to meet the moment in which the protection counts


@dataclass(frozen=True)
class Cut:
    files: str  # a pattern
    text: str
    instead: str

    def found_in(self, tree: pathlib.Path) -> list[pathlib.Path]:
        known = subprocess.run(["git", "ls-files", "src", "sql"], cwd=tree, check=True, capture_output=True, text=True).stdout.split()
        matching = [tree / name for name in known if fnmatch.fnmatch(name, self.files)]
        return [file for file in matching if self.text in file.read_text("utf-8")]


@dataclass(frozen=True)
class Sabotage:
    name: str
    title: str
    cut: tuple[Cut, ...]
    scenario: str = ""
    noticed: tuple[str, ...] = ()  # any of these properties must be found broken
    test: str = ""  # or this one must fail


def load(name: str) -> Sabotage:
    told = tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))
    cuts = tuple(Cut(**cut) for cut in told.pop("cut"))
    return Sabotage(name=name, cut=cuts, noticed=tuple(told.pop("noticed", ())), **told)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.toml"))


class Copy:
    """The committed tree once more, to be spoilt and built."""

    def __init__(self, place: pathlib.Path) -> None:
        self.place = place
        if not place.exists():
            self._git(ROOT, "worktree", "prune")
            self._git(ROOT, "worktree", "add", "--quiet", "--detach", str(place))
        self._git(place, "checkout", "--quiet", "--detach", self._git(ROOT, "rev-parse", "HEAD").strip())
        self.mend()

    def spoil(self, sabotage: Sabotage) -> None:
        for cut in sabotage.cut:
            files = cut.found_in(self.place)
            if not files:
                raise SystemExit(f"{sabotage.name}: {cut.files} no longer says {cut.text!r}")
            for file in files:
                file.write_text(file.read_text("utf-8").replace(cut.text, cut.instead), "utf-8")

    def mend(self) -> None:
        self._git(self.place, "checkout", "--quiet", "--", ".")

    def build(self, *targets: str) -> pathlib.Path:
        made = f"source tools/dev_lib.sh; build release {' '.join(targets)}"
        subprocess.run(["bash", "-euo", "pipefail", "-c", made], cwd=self.place, check=True)
        return self.place / "build" / "release"

    def _git(self, where: pathlib.Path, *words: str) -> str:
        return subprocess.run(["git", *words], cwd=where, check=True, capture_output=True, text=True).stdout


def broken_properties(build: pathlib.Path, name: str, seed: int) -> set[str]:
    from chaos.run import run_one, tools_of  # the rig, which needs more than Python's own library

    kept = ROOT / "build" / "chaos" / "sabotages"
    verdict, _ = run_one(scenarios.load(name), tools_of(build), seed, kept, False)
    return {violation.property for violation in verdict.violations}


def noticed_by_scenario(sabotage: Sabotage, copy: Copy) -> str:
    build = copy.build("belfry", "wrong_clock", "full_disk")
    seen: set[str] = set()
    for seed in range(1, SEEDS + 1):
        seen |= broken_properties(build, sabotage.scenario, seed)
        if found := sorted(seen & set(sabotage.noticed)):
            return f"by `{sabotage.scenario}` (seed {seed}): {' '.join(found)}"
        print(f"  seed {seed}: {' '.join(sorted(seen)) or 'nothing'}", flush=True)
    return ""


def noticed_by_test(sabotage: Sabotage, copy: Copy) -> str:
    build = copy.build("belfry", "deliver_test")
    ran = subprocess.run(["ctest", "--test-dir", str(build), "-R", sabotage.test.replace(".", r"\."), "--no-tests=error"], capture_output=True, text=True)
    failed = "The following tests FAILED" in ran.stdout
    return f"by `{sabotage.test}`" if failed else ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev chaos sabotages", description="Who would notice if a protection were gone?")
    parser.add_argument("sabotages", nargs="*", help="their names; none: all")
    told = parser.parse_args()
    wanted = told.sabotages or names()
    if unknown := set(wanted) - set(names()):
        raise SystemExit(f"there is no sabotage {', '.join(sorted(unknown))}; there are: {' '.join(names())}")
    copy = Copy(ROOT / "build" / "chaos" / "spoilt")
    unnoticed = []
    for name in wanted:
        sabotage = load(name)
        print(f"{name}: {sabotage.title}", flush=True)
        try:
            copy.spoil(sabotage)
            by = noticed_by_test(sabotage, copy) if sabotage.test else noticed_by_scenario(sabotage, copy)
        except subprocess.CalledProcessError:
            by = ""
            print("  it does not build", flush=True)
        finally:
            copy.mend()
        print(f"  {'noticed ' + by if by else 'NOT NOTICED'}", flush=True)
        unnoticed += [] if by else [name]
    print(f"{len(wanted)} sabotages, {len(unnoticed)} unnoticed{': ' + ' '.join(unnoticed) if unnoticed else ''}")
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
