#!/usr/bin/env bash
# Measures nothing: writes bench/RESULTS.md from what the benches left in build/bench.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python3 bench/report/results.py
