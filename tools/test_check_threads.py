#!/usr/bin/env python3
"""Proves that a missing lock is noticed, and that no file that could miss one is left out."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import check_threads

COUNTER = """
#include "base/condition.h"
#include "base/mutex.h"
namespace belfry {
class Counter {
 public:
  void add() {
    const MutexLock lock(mutex_);
    bump();
  }
  void wait() {
    const MutexLock lock(mutex_);
    while (count_ == 0) changed_.wait_for(mutex_, Duration(1));
  }

 private:
  void bump() BELFRY_REQUIRES(mutex_) { ++count_; }
  Mutex mutex_;
  Mutex other_;
  Condition changed_;
  int count_ BELFRY_GUARDED_BY(mutex_) = 0;
};
}  // namespace belfry
"""


@unittest.skipUnless(shutil.which("clang++-19"), "clang++-19 comes with ./dev lint")
class ThreadsTest(unittest.TestCase):
    def complaints(self, code: str) -> str:
        command = ["clang++-19", "-std=c++20", "-Wall", "-Werror", f"-I{check_threads.ROOT}/src"]
        done = subprocess.run(
            [*command, *check_threads.FLAGS, "-x", "c++", "-"],
            input=code,
            check=False,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode != 0, "error:" in done.stderr, done.stderr)
        return done.stderr

    def test_what_is_right_is_taken(self) -> None:
        self.assertEqual(self.complaints(COUNTER), "")

    def test_a_lock_that_is_not_taken_is_noticed(self) -> None:
        bare = COUNTER.replace("    const MutexLock lock(mutex_);\n    bump();", "    bump();")
        self.assertIn("calling function 'bump' requires holding mutex 'mutex_'", self.complaints(bare))
        bare = COUNTER.replace("    const MutexLock lock(mutex_);\n    while", "    while")
        found = self.complaints(bare)
        self.assertIn("reading variable 'count_' requires holding mutex 'mutex_'", found)
        self.assertIn("'wait_for' requires holding mutex 'mutex_'", found)

    def test_another_lock_is_not_the_lock(self) -> None:
        other = COUNTER.replace("lock(mutex_)", "lock(other_)")
        self.assertIn("requires holding mutex 'mutex_'", self.complaints(other))

    def test_a_function_has_to_say_what_it_needs(self) -> None:
        silent = COUNTER.replace(" BELFRY_REQUIRES(mutex_)", "")
        self.assertIn("writing variable 'count_' requires holding", self.complaints(silent))


class SourcesTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        files = {
            "src/base/mutex.h": "",
            "src/base/time.h": "",
            "src/net/pool.h": '#include "base/mutex.h"\n',
            "src/net/server.h": '#include "net/pool.h"\n',
            "src/net/server.cc": '#include "net/server.h"\n',
            "src/net/address.cc": '#include "base/time.h"\n',
            "src/net/beside.cc": '#include "pool.h"\n',
        }
        for file, text in files.items():
            path = Path(folder.name, file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.sources = check_threads.Sources(Path(folder.name), list(files))

    def test_a_source_is_read_if_it_can_see_a_lock(self) -> None:
        read = self.sources.to_read(self.sources.files)
        self.assertIn("src/net/server.cc", read)
        self.assertIn("src/net/beside.cc", read)
        self.assertNotIn("src/net/address.cc", read)
        self.assertIn("src/base/time.h", read)  # every header is read alone

    def test_a_changed_header_concerns_whoever_sees_it(self) -> None:
        self.assertEqual(
            self.sources.to_read({"src/net/pool.h"}),
            ["src/net/beside.cc", "src/net/pool.h", "src/net/server.cc"],
        )
        self.assertEqual(
            self.sources.to_read({"src/net/server.h"}), ["src/net/server.cc", "src/net/server.h"]
        )
        self.assertEqual(self.sources.to_read({"src/base/time.h"}), ["src/base/time.h"])
        self.assertEqual(self.sources.to_read({"src/net/address.cc"}), [])

    def test_a_header_is_read_with_the_flags_of_a_source(self) -> None:
        known: dict[str, list[str]] = {"src/net/server.cc": [], "src/net/beside.cc": []}
        self.assertEqual(self.sources.nearest_source("src/net/server.h", known), "src/net/server.cc")
        self.assertEqual(self.sources.nearest_source("src/net/pool.h", known), "src/net/beside.cc")
        self.assertIsNone(self.sources.nearest_source("src/base/time.h", known))


if __name__ == "__main__":
    unittest.main()
