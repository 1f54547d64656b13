#!/usr/bin/env bash
# A backlog worked off to its last confirmation: gRPC, REST, in process; three peers, the raw limit (15 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
programs stream_worker raw_postgres raw_sqlite drain_in_process
measure drain "$@"
