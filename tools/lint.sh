# shellcheck shell=bash
# The slow checks of `./dev lint`, for all sources or for what changed. Sourced by dev, from the top of the tree.

MOST_COMMITS=20 # how far back the quick form looks when nothing says what has landed

sources() { git ls-files --cached --others --exclude-standard -- '*.h' '*.cc'; }
scripts() { git ls-files --cached --others --exclude-standard -- dev .ci/run '*.sh'; }

lint_base() { # prints the commit that changes are counted from
  local branch base
  for branch in origin/main main; do
    base=$(git merge-base HEAD "$branch" 2>/dev/null) || continue
    [ "$base" = "$(git rev-parse HEAD)" ] || { echo "$base"; return; }
  done
  # This is main itself, as in continuous integration, and nothing says which commits are new.
  git rev-list --first-parent --max-count=$((MOST_COMMITS + 1)) HEAD | tail -n 1
}

changed_since() { # commit: the files that differ from it, committed or not, and still exist
  git diff --name-only --diff-filter=d "$1" --
  git ls-files --others --exclude-standard
}

among() { # the names on stdin that the command also prints
  sort -u | comm -12 - <("$@" | sort -u)
}

count() { grep -c . <<<"$1" || true; }

lint_format() { # names on stdin
  xargs -r clang-format-19 --dry-run --Werror
}

lint_tidy() { # names of .cc files on stdin
  local files
  files=$(sed -E '/^tests\/(compile_fail|install|fuzz)\//d')
  sed '/_test\.cc$/d' <<<"$files" | tidy
  # It cannot see through ASSERT_TRUE, so every test that asserts first and then reads would fail.
  sed -n '/_test\.cc$/p' <<<"$files" | tidy --checks=-bugprone-unchecked-optional-access
}

tidy() { xargs -r -P2 -n1 clang-tidy-19 -p build/clang --quiet "$@"; }

lint_all() {
  say "clang-format"; sources | lint_format
  say "shellcheck"; scripts | xargs shellcheck -x
  build clang generated
  say "each header alone, thread safety"; python3 tools/check_threads.py
  say "clang-tidy"; sources | sed -n '/\.cc$/p' | lint_tidy
}

lint_changed() { # [base]
  local base changed cxx shell
  base=${1:-$(lint_base)}
  changed=$(changed_since "$base")
  cxx=$(among sources <<<"$changed")
  shell=$(among scripts <<<"$changed")
  say "changed since $(git log -1 --format='%h (%s)' "$base"): $(count "$changed") files, $(count "$cxx") of them C++"
  say "clang-format: $(count "$cxx") files"; lint_format <<<"$cxx"
  say "shellcheck: $(count "$shell") files"; xargs -r shellcheck -x <<<"$shell"
  if [ -z "$cxx" ]; then say "no C++ changed: nothing for clang"; return; fi
  build clang generated
  say "each header alone, thread safety"; xargs python3 tools/check_threads.py <<<"$cxx"
  say "clang-tidy is not part of this: ./dev lint has it"
}
