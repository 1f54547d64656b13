#!/usr/bin/env bash
# One of several who get every message: consumer.sh GROUP. The job is
#   belfry add price-list --cron '0 6 * * *' --topic bus/prices --payload '{"list": "retail"}'
# and the node knows the broker: belfry serve --broker bus=redis://127.0.0.1:6379 (`REDIS` here is its port).
set -euo pipefail
group=$1
redis() { redis-cli -p "${REDIS:-6379}" --json "$@"; }

redis XGROUP CREATE prices "$group" 0 MKSTREAM >/dev/null 2>&1 || true   # it is there already
while true; do
  message=$(redis XREADGROUP GROUP "$group" "$HOSTNAME" COUNT 1 BLOCK 1000 STREAMS prices '>')
  [ "$message" != null ] || continue
  # The run's id is the same if the message comes twice: keep it where the effect is kept.
  python3 -c 'import json, sys
for _, entries in json.loads(sys.argv[2]).items():
    for entry, fields in entries:
        event = json.loads(dict(zip(fields[::2], fields[1::2]))["event"])
        print(sys.argv[1], event["idempotencykey"], event["data"], flush=True)' "$group" "$message"
  redis XACK prices "$group" "$(python3 -c 'import json, sys; print(json.loads(sys.argv[1])["prices"][0][0])' "$message")" >/dev/null
done
