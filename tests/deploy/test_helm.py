"""The Helm chart: with its own values it is deploy/kubernetes/belfry.yaml, with others it is what they say.

    python3 test_helm.py BELFRY

Rendered by Go's own templates (helm/render.go): Helm itself is not in Debian, so `helm lint` is not run here.
"""

import copy
import functools
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
from typing import Any

import yaml

BELFRY = os.path.abspath(sys.argv[1])
HERE = pathlib.Path(__file__).resolve().parent
DEPLOY = HERE.parent.parent / "deploy"
CHART = DEPLOY / "helm/belfry"
STANDS_FOR_SECRETS = {"BELFRY_STORE": "postgres://belfry@db/belfry", "BELFRY_SECRETS_KEY": "QUJD" * 10 + "QUE="}
Manifests = dict[tuple[str, str], dict[str, Any]]


def own_values() -> dict[str, Any]:
    return dict(yaml.safe_load((CHART / "values.yaml").read_text("utf-8")))


def merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """As Helm lays given values over the chart's own."""
    result = copy.deepcopy(base)
    for name, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(name), dict)
        result[name] = merged(result[name], value) if both else value
    return result


@functools.lru_cache(maxsize=None)
def render(seen: str) -> str:
    done = subprocess.run(["go", "run", str(HERE / "helm/render.go"), str(CHART)], input=seen, text=True,
                          capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def chart(release: str = "belfry", **over: Any) -> tuple[Manifests, str]:
    """What is applied, by kind and name; and the notes."""
    about = yaml.safe_load((CHART / "Chart.yaml").read_text("utf-8"))
    text = render(json.dumps({"Release": {"Name": release}, "Chart": {"AppVersion": about["appVersion"]},
                              "Values": merged(own_values(), over)}))
    parts = re.split(r"^---\n# Source: (\S+)\n", text, flags=re.MULTILINE)[1:]
    sources = dict(zip(parts[::2], parts[1::2]))
    notes = sources.pop("NOTES.txt")
    return by_name("\n---\n".join(sources.values())), notes


def by_name(text: str) -> Manifests:
    return {(each["kind"], each["metadata"]["name"]): each for each in yaml.safe_load_all(text) if each}


def environment(manifest: dict[str, Any]) -> dict[str, Any]:
    """The variables of its container, taken out: their order says nothing."""
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    return {one["name"]: one for one in container.pop("env")}


class Helm(unittest.TestCase):
    def test_it_is_the_plain_manifests(self) -> None:
        plain, rendered = by_name((DEPLOY / "kubernetes/belfry.yaml").read_text("utf-8")), chart()[0]
        self.assertEqual(set(rendered), set(plain))
        for key, manifest in plain.items():
            with self.subTest(key):
                if key[0] == "Deployment":
                    self.assertEqual(environment(rendered[key]), environment(manifest))
                self.assertEqual(rendered[key], manifest)

    def test_every_value_is_used(self) -> None:
        templates = "".join(path.read_text("utf-8") for path in (CHART / "templates").iterdir())

        def leaves(values: dict[str, Any], path: str) -> set[str]:
            whole = {"settings", "resources"}  # handed on as they are
            return {leaf for name, value in values.items() for leaf in (
                leaves(value, f"{path}.{name}") if isinstance(value, dict) and name not in whole else {f"{path}.{name}"})}

        used = set(re.findall(r"\.Values(?:\.\w+)+", templates))
        self.assertEqual(used, leaves(own_values(), ".Values"))

    def test_a_release_of_another_name_has_nothing_of_belfrys_name(self) -> None:
        manifests, notes = chart("night")
        self.assertEqual(set(manifests), {("Service", "night"), ("Deployment", "night"), ("PodDisruptionBudget", "night"),
                                          ("Deployment", "night-worker")})
        node = manifests["Deployment", "night"]
        labels = node["spec"]["template"]["metadata"]["labels"]
        self.assertEqual(node["spec"]["selector"]["matchLabels"], labels)
        self.assertEqual(manifests["Service", "night"]["spec"]["selector"], labels)
        self.assertEqual(manifests["PodDisruptionBudget", "night"]["spec"]["selector"]["matchLabels"], labels)
        worker = manifests["Deployment", "night-worker"]
        self.assertEqual(environment(worker)["BELFRY_SERVER"]["value"], "http://night:7070")
        self.assertEqual(worker["spec"]["template"]["spec"]["volumes"][0]["secret"]["secretName"], "night-worker")
        self.assertIn("create secret generic night-worker", notes)

    def test_settings_become_variables_that_a_node_takes(self) -> None:
        given = {"region": "eu", "lease_ttl": "8s", "history_retention": "30d", "allow_private_webhooks": "10.0.0.0/8"}
        node = chart(node={"settings": given, "replicas": 5})[0]["Deployment", "belfry"]
        self.assertEqual(node["spec"]["replicas"], 5)
        variables = {name: one.get("value", STANDS_FOR_SECRETS.get(name, "x")) for name, one in environment(node).items()}
        done = subprocess.run([BELFRY, "serve", "--print-config"], env={"PATH": os.environ["PATH"], **variables}, text=True,
                              capture_output=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, value in given.items():
            self.assertRegex(done.stdout, rf'(?m)^{name} = "{re.escape(value)}" +# environment')

    def test_other_images_secrets_and_workers(self) -> None:
        manifests, _ = chart(image={"name": "images.example/belfry", "tag": "9"}, node={"secret": "kept"},
                             worker={"arguments": ["--type", "report"], "secret": "hands"})
        node, worker = (manifests["Deployment", name]["spec"]["template"]["spec"] for name in ("belfry", "belfry-worker"))
        self.assertEqual({pod["containers"][0]["image"] for pod in (node, worker)}, {"images.example/belfry:9"})
        self.assertEqual(node["volumes"][0]["secret"]["secretName"], "kept")
        self.assertEqual(worker["containers"][0]["args"], ["worker", "--type", "report"])
        self.assertEqual(worker["volumes"][0]["secret"]["secretName"], "hands")
        none, notes = chart(worker={"replicas": 0})
        self.assertNotIn(("Deployment", "belfry-worker"), none)
        self.assertNotIn("worker", notes)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "--verbose"])
