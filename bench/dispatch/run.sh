#!/usr/bin/env bash
# Runs a second through one node, for 32 workers, over REST and gRPC, and as webhooks, and how soon a run starts
# (5 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release dispatch_bench ways_bench webhook_bench >&2
status=0
build/release/bench/dispatch/dispatch_bench "$@" || status=1
build/release/bench/dispatch/ways_bench || status=1
build/release/bench/dispatch/webhook_bench || status=1
exit "$status"
