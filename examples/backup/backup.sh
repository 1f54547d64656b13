#!/usr/bin/env bash
# What the job runs. What it writes is kept with the run: `belfry logs nightly-backup`.
set -euo pipefail
[ -d "$FOLDER" ] || { echo "there is no folder $FOLDER"; exit 78; }   # EX_CONFIG: trying again is useless

# Named by the tick, so that an attempt that was repeated replaces its own file.
file="$FOLDER.${BELFRY_SCHEDULED_FOR%%T*}.tar.gz"
tar --create --gzip --file "$file.part" --directory "$FOLDER" .
mv "$file.part" "$file"
echo "wrote $(stat --format %s "$file") bytes"
