"""One run in the hands of a handler, and the report of its end: no threads, no server."""

from __future__ import annotations

import asyncio
import inspect
import json
import math
import traceback
from typing import Any, Callable

from .context import Cancelled, Context, PermanentFailure, RetryLater

Handler = Callable[[Context], Any]
_LONGEST_ERROR = 60_000  # bytes; the server takes 64 KiB
_LONGEST_RETRY = 86_400


def execute(handler: Handler, context: Context) -> dict[str, Any]:
    """Calls the handler; returns what to send with `complete_runs`."""
    try:
        result = _call(handler, context)
        json.dumps(result, allow_nan=False)
    except RetryLater as later:
        return _failed(context, str(later), after=later.after)
    except PermanentFailure as failure:
        return _failed(context, str(failure), retryable=False)
    except (Cancelled, asyncio.CancelledError) as stopped:
        return stopped_report(context, str(stopped))
    except BaseException as error:  # whatever it was, the run must end
        if context.cancelled.is_set():
            return stopped_report(context, _words(error))
        _log_trace(context, error)
        return _failed(context, _words(error))
    return {"run_id": context.run_id, "fence": context.fence, "status": "SUCCEEDED", "result": result, **context.notes.fields()}


async def execute_async(handler: Handler, context: Context) -> dict[str, Any]:
    """The same for a coroutine on the running loop. Once the handler should stop, it is cancelled as a task."""
    loop, task = asyncio.get_running_loop(), asyncio.ensure_future(handler(context))

    def cancel() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    context.on_cancel(cancel)
    await asyncio.wait([task])
    return execute(lambda _: task.result(), context)


def stopped_report(context: Context, words: str = "") -> dict[str, Any]:
    """The end of a stopped attempt. Reported at once, so that others continue without waiting for the lease to end."""
    if context.cancel_reason == "stopping":  # nobody's fault, so no attempt is used up
        return {"run_id": context.run_id, "fence": context.fence, "status": "RETURNED", **context.notes.fields()}
    return _failed(context, f"stopped: {context.cancel_reason or words or 'by its handler'}")


def refused_report(context: Context, why: str) -> dict[str, Any]:
    """The server refused the result: it is too large, for example. It would refuse it again."""
    return _failed(context, f"the result was refused: {why}", retryable=False)


def _failed(context: Context, error: str, retryable: bool = True, after: float | None = None) -> dict[str, Any]:
    words = error.encode("utf-8", "replace")[:_LONGEST_ERROR].decode("utf-8", "ignore")
    report = {"run_id": context.run_id, "fence": context.fence, "status": "FAILED", "error": words, "retryable": retryable}
    report |= context.notes.fields()
    if after is not None:
        report["retry_after_seconds"] = min(max(math.ceil(after), 0), _LONGEST_RETRY)
    return report


def _words(error: BaseException) -> str:
    name = type(error).__name__
    return f"{name}: {error}" if str(error) else name


def _log_trace(context: Context, error: BaseException) -> None:
    """Where it happened and what caused it, for the run's output. Our own frames at its beginning tell nothing."""
    frames = error.__traceback__
    while frames and frames.tb_frame.f_code.co_filename == __file__:
        frames = frames.tb_next
    for part in traceback.format_exception(error.with_traceback(frames)):
        for line in part.rstrip("\n").split("\n"):
            context.log(line)


def _call(handler: Handler, context: Context) -> Any:
    if inspect.iscoroutinefunction(handler):
        return asyncio.run(_await(handler, context))
    return handler(context)


async def _await(handler: Handler, context: Context) -> Any:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task

    def cancel() -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(task.cancel)

    context.on_cancel(cancel)
    return await handler(context)
