"""The matrix: for every operation of the document, the calls that must be refused, made from what the document says.

A refusal is a request, its sender, and what must come back. What needs a story of its own (conflicts, repeating) is in
test_stories.py.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Iterator

from document import Operation
from fixtures import BAD_BODIES, FIXTURES, MORE_BODIES
from harness import DOCUMENT, Request
from mutations import Bad, spoil
from world import ALLOWED, LEAST, ROLES, THEIRS, World

NO_JOBS = ["00000000deadbeef", "ffffffffffffffff", "name:no-such-job", "no-such-job", "NAME:x", "name:"]
NO_RUNS = ["00000000deadbeef00000000deadbeef", "00000000deadbeef7fffffffffffffff", "00000000deadbeef8000000000000000", "f" * 32, "no-such-run", "name:x"]
MISSING = {"job": NO_JOBS, "run": NO_RUNS, "calendar": ["no-such-calendar"], "rule": ["no-such-rule"], "silence": ["999999", "x", "-1"], "secret": ["no-such-secret"], "key": ["999999", "x", "-1"], "bulk": ["999999", "x", "-1"], "token": ["bfc_" + "x" * 40, "x"], "tenant": ["no-such-tenant"], "version": ["999", "0", "x", "99999999999"], "type": ["no-such-type"], "day": ["1999-01-01", "yesterday", "2026-13-01"]}
# PUT by name creates what is missing.
MAKES = {"putJob": ["00000000deadbeef", "no-such-job"], "putTenant": [], "putCalendar": [], "putSecret": [], "putAlertRule": [], "putType": []}


@dataclass
class Refusal:
    what: str
    request: Request
    status: int
    role: str
    pointer: str | None = None  # the field that the problem must name
    also: tuple[str, ...] = ()  # others that it must name, too


def change(request: Request, **parts: Any) -> Request:
    return dataclasses.replace(request, **parts)


def role_of(operation: Operation) -> str:
    return LEAST[operation.access]


def good_bodies(operation: Operation, world: World) -> list[Any]:
    """All bodies that the operation takes, the fixture's first."""
    first = FIXTURES[operation.id](world).body
    named = operation.id in ("createJob",)
    more = [{**({"job_name": world.name()} if named else {}), **body} for body in MORE_BODIES.get(operation.id, [])]
    return [first, *more]


def bad_bodies(operation: Operation, world: World) -> Iterator[Refusal]:
    if operation.body is None:
        return
    request = FIXTURES[operation.id](world)
    seen = set()
    for body in good_bodies(operation, world):
        for bad in spoil(DOCUMENT, operation.body, body if body is not None else {}):
            mark = (bad.what, bad.pointer, str((body or {}).get("target")) if "/target" in bad.pointer else "")
            if mark not in seen:
                seen.add(mark)
                yield Refusal(bad.what, change(request, body=bad.value), 422, role_of(operation), bad.pointer)
    for pointer, body in BAD_BODIES.get(operation.id, []):
        named = {"job_name": world.name(), **body} if operation.id == "createJob" else body
        yield Refusal(f"{body}", change(request, body=named), 422, role_of(operation), pointer)


def bad_values(operation: Operation, name: str) -> Iterator[Bad]:
    """Of a parameter of the query."""
    schema = DOCUMENT.resolve(operation.parameters_in("query")[name]["schema"])
    schema = schema["items"] if schema["type"] == "array" else schema
    for bad in spoil(DOCUMENT, schema, None):
        if schema["type"] == "string" and (not isinstance(bad.value, str) or (not schema.keys() & {"pattern", "enum"})):
            continue  # a query value is a text, and any text may be searched for
        if "\0" not in str(bad.value):  # that never gets as far as a parameter
            yield bad


def bad_parameters(operation: Operation, world: World) -> Iterator[Refusal]:
    if operation.access == "public":
        return  # probes may carry anything
    request = FIXTURES[operation.id](world)
    unknown = {**(request.query or {}), "no_such_parameter": "1"}
    yield Refusal("unknown parameter", change(request, query=unknown), 422, role_of(operation), "?no_such_parameter")
    for name in operation.parameters_in("query"):
        for bad in bad_values(operation, name):
            query = {**(request.query or {}), name: bad.value}
            yield Refusal(f"?{name}: {bad.what}", change(request, query=query), 422, role_of(operation), f"?{name}")


