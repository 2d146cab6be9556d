"""Games and players for the tests of this room; everything stays on this machine."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection

from ludoport.ggp.client import post
from ludoport.ggp.match import Address
from ludoport.ggp.messages import Start, write_message
from ludoport.ggp.player import GgpPlayer
from ludoport.ggp.playing import WorkerTask
from ludoport.ggp.settings import PlayerSettings
from ludoport.ggp.worker import compile_rules

COINS = """
(role left) (role right)
(init (round 1)) (after 1 2) (after 2 3) (after 3 4)
(side heads) (side tails)
(<= (legal ?r (show ?s)) (role ?r) (side ?s))
(<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
(<= same (does left (show ?s)) (does right (show ?s)))
(<= (next (lead left)) same)
(<= (next (lead right)) (not same))
(<= terminal (true (round 4)))
(<= (goal ?r 100) (true (lead ?r)))
(<= (goal ?r 0) (role ?r) (not (true (lead ?r))))
"""
"""Both show a side of a coin at once, three times; the last time decides."""

RACE = """
(role A) (role B)
(init (AT 0)) (init (TURN A)) (OTHER A B) (OTHER B A)
(PLUS 0 1 1) (PLUS 1 1 2) (PLUS 2 1 3) (PLUS 3 1 4) (PLUS 0 2 2) (PLUS 1 2 3) (PLUS 2 2 4) (PLUS 3 2 4)
(<= (LEGAL ?r (ADD ?n)) (TRUE (TURN ?r)) (TRUE (AT ?k)) (PLUS ?k ?n ?m))
(<= (LEGAL ?r NOOP) (ROLE ?r) (NOT (TRUE (TURN ?r))))
(<= (NEXT (AT ?m)) (DOES ?r (ADD ?n)) (TRUE (AT ?k)) (PLUS ?k ?n ?m))
(<= (NEXT (TURN ?q)) (TRUE (TURN ?r)) (OTHER ?r ?q))
(<= TERMINAL (TRUE (AT 4)))
(<= (GOAL ?r 100) (TRUE (AT 4)) (TRUE (TURN ?q)) (OTHER ?r ?q))
(<= (GOAL ?r 0) (ROLE ?r) (NOT (TRUE (AT 4))))
(<= (GOAL ?r 0) (TRUE (AT 4)) (TRUE (TURN ?r)))
"""
"""Add 1 or 2 in turn; who reaches 4 wins. Written in capitals, as some managers send rules."""

ENDLESS = """
(role solo) (init (on)) (legal solo wait) (<= (next (on)) (does solo wait)) (goal solo 0) (<= terminal (true never))
"""
"""A game that never ends."""

DIE = """
(role random) (role solo) (init start) (face 1) (face 2) (face 3)
(<= (legal random (roll ?f)) (face ?f)) (legal solo wait)
(<= (next (rolled ?f)) (does random (roll ?f)))
(<= terminal (true (rolled ?f))) (<= (goal solo 100) (true (rolled 3))) (<= (goal solo 0) (not (true (rolled 3))))
(goal random 0)
"""
"""The manager rolls a die; the player looks on."""

PLAIN = PlayerSettings(player="random", jit=False, idle=0.5)
"""A player that plays at once."""


@asynccontextmanager
async def serving(settings: PlayerSettings = PLAIN) -> AsyncIterator[tuple[GgpPlayer, Address]]:
    """A player of our own."""
    player = GgpPlayer(settings)
    port = await player.listen()
    try:
        yield player, Address("127.0.0.1", port)
    finally:
        await player.close()


Behaviour = Callable[[str, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def behaving(behaviour: Behaviour) -> AsyncIterator[Address]:
    """A player that does whatever it wants with the text of each message."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
            await behaviour((await reader.readexactly(length)).decode(), writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 20)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()


def answering(text: str) -> bytes:
    """A proper answer."""
    return f"HTTP/1.0 200 OK\r\nContent-length: {len(text)}\r\n\r\n{text}".encode()


async def tell(address: Address, text: str, seconds: float = 10.0) -> str:
    """Send a message to a player."""
    return await post(address.host, address.port, text, seconds=seconds)


VAST = """
(role solo) (init (at 0 0 0 0 0 0)) (init (left 3)) (less 3 2) (less 2 1) (less 1 0)
(digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
(<= (legal solo (first ?d)) (digit ?d)) (<= (legal solo (last ?d)) (digit ?d))
(<= (next (at ?x ?a ?b ?c ?d ?e)) (true (at ?a ?b ?c ?d ?e ?f)) (does solo (first ?x)))
(<= (next (at ?b ?c ?d ?e ?f ?x)) (true (at ?a ?b ?c ?d ?e ?f)) (does solo (last ?x)))
(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))
(<= terminal (true (left 0)))
(<= (goal solo 100) (true (at ?a ?a ?c ?d ?e ?f)))
(<= (goal solo 0) (true (at ?a ?b ?c ?d ?e ?f)) (distinct ?a ?b))
"""
"""Easy to play, but with millions of ground rules."""


def slow_compile(connection: Connection, task: WorkerTask) -> None:
    """Compiles as always, but not at once."""
    time.sleep(1.5)
    compile_rules(connection, task)


def crash(connection: Connection, task: WorkerTask) -> None:
    """A worker that dies at once."""
    os._exit(3)


def start(match: str, role: str, rules: str, startclock: float = 5, playclock: float = 5) -> str:
    """A START message."""
    return write_message(Start(match, role, rules, startclock, playclock))
