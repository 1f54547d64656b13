#!/usr/bin/env bash
# How fast jobs are registered by REST, beside three peers and the raw limit (6 minutes); `--store`: at the store (a minute).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"

if [ "${1:-}" = --store ]; then # without a network, and over HTTP from C++; also what deciding the jobs' ticks does
  need "${TEST_PACKAGES[@]}"
  build release register_bench http_bench >&2
  build/release/bench/register/http_bench
  exec build/release/bench/register/register_bench
fi
prepare
programs raw_postgres
measure register "$@"
