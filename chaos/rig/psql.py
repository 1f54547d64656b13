"""A PostgreSQL asked by psql: what the rig notes in it, and the ledger that it takes out."""

import csv
import io
import pathlib
import subprocess

from chaos.rig.ledger import Queries, Rows


def binaries() -> pathlib.Path:
    """Debian keeps the server's programs off the path."""
    for place in sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), reverse=True):
        if (place / "initdb").exists():
            return place
    raise RuntimeError("no PostgreSQL found (Debian: postgresql-15)")


class Psql:
    """Of a server that is started elsewhere."""

    @property
    def url(self) -> str:
        raise NotImplementedError

    def command(self, *arguments: str) -> list[str]:
        return [str(binaries() / "psql"), "-X", "-q", "-v", "ON_ERROR_STOP=1", self.url, *arguments]

    def script(self, sql: str) -> str:
        done = subprocess.run(self.command("-f", "-"), input=sql, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"psql failed: {done.stderr}")
        return done.stdout

    def rows(self, sql: str) -> list[dict[str, str]]:
        done = subprocess.run(self.command("--csv", "-c", sql), capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            raise RuntimeError(f"psql failed: {done.stderr}")
        return list(csv.DictReader(io.StringIO(done.stdout)))

    def install_recorder(self) -> None:
        self.script((pathlib.Path(__file__).parent / "recorder.sql").read_text("utf-8"))
        self.script("grant usage on schema chaos to public; grant all on all tables in schema chaos to public; "
                    "grant all on all sequences in schema chaos to public;")

    def tables(self) -> Rows:
        """The ledger at one instant."""
        queries = Queries(micros=lambda column: f"(extract(epoch from {column}) * 1000000)::bigint", text=lambda column: f"{column}::text",
                          chaos="chaos.", now="clock_timestamp()").all()
        script = ["begin isolation level repeatable read read only;", r"\pset format csv"]
        for name, query in queries.items():
            script += [rf"\echo @{name}", query + ";"]
        found: Rows = {}
        for part in self.script("\n".join([*script, "commit;"])).split("\n@"):
            name, _, text = part.removeprefix("@").partition("\n")
            if name in queries:
                found[name] = list(csv.DictReader(io.StringIO(text)))
        return found
