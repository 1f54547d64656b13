#!/usr/bin/env python3
"""Keeps the table of docs/reference/configuration.md in step with the program's settings.

usage: settings_doc.py BINARY PAGE [--check]    without --check the page is written
"""

import json
import os
import re
import subprocess
import sys

TABLE = re.compile(r"(<!-- settings -->\n).*?(<!-- /settings -->)", re.DOTALL)


def table(binary: str) -> str:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BELFRY_")}
    done = subprocess.run([binary, "serve", "--print-config", "-o", "json"], env=kept,
                          capture_output=True, text=True, check=True)
    lines = ["| flag | environment | file | default | |", "|---|---|---|---|---|"]
    for one in json.loads(done.stdout):
        placeholder = one["placeholder"].replace("|", "\\|")
        lines.append(f"| `{one['flag']} {placeholder}` | `{one['environment']}` | `{one['name']}` | {one['default']} | {one['help']} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    binary, page = sys.argv[1:3]
    with open(page, encoding="utf-8") as file:
        text = file.read()
    right = TABLE.sub(lambda match: match[1] + table(binary) + match[2], text)
    if "--check" in sys.argv:
        if right != text:
            print(f"{page} is not what the program says; run tools/settings_doc.py {binary} {page}", file=sys.stderr)
        return int(right != text)
    with open(page, "w", encoding="utf-8") as file:
        file.write(right)
    return 0


if __name__ == "__main__":
    sys.exit(main())
