#!/usr/bin/env bash
# Makes the container image as build/image/belfry-VERSION.tar, for `podman load -i` or `docker load -i`: a root of Debian
# packages by mmdebstrap, the package `belfry` of build/packages in it, and what runs it. Called by `./dev image`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/dev_lib.sh

OUT=build/image
VERSION=$(project_version)
PACKAGE=build/packages/belfry_${VERSION}_$(dpkg --print-architecture).deb
USER_ID=65532 # what Kubernetes manifests and charts name; nobody's on any host
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH PACKAGE USER_ID
export BUILDAH_FORMAT=docker # the newer format has no health checks

# ---- the root: Debian, as small as commands of jobs can live with, and Belfry

sources() { # how this machine reaches its mirror
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null || true
}

make_root() {
  local file options=()
  for file in /etc/apt/apt.conf.d/*; do # proxies and certificates of this machine; none of them stays in the root
    case ${file##*/} in docker*) ;; *) options+=("--aptopt=$file") ;; esac
  done
  sources | mmdebstrap --quiet --mode=root --variant=minbase --include=ca-certificates,tzdata "${options[@]}" \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --customize-hook=deploy/image/furnish.sh bookworm "$OUT/root.tar" -
}

# ---- the image: who runs what in it

buildah_here() { # with a storage of its own, that works where the kernel grants nothing
  buildah --root "$PWD/$OUT/storage" --runroot "$PWD/$OUT/run" --storage-driver vfs "$@"
}

make_image() {
  local container
  container=$(buildah_here from scratch)
  buildah_here add --quiet "$container" "$OUT/root.tar" / >/dev/null
  buildah_here config --user "$USER_ID:$USER_ID" --workingdir /var/lib/belfry --volume /var/lib/belfry \
    --entrypoint '["/usr/bin/belfry"]' --cmd serve --port 7070 --port 7071 --port 9070 --stop-signal SIGTERM \
    --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --env LANG=C.UTF-8 \
    --env BELFRY_DATA_DIR=/var/lib/belfry --env BELFRY_LOG_FORMAT=json \
    --healthcheck 'CMD /usr/lib/belfry-healthy' --healthcheck-interval 5s --healthcheck-timeout 5s --healthcheck-retries 6 \
    --label org.opencontainers.image.title=Belfry --label "org.opencontainers.image.version=$VERSION" \
    --label org.opencontainers.image.licenses=Apache-2.0 "$container"
  buildah_here commit --quiet --timestamp "$SOURCE_DATE_EPOCH" "$container" "belfry:$VERSION" >/dev/null
  rm -f "$OUT/belfry-$VERSION.tar"
  buildah_here push --quiet "belfry:$VERSION" "docker-archive:$OUT/belfry-$VERSION.tar:belfry:$VERSION"
}

main() {
  need mmdebstrap buildah
  [ "$(id -u)" -eq 0 ] || die "the image is made by root: files in it belong to several users"
  [ -f "$PACKAGE" ] || die "$PACKAGE is missing; ./dev package makes it"
  rm -rf "$OUT" && mkdir -p "$OUT"
  say "a root of Debian packages"; make_root
  say "the image"; make_image
  rm -rf "$OUT/storage" "$OUT/run" "$OUT/root.tar"
  ls -l "$OUT"
}

main
