#!/usr/bin/env bash
# Makes what is installed in build/packages: the Debian packages belfry, belfry-worker and libbelfry-dev, and the Python
# client as a wheel. Called by `./dev package`. Needs no network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/dev_lib.sh

OUT=build/packages
STAGE=$OUT/stage
VERSION=${BELFRY_PACKAGE_VERSION:-$(project_version)}
ARCHITECTURE=$(dpkg --print-architecture)
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

put() { install -D -m "$1" "$2" "$STAGE/$3"; } # mode, file, path in the stage

# ---- what is in them

stage_program() {
  cmake --install build/release --component program --prefix "$PWD/$STAGE/belfry/usr" --strip >/dev/null
  put 0644 deploy/systemd/belfry.service belfry/lib/systemd/system/belfry.service
  put 0640 deploy/debian/belfry.toml belfry/etc/belfry/belfry.toml
  local belfry=$STAGE/belfry/usr/bin/belfry share=$STAGE/belfry/usr/share
  mkdir -p "$share"/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d,man/man1}
  "$belfry" completion bash >"$share/bash-completion/completions/belfry"
  "$belfry" completion zsh >"$share/zsh/vendor-completions/_belfry"
  "$belfry" completion fish >"$share/fish/vendor_completions.d/belfry.fish"
  python3 deploy/man_pages.py "$belfry" "$VERSION" "$share/man/man1"
  gzip --best --no-name "$share"/man/man1/*.1
  local file
  for file in deploy/prometheus/*.yml deploy/grafana/*.json; do
    put 0644 "$file" "belfry/usr/share/belfry/$(basename "$(dirname "$file")")/$(basename "$file")"
  done
}

stage_worker() {
  put 0644 deploy/systemd/belfry-worker.service belfry-worker/lib/systemd/system/belfry-worker.service
  put 0640 deploy/debian/worker belfry-worker/etc/belfry/worker
}

stage_library() {
  cmake --install build/release --component library --prefix "$PWD/$STAGE/libbelfry-dev/usr" >/dev/null
  find "$STAGE/libbelfry-dev" -name '*.a' -exec strip --strip-debug {} +
}

# ---- what they need

# The packages of the shared libraries that the program is linked with.
libraries() {
  local folder; folder=$(mktemp -d)
  mkdir "$folder/debian"
  printf 'Source: belfry\n\nPackage: belfry\nArchitecture: any\n' >"$folder/debian/control"
  (cd "$folder" && dpkg-shlibdeps -O "$1" 2>/dev/null) | sed -n 's/^shlibs:Depends=//p'
  rm -rf "$folder"
}

# package, what it depends on, section, then lines of the description
control() {
  local package=$1 depends=$2 section=$3 size; shift 3
  size=$(du -sk --apparent-size "$STAGE/$package" | cut -f1)
  mkdir -p "$STAGE/$package/DEBIAN"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\n' "$package" "$VERSION" "$ARCHITECTURE"
    printf 'Maintainer: The Belfry project <belfry@localhost>\nInstalled-Size: %s\n' "$size"
    printf 'Depends: %s\nSection: %s\nPriority: optional\n' "$depends" "$section"
    printf 'Description: %s\n' "$1"; shift
    printf ' %s\n' "$@"
  } >"$STAGE/$package/DEBIAN/control"
  if [ -d "$STAGE/$package/etc" ]; then
    (cd "$STAGE/$package" && find etc -type f -printf '/%p\n' | sort) >"$STAGE/$package/DEBIAN/conffiles"
  fi
  local script
  for script in postinst prerm postrm; do
    [ ! -f "deploy/debian/$package.$script" ] || put 0755 "deploy/debian/$package.$script" "$package/DEBIAN/$script"
  done
}

put_docs() { # package
  put 0644 LICENSE "$1/usr/share/doc/$1/copyright"
}

main() {
  need dpkg-dev python3-setuptools python3-wheel
  build release belfry base net client worker
  rm -rf "$OUT" && mkdir -p "$STAGE"
  umask 022
  stage_program
  stage_worker
  stage_library
  local package
  for package in belfry belfry-worker libbelfry-dev; do put_docs "$package"; done
  control belfry "$(libraries "$PWD/$STAGE/belfry/usr/bin/belfry"), adduser, tzdata" admin \
    "distributed cron that decides every tick exactly once" \
    "A node of Belfry with its console, and the command line. One node works alone on" \
    "SQLite; several share their jobs on PostgreSQL. Every scheduled instant of every" \
    "job gets exactly one fate, a run or a recorded skip with its reason."
  control belfry-worker "belfry (= $VERSION), adduser" admin \
    "distributed cron: runs the commands of jobs" \
    "A worker that asks the nodes of Belfry for runs of EXEC jobs, as a service of its" \
    "own, under a user of its own."
  control libbelfry-dev "libabsl-dev, libexpected-dev, libfmt-dev, libboost1.81-dev, libssl-dev, nlohmann-json3-dev" libdevel \
    "distributed cron: library for workers and clients in C++" \
    "Headers and static libraries; find_package(belfry) gives belfry::worker and" \
    "belfry::client."
  for package in belfry belfry-worker libbelfry-dev; do
    dpkg-deb --root-owner-group --build "$STAGE/$package" "$OUT/${package}_${VERSION}_${ARCHITECTURE}.deb" >/dev/null
  done
  rm -rf "$STAGE"
  clients/python/wheel.sh "$OUT"
  ls -l "$OUT"
}

main
