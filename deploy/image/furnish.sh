#!/bin/sh
# What mmdebstrap does last, for build.sh: puts the package into the root ($1), and takes out what only the building needed.
set -eu
root=$1
inside() { chroot "$root" "$@"; }

cp "$PACKAGE" "$root/tmp/belfry.deb"
inside apt-get install -y -qq --no-install-recommends /tmp/belfry.deb
install -m 0755 deploy/image/healthy "$root/usr/lib/belfry-healthy"

# The same number as in the manifests, so that what is mounted can be given to it.
inside groupmod --gid "$USER_ID" belfry
inside usermod --uid "$USER_ID" --gid "$USER_ID" belfry
inside chown -R belfry:belfry /var/lib/belfry /etc/belfry

# How this machine reaches its mirror is nobody's business. Who builds upon the image brings sources of their own.
inside apt-get clean
find "$root/etc/apt/apt.conf.d" -type f ! -name 00mmdebstrap -delete # that one it takes away itself
rm -rf "$root/tmp/belfry.deb" "$root/etc/apt/sources.list" "$root"/etc/apt/sources.list.d/* "$root"/var/lib/apt/lists/* \
  "$root"/var/cache/debconf/*-old "$root"/var/log/*.log "$root/var/log/apt"
