"""State that all requests of a server share."""

from __future__ import annotations

import asyncio
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.web.events import Hub
from ludoport.web.hosts import Hosts
from ludoport.web.playing import TablePlaying
from ludoport.web.tables import KINDS, Tables
from ludoport.web.things import Things
from ludoport.web.workers import CallLimits, WebWorker

MOST_SEARCHES = 4
"""Analyses that run at once; others wait."""

MOST_THINKING = 4
"""Programs that think about a move at once; others wait."""

MOST_WORKERS = 16
"""Processes of programs and analyses; the one that waits longest is ended for another."""


class Desk:
    """The listed files, the tables, and their processes.

    Args:
        things: runs, networks, trees and studies that the server was started with.
        folder: folder of the tables.
    """

    def __init__(self, things: Things, folder: Path) -> None:
        self.things = things
        self.tables = Tables(folder)
        self.hub = Hub()
        self.hub.left.append(self._left)
        self.playing: dict[str, TablePlaying] = {}

    def begin(self) -> None:
        """Called when the event loop runs."""
        self.hosts = Hosts()
        self.searches = asyncio.Semaphore(MOST_SEARCHES)
        self.thinking = asyncio.Semaphore(MOST_THINKING)
        self._workers: list[WebWorker] = []

    def hire(self, worker: WebWorker | None, limits: CallLimits) -> WebWorker:
        """The same process if it lives, otherwise a new one."""
        if worker is not None and worker.alive:
            return worker
        self._workers = [other for other in self._workers if other.alive]
        idle = [other for other in self._workers if not other.busy]
        if len(self._workers) >= MOST_WORKERS and idle:
            min(idle, key=lambda other: other.used).kill()
        hired = WebWorker(limits)
        self._workers.append(hired)
        return hired

    async def end(self) -> None:
        """Stop everything; tables are on disk."""
        for playing in list(self.playing.values()):
            await playing.close()
        self.playing.clear()
        self.hosts.close()

    def table(self, id: str) -> TablePlaying:
        """A table at work.

        Raises:
            KeyError: there is none.
        """
        table = self.tables.get(id)
        if table is None:
            raise KeyError(id)
        if id not in self.playing:
            self.playing[id] = TablePlaying(table, self)
        return self.playing[id]

    async def delete(self, id: str) -> None:
        """Delete a table and its file."""
        playing = self.playing.pop(id, None)
        if playing is not None:
            await playing.close()
        self.tables.delete(id)

    def player_text(self, seat: str) -> str:
        """The text of the player that a page asks for; networks and players of the command line are given by id.

        Raises:
            LudoportError: there is no such player.
        """
        from ludoport.arena.players import player

        kind, _, rest = seat.partition(":")
        if seat == "human":
            return seat
        if kind not in KINDS:
            raise LudoportError(f"unknown player `{seat[:80]}`; players are human, {', '.join(KINDS)}")
        if kind == "thing":
            id, comma, settings = rest.partition(",")
            return f"{self.things.get(id, 'run', 'network', 'player').player}{comma}{settings}"
        player(seat)
        return seat

    def _left(self, topic: str) -> None:
        """The last page that looked at a table was closed."""
        playing = self.playing.get(topic.removeprefix("table:"))
        if playing is not None and topic.startswith("table:"):
            playing.leave()
