"""The document that the server hands out is OpenAPI 3.1, say public validators: test_openapi.py BELFRY"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

from harness import Client, Server

BELFRY = sys.argv[1]
VALIDATE = pathlib.Path(__file__).resolve().parent / "validator" / "validate.mjs"


def complaints(document: bytes) -> str:
    """What the validators say against it; empty: nothing."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(document)
        file.flush()
        done = subprocess.run(["node", str(VALIDATE), file.name], text=True, capture_output=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stderr if done.returncode == 1 else ""


class Openapi(unittest.TestCase):
    document: bytes

    @classmethod
    def setUpClass(cls) -> None:
        server = Server(BELFRY)
        cls.document = Client(server.address).call("getOpenapi").body
        server.stop()

    def test_the_served_document_is_valid(self) -> None:
        self.assertEqual(complaints(self.document), "")

    def test_a_stray_word_would_be_noticed(self) -> None:
        broken = self.document.replace(b'"tags":[{', b'"tags":[{"and when.":null,', 1)
        self.assertNotEqual(broken, self.document)
        said = complaints(broken)
        self.assertIn("openapi-schema-validator", said)
        self.assertIn("swagger-parser", said)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