def wrong_fields(operation: Operation, body: Any) -> dict[str, Any]:
    """For each field of the body, the first thing that it must not be."""
    wrong: dict[str, Any] = {}
    for bad in spoil(DOCUMENT, operation.body, body):
        field = bad.pointer.removeprefix("/")
        if field in body and field in bad.value:
            wrong.setdefault(field, bad.value[field])
    return wrong


def together(operation: Operation, world: World) -> Iterator[Refusal]:
    """Whatever is wrong with a call, it hides nothing else that is."""
    if operation.access == "public":
        return
    request, role = FIXTURES[operation.id](world), role_of(operation)
    wrong = {name: bad.value for name in operation.parameters_in("query") for bad in list(bad_values(operation, name))[:1]}
    query = {**(request.query or {}), **wrong, "no_such_parameter": "1"}
    yield Refusal("all parameters wrong", change(request, query=query), 422, role, "?no_such_parameter", tuple(f"?{name}" for name in wrong))
    headers = {"Idempotency-Key": "x" * 201} if "Idempotency-Key" in operation.parameters_in("header") else {}
    for body in good_bodies(operation, world) if operation.body is not None else []:
        fields = wrong_fields(operation, body or {})
        spoilt = change(request, query=query, headers=headers, body={**(body or {}), **fields, "no_such_field": 1})
        yield Refusal(f"all of it wrong: {spoilt.body}", spoilt, 422, role, "?no_such_parameter",
                      (*headers, *(f"/{field}" for field in (*fields, "no_such_field"))))


def bad_headers(operation: Operation, world: World) -> Iterator[Refusal]:
    headers = operation.parameters_in("header")
    request = FIXTURES[operation.id](world)
    role = role_of(operation)
    if "If-Match" in headers:
        for tag in ("three", '"999"', 'W/"1"', '"998", "999"'):
            yield Refusal(f"If-Match {tag}", change(request, headers={"If-Match": tag}), 412, role)
    if "Idempotency-Key" in headers:
        yield Refusal("Idempotency-Key too long", change(request, headers={"Idempotency-Key": "x" * 201}), 422, role, "Idempotency-Key")
    if "Belfry-Tenant" in headers and role != "root":
        yield Refusal("somebody else's tenant", change(request, headers={"Belfry-Tenant": "rival"}), 403, role)


def missing(operation: Operation, world: World) -> Iterator[Refusal]:
    for name in operation.parameters_in("path"):
        request = FIXTURES[operation.id](world)
        for value in MAKES.get(operation.id, MISSING[name]):
            yield Refusal(f"no {name} {value}", change(request, path={**request.path, name: value}), 404,
                          role_of(operation))


def foreign(operation: Operation, world: World) -> Iterator[Refusal]:
    """What belongs to another tenant is answered like what does not exist."""
    theirs = {
        "job": [world.rival_job["job_id"], f"name:{THEIRS}"],
        "run": [world.rival_run["run_id"]],
        "calendar": [THEIRS],
        "rule": [THEIRS],
        "silence": [str(world.rival_silence["id"])],
        "secret": [THEIRS],
        "key": [world.rival_key["key_id"]],
        "bulk": [world.rival_bulk["bulk_id"]],
        "type": [THEIRS],
        "day": [world.proven_day("rival", "2026-01-03")],
        "tenant": ["rival"] if role_of(operation) != "root" else [],
        "version": [],  # of a job
        "token": [],  # is itself the permission
    }
    for name in operation.parameters_in("path"):
        for value in theirs[name]:  # a new kind of thing needs one of theirs
            if operation.id in ("putJob", "putCalendar", "putSecret", "putAlertRule", "putType") and value != world.rival_job["job_id"]:
                continue  # a name of theirs is free for us
            request = FIXTURES[operation.id](world)
            request = change(request, path={**request.path, name: value})
            yield Refusal(f"their {name} {value}", request, 404, role_of(operation))


def forbidden(operation: Operation, world: World) -> Iterator[Refusal]:
    for role in (*ROLES, "nobody"):
        if role not in ALLOWED[operation.access]:
            status = 401 if role == "nobody" else 403
            yield Refusal(f"called by {role}", FIXTURES[operation.id](world), status, role)


ASPECTS = {
    "bodies": bad_bodies,
    "parameters": bad_parameters,
    "together": together,
    "headers": bad_headers,
    "missing": missing,
    "foreign": foreign,
    "forbidden": forbidden,
}
