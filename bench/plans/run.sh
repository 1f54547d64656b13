#!/usr/bin/env bash
# Plans and times of the hot statements on PostgreSQL beside 10,000,000 jobs, and under an old transaction (about 15 minutes).
# usage: run.sh [jobs] [rows of history] [runs while a transaction is open]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release plans_bench >&2
build/release/bench/plans/plans_bench bench/plans/load.sql "${1:-10000000}" "${2:-5000000}" "${3:-300000}"
