#!/usr/bin/env bash
# Makes belfry-client.jar in the given folder; with `tests`, also the classes of its tests, beside it in test-classes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:?the folder for belfry-client.jar}
rm -rf "$out/classes" "$out/test-classes"
mkdir -p "$out/classes" "$out/test-classes"
compile=(javac --release 17 -encoding UTF-8 -Xlint:all -Werror)
find "$here/src" -name '*.java' -print0 | xargs -0 "${compile[@]}" -d "$out/classes"
jar --create --file "$out/belfry-client.jar" -C "$out/classes" .
if [ "${2:-}" = tests ]; then
  find "$here/tests" "$here/examples" -name '*.java' -print0 | xargs -0 "${compile[@]}" -cp "$out/classes" -d "$out/test-classes"
fi
