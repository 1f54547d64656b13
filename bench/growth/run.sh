#!/usr/bin/env bash
# Start lag against load, jobs, tenants, nodes, workers and an old transaction, as pictures for the docs (70 minutes).
# Only full sizes are drawn into docs/operating/growth; others into build/bench/growth.
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"

need python3-matplotlib
prepare
programs stream_worker
measure growth "$@"
[[ " $* " != *" --help "* ]] || exit 0
folder=docs/operating/growth result=growth
[[ " $* " != *" --size small"* ]] || folder=build/bench/growth
if [[ " $* " = *" --only "* ]]; then folder=build/bench/growth result=growth-only; fi
/usr/bin/python3 bench/report/growth.py "build/bench/$result.json" "$folder" # Debian's Python has Debian's modules
