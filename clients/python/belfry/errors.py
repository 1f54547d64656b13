"""What can go wrong with a call, as exceptions.

One class for each kind of trouble that a program handles differently; `code` is the server's stable word for it.

    try:
        client.create_job({"job_name": "nightly", "every": "1d"})
    except belfry.Conflict as problem:
        if problem.code != "name_taken": raise
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True)
class FieldError:
    """One bad field of a request."""

    pointer: str  # in the body: "/cron_expression"
    code: str
    message: str
    hint: str = ""
    parameter: str = ""  # of the query, if it is not the body that is wrong
    header: str = ""

    def __str__(self) -> str:
        place = self.parameter or self.header or self.pointer.removeprefix("/")
        text = f"{place}: {self.message}" if place else self.message
        return f"{text}; {self.hint}" if self.hint else text


class Problem(Exception):
    """Why a request to a server failed. Raised as one of the classes below."""

    kind: ClassVar[str] = "failed"

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        code: str = "",
        title: str = "",
        errors: tuple[FieldError, ...] = (),
        request_id: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = status  # 0: no answer came
        self.code = code  # empty: the server gave none, or is not a Belfry server
        self.title = title
        self.errors = errors
        self.request_id = request_id  # for the server's logs
        self.retry_after = retry_after  # seconds

    def __str__(self) -> str:
        if self.errors:
            return "; ".join(str(error) for error in self.errors)
        return self.detail


class Invalid(Problem):
    """The same call will be refused again; `errors` names each bad field."""

    kind = "invalid"


class NotFound(Problem):
    """There is no such thing, or it is somebody else's."""

    kind = "not_found"


class Conflict(Problem):
    """It contradicts what is there: a name is taken, a version is outdated, a run is over."""

    kind = "conflict"


class Refused(Problem):
    """The key, its scope or a limit does not allow it."""

    kind = "refused"


class Unreachable(Problem):
    """No server answered, or it cannot serve just now; nothing was changed."""

    kind = "unreachable"


class TimedOut(Problem):
    """No answer in time: it may or may not have been done."""

    kind = "timed_out"


def _class_of(status: int) -> type[Problem]:
    special: dict[int, type[Problem]] = {
        401: Refused,
        403: Refused,
        404: NotFound,
        409: Conflict,
        412: Conflict,
        429: Refused,
        504: TimedOut,
    }
    return special.get(status) or (Invalid if status < 500 else Unreachable)


def problem_of(status: int, body: bytes, retry_after: float | None = None) -> Problem:
    """The problem in an answer of status 400 or above, even when the answer is not problem+json."""
    kind = _class_of(status)
    try:
        told: Any = json.loads(body)
    except ValueError:
        told = None
    if not isinstance(told, dict) or not told.get("code"):
        return kind(f"the server answered {status}, and not as Belfry does: check its address", status=status)
    parts = ("pointer", "code", "message", "hint", "parameter", "header")
    errors = tuple(FieldError(*(each.get(part, "") for part in parts)) for each in told.get("errors", []))
    return kind(
        told.get("detail") or told.get("title") or told["code"],
        status=status,
        code=told["code"],
        title=told.get("title", ""),
        errors=errors,
        request_id=told.get("instance", ""),
        retry_after=retry_after,
    )
