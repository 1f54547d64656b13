"""release.py keeps what the next version is compared with, once, and only for a version that users are told of."""

import shutil
import tempfile
import unittest
from pathlib import Path

import release

ROOT = Path(__file__).resolve().parent.parent


class ReleaseTest(unittest.TestCase):
    def setUp(self) -> None:
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        shutil.copytree(ROOT / "api", self.root / "api")
        shutil.copytree(ROOT / "tests/api/released", self.root / "tests/api/released")
        (self.root / "CMakeLists.txt").write_text("project(belfry VERSION 9.8.0 LANGUAGES C)\n")
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n## 9.8.0 (2030-01-31)\n")

    def test_keeps_this_version_and_no_other(self) -> None:
        self.assertEqual(release.keep(self.root), [])
        released = self.root / "tests/api/released"
        self.assertEqual([path.name for path in released.iterdir() if path.is_dir()], ["9.8.0"])
        for file in ("openapi.yaml", "proto/belfry/v1/dispatcher.proto"):
            self.assertEqual((released / "9.8.0" / file).read_bytes(), (ROOT / "api" / file).read_bytes())
        self.assertTrue((released / "accepted.yaml").read_text().endswith("\n[]\n"))

    def test_once(self) -> None:
        release.keep(self.root)
        self.assertIn("kept already", release.keep(self.root)[0])

    def test_not_before_users_are_told(self) -> None:
        (self.root / "CHANGELOG.md").write_text("# Changelog\n\n## 9.8.0\n")
        self.assertIn("CHANGELOG.md has no `## 9.8.0", release.keep(self.root)[0])
        self.assertFalse((self.root / "tests/api/released/9.8.0").exists())


if __name__ == "__main__":
    unittest.main()
