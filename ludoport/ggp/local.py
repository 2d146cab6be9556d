"""Players in processes of their own on this machine, for as long as they are needed."""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.ggp.match import Address
from ludoport.ggp.player import serve_player
from ludoport.ggp.role_player import role_player
from ludoport.ggp.settings import PlayerSettings

PATIENCE = 60.0
"""Seconds in which a player must be there."""


@asynccontextmanager
async def local_players(
    texts: Sequence[str], seed: int = 1, jit: bool | None = None, game: Game | None = None
) -> AsyncIterator[list[Address]]:
    """Start a player for each text; they end with the block, or when this process does.

    Args:
        texts: the players that choose the moves.
        seed: random seed.
        jit: whether they compile games to machine code.
        game: a game that they will play; what they need is compiled once beforehand.
    """
    for text in dict.fromkeys(texts):
        chosen = role_player(text)  # a wrong text is refused before anything is started
        if game is not None:
            chosen.warm(game)
    processes: list[subprocess.Popen[str]] = []
    try:
        for number, text in enumerate(texts):
            processes.append(_start(text, seed + number, jit))
        names = [f"{text.partition(':')[0]}_{number + 1}" for number, text in enumerate(texts)]
        ports = await asyncio.gather(*(asyncio.to_thread(_port, process) for process in processes))
        yield [Address("127.0.0.1", port, name) for port, name in zip(ports, names, strict=True)]
    finally:
        for process in processes:
            _end(process)


def _start(text: str, seed: int, jit: bool | None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "ludoport.ggp.local", text, str(seed)]
    environment = dict(os.environ)
    if jit is not None:
        environment["LUDOPORT_JIT"] = "1" if jit else "0"
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    )


def _port(process: subprocess.Popen[str]) -> int:
    """The port that a player prints when it is ready."""
    assert process.stdout is not None
    watch = threading.Timer(PATIENCE, process.kill)
    watch.start()
    try:
        line = process.stdout.readline().strip()
    finally:
        watch.cancel()
    if not line.isdigit():
        raise LudoportError("a player could not be started")
    return int(line)


def _end(process: subprocess.Popen[str]) -> None:
    """Closing a player's input ends it."""
    if process.stdin is not None:
        with suppress(OSError):
            process.stdin.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(5)
    if process.stdout is not None:
        process.stdout.close()


def _main(arguments: Sequence[str]) -> None:
    """A player that prints its port and serves until its input ends."""
    logging.basicConfig(level=logging.WARNING, format="%(name)s: %(message)s")
    settings = PlayerSettings(player=arguments[0], seed=int(arguments[1]), matches=1000)

    async def run() -> None:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()

        def wait() -> None:
            sys.stdin.read()
            loop.call_soon_threadsafe(ended.set_result, None)

        threading.Thread(target=wait, daemon=True).start()
        await serve_player(settings, "127.0.0.1", 0, lambda port: print(port, flush=True), ended)

    asyncio.run(run())


if __name__ == "__main__":
    _main(sys.argv[1:])
