#!/usr/bin/env bash
# 10,000 jobs on one minute beside three peers, then a million at one instant beside other tenants (35 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
programs stream_worker
measure herd "$@"
