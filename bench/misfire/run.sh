#!/usr/bin/env bash
# How long a one-second job that was down for 30 days takes to decide, for each misfire policy (10 s).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release misfire_bench >&2
build/release/bench/misfire/misfire_bench
