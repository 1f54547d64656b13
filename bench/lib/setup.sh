# shellcheck shell=bash
# Sourced first by the benches that are programs in Node: goes to the top of the tree and has their parts ready.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

prepare() { # packages, the peers, and belfry; BELFRY=path measures another binary
  need "${TEST_PACKAGES[@]}" libpq-dev
  npm_packages bench
  [ -n "${BELFRY:-}" ] || build release belfry >&2
}

programs() { # targets of the build that the bench needs besides
  build release "$@" >&2
}

node_program() { # the program and its words; thousands of connections need as many files
  ulimit -n "$(ulimit -Hn)"
  bench/node_modules/.bin/node "$@" & # so that the end of this script can be the end of that program
  local program=$!
  trap 'kill "$program"' TERM
  wait "$program"
}

measure() { # the bench's name, then its options: measures, and prints the table
  local name=$1 result=$1; shift
  node_program "bench/$name/bench.mjs" "$@"
  [[ " $* " != *" --only "* ]] || result=$name-only
  [[ " $* " = *" --help "* ]] || python3 bench/report/table.py "build/bench/$result.json"
}
