"""A worker that greets. Try it beside `./dev run`:

    PYTHONPATH=clients/python python3 clients/python/examples/worker.py
    build/belfry add greet --every 5s --type greet --payload '{"name": "you"}'
"""

import logging

from belfry import Client, Context, PermanentFailure, Worker

worker = Worker(Client.from_env())


@worker.handler("greet")
def greet(run: Context) -> dict:
    if not isinstance(run.payload, dict) or "name" not in run.payload:
        raise PermanentFailure("the payload has no name")
    print(f"hello {run.payload['name']}, it is {run.scheduled_for:%H:%M:%S} (attempt {run.attempt})")
    return {"greeted": run.payload["name"]}


logging.basicConfig(level=logging.INFO)
worker.run()
