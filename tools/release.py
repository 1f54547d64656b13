#!/usr/bin/env python3
"""Keeps the API of the version that is being released, so that the next one is compared with it.

Writes tests/api/released/VERSION, removes the release before, and empties accepted.yaml. CONTRIBUTING.md has the steps
around it. Makes no commit and no tag.

usage: release.py [root]
"""

import re
import shutil
import sys
from pathlib import Path


def keep(root: Path) -> list[str]:
    """What stands in the way; empty: it is done."""
    version = re.search(r"project\(belfry VERSION (\S+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert version
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version[1])} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE):
        return [f"CHANGELOG.md has no `## {version[1]} (YYYY-MM-DD)`: write what users notice, with the day"]
    released = root / "tests/api/released"
    if (released / version[1]).exists():
        return [f"{version[1]} is kept already: raise the version in CMakeLists.txt (tools/check_version.py names the other places)"]
    for folder in released.iterdir():
        if folder.is_dir():
            shutil.rmtree(folder)
    shutil.copytree(root / "api/proto/belfry", released / version[1] / "proto/belfry")
    shutil.copy(root / "api/openapi.yaml", released / version[1])
    accepted = released / "accepted.yaml"
    comments = [line for line in accepted.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    accepted.write_text("\n".join(comments) + "\n[]\n", encoding="utf-8")
    return []


def main() -> int:
    problems = keep(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    for problem in problems:
        print(f"release.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
