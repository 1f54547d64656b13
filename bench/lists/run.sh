#!/usr/bin/env bash
# A page of a list of jobs among a million of one tenant (some minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release lists_bench >&2
build/release/bench/lists/lists_bench "$@"
