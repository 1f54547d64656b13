#!/usr/bin/env python3
"""The documentation: every link leads somewhere, every page is linked to, and what it tells people to type works.

A block of commands stands below `<!-- run -->`, and is run here, or below `<!-- not run: why -->`.

usage: test_docs.py BINARY ROOT
"""

import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

BINARY, ROOT = sys.argv[1], Path(sys.argv[2]).resolve()
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from server import PATIENCE, Server  # noqa: E402

# Pages whose every block of commands is accounted for.
DOORS = ("docs/start.md", "docs/migrate.md", "docs/use.md", "docs/operate.md")
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"(?:<!-- (run|not run: [^>]+) -->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    own = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "examples/README.md")]
    return own + sorted((ROOT / "docs").rglob("*.md"))


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE))


def anchors(page: Path) -> set[str]:
    """Of the headings, as they are made for the web."""
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def links(page: Path) -> list[tuple[Path, str]]:
    found = []
    for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            found.append(((page.parent / path).resolve() if path else page, anchor))
    return found


class Links(unittest.TestCase):
    def test_each_leads_somewhere(self) -> None:
        for page in pages():
            for target, anchor in links(page):
                with self.subTest(page=str(page.relative_to(ROOT)), target=str(target), anchor=anchor):
                    self.assertTrue(target.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(target))

    def test_each_page_is_linked_to(self) -> None:
        linked = {target for page in pages() for target, _ in links(page) if target != page}
        decisions = ROOT / "docs" / "decisions"  # a folder that is read as one
        lost = [str(page.relative_to(ROOT)) for page in pages()
                if page not in linked and decisions not in page.parents and page != ROOT / "README.md"]
        self.assertEqual(lost, [])

    def test_the_index_leads_to_every_page(self) -> None:
        seen, todo = set(), [ROOT / "docs" / "README.md"]
        while todo:
            page = todo.pop()
            if page not in seen and page.suffix == ".md":
                seen.add(page)
                todo += [target for target, _ in links(page)]
        wanted = {page for page in (ROOT / "docs").rglob("*.md") if "decisions" not in page.parts}
        self.assertEqual({str(page.relative_to(ROOT)) for page in wanted - seen}, set())


class Commands(unittest.TestCase):
    def test_each_block_is_accounted_for(self) -> None:
        for name in DOORS:
            for mark, language, text in BLOCK.findall((ROOT / name).read_text(encoding="utf-8")):
                with self.subTest(page=name, block=text):
                    self.assertTrue(mark or language == "yaml", "say `<!-- run -->` or `<!-- not run: why -->` above it")

    def run_page(self, name: str) -> None:
        server = Server(BINARY)
        self.addCleanup(server.stop)
        os.symlink(server.binary, os.path.join(server.folder.name, "belfry"))
        environment = server.environment(HOME=server.folder.name)
        environment["PATH"] = server.folder.name + os.pathsep + environment["PATH"]
        blocks = [text for mark, _, text in BLOCK.findall((ROOT / name).read_text(encoding="utf-8")) if mark == "run"]
        self.assertTrue(blocks)
        for text in blocks:
            done = subprocess.run(["bash", "-euo", "pipefail", "-c", text], cwd=server.folder.name, env=environment,
                                  text=True, capture_output=True, timeout=PATIENCE, check=False)
            self.assertEqual(done.returncode, 0, f"{name}\n{text}\n{done.stdout}{done.stderr}")

    def test_every_command_works(self) -> None:
        for name in DOORS:
            with self.subTest(name):
                self.run_page(name)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
