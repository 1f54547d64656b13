#!/usr/bin/env bash
# Makes the wheel of this client in a folder (absolute, or from the top of the tree), by Debian's setuptools and without
# network. Works on a copy: setuptools leaves files of its own beside the sources.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$1"
out=$(cd "$1" && pwd)
copy=$(mktemp -d)
# shellcheck disable=SC2064 # the folder of now
trap "rm -rf '$copy'" EXIT
cp -r clients/python/{belfry,pyproject.toml,README.md} "$copy"
find "$copy" -name __pycache__ -prune -exec rm -rf {} +
cd "$copy"
make='import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])'
/usr/bin/python3 -c "$make" "$out" >log 2>&1 || { cat log >&2; exit 1; }
