"""The server has the routes of the OpenAPI document, with the same access, and no others: test_routes.py BELFRY"""

import subprocess
import sys
import unittest

from document import Document

BELFRY = sys.argv[1]


class Routes(unittest.TestCase):
    def test_document_and_server_agree(self) -> None:
        done = subprocess.run([BELFRY, "serve", "--print-routes"], text=True, capture_output=True, check=True)
        served = {tuple(line.split()) for line in done.stdout.splitlines()}
        written = {(each.method, each.path, each.access) for each in Document().operations.values()}
        self.assertEqual(sorted(served - written), [], "the server has these, the document has not")
        self.assertEqual(sorted(written - served), [], "the document has these, the server has not")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
