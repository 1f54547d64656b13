"""The same for programs on asyncio: a client whose calls are awaited, and a worker whose handlers share your loop.

    async with AsyncClient.from_env() as client:
        async for run in client.list_runs(state="DEAD"):
            await client.retry_run(run["run_id"])

        worker = AsyncWorker(client, concurrency=200)

        @worker.handler("invoice.monthly")
        async def send(run: Context) -> dict:
            async with pool.acquire() as connection:        # of your loop, so handlers may share it
                ...
            return {"sent": True}

        await worker.run()                                  # until SIGTERM, then drains

A handler that is to stop (cancelled, timed out, lease lost, the worker ends) is cancelled as a task. Nothing in it may block
the loop; leases are prolonged by a thread all the same, so a handler that blocks is not taken for dead.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Awaitable, Callable, Iterator, TypeVar

from .client import Client
from .context import Context
from .events import Event
from .execution import Handler, execute_async
from .worker import Worker, _Held, _sample_run

_CHUNK = 100  # entries of a list that one trip to a thread fetches
_CALLS_AT_ONCE = 16
Function = TypeVar("Function", bound=Handler)


class AsyncClient:
    """Has the methods of `Client`, awaited; lists and events are asynchronous iterators. One loop at a time."""

    def __init__(self, *options: Any, **named: Any) -> None:
        """As for `Client`."""
        self.blocking = Client(*options, **named)
        self._threads = ThreadPoolExecutor(_CALLS_AT_ONCE, "belfry-calls")

    @classmethod
    def from_env(cls, **options: Any) -> AsyncClient:
        client = cls()
        client.blocking = Client.from_env(**options)
        return client

    def __repr__(self) -> str:
        return f"AsyncClient({self.blocking.server!r})"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        self._threads.shutdown(wait=False)
        self.blocking.close()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.blocking, name)
        if name.startswith("list_") or name == "pages":
            return lambda *args, **options: self._entries(method(*args, **options))

        async def call(*args: Any, **options: Any) -> Any:
            return await self._aside(method, *args, **options)

        return call

    async def events(self, *, on_open: Callable[[], object] = lambda: None, **options: Any) -> AsyncIterator[Event]:
        """As `Client.events`; `on_open` is called on the loop."""
        loop = asyncio.get_running_loop()
        told: asyncio.Queue[Event | BaseException] = asyncio.Queue()
        over = threading.Event()

        def tell(what: Callable[..., object], *args: Any) -> None:
            if not over.is_set() and not loop.is_closed():
                loop.call_soon_threadsafe(what, *args)

        def listen() -> None:
            try:
                for event in self.blocking.events(on_open=lambda: tell(on_open), **options):
                    if over.is_set():
                        return
                    tell(told.put_nowait, event)
            except BaseException as problem:  # whatever it was, the listener is told
                tell(told.put_nowait, problem)

        # Not one of the pool: it waits for news as long as the server is silent, and nobody is to wait for it.
        threading.Thread(target=listen, name="belfry-events", daemon=True).start()
        try:
            while True:
                news = await told.get()
                if isinstance(news, BaseException):
                    raise news
                yield news
        finally:
            over.set()

    async def _entries(self, entries: Iterator[Any]) -> AsyncIterator[Any]:
        while chunk := await self._aside(lambda: list(itertools.islice(entries, _CHUNK))):
            for entry in chunk:
                yield entry

    def _aside(self, function: Callable[..., Any], *args: Any, **options: Any) -> Awaitable[Any]:
        return asyncio.get_running_loop().run_in_executor(self._threads, lambda: function(*args, **options))


class AsyncWorker:
    """A `Worker` whose handlers are coroutines on the loop that awaits `run`; a run needs no thread of its own."""

    def __init__(self, client: AsyncClient | Client, **options: Any) -> None:
        """The options are those of `Worker`."""
        self._worker = _OnLoop(client.blocking if isinstance(client, AsyncClient) else client, **options)

    @property
    def worker_id(self) -> str:
        return self._worker.worker_id

    def handler(self, job_type: str) -> Callable[[Function], Function]:
        """Decorates the coroutine function for runs of this type."""

        def register(function: Function) -> Function:
            self.handle(job_type, function)
            return function

        return register

    def handle(self, job_type: str, function: Handler) -> None:
        if not inspect.iscoroutinefunction(function):
            raise ValueError(f"the handler for {job_type!r} is no `async def`; a Worker takes plain functions")
        self._worker.handle(job_type, function)

    async def run(self, *, signals: bool = True) -> None:
        """Works until `stop`, SIGTERM or SIGINT (if `signals`, in the main thread), or until it is cancelled; returns when
        drained. Call it once only."""
        self._worker.loop = loop = asyncio.get_running_loop()
        numbers = [signal.SIGTERM, signal.SIGINT] if signals and threading.current_thread() is threading.main_thread() else []
        for number in numbers:
            loop.add_signal_handler(number, self.stop)
        with ThreadPoolExecutor(1, "belfry-worker") as thread:
            work = loop.run_in_executor(thread, lambda: self._worker.run(signals=False))
            try:
                await asyncio.shield(work)
            except asyncio.CancelledError:
                self.stop()
                await work
                raise
            finally:
                for number in numbers:
                    loop.remove_signal_handler(number)
                self._worker.calls.shutdown(wait=False)

    def stop(self) -> None:
        """Takes no new work; handlers may end within the grace. A second call: without grace."""
        self._worker.stop()

    async def try_out(self, job_type: str, payload: Any = None, **facts: Any) -> dict[str, Any]:
        """Calls the handler as for a run, without a server; returns what would be reported. For tests."""
        return await execute_async(self._worker.handler_of(job_type), Context(_sample_run(job_type, payload, facts)))


class _OnLoop(Worker):
    """Claims, leases and reports as any worker; only the handlers are on the loop."""

    loop: asyncio.AbstractEventLoop

    def __init__(self, client: Client, **options: Any) -> None:
        super().__init__(client, **options)
        self.calls = ThreadPoolExecutor(_CALLS_AT_ONCE, "belfry-reports")

    def _begin(self, held: _Held) -> None:
        asyncio.run_coroutine_threadsafe(self._work_on_loop(held), self.loop)

    async def _work_on_loop(self, held: _Held) -> None:
        try:
            if not await self._aside(self._make_sure, held):
                return
            report = await execute_async(self.handler_of(held.context.job_type), held.context)
            held.reporting = True
            await self._aside(self._report, held, report)
        finally:
            self._let_go(held)

    def _aside(self, function: Callable[..., Any], *args: Any) -> Awaitable[Any]:
        return self.loop.run_in_executor(self.calls, function, *args)
