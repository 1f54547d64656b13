#!/usr/bin/env bash
# Next fire times per second, one thread: Belfry beside the cron libraries in use today (about 3 minutes).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

PEERS=bench/cron/peers
EXPRESSIONS=$PWD/bench/cron/expressions.txt
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

version() { dpkg-query -W -f '${source:Upstream-Version}' "$1"; } # of a Debian package

quartz() {
  need default-jdk-headless libquartz2-java libslf4j-java
  local jars=/usr/share/java
  javac -cp "$jars/quartz2.jar" -d "$scratch" "$PEERS/QuartzCron.java"
  java -cp "$jars/quartz2.jar:$jars/slf4j-api.jar:$jars/slf4j-nop.jar:$scratch" QuartzCron \
    "$EXPRESSIONS" "$(version libquartz2-java)"
}

robfig() {
  need golang-go golang-github-robfig-cron-dev
  GO111MODULE=off GOPATH=/usr/share/gocode GOCACHE=$scratch/go go build -o "$scratch/robfig" "$PEERS/robfig.go"
  "$scratch/robfig" "$EXPRESSIONS" "$(version golang-github-robfig-cron-dev)"
}

croniter() { # with Debian's Python, which has Debian's modules; PATH may find another first
  need python3 python3-croniter python3-tz
  /usr/bin/python3 "$PEERS/croniter_bench.py" "$EXPRESSIONS" "$(version python3-croniter)"
}

node_libraries() { # npm brings the libraries and the node that runs them
  npm_packages bench
  bench/node_modules/.bin/node "$PEERS/cron.mjs" "$EXPRESSIONS"
}

belfry() { build/release/bench/cron/cron_bench "$EXPRESSIONS"; }

# Ours is built first: without it, the peers have nothing to be compared with.
configure release
ninja -C build/release -t query cron_bench >/dev/null 2>&1 || die "no target cron_bench: bench/cron/CMakeLists.txt does not define it yet"
ninja -C build/release --quiet cron_bench >&2

peer() { # name for the table, function; one that fails becomes a row that says so, without the rows it printed
  say "measuring $1"
  local status
  set +e # a condition would switch `set -e` off inside the function too
  (set -e; "$2") 2>&1 >"$scratch/rows" | tee "$scratch/messages" >&2
  status=${PIPESTATUS[0]}
  set -e
  if [ "$status" -eq 0 ]; then
    cat "$scratch/rows" >>"$scratch/all"
  else
    local reason
    reason=$(sed -e '/^$/d' -e 's/\t/ /g' "$scratch/messages" | tail -1)
    printf '%s\tnot measured\t%s\n' "$1" "${reason:-exit code $status}" >>"$scratch/all"
  fi
}

# Two rounds, and the table takes the better of each row, so that a busy minute favours nobody.
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg) on $(nproc) cores (only a quiet machine compares well)"
for round in 1 2; do
  say "round $round"
  peer 'Quartz CronExpression' quartz
  peer 'robfig/cron' robfig
  peer 'croniter' croniter
  peer 'croner, cron-parser' node_libraries
  say "measuring Belfry"
  belfry >>"$scratch/all"
done

/usr/bin/python3 bench/cron/table.py <"$scratch/all"
