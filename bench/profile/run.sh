#!/usr/bin/env bash
# Where the time of a run goes, by stage and by statement: `./dev profile drain|fire` (2 minutes).
# usage: run.sh drain|fire [--keep] [options]      --keep writes the report into bench/profiles, for everybody
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"

[ $# -gt 0 ] || die "what is to be profiled? ./dev profile drain|fire"
load=$1; shift
keep=
if [ "${1:-}" = --keep ]; then keep=1; shift; fi
need linux-perf
prepare
programs stream_worker
node_program bench/profile/bench.mjs "$load" "$@"
[[ " $* " != *" --help "* ]] || exit 0
report=build/bench/profile-$load/report.md
python3 bench/report/stages.py "build/bench/profile-$load" >"$report"
cat "$report"
if [ -n "$keep" ]; then
  mkdir -p bench/profiles
  cp "$report" "bench/profiles/$load.md"
  say "kept as bench/profiles/$load.md"
fi
