#!/usr/bin/env bash
# Whether a main ratio has moved since it was stored in bench/quick.json (3 minutes); `--store` stores those of now.
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"

store=()
if [ "${1:-}" = --store ]; then store=(--store); shift; fi
prepare
programs stream_worker raw_postgres
measure quick "$@"
[[ " $* " != *" --help "* ]] || exit 0
python3 bench/report/quick.py build/bench/quick.json bench/quick.json "${store[@]}"
