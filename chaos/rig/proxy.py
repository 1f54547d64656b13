"""A TCP proxy that damages what passes, as it is told: python3 -m chaos.rig.proxy LINKS-AS-JSON

LINKS: [{"name", "listen", "to", "postgres": bool, "seed"}]. Orders come as lines of JSON on standard input, and each
is answered by a line: {"link": name, "faults": {…}} replaces the link's faults, {"link": name, "to": port}
leads new connections elsewhere, {"report": true} asks for counts.

Faults (all of them may be given together; {} heals):
  black_up, black_down   nothing passes in that direction; it is held back, not lost, as TCP would send it again
  refuse                 new connections are closed at once
  cut                    open connections are reset now
  delay                  seconds that every piece waits
  throttle               bytes a second in each direction
  corrupt                chance, for each piece from the server, that a byte of it is changed
  lost_reply             chance, for each transaction, that it takes effect and its answer is lost with the connection
  lost_request           chance that the connection is lost before the transaction arrives
  each                   lost_reply for the first so many occurrences of each statement
"""

import asyncio
import collections
import json
import random
import socket
import struct
import sys
from dataclasses import dataclass, field
from typing import Any

from chaos.rig.pgwire import Exchanges, Framer, Statements
from chaos.rig.processes import die_with_parent

_PIECE = 65536
_HELD = 0.02  # seconds between two looks whether the way is free again


@dataclass
class Link:
    name: str
    listen: int
    to: int
    postgres: bool
    chance: random.Random
    faults: dict[str, Any] = field(default_factory=dict)
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    lost: collections.Counter[str] = field(default_factory=collections.Counter)  # replies, by statement
    connections: set["Connection"] = field(default_factory=set)

    def happens(self, fault: str) -> bool:
        return self.chance.random() < float(self.faults.get(fault, 0))

    def loses_reply(self, statement: str) -> bool:
        lose = self.lost[statement] < int(self.faults.get("each", 0)) or self.happens("lost_reply")
        if lose:
            self.lost[statement] += 1
            self.counts["lost_reply"] += 1
        return lose

    def set(self, faults: dict[str, Any]) -> None:
        self.faults = {name: value for name, value in faults.items() if name != "cut"}
        if faults.get("cut"):
            for connection in list(self.connections):
                self.counts["cut"] += 1
                connection.reset()


class Connection:
    def __init__(self, link: Link, client: asyncio.StreamWriter, server: asyncio.StreamWriter) -> None:
        self.link = link
        self.client = client
        self.server = server
        self.statements = Statements()
        self.exchanges = Exchanges()

    def reset(self) -> None:
        for writer in (self.client, self.server):
            raw: socket.socket | None = writer.get_extra_info("socket")
            if raw is not None and raw.fileno() >= 0:
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def end(self) -> None:
        """What was passed on may still be on its way: a server that closes after its answer has said it nevertheless."""
        for writer in (self.client, self.server):
            writer.close()
        try:
            await asyncio.wait_for(asyncio.gather(self.client.wait_closed(), self.server.wait_closed(), return_exceptions=True), 2)
        except asyncio.TimeoutError:
            self.reset()

    async def pass_on(self, writer: asyncio.StreamWriter, data: bytes, direction: str) -> None:
        faults = self.link.faults
        if wait := float(faults.get("delay", 0)):
            await asyncio.sleep(wait)
        while self.link.faults.get(f"black_{direction}"):
            await asyncio.sleep(_HELD)
        if rate := float(faults.get("throttle", 0)):
            await asyncio.sleep(len(data) / rate)
        if direction == "down" and self.link.happens("corrupt"):
            changed = bytearray(data)
            changed[self.link.chance.randrange(len(changed))] ^= 0x55
            data = bytes(changed)
            self.link.counts["corrupt"] += 1
        writer.write(data)
        await writer.drain()

    async def upwards(self, reader: asyncio.StreamReader) -> None:
        framer = Framer(startup=True)
        while data := await reader.read(_PIECE):
            if not self.link.postgres:
                await self.pass_on(self.server, data, "up")
                continue
            ready = bytearray()
            for letter, message in framer.feed(data):
                statement = self.statements.see(letter, message)
                if statement is not None:
                    if self.link.happens("lost_request"):
                        self.link.counts["lost_request"] += 1
                        return
                    self.exchanges.sent(self.link.loses_reply(statement))
                ready += message
            if ready:
                await self.pass_on(self.server, bytes(ready), "up")

    async def downwards(self, reader: asyncio.StreamReader) -> None:
        framer, starting = Framer(startup=False), True
        while data := await reader.read(_PIECE):
            if not self.link.postgres:
                await self.pass_on(self.client, data, "down")
                continue
            ready = bytearray()
            for letter, message in framer.feed(data):
                lost = self.exchanges.answer_is_lost()
                if letter == b"Z":
                    if not starting:
                        self.exchanges.answered()
                    starting = False
                    if lost:
                        return  # it took effect, and nobody will say so
                if not lost:
                    ready += message
            if ready:
                await self.pass_on(self.client, bytes(ready), "down")


async def serve(link: Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    link.counts["connections"] += 1
    if link.faults.get("refuse"):
        writer.transport.abort()
        return
    try:
        server_reader, server_writer = await asyncio.open_connection("127.0.0.1", link.to)
    except OSError:
        writer.transport.abort()
        return
    connection = Connection(link, writer, server_writer)
    link.connections.add(connection)
    ways = [asyncio.create_task(connection.upwards(reader)), asyncio.create_task(connection.downwards(server_reader))]
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        link.connections.discard(connection)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        if link.postgres:
            connection.reset()  # what was to be lost must be
        else:
            await connection.end()


async def obey(links: dict[str, Link]) -> None:
    loop = asyncio.get_running_loop()
    orders = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while line := await orders.readline():
        order = json.loads(line)
        if "to" in order:
            links[order["link"]].to = order["to"]
        elif "link" in order:
            links[order["link"]].set(order["faults"])
        counts = {name: {**link.counts, "statements": len(link.lost)} for name, link in links.items()}
        print(json.dumps(counts), flush=True)


async def main(told: list[dict[str, Any]]) -> None:
    links = {each["name"]: Link(each["name"], each["listen"], each["to"], each["postgres"], random.Random(each["seed"]))
             for each in told}
    for link in links.values():
        await asyncio.start_server(lambda r, w, link=link: serve(link, r, w), "127.0.0.1", link.listen)
    print("ready", flush=True)
    await obey(links)


if __name__ == "__main__":
    die_with_parent()
    asyncio.run(main(json.loads(sys.argv[1])))
