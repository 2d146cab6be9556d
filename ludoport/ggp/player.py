"""A player: a server that takes part in matches, several at once, and answers everything in time."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field

from ludoport.errors import LudoportError
from ludoport.gdl.kif import KEYWORDS, Term
from ludoport.ggp.http import RefusedError, Server
from ludoport.ggp.messages import (
    Abort,
    Info,
    Message,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    digest,
    read_message,
    read_reply,
    spaced,
    write_info,
)
from ludoport.ggp.playing import NOTHING, WorkerTask
from ludoport.ggp.role_player import role_player
from ludoport.ggp.room import LateError, Room, process_context, usable_memory
from ludoport.ggp.settings import PlayerSettings, margin
from ludoport.ggp.worker import ServerOrder

log = logging.getLogger(__name__)

LARGE = 50_000
"""Longer messages are read in a thread, so that the others need not wait."""

COMPILING = 2
"""Number of games compiled at the same time."""

_WORDS = re.compile(r"[^\s()]+")

IDLE_GAMES = 4
"""Number of games kept after their matches, in case they are played again."""


@dataclass
class _Match:
    """A match as the server knows it."""

    start: Start
    room: Room
    spelling: dict[str, str]
    expires: float
    ready: asyncio.Future[str] | None = None
    history: list[tuple[Term, ...]] = field(default_factory=list)


class GgpPlayer:
    """Answers the messages of managers."""

    def __init__(self, settings: PlayerSettings | None = None) -> None:
        self.settings = settings or PlayerSettings()
        role_player(self.settings.player)  # a wrong text is refused at once
        self.name = self.settings.name or f"Ludoport_{self.settings.player.partition(':')[0]}"
        self.matches: dict[str, _Match] = {}
        self.rooms: dict[str, Room] = {}
        self.server = Server(self.handle, self.settings.limits)
        self._compiling = asyncio.Semaphore(COMPILING)
        self._watch: asyncio.Task[None] | None = None
        self._begun = 0
        self._lag = 0.0

    async def listen(self, host: str = "127.0.0.1", port: int = 0) -> int:
        """Begin to serve; returns the port."""
        process_context()
        from multiprocessing.forkserver import ensure_running

        await asyncio.to_thread(ensure_running)
        port = await self.server.listen(host, port)
        self._watch = asyncio.ensure_future(self._watching())
        return port

    async def close(self) -> None:
        """Stop serving and end all processes."""
        await self.server.close()
        if self._watch is not None:
            self._watch.cancel()
        self.matches.clear()
        for room in self.rooms.values():
            room.close()
        self.rooms.clear()

    async def handle(self, text: str, arrived: float) -> str:
        """The answer to a message."""
        try:
            message = await asyncio.to_thread(read_message, text) if len(text) > LARGE else read_message(text)
        except MessageError as error:
            raise RefusedError(400, str(error)) from None
        return await self.answer(message, arrived)

    async def answer(self, message: Message, arrived: float) -> str:
        """The answer to a message that arrived at this moment, by ``time.monotonic``."""
        match message:
            case Info():
                return write_info(self.name, len(self.matches) >= self.settings.matches)
            case Preview(rules):
                return self._preview(rules)
            case Start():
                return await self._start(message, arrived)
            case Play(name):
                return await self._known(name, lambda match: self._play(match, message, arrived))
            case Stop(name):
                return await self._known(name, lambda match: self._stop(match, message, arrived))
            case Abort(name):
                return await self._known(name, lambda match: self._abort(match, arrived))

    async def _known(self, name: str, what: Callable[[_Match], Awaitable[str]]) -> str:
        match = self.matches.get(name)
        if match is None:
            log.warning("a message for match %s, which is unknown here", name[:80])
            return "busy"
        return await what(match)

    def _preview(self, rules: str) -> str:
        if len(self.matches) >= self.settings.matches or self._full(rules):
            return "busy"
        self._room(rules)
        return "ready"

    async def _start(self, start: Start, arrived: float) -> str:
        known = self.matches.get(start.match)
        if known is None:
            if len(self.matches) >= self.settings.matches:
                log.warning("match %s is refused: %d are being played", start.match[:80], len(self.matches))
                return "busy"
            if self._full(start.rules):
                log.warning("match %s is refused: %d games are being played", start.match[:80], self.settings.games)
                return "busy"
            room = self._room(start.rules)
            known = _Match(start, room, _spelling(start.rules), self._expiry(start, arrived + start.startclock))
            self.matches[start.match] = known
            room.matches.add(start.match)
            known.ready = asyncio.ensure_future(self._open(known, arrived))
        elif known.start != start or known.ready is None:
            log.warning("another START for match %s, which is being played", start.match[:80])
            return "busy"
        assert known.ready is not None
        return await asyncio.shield(known.ready)

    async def _open(self, match: _Match, arrived: float) -> str:
        start, room = match.start, match.room
        self._begun += 1
        spare = margin(start.startclock)
        end = arrived + start.startclock
        order = ServerOrder(
            0, "start", start.match, start.role, seed=self.settings.seed * 1_000_003 + self._begun,
            until=end - spare, answer_by=end - spare / 2,
        )  # fmt: skip
        try:
            answer = await room.ask(order)
        except LateError:
            log.warning("match %s begins before its game is ready", start.match[:80])
            return "ready"
        except LudoportError as error:
            log.warning("match %s cannot be played: %s", start.match[:80], error)
            self._forget(match)
            return "busy"
        log.info("match %s: %s as %s", start.match, answer, start.role)
        return answer

    async def _play(self, match: _Match, play: Play, arrived: float) -> str:
        start = match.start
        end = arrived + start.playclock
        spare = margin(start.playclock, self._lag)
        match.ready = None
        match.expires = self._expiry(start, end)
        if match.room.dead:
            self._move_on(match, end - spare / 2)
        if play.moves is not None:
            match.history.append(play.moves)
        order = ServerOrder(0, "play", play.match, moves=play.moves, until=end - spare, answer_by=end - spare / 2)
        try:
            found = await match.room.ask(order, patience=0.45 * spare)
        except LudoportError as error:
            log.warning("match %s: no move: %s", play.match[:80], error)
            return NOTHING
        finally:
            self._lag = max(0.98 * self._lag, time.monotonic() - order.until)
        return spaced(_respelled(read_reply(found), match.spelling))

    def _move_on(self, match: _Match, answer_by: float) -> None:
        """Let another process take over from one that has died."""
        start = match.start
        match.room = self._room(start.rules)
        match.room.matches.add(start.match)
        order = ServerOrder(
            0, "start", start.match, start.role, seed=self._begun, history=tuple(match.history), answer_by=answer_by
        )
        match.room.tell(order)

    async def _stop(self, match: _Match, stop: Stop, arrived: float) -> str:
        clock = match.start.playclock
        order = ServerOrder(0, "stop", stop.match, moves=stop.moves, answer_by=arrived + clock - margin(clock))
        self._forget(match)
        with suppress(LudoportError):
            await match.room.ask(order)
        log.info("match %s has ended", stop.match)
        return "done"

    async def _abort(self, match: _Match, arrived: float) -> str:
        self._forget(match)
        with suppress(LudoportError):
            await match.room.ask(ServerOrder(0, "abort", match.start.match, answer_by=arrived + 0.5))
        log.info("match %s is aborted", match.start.match)
        return "aborted"

    def _forget(self, match: _Match) -> None:
        name = match.start.match
        if self.matches.get(name) is match:
            del self.matches[name]
        match.room.matches.discard(name)
        match.room.idle_since = time.monotonic()

    def _expiry(self, start: Start, end: float) -> float:
        """Time at which to give up a match whose manager should have asked for a move before ``end``.

        The manager may have to wait as long for others as for us.
        """
        return end + 2 * start.playclock + self.settings.expire

    def _room(self, rules: str) -> Room:
        name = digest(rules)
        room = self.rooms.get(name)
        if room is None or room.dead:
            self._make_room()
            settings = self.settings
            # Each game has a process that thinks; a few have one that compiles beside it.
            share = usable_memory() * 4 // 5 // (settings.games + COMPILING)
            task = WorkerTask(rules, settings.player, settings.jit, share)
            room = self.rooms[name] = Room(task, self._compiling, settings.compile_seconds)
        room.idle_since = time.monotonic()
        return room

    def _full(self, rules: str) -> bool:
        """Whether there is no process left for another game."""
        playing = {name for name, room in self.rooms.items() if room.matches and not room.dead}
        return len(playing) >= self.settings.games and digest(rules) not in playing

    def _make_room(self) -> None:
        """Give up games without a match, the oldest first, so that only a few are kept."""
        idle = sorted((room.idle_since, name) for name, room in self.rooms.items() if not room.matches)
        for _, name in idle[: max(0, len(idle) - IDLE_GAMES + 1)]:
            self.rooms.pop(name).close()

    async def _watching(self) -> None:
        """Give up matches whose manager has disappeared, and games without a match."""
        while True:
            await asyncio.sleep(0.25)
            now = time.monotonic()
            for match in [match for match in self.matches.values() if now > match.expires]:
                log.warning("match %s is given up: its manager has disappeared", match.start.match[:80])
                self._forget(match)
                with suppress(LudoportError):
                    await match.room.ask(ServerOrder(0, "abort", match.start.match, answer_by=now + 0.5))
            for name, room in list(self.rooms.items()):
                if room.dead or (not room.matches and now > room.idle_since + self.settings.idle):
                    room.close()
                    del self.rooms[name]


def _spelling(rules: str) -> dict[str, str]:
    """Spelling of the language's words in the rules, if not in lower case; reading makes them lower case."""
    words = {found[0] for found in _WORDS.finditer(rules) if found[0].lower() in KEYWORDS}
    return {word.lower(): word for word in words if word.lower() not in words}


def _respelled(term: Term, spelling: dict[str, str]) -> Term:
    if not spelling:
        return term
    return spelling.get(term, term) if isinstance(term, str) else tuple(_respelled(x, spelling) for x in term)


async def serve_player(
    settings: PlayerSettings, host: str, port: int, ready: Callable[[int], None], until: Awaitable[object] | None = None
) -> None:
    """Serve until something happens, or for ever.

    Args:
        settings: settings of the games.
        host: host to listen on.
        port: port to listen on; 0 lets the system choose.
        ready: gets the port.
        until: ends the server when it is done.
    """
    player = GgpPlayer(settings)
    ready(await player.listen(host, port))
    try:
        await (until if until is not None else asyncio.Event().wait())
    finally:
        await player.close()
