#!/usr/bin/env python3
"""Checks that the modules of src/ depend on each other in one direction only.

The tables below are the architecture. A change to them is a change of design and needs a
decision record; the rest of this file only reads #include lines and CMake files.

usage: check_layers.py [root]
"""

import re
import sys
from fnmatch import fnmatch
from pathlib import Path

# Each module, in dependency order, and the modules it may include. None may name a module below itself.
MODULES: dict[str, list[str]] = {
    "base": [],
    "core": ["base"],
    "store": ["base", "core"],
    "archive": ["base"],
    "net": ["base"],
    "trace": ["base", "net"],
    "console": ["base", "net"],
    "engine": ["base", "core", "store"],
    "demo": ["base", "core", "store", "engine"],
    "service": ["base", "core", "store", "engine", "trace"],
    "api": ["base", "core", "store", "net", "console", "engine", "service"],
    "rehearse": ["base", "core", "store", "engine", "service", "api"],
    "transfer": ["base", "core", "store", "engine", "service", "api"],
    "deliver": ["base", "core", "net"],
    "client": ["base", "net"],
    "worker": ["base", "net", "client"],
    "rpc": ["base", "core", "store", "net", "engine", "service", "worker"],
    "import": ["base", "core"],
    "config": ["base", "core", "client"],
    "cli": ["base", "core", "archive", "net", "client", "import", "config", "rehearse"],
}
MODULES["server"] = list(MODULES)

# Inside a module: each room (a folder of it) that has neighbours, and the neighbours it may include. "." is the
# module's own folder; the name of a header is one file there. Every room may include itself, rooms without a row may
# include all, and tests may include every room of their module.
ROOMS: dict[str, dict[str, list[str]]] = {
    "core": {
        "schedule": [".", "cron"],
        "cron": [".", "schedule"],
        "timetable": [".", "schedule"],
        "proof": [".", "schedule"],
        "restore": [".", "schedule"],
    },
    "store": {
        ".": [],
        "common": ["."],
        "postgres": [".", "common"],
        "sqlite": [".", "common"],
        "wrappers": ["."],
    },
    "net": {
        ".": [],
        "server": ["."],
        "client": ["."],
    },
    "engine": {
        "ownership": [],
        "loading": [],
        "dispatch": ["observer.h"],
        "ticks": ["observer.h", "loading", "dispatch"],
        "chores": ["observer.h"],
        "restore": [],
    },
    "service": {
        "access": ["refusal.h"],
        "health": [],
        "secrets": [],
        "audit": [],
        "alerts": [],
        "jobs": ["refusal.h", "access", "health"],
        "work": [".", "access"],
    },
    "api": {
        "frame": [],
        "jobs": ["frame"],
        "runs": ["frame", "jobs"],
        "schedules": ["frame", "jobs"],
        "workers": ["frame", "jobs"],
        "bulk": ["frame"],
        "events": ["frame"],
        "alerts": ["frame", "jobs"],
        "admin": ["openapi_json.h", "frame"],
        "proof": ["frame", "jobs"],
    },
    "deliver": {
        ".": [],
        "webhook": ["."],
        "mail": ["."],
        "topic": ["."],
    },
    "import": {
        ".": [],
        "crontab": ["."],
        "systemd": ["."],
        "k8s": ["."],
        "ical": ["."],
    },
    "cli": {
        "text": ["frame", "files"],
        "frame": ["text", "files"],
        "files": ["text", "frame"],
        "archive": ["text", "frame"],
        "browser": ["text", "frame"],
        "bulk": ["text", "frame", "files"],
        "cron": ["text", "frame"],
        "node": ["text", "frame"],
        "verbs": ["text", "frame", "files", "bulk", "cron"],
        "admin": ["text", "frame", "files"],
        "checkins": ["text", "frame", "files"],
        "proof": ["text", "frame", "files", "verbs"],
        "rehearse": ["text", "frame", "files"],
    },
}

# A folder with more units (a header, its source and its test are one) needs rooms.
MOST_UNITS = 22
# Folders that may hold more.
LARGE_FOLDERS = {
    "src/base": 24,  # one flat list of words, and everything includes them
    "src/store": 25,  # one header for each topic, and their sum
}

# Libraries that stay behind one door: a header (as a pattern) and the files that may include it.
LIBRARIES: list[tuple[str, list[str]]] = [
    (r"tl/expected\.hpp", ["src/base/result.h"]),
    (r"absl/", ["src/core/schedule/zone_catalog.cc", "*_test.cc"]),
    (r"(postgresql/)?libpq-fe\.h", ["src/store/postgres*"]),
    (r"sqlite3\.h", ["src/store/sqlite*"]),
    (r"yaml-cpp/", ["src/import/k8s/*", "src/cli/files/*"]),
    (r"toml\+\+/", ["src/config/toml_file.cc"]),
    (r"boost/", ["src/net/*"]),
    (r"openssl/", ["src/net/*", "src/base/digest.cc", "src/base/jwk_set.cc", "src/base/seal.cc", "src/base/signature.cc", "src/service/access/oidc_test.cc"]),
    (r"grpc(pp)?/|google/protobuf/|.*\.pb\.h", ["src/rpc/*"]),
    (r"zlib\.h", ["src/api/frame/compression.cc", "src/archive/*"]),
    (r"brotli/", ["src/api/frame/compression.cc"]),
    (r"curl/", ["src/deliver/webhook/http_caller.cc", "src/deliver/mail/mailer.cc"]),
    (r"amqp(_.*)?\.h", ["src/deliver/topic/rabbitmq_broker.cc"]),
    (r"librdkafka/", ["src/deliver/topic/kafka_broker.cc"]),
]

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)')


