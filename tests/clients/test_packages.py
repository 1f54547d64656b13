"""The clients as people install them: a wheel for Python, a folder or an archive for Node. Without network.

    python3 test_packages.py [TEST...]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON, TYPESCRIPT = ROOT / "clients/python", ROOT / "clients/typescript"
VERSION = re.findall(r"project\(belfry VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text("utf-8"))[0]
PATIENCE = 300.0  # seconds; a limit for broken tests, never a measurement


def run(*command: str, cwd: pathlib.Path, **environment: str) -> str:
    variables = {**os.environ, "npm_config_offline": "true", "npm_config_audit": "false", "npm_config_fund": "false",
                 "npm_config_update_notifier": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment}
    done = subprocess.run(command, cwd=cwd, env=variables, text=True, capture_output=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    return done.stdout


class Packages(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="belfry-clients-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def test_python_from_a_wheel(self) -> None:
        run(str(PYTHON / "wheel.sh"), str(self.folder), cwd=ROOT)
        wheel = self.folder / f"belfry_client-{VERSION}-py3-none-any.whl"
        run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", "site", str(wheel), cwd=self.folder)
        said = run(sys.executable, "-c", "import belfry, belfry.client; print(belfry.__file__, belfry.client.VERSION)",
                   cwd=self.folder, PYTHONPATH=str(self.folder / "site"))
        self.assertEqual(said.split(), [str(self.folder / "site/belfry/__init__.py"), VERSION])
        self.assertTrue((self.folder / "site/belfry/py.typed").exists(), "type checkers believe only who says so")

    def test_the_wheel_has_every_module(self) -> None:
        run(str(PYTHON / "wheel.sh"), str(self.folder), cwd=ROOT)
        run(sys.executable, "-m", "zipfile", "-e", str(next(self.folder.glob("*.whl"))), "out", cwd=self.folder)
        installed = {path.name for path in (self.folder / "out/belfry").iterdir()}
        self.assertEqual(installed, {path.name for path in (PYTHON / "belfry").iterdir() if path.name != "__pycache__"})

    def sources_of_typescript(self) -> pathlib.Path:
        """As in a fresh clone after `npm ci`: nothing is built."""
        copy = self.folder / "typescript"
        shutil.copytree(TYPESCRIPT, copy, ignore=shutil.ignore_patterns("dist", "node_modules"))
        os.symlink(TYPESCRIPT / "node_modules", copy / "node_modules")
        return copy

    def project(self) -> pathlib.Path:
        project = self.folder / "project"
        project.mkdir()
        (project / "package.json").write_text('{"name": "mine", "version": "1.0.0", "type": "module"}', "utf-8")
        (project / "main.mjs").write_text('import { VERSION, Worker } from "belfry-client"; console.log(VERSION, typeof Worker);', "utf-8")
        return project

    def test_node_from_the_folder(self) -> None:
        project = self.project()
        run("npm", "install", str(self.sources_of_typescript()), cwd=project)
        self.assertEqual(run("node", "main.mjs", cwd=project).split(), [VERSION, "function"])

    def test_node_from_an_archive(self) -> None:
        sources = self.sources_of_typescript()
        run("npm", "pack", "--pack-destination", str(self.folder), cwd=sources)
        project = self.project()
        run("npm", "install", str(self.folder / f"belfry-client-{VERSION}.tgz"), cwd=project)
        self.assertEqual(run("node", "main.mjs", cwd=project).split(), [VERSION, "function"])
        installed = project / "node_modules/belfry-client"
        self.assertTrue((installed / "dist/src/index.d.ts").exists())
        self.assertFalse((installed / "dist/test").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose", *sys.argv[1:]])
