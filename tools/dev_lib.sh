# shellcheck shell=bash
# What `dev` and the scripts it starts share: packages, messages, building. Sourced from the top of the tree.

# Debian packages, by purpose. Only missing ones are installed.
# shellcheck disable=SC2034 # used by the scripts that source this
{
BUILD_PACKAGES=(g++ cmake ninja-build ccache mold git python3 python3-yaml tzdata
  libabsl-dev libexpected-dev libfmt-dev libgtest-dev libpq-dev libsqlite3-dev
  libboost1.81-dev libssl-dev libyaml-cpp-dev libtomlplusplus-dev nlohmann-json3-dev
  libgrpc++-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc
  libcurl4-openssl-dev librabbitmq-dev librdkafka-dev zlib1g-dev libbrotli-dev
  libgoogle-perftools-dev pkgconf)
TEST_PACKAGES=(postgresql-15 patroni etcd-server pgbouncer curl openssl python3-jsonschema python3-aiosmtpd nats-server rabbitmq-server redis-server chromium
  prometheus haproxy zsh fish golang-go openjdk-17-jdk-headless python3-pip python3-setuptools python3-wheel)
LINT_PACKAGES=(clang-19 clang-format-19 clang-tidy-19 shellcheck)
FUZZ_PACKAGES=(clang-19 libclang-rt-19-dev)
}

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }
die() { printf 'dev: %s\n' "$*" >&2; exit 2; }

project_version() { sed -n 's/^project(.* VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

need() { # package names: installs the missing ones with one apt call
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "installing ${missing[*]}"
  local root=()
  [ "$(id -u)" -eq 0 ] || root=(sudo)
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

npm_packages() { # folder with a package-lock.json: installs what it pins, in its node_modules
  command -v node >/dev/null || need nodejs
  command -v npm >/dev/null || need npm
  [ "$1/node_modules/.package-lock.json" -nt "$1/package-lock.json" ] && return
  say "npm ci in $1"
  (cd "$1" && npm ci --no-audit --no-fund --loglevel=error >/dev/null) || { say "npm ci failed"; return 1; }
}

configure() { # preset; repeating it is cheap and keeps it current
  need "${BUILD_PACKAGES[@]}"
  npm_packages console || return # the build embeds it
  local log status=0
  log=$(mktemp)
  cmake --preset "$1" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

build() { # preset, then ninja targets (default: all); the compiler cache makes a fresh clone quick
  local preset=$1; shift
  configure "$preset" || return
  ninja -C "build/$preset" --quiet "$@"
}
