#!/usr/bin/env bash
# How late a run reaches its worker, 10,000 and 100,000 times a minute, beside three peers (40 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
programs stream_worker
measure jitter "$@"
