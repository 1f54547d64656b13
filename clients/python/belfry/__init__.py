"""Belfry from Python: a client of the REST API, a worker, and the check of webhooks. Standard library only."""

from .aio import AsyncClient, AsyncWorker
from .client import VERSION as __version__
from .client import Client, Reply
from .context import Cancelled, Context, PermanentFailure, RetryLater
from .errors import Conflict, FieldError, Invalid, NotFound, Problem, Refused, TimedOut, Unreachable
from .events import Event
from .webhook import WebhookCall, WebhookRefused, sign_webhook, verify_webhook
from .worker import Worker

__all__ = [
    "__version__",
    "AsyncClient",
    "AsyncWorker",
    "Cancelled",
    "Client",
    "Conflict",
    "Context",
    "Event",
    "FieldError",
    "Invalid",
    "NotFound",
    "PermanentFailure",
    "Problem",
    "Refused",
    "Reply",
    "RetryLater",
    "TimedOut",
    "Unreachable",
    "WebhookCall",
    "WebhookRefused",
    "Worker",
    "sign_webhook",
    "verify_webhook",
]
