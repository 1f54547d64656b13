"""Compose file and Kubernetes manifests: every setting in them is one, every probe asks a route that is there.

    python3 test_manifests.py BELFRY
"""

import os
import pathlib
import subprocess
import sys
import unittest
from typing import Any, Iterator

import yaml

BELFRY = os.path.abspath(sys.argv[1])
DEPLOY = pathlib.Path(__file__).resolve().parent.parent.parent / "deploy"
# What a setting is worth is up to who deploys it; that there is one of this name is not.
STANDS_FOR_SECRETS = {"BELFRY_STORE": "postgres://belfry@db/belfry", "BELFRY_SECRETS_KEY": "QUJD" * 10 + "QUE="}


def documents(path: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((DEPLOY / path).read_text("utf-8")) if each]


def run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run([BELFRY, *command], env={"PATH": os.environ["PATH"], **environment}, text=True,
                          capture_output=True, timeout=60, check=False)


def pods() -> Iterator[tuple[str, dict[str, Any]]]:
    for each in documents("kubernetes/belfry.yaml"):
        if each["kind"] == "Deployment":
            yield each["metadata"]["name"], each["spec"]["template"]["spec"]


class Kubernetes(unittest.TestCase):
    def test_every_variable_is_a_setting(self) -> None:
        pod = dict(pods())["belfry"]["containers"][0]
        variables = {one["name"]: one.get("value", STANDS_FOR_SECRETS.get(one["name"], "x")) for one in pod["env"]}
        done = run([*pod["args"], "--print-config"], variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(run([*pod["args"], "--print-config"], {**variables, "BELFRY_LISTN": "x"}).returncode, 2)

    def test_probes_ask_public_routes(self) -> None:
        routes = run(["serve", "--print-routes"], {}).stdout.splitlines()
        for probe in ("livenessProbe", "readinessProbe"):
            path = dict(pods())["belfry"]["containers"][0][probe]["httpGet"]["path"]
            self.assertIn(f"GET {path} public", routes)

    def test_nobody_is_root_or_writes(self) -> None:
        for name, pod in pods():
            with self.subTest(name):
                self.assertTrue(pod["securityContext"]["runAsNonRoot"])
                for container in pod["containers"]:
                    self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
                    self.assertEqual(container["securityContext"]["capabilities"]["drop"], ["ALL"])

    def test_what_belongs_together_fits(self) -> None:
        by_kind = {(each["kind"], each["metadata"]["name"]): each for each in documents("kubernetes/belfry.yaml")}
        node = by_kind["Deployment", "belfry"]["spec"]
        budget = by_kind["PodDisruptionBudget", "belfry"]["spec"]
        self.assertLess(budget["minAvailable"], node["replicas"])
        self.assertEqual(budget["selector"]["matchLabels"], node["template"]["metadata"]["labels"])
        self.assertEqual(by_kind["Service", "belfry"]["spec"]["selector"], node["template"]["metadata"]["labels"])
        for name, pod in pods():
            volumes = {volume["name"] for volume in pod["volumes"]}
            mounted = {mount["name"] for container in pod["containers"] for mount in container["volumeMounts"]}
            self.assertEqual(volumes, mounted, name)


class Compose(unittest.TestCase):
    def setUp(self) -> None:
        self.file = documents("compose/compose.yaml")[0]

    def test_every_variable_is_a_setting(self) -> None:
        nodes = [one for name, one in self.file["services"].items() if name.startswith("node-")]
        self.assertEqual(len(nodes), 3)
        for node in nodes:
            done = run([*node["command"], "--print-config"], node["environment"])
            self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_mounted_is_there(self) -> None:
        for name, service in self.file["services"].items():
            for mount in service.get("volumes", []):
                source = mount.split(":")[0]
                with self.subTest(name, mount=mount):
                    self.assertTrue(source in self.file["volumes"] or (DEPLOY / "compose" / source).exists())
            self.assertLessEqual(set(service.get("depends_on", {})), set(self.file["services"]))

    def test_prometheus_takes_its_file(self) -> None:
        settings = yaml.safe_load((DEPLOY / "compose/prometheus.yml").read_text("utf-8"))
        targets = {target.split(":")[0] for target in settings["scrape_configs"][0]["static_configs"][0]["targets"]}
        self.assertLessEqual(targets, set(self.file["services"]))
        self.assertEqual(settings["scrape_configs"][0]["job_name"], "belfry")  # the rules look for this name


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
