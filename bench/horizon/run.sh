#!/usr/bin/env bash
# What a transaction left open for ten minutes does to 1,000 runs a second, beside two peers (55 minutes).
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
measure horizon "$@"
