#!/usr/bin/env bash
# What registering jobs costs, in bulk, one by one and merged, and what deciding their ticks does (a minute).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need "${TEST_PACKAGES[@]}"
build release register_bench http_bench >&2
build/release/bench/register/http_bench
build/release/bench/register/register_bench
