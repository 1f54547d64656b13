#!/usr/bin/env bash
# What 5,000 long polls and 500 event streams cost a server and its ticks, and how many requests it answers (2 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

need wrk
build release net_bench >&2
bench=build/release/bench/net/net_bench
coproc "$bench" serve
server=$COPROC_PID input=${COPROC[1]}
read -r port <&"${COPROC[0]}"
"$bench" waiting "$port" "$server"
say "32 connections, a trivial handler"
wrk --threads 1 --connections 32 --duration 10s "http://127.0.0.1:$port/"
say "50 processes, one request each"
time for _ in {1..50}; do "$bench" call "http://127.0.0.1:$port/"; done
exec {input}>&-
wait "$server"
say "fire lag beside them, on PostgreSQL"
need "${TEST_PACKAGES[@]}"
build release beside_bench >&2
build/release/bench/net/beside_bench
