#!/usr/bin/env bash
# How many runs a second 32 workers can claim and complete through one node, and how soon a run starts (about 2 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release dispatch_bench >&2
build/release/bench/dispatch/dispatch_bench "$@"
