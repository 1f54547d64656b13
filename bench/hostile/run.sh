#!/usr/bin/env bash
# The slowest answers hostile cron expressions can force (a second).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

build release hostile_bench >&2
build/release/bench/hostile/hostile_bench
