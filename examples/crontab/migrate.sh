#!/usr/bin/env bash
# Moves a crontab, one step at a time: what would become of it, the jobs, paused, and the first that is moved.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

belfry import crontab my.crontab --tz Europe/Berlin           # only a report
belfry import crontab my.crontab --tz Europe/Berlin --write   # jobs, paused
belfry ls --status paused

job=$(belfry ls --status paused -o json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["job_name"])')
belfry run "$job" --wait   # once, by hand: a paused job can be tried
belfry resume "$job"       # from now on it ticks here: remove its line from the crontab
