#!/usr/bin/env bash
# What a node costs while a million jobs wait for the future, on PostgreSQL (about 4 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release idle_bench >&2
build/release/bench/idle/idle_bench
