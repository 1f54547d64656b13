#!/usr/bin/env bash
# How long the console waits for the calls of each page, with 1,000,000 jobs and 10,000,000 rows of history (20 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"

prepare
node_program bench/console/bench.mjs "$@"
