"""A table at work: moves of people, programs that answer, and analyses that run beside the game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.web import positions
from ludoport.web.tables import Table
from ludoport.web.workers import CallLimits, WebWorker

if TYPE_CHECKING:
    from ludoport.web.desk import Desk

THINKING = CallLimits(seconds=None, cpu=3600.0, memory=6_000_000_000, nice=5)
"""Limits of programs that play, and of analyses."""

SLOTS = 2
"""Analyses of one position side by side."""


class Stale(LudoportError):  # noqa: N818 (nothing is broken)
    """A request answers a position that is no longer on the board."""


class TablePlaying:
    """One table.

    Args:
        table: the game.
        desk: the server.
    """

    def __init__(self, table: Table, desk: Desk) -> None:
        self.table, self.desk = table, desk
        self.host = desk.hosts.get(table.game)
        self.host.changed.append(self._status_changed)
        self.error = ""
        self.version = _next_version()
        self.thinking: dict[str, Any] | None = None
        self.analysing: list[str] = [""] * SLOTS
        self._thinker: WebWorker | None = None
        self._programs: asyncio.Task[None] | None = None
        self._analyses: list[asyncio.Task[None] | None] = [None] * SLOTS
        self._review: asyncio.Task[None] | None = None
        self._analysts: list[WebWorker | None] = [None] * (SLOTS + 1)
        self._moving = asyncio.Lock()

    @property
    def topic(self) -> str:
        """Topic that pages of this table listen to."""
        return f"table:{self.table.id}"

    # What pages see

    async def board(self) -> dict[str, Any]:
        """The board of the game."""
        scene = await self.host.open()
        if self.table.title != scene["title"]:
            self.table.title = scene["title"]
        return scene

    async def view(self) -> dict[str, Any]:
        """The position on the board, and the game so far."""
        shown = await self.host.ask(positions.position, self.table.seed, self.table.line())
        return self._view(shown)

    def _view(self, shown: dict[str, Any]) -> dict[str, Any]:
        table = self.table
        return {
            "id": table.id,
            "version": self.version,
            "game": table.game.as_json() | {"text": bool(table.game.text)},
            "node": table.current,
            "ply": table.nodes[table.current].ply,
            "seats": table.seats,
            "paused": table.paused,
            "tree": [[node.parent, node.label, node.seat] for node in table.nodes],
            "line": table.whole_line(),
            "moves_played": table.line(),
            "position": shown["position"],
            "moves": shown["moves"],
            "status": self.status(),
        }

    def status(self) -> dict[str, Any]:
        """Searches and reviews that run beside the position."""
        since = self.host.compiling
        return {
            "compiling": None if since is None else round(time.monotonic() - since, 1),
            "compiled": self.host.compiled,
            "note": self.host.note,
            "error": self.error,
            "thinking": self.thinking,
            "analysing": self.analysing,
        }

    def _status_changed(self) -> None:
        self.desk.hub.publish(self.topic, "status", self.status(), latest=True)

    def _publish(self, view: dict[str, Any]) -> None:
        self.desk.hub.publish(self.topic, "view", view, latest=True)

    # Moves

    async def play(self, node: int, ply: int, move: str) -> dict[str, Any]:
        """Play a person's move.

        Args:
            node: the position that the page shows.
            ply: its number of moves.
            move: the move in recorded notation, or its label.

        Raises:
            Stale: another position is on the board by now.
        """
        async with self._moving:
            self._expect(node, ply)
            await self._stop_programs()
            self._expect(node, ply)
            answer = await self.host.ask(positions.play, self.table.seed, self.table.line(), move)
            self._expect(node, ply)
            self.table.paused = False
            return self._played(answer)

    def _expect(self, node: int, ply: int) -> None:
        table = self.table
        if node != table.current or ply != table.nodes[table.current].ply:
            raise Stale(f"the game is at move {table.nodes[table.current].ply} by now")

    def _played(self, answer: dict[str, Any]) -> dict[str, Any]:
        self.table.add(answer["move"], answer["label"], _seat(answer))
        self.error = ""
        return self._changed(answer)

    def _changed(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Save, notify and continue after a change of position."""
        self.start_programs(shown["position"])
        return self._told(shown)

    def _told(self, shown: dict[str, Any]) -> dict[str, Any]:
        """Save the new position, and notify the pages."""
        self.version = _next_version()
        self.desk.tables.save(self.table)
        view = self._view(shown)
        self._publish(view)
        self._analyse_again()
        return view

    async def go(self, node: int) -> dict[str, Any]:
        """Put another position on the board; programs wait until a person plays on."""
        async with self._moving:
            await self._stop_programs()
            self.table.go(node)
            self.table.paused = True
            return self._changed(await self.host.ask(positions.position, self.table.seed, self.table.line()))

    async def resume(self, seats: list[str] | None = None) -> dict[str, Any]:
        """Let programs play on, perhaps with other players in the seats."""
        async with self._moving:
            await self._stop_programs()
            if seats is not None:
                for seat in seats:
                    self.desk.player_text(seat)
                self.table.seats = seats
            self.table.paused = False
            self.error = ""
            return self._changed(await self.host.ask(positions.position, self.table.seed, self.table.line()))

    async def pause(self) -> dict[str, Any]:
        """Let programs wait."""
        async with self._moving:
            await self._stop_programs()
            self.table.paused = True
            return self._changed(await self.host.ask(positions.position, self.table.seed, self.table.line()))

    # Programs that play

    def start_programs(self, position: dict[str, Any]) -> None:
        """Let a program move, if one is to move."""
        if self._to_move(position) is not None and (self._programs is None or self._programs.done()):
            self._programs = asyncio.create_task(self._play_on(position))

    def _to_move(self, position: dict[str, Any]) -> str | None:
        """The program that is to move; None where a person is, or no seat."""
        if position["over"] or self.table.paused:
            return None
        seat = self.table.seats[(position["seat"] - 1) % len(self.table.seats)]
        return None if seat == "human" else seat

    async def _play_on(self, position: dict[str, Any]) -> None:
        """Let programs move until it is a person's turn."""
        try:
            while (seat := self._to_move(position)) is not None:
                self.thinking = {"seat": position["seat"], "player": seat}
                self._status_changed()
                position = (await self._program_move(self.desk.player_text(seat)))["position"]
        except LudoportError as error:
            self.error = str(error)
            self.table.paused = True
        finally:
            self.thinking = None
            self._status_changed()

    async def _program_move(self, player: str) -> dict[str, Any]:
        table, line = self.table, self.table.line()
        if player.startswith("net:"):
            await self.host.ready()
        async with self.desk.thinking:
            self._thinker = self.desk.hire(self._thinker, THINKING)
            move = await self._thinker.call(
                positions.choose, table.game, table.seed, line, player, self.host.compiled, limits=THINKING
            )
        answer: dict[str, Any] = await self.host.ask(positions.play, table.seed, line, move)
        table.add(answer["move"], answer["label"], _seat(answer))
        self.thinking = None
        self._told(answer)
        return answer

    async def _stop_programs(self) -> None:
        await _cancelled(self._programs)
        self._programs = None

    # Analyses

    def analyse(self, players: list[str]) -> None:
        """Analyse the position on the board, from now on after every move, with these players; empty ones are off."""
        self.analysing = [*players, *[""] * SLOTS][:SLOTS]
        self._analyse_again()
        self._status_changed()

    def _analyse_again(self) -> None:
        for slot, seat in enumerate(self.analysing):
            old = self._analyses[slot]
            self._analyses[slot] = None
            if seat or old is not None:
                self._analyses[slot] = asyncio.create_task(self._analysis(slot, seat, old))

    async def _analysis(self, slot: int, seat: str, old: asyncio.Task[None] | None) -> None:
        await _cancelled(old)
        if not seat:
            return
        node = self.table.current
        event: dict[str, Any] = {"slot": slot, "node": node, "player": seat}

        def tell(**more: Any) -> None:
            # Only the newest event is sent, so the one that says that the search has ended holds its result, too.
            event.update(more)
            self.desk.hub.publish(self.topic, f"analysis{slot}", dict(event), latest=True)

        await self._search(slot, seat, positions.analyse, lambda found: tell(found=found, done=False), tell)

    def review(self, seat: str) -> None:
        """Analyse every position of the line on the board."""
        old, self._review = self._review, None
        path = self.table.whole_line()

        async def work() -> None:
            await _cancelled(old)
            if not seat:
                return

            def tell(**more: Any) -> None:
                self.desk.hub.publish(self.topic, "review", {"path": path, "player": seat} | more)

            tell(begun=True)
            await self._search(SLOTS, seat, positions.review, lambda found: tell(found=found), tell, path[-1])

        self._review = asyncio.create_task(work())

    async def _search(
        self,
        slot: int,
        seat: str,
        function: Callable[..., Any],
        found: Callable[[Any], None],
        tell: Callable[..., None],
        node: int | None = None,
    ) -> None:
        """Pass on what a search says, until it ends or is stopped."""
        table, line = self.table, self.table.line(node)
        try:
            player = self.desk.player_text(seat)
            await self.host.ready()
            async with self.desk.searches:
                worker = self._analysts[slot] = self.desk.hire(self._analysts[slot], THINKING)
                stream: AsyncIterator[Any] = worker.stream(
                    function, table.game, table.seed, line, player, limits=THINKING
                )
                async with aclosing(stream) as items:  # type: ignore[type-var]
                    async for item in items:
                        found(item)
            tell(done=True)
        except LudoportError as error:
            tell(error=str(error), done=True)

    def leave(self) -> None:
        """Stop everything, because no page looks; programs play on when one does again."""
        self.analyse([])
        self.review("")
        if self._programs is not None:
            self._programs.cancel()

    async def close(self) -> None:
        """Stop everything."""
        self.host.changed.remove(self._status_changed)
        for task in (self._programs, self._review, *self._analyses):
            await _cancelled(task)
        for worker in (self._thinker, *self._analysts):
            if worker is not None:
                worker.kill()


def _next_version() -> int:
    """Grows from view to view, also when the server starts again; pages leave out views older than what they show."""
    return time.time_ns() // 1000


def _seat(shown: dict[str, Any]) -> int:
    """Seat to move in a shown position, 0 if the game is over."""
    return 0 if shown["position"]["over"] else int(shown["position"]["seat"])


async def _cancelled(task: asyncio.Task[None] | None) -> None:
    """Cancel a task and wait until it has ended."""
    if task is not None and task is not asyncio.current_task():
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
