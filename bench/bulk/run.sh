#!/usr/bin/env bash
# 100,000 jobs paused, resumed, relabelled and deleted by one call each, beside others that tick (4 minutes).
# shellcheck source=bench/lib/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/../lib/setup.sh"
prepare
measure bulk "$@"
