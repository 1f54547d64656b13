#!/usr/bin/env bash
# How late ticks are decided, on PostgreSQL and SQLite: steady load, a herd, the most a node can do (about 3 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release fire_bench >&2
build/release/bench/fire/fire_bench