def may_not(module: str, verb: str, other: str) -> str:
    allowed = ", ".join(MODULES[module]) or "nothing"
    return f"{module} may not {verb} {other} ({module} may use: {allowed})"


def check_include(root: Path, file: str, module: str, quote: str, header: str) -> str | None:
    """The objection to one #include of `file`, if any."""
    for pattern, allowed in LIBRARIES:
        if re.match(pattern, header):
            if any(fnmatch(file, glob) for glob in allowed):
                return None
            return f"{module} may not include {header} (only {' and '.join(allowed)} may)"
    if quote == "<" and not (root / "src" / header).is_file():
        return None  # <net/if.h> belongs to the system, not to us
    if header.startswith("tests/") and file.endswith("_test.cc"):
        return None
    other = header.split("/")[0]
    if other not in MODULES:
        return f'"{header}" names no module; write the path from src/'
    if other != module and other not in MODULES[module]:
        return may_not(module, "include", other)
    if other == module:
        return check_room(file.removeprefix("src/"), module, header)
    return None


def room_of(path: str) -> str:
    """The room of a file or header, whose path starts at src/."""
    rest = path.split("/")[1:]
    return rest[0] if len(rest) > 1 else "."


def check_room(file: str, module: str, header: str) -> str | None:
    """The objection to an #include inside a module, if any; the path of `file` starts at src/."""
    room, other = room_of(file), room_of(header)
    allowed = ROOMS.get(module, {}).get(room)
    if allowed is None or room == other or file.endswith("_test.cc"):
        return None
    if other in allowed or (other == "." and header.split("/")[-1] in allowed):
        return None
    rooms = ", ".join(allowed) or "nothing"
    return f"{module}/{room} may not include {header} (of {module} it may use: {rooms})"


def check_sizes(root: Path) -> list[str]:
    units: dict[str, set[str]] = {}
    for path in (root / "src").rglob("*"):
        if path.suffix in (".h", ".cc"):
            folder = path.parent.relative_to(root).as_posix()
            units.setdefault(folder, set()).add(path.stem.removesuffix("_test"))
    return [
        f"{folder}:1: {len(names)} units; use folders of at most {MOST_UNITS} instead (one room, one idea)"
        for folder, names in sorted(units.items())
        if len(names) > LARGE_FOLDERS.get(folder, MOST_UNITS)
    ]


def check_folders(root: Path) -> list[str]:
    known = ", ".join(MODULES)
    return [
        f"src/{path.name}:1: {path.name} is not a module (modules: {known})"
        for path in sorted((root / "src").iterdir())
        if path.name not in MODULES and path.name != "CMakeLists.txt"
    ]


def check_sources(root: Path) -> list[str]:
    problems = []
    for module in MODULES:
        for path in sorted((root / "src" / module).rglob("*.*")):
            if path.suffix not in (".h", ".cc"):
                continue
            file = path.relative_to(root).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if include := INCLUDE.match(line):
                    if problem := check_include(root, file, module, *include.groups()):
                        problems.append(f"{file}:{number}: {problem}")
    return problems


def check_cmake(root: Path) -> list[str]:
    """What a target links must agree with the table; otherwise the table is only half true."""
    calls = []  # (file and line, module, words of the call)
    target_module = {name: name for name in MODULES}
    for module in MODULES:
        for path in sorted((root / "src" / module).rglob("CMakeLists.txt")):
            text = re.sub(r"#.*", "", path.read_text(encoding="utf-8"))
            for call in re.finditer(r"\bbelfry_module\s*\(([^)]*)\)", text):
                words = call[1].split()
                line = text.count("\n", 0, call.start()) + 1
                calls.append((f"{path.relative_to(root).as_posix()}:{line}", module, words))
                target_module[words[words.index("NAME") + 1]] = module
    problems = []
    for place, module, words in calls:
        for word in words:
            other = target_module.get(word, module)  # not one of ours: a source or a library
            if other != module and other not in MODULES[module]:
                problems.append(f"{place}: {may_not(module, 'depend on', other)}")
    return problems


def check(root: Path) -> list[str]:
    return check_folders(root) + check_sizes(root) + check_sources(root) + check_cmake(root)


def main() -> int:
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    problems = check(root)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
