#!/usr/bin/env bash
# Three nodes: how late the latest tick is when nodes join, are killed, come back and leave (15 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
measure failover "$@"
