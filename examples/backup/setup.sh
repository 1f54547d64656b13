#!/usr/bin/env bash
# A backup every night, and who is told when it fails or does not begin: setup.sh FOLDER HOOK
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
folder=$1 hook=$2

belfry add nightly-backup --cron '30 2 * * *' --tz Europe/Berlin --exec "$PWD/backup.sh" --env "FOLDER=$folder" \
  --timeout 2h --retries 2 --retry 5m..30m --label team=ops
belfry alerts put backup-failed --when failed_in_a_row --count 1 --job nightly-backup --url "$hook" --group-wait 1s
belfry alerts put backup-missing --when not_started --after 30m --job nightly-backup --url "$hook"
belfry run nightly-backup --wait   # once, by hand, before it is relied on
