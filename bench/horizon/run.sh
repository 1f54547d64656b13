#!/usr/bin/env bash
# What a transaction left open for ten minutes does to 1,000 runs a second, beside two peers (55 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
need python3-matplotlib
measure horizon "$@"
[[ " $* " != *" --help "* ]] || exit 0
result=build/bench/horizon
[[ " $* " != *" --only "* ]] || result=build/bench/horizon-only
/usr/bin/python3 bench/report/horizon.py "$result.json" "$result.png" # Debian's Python has Debian's modules
