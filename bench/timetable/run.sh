#!/usr/bin/env bash
# Ten million jobs over five thousand schedules in one timetable: memory, load, pop, forecast (about 20 seconds).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

build release timetable_bench >&2
build/release/bench/timetable/timetable_bench
