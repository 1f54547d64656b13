#!/usr/bin/env python3
"""Proves that each rule about text fires on a bad comment or page and stays quiet on a good one."""

import unittest
from pathlib import Path

import check_style
import test_checks


class TextTest(test_checks.TreeTest):
    def check(self, root: Path) -> list[str]:
        return check_style.check(root)

    def test_a_word_alone_continues_no_comment(self) -> None:
        for file, mark in [("src/core/a.cc", "//"), ("sql/a.sql", "--"), ("tools/a.py", "#")]:
            self.assert_bad(file, f"{mark} What it does, and\n{mark} why.\n", "`why.` alone", line=2)
            self.assert_bad(
                file, f"\n{mark} What it\n{mark} does\n{mark} and for whom.\n", "`does` alone", line=3
            )
            self.assert_good(file, f"{mark} What it does,\n{mark} and why.\n")
            self.assert_good(file, f"{mark} Alone\n")
        # Also for a comment behind code, when it continues on the line below.
        self.assert_bad("src/core/a.cc", "int a;  // so\n        // many\n", "`many` alone", line=2)
        self.assert_good("src/core/a.cc", "int a = 1;   // seconds\nint bcd = 2; // seconds\n")
        self.assert_good("src/core/a.cc", "// For instance:\n// 0-59\n")
        self.assert_good("src/core/a.cc", "// For instance\n//   0-59\n//   60\n")
        self.assert_good("src/core/a.cc", "// Its first part.\n//\n// Second\n")
        self.assert_good("src/core/a.cc", "// About all.\n\n// b\n")
        self.assert_good("sql/sqlite/migrations/0001_a.sql", "-- What it does, and\n-- why.\n")

    def test_a_ruler_is_one_line(self) -> None:
        ruler = "// ---- Runs\n// --------\n"
        self.assert_bad("src/core/a.cc", ruler, "section's ruler; use one line", line=2)
        self.assert_good("src/core/a.cc", "// ---- Runs\n")
        self.assert_good("src/core/a.cc", "// ---- Runs ----------\n")

    def test_lines_of_cxx_end_at_100(self) -> None:
        self.assert_bad("src/core/a.cc", f"// {'wide ' * 20}a\n", "104 characters")
        self.assert_bad("src/core/a.h", f"#pragma once\nint {'a' * 96};\n", "101 char", line=2)
        self.assert_good("src/core/a.cc", f"int {'a' * 95};\n")
        self.assert_good("src/core/a.cc", f'f("{"wide " * 30}");\n')
        self.assert_good("src/core/a.cc", f'f(R"(\n{"wide" * 30}\n)");\n')

    def test_lines_of_pages_end_at_120(self) -> None:
        wide = "wide " * 24 + "a"
        self.assert_bad("docs/a.md", f"# A\n\n{wide}\n", "121 characters", line=3)
        self.assert_bad("docs/a.md", f"- {wide}\n", "123 characters")
        self.assert_good("docs/a.md", wide[:119] + "\n")
        self.assert_good("docs/a.md", f"```\n{wide}\n```\n")
        self.assert_good("docs/a.md", f"| a |\n|---|\n| {wide} |\n")
        self.assert_good("docs/a.md", f"- https://x.org/{'a' * 120}\n")

    def test_nothing_is_said_twice(self) -> None:
        self.assert_bad("docs/a.md", "One.\nTwo.\nTwo.\n", "line above once more", line=3)
        self.assert_good("docs/a.md", "```\na\na\n```\n")
        self.assert_good("docs/a.md", "One.\n\n\nOne.\n")
        said = "A crash in between loses the hint, not the change."
        self.assert_bad("docs/a.md", f"# A\n\n{said} So\nit is. {said}\n", "a sentence twice", line=3)
        self.assert_good("docs/a.md", f"{said}\n\n{said} Elsewhere, that is.\n")

    def test_files_that_are_named_are_there(self) -> None:
        self.write("docs/decisions/0001-spans.md", "# 1\n")
        self.write("src/core/zone.h", "#pragma once\n")
        self.write("src/core/zone_test.cc", "\n")
        for name in ["docs/b.md", "src/core/gone.h", "core/gone.h", "tools/gone.py", "contract.md"]:
            self.assert_bad("docs/a.md", f"\nSee {name}, please.\n", f"`{name}` is not", line=2)
            self.assert_bad("src/core/a.cc", f"// See {name}.\n", f"`{name}` is not in the tree")
            self.assert_bad("sql/a.sql", f"-- See {name}.\n", f"`{name}` is not in the tree")
            self.assert_good("docs/decisions/0002-b.md", f"There was {name}.\n")
        for name in ["`core/gone`", "`gone.h`", "src/{core,gone}/zone.h", "docs/decisions/0002"]:
            self.assert_bad("docs/a.md", f"See {name}.\n", "is not in the tree")
        for name in ["`core/zone`", "src/core/", "src/*/zone.h", "src/core/zone{.h,_test.cc}", "zone.h"]:
            self.assert_good("docs/a.md", f"See {name}.\n")
        for name in ["docs/decisions/0001", "docs/decisions/NNNN-title.md", "and/or", "/api/v1/x"]:
            self.assert_good("docs/a.md", f"See {name}.\n")
        self.assert_good("docs/a.md", "https://x.org/docs/b.md and $HOME/src/b.h\n")
        self.assert_good("src/core/a.cc", 'auto file = "src/core/gone.h";\n')

    def test_links_lead_somewhere(self) -> None:
        self.write("docs/guides/b.md", "# B\n")
        self.assert_bad("docs/a.md", "[b](guides/c.md)\n", "`guides/c.md` leads nowhere")
        self.assert_bad("docs/guides/a.md", "[b](../b.png)\n", "`../b.png` leads nowhere")
        for link in ["guides/b.md", "guides/b.md#part", "#part", "https://x.org/c.md", "../docs"]:
            self.assert_good("docs/a.md", f"[b]({link})\n")


if __name__ == "__main__":
    unittest.main()
