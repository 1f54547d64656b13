#!/usr/bin/env bash
# Ten million jobs stored: start until all are loaded, memory, an idle minute beside three peers (25 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
measure load "$@"
