#!/usr/bin/env bash
# All questions of bench/RESULTS.md, one after the other, and then the page itself (over 3 hours).
# Options are handed to each of them. One that fails does not keep the others from being asked.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

status=0
for name in jitter herd drain register load failover horizon; do
  say "$name"
  "bench/$name/run.sh" "$@" || status=1
done
bench/report/run.sh
exit "$status"
