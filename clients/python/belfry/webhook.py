"""Checks that a call really comes from your Belfry server: Standard Webhooks 1.0 signatures.

    call = verify_webhook(request.headers, request.get_data(), secret=os.environ["HOOK_SECRET"])
    if already_done(call.id): return "", 200     # the id is the same for every attempt
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any, Iterable, Mapping

TOLERANCE = 300.0  # seconds a timestamp may be off, either way
_PREFIX = "whsec_"


class WebhookRefused(Exception):
    """The call cannot be trusted. `reason` is a stable word; answer 401 and do nothing."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason


@dataclass(frozen=True)
class WebhookCall:
    """A verified call."""

    id: str  # the run's id: the idempotency key
    timestamp: int  # when it was sent, seconds since 1970
    body: bytes
    attempt: int | None  # which attempt of the run
    fence: int | None  # refuse a call with a lower one than you have seen for this job
    scheduled_for: str | None  # the tick, RFC 3339

    def json(self) -> Any:
        return json.loads(self.body)


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes | str,
    secret: str | Iterable[str],
    *,
    tolerance: float = TOLERANCE,
    now: float | None = None,
) -> WebhookCall:
    """Returns the call if one of the secrets signed it, just now; raises WebhookRefused otherwise.

    `body` must be as it came, not parsed and written again. Give several secrets while you change them.
    """
    found = {name.lower(): value for name, value in headers.items()}
    call_id, stamp, signatures = (found.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature"))
    if not call_id or not stamp or not signatures:
        raise WebhookRefused("missing_header", "webhook-id, webhook-timestamp and webhook-signature are needed")
    if not stamp.isascii() or not stamp.isdigit() or len(stamp) > 12:
        raise WebhookRefused("bad_timestamp", "webhook-timestamp is not a number of seconds")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{call_id}.{stamp}.".encode() + raw
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not _is_signed(signed, signatures, [_key_of(each) for each in secrets]):
        raise WebhookRefused("bad_signature", "no signature fits the body and the secret")
    age = (time.time() if now is None else now) - int(stamp)
    if abs(age) > tolerance:
        raise WebhookRefused("bad_timestamp", f"webhook-timestamp is {abs(age):.0f} s off; a replay, or a wrong clock")
    return WebhookCall(
        call_id, int(stamp), raw, _number(found.get("belfry-attempt")), _number(found.get("belfry-fence")), found.get("belfry-scheduled-for")
    )


def sign_webhook(secret: str, call_id: str, timestamp: int, body: bytes | str) -> str:
    """The signature of a call, for tests of your receiver."""
    raw = body.encode() if isinstance(body, str) else bytes(body)
    return "v1," + base64.b64encode(_mac(_key_of(secret), f"{call_id}.{timestamp}.".encode() + raw)).decode()


def _mac(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()


def _is_signed(signed: bytes, signatures: str, keys: list[bytes]) -> bool:
    """Checks all of them, so that the time it takes reveals nothing."""
    good = False
    for each in signatures.split(" "):
        version, _, text = each.partition(",")
        if version != "v1":
            continue
        for key in keys:
            good |= hmac.compare_digest(base64.b64encode(_mac(key, signed)), text.encode())
    return good


def _key_of(secret: str) -> bytes:
    """`whsec_` and base64, as Standard Webhooks has it; any other text is the key itself."""
    if not secret:
        raise ValueError("the secret of the webhook is empty; is the setting that holds it missing?")
    if not secret.startswith(_PREFIX):
        return secret.encode()
    try:
        return base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except binascii.Error:
        raise ValueError("what follows `whsec_` in the secret is not base64") from None


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None
