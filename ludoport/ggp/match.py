"""One match over the network: asks all players in every step and waits for none of them longer than the clock."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import ludoport
from ludoport.arena.playing import derived
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.gdl import GdlRules
from ludoport.gdl.kif import parse_term, term_text
from ludoport.ggp.client import NoAnswerError, post
from ludoport.ggp.messages import Abort, Info, Message, Play, Start, Stop, read_info, read_reply, write_message
from ludoport.ggp.positions import SheetPosition, initial, twin
from ludoport.ggp.record import Ending, MatchRecord, Mistake, RecordedStep
from ludoport.ggp.terms import Terms

log = logging.getLogger(__name__)

CHANCE = "random"
"""The role that the manager plays itself."""

_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Address:
    """Network address of a player."""

    host: str
    port: int
    name: str = "PLAYER"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def address(text: str) -> Address:
    """An address from text.

    Example:
        >>> str(address("localhost:9147"))
        'localhost:9147'
    """
    host, colon, port = text.strip().removeprefix("http://").rstrip("/").rpartition(":")
    if not colon or not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        raise LudoportError(f"`{text}` is not the address of a player; it is written like 127.0.0.1:9147")
    return Address(host, int(port))


class Match:
    """A match.

    Args:
        name: the match's name.
        rules: the game.
        players: one for each role but ``random``, in the order of roles.
        terms: clocks and limits.
        seed: of everything random.
        game: the compiled game; without it the interpreter computes the positions.
    """

    def __init__(
        self, name: str, rules: GdlRules, players: Sequence[Address], terms: Terms, seed: int, game: Game | None = None
    ) -> None:
        self.name, self.rules, self.terms, self.seed = name, rules, terms, seed
        self.game = None if game is None else twin(game)
        wanted = [role for role in rules.roles if role.lower() != CHANCE]
        if len(players) != len(wanted):
            raise LudoportError(f"{rules.name} needs {len(wanted)} player(s), not {len(players)}")
        remaining = iter(players)
        self.players = [None if role.lower() == CHANCE else next(remaining) for role in rules.roles]
        self.record = MatchRecord(
            name, rules.name, rules.fingerprint, "interpreter" if game is None else "network", list(rules.roles),
            [], terms.startclock, terms.playclock, terms.grace, seed, ludoport.__version__,
            datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip

    async def play(self) -> MatchRecord:
        """Play to the end; the record also holds everything that went wrong."""
        begin = time.monotonic()
        try:
            position = await self._compute(lambda: initial(self.rules, self.game))
            await self._introduce()
            await self._start()
            await self._steps(position)
        except LudoportError as error:
            log.warning("match %s failed: %s", self.name, error)
            self.record.ended = "failed"
            await self._tell(Abort(self.name))
        except asyncio.CancelledError:
            await self._tell(Abort(self.name))
            raise
        finally:
            self.record.seconds = round(time.monotonic() - begin, 3)
        return self.record

    async def _introduce(self) -> None:
        """Ask the players for their names."""
        self.record.players = [
            None if player is None else {"address": str(player), "name": player.name} for player in self.players
        ]

        async def ask(number: int, player: Address) -> None:
            try:
                told = read_info(await self._post(player, Info(), min(1.0, self.terms.startclock)))
            except LudoportError:
                return
            shown = self.record.players[number]
            if shown is not None and told.get("name"):
                shown["name"] = told["name"][:100]

        await asyncio.gather(*(ask(n, player) for n, player in enumerate(self.players) if player is not None))

    async def _start(self) -> None:
        terms, text = self.terms, self.rules.program.sheet.text

        async def ask(role: str, player: Address) -> None:
            message = Start(self.name, role, text, terms.startclock, terms.playclock)
            try:
                reply = read_reply(await self._post(player, message, terms.startclock + terms.grace))
            except NoAnswerError as error:
                self.record.start_mistakes.append(Mistake(error.kind, role, str(error)))
            except LudoportError as error:
                self.record.start_mistakes.append(Mistake("garbage", role, str(error)))
            else:
                if term_text(reply).lower() != "ready":
                    self.record.start_mistakes.append(Mistake("refused", role, term_text(reply)[:200]))

        pairs = zip(self.rules.roles, self.players, strict=True)
        await asyncio.gather(*(ask(role, player) for role, player in pairs if player is not None))

    async def _steps(self, position: SheetPosition) -> None:
        moves: list[str] | None = None
        record = self.record
        ending: Ending | None = await self._compute(lambda: _ending(position))
        while ending is None and len(record.steps) < self.terms.limit:
            step = await self._step(position, len(record.steps), moves)
            moves = step.moves
            record.steps.append(step)
            position, ending = await self._compute(lambda p=position, m=moves: _next(p, m))  # type: ignore[misc]
        record.ended = ending or "limit"
        record.goals = await self._compute(lambda: position.goals)
        record.final = position.facts() if self.terms.states else position.digest()
        last = None if moves is None else tuple(parse_term(move) for move in moves)
        await self._tell(Stop(self.name, last) if record.ended == "terminal" else Abort(self.name))

    async def _step(self, position: SheetPosition, number: int, last: list[str] | None) -> RecordedStep:
        """Asks all players at once."""
        rng = random.Random(derived(self.seed, "step", number))
        # Drawn beforehand for all roles, so that the match is the same whichever role needs them.
        moves = [rng.choice(legal) for legal in position.legal]
        state = position.facts() if self.terms.states else position.digest()
        step = RecordedStep(state, moves, [None] * len(moves))
        message = Play(self.name, None if last is None else tuple(parse_term(move) for move in last))
        asked = [(role, player) for role, player in enumerate(self.players) if player is not None]
        await asyncio.gather(*(self._ask(position, step, role, player, message) for role, player in asked))
        return step

    async def _ask(
        self, position: SheetPosition, step: RecordedStep, role: int, player: Address, message: Play
    ) -> None:
        name = self.rules.roles[role]
        begin = time.monotonic()
        try:
            reply = read_reply(await self._post(player, message, self.terms.playclock + self.terms.grace))
        except NoAnswerError as error:
            step.mistakes.append(Mistake(error.kind, name, str(error)))
        except LudoportError as error:
            step.mistakes.append(Mistake("garbage", name, str(error)))
        else:
            found = position.find(role, term_text(reply))
            if found is None:
                step.mistakes.append(Mistake("illegal", name, term_text(reply)[:200]))
            else:
                step.moves[role] = found
        step.seconds[role] = round(time.monotonic() - begin, 4)

    async def _tell(self, message: Message) -> None:
        """Tell all players something whose answer does not matter."""

        async def tell(player: Address) -> None:
            try:
                await self._post(player, message, min(self.terms.playclock, 5.0))
            except LudoportError as error:
                log.info("match %s: %s did not take the end: %s", self.name, player, error)

        await asyncio.gather(*(tell(player) for player in self.players if player is not None))

    async def _post(self, player: Address, message: Message, seconds: float) -> str:
        return await post(player.host, player.port, write_message(message), seconds=seconds, receiver=player.name)

    async def _compute(self, work: Callable[[], _Result]) -> _Result:
        """Compute something about a position; the interpreter may take long, and others must not wait for it."""
        if self.game is not None:
            return work()
        return await in_thread(work, self.terms.compute)


def _next(position: SheetPosition, moves: Sequence[str]) -> tuple[SheetPosition, Ending | None]:
    following = position.after(moves)
    return following, _ending(following)


def _ending(position: SheetPosition) -> Ending | None:
    """Whether a match ends here; computes what the next step needs anyway."""
    if position.terminal:
        return "terminal"
    return "stuck" if position.stuck else None


async def in_thread(work: Callable[[], _Result], seconds: float) -> _Result:
    """Do something in a thread; one that takes too long is left alone and does not keep the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def finish(result: _Result | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result: _Result | None = None
        error: BaseException | None = None
        try:
            result = work()
        except Exception as problem:
            error = problem if isinstance(problem, LudoportError) else LudoportError(f"{problem!r}")
        if not loop.is_closed():
            loop.call_soon_threadsafe(finish, result, error)

    threading.Thread(target=run, daemon=True).start()
    try:
        return await asyncio.wait_for(future, seconds)
    except TimeoutError:
        raise LudoportError(f"a position could not be computed within {seconds:g} s") from None
