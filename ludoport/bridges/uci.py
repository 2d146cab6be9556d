"""The UCI protocol: games of the chess family as an engine for chess programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import ludoport
from ludoport.arena.player import Player
from ludoport.arena.players import REGISTRY
from ludoport.bridges.thinking import MISTAKES, Thinking, ThinkingLimits, lines_of_input
from ludoport.chess.rules import ChessRules
from ludoport.errors import LudoportError
from ludoport.game import Game, Move, State, as_game
from ludoport.languages import find_game

if TYPE_CHECKING:
    from ludoport.search.result import SearchResult

VARIANTS = ("chess", "chessplus", "gardner", "gardner-chessplus", "gardner-literal", "gardner-literal-chessplus")

OVERHEAD = 0.03
"""Seconds that a move takes beside thinking."""

MOVES_LEFT = 30
"""Moves that the rest of the time is shared among where the clock does not tell."""

MOST_CENTIPAWNS = 9999
MOST_SEED = 1_000_000_000
MOST_LINES = 256
"""Lines of play in one report."""

LONGEST_NUMBER = 15
"""Digits of a number in a ``go`` command; longer ones are cut."""


@dataclass
class UciSettings:
    """The options of the engine, as `setoption` changes them."""

    variant: str = "chess"
    player: Player | str = "uct"
    seed: int = 1
    lines: int = 1

    def change(self, name: str, value: str) -> None:
        """Set an option by its UCI name."""
        match name.lower():
            case "multipv":
                if not value.isdecimal() or not 1 <= int(value[:20]) <= MOST_LINES:
                    raise LudoportError(f"MultiPV is a number from 1 to {MOST_LINES}, not `{value[:40]}`")
                self.lines = int(value)
            case "uci_variant":
                self.variant = value
            case "player":
                self.player = value
            case "seed":
                if not value.isdecimal() or not 0 <= int(value[:20]) <= MOST_SEED:
                    raise LudoportError(f"the seed is a number from 0 to {MOST_SEED}, not `{value[:40]}`")
                self.seed = int(value)
            case "ponder":
                pass  # whether to ponder is decided by `go ponder`
            case _:
                raise LudoportError(f"unknown option `{name}`")


@dataclass
class UciEngine:
    """An engine that answers lines of UCI.

    Args:
        settings: variant and player.
        say: writes one line.
    """

    settings: UciSettings = field(default_factory=UciSettings)
    say: Callable[[str], None] = lambda line: print(line, flush=True)
    _thinking: Thinking | None = None
    _player: Player | None = None
    _state: State | None = None
    _line: tuple[str, ...] = ()

    def run(self, lines: Iterable[str] | None = None) -> None:
        """Answer lines until ``quit`` or the end of the input."""
        for line in lines_of_input() if lines is None else lines:
            words = line.split()
            if words and words[0] == "quit":
                break
            if words:
                try:
                    self.answer(words)
                except MISTAKES as error:
                    self.say(f"info string error: {error}")
        self._stop()

    def answer(self, words: list[str]) -> None:
        """Answer one line, given as words; unknown ones are ignored, as the protocol demands."""
        match words[0]:
            case "uci":
                self._introduce()
            case "isready":
                if self._thinking is None or not self._thinking.is_alive():
                    self._ready()
                self.say("readyok")
            case "setoption":
                self._stop()
                name, _, value = " ".join(words[2:]).partition(" value ")
                before = replace(self.settings)
                self.settings.change(name, value)
                if replace(self.settings, lines=before.lines) != before:
                    self._player = self._state = None
            case "ucinewgame":
                self._stop()
                self._player = self._state = None
            case "position":
                self._stop()
                self._set_position(words[1:])
            case "go":
                self._stop()
                self._go(words[1:])
            case "stop":
                self._stop()
            case "ponderhit":
                if self._thinking is not None:
                    self._thinking.hit()
            case "d":
                state = self._ready()
                self.say(f"{state}\nFen: {_rules(state.game).fen_of(state.row)}")

    def _introduce(self) -> None:
        self.say(f"id name Ludoport {ludoport.__version__}")
        self.say("id author the Ludoport authors")
        names = list(dict.fromkeys([self.settings.variant, *VARIANTS]))
        choices = " ".join(f"var {name}" for name in names)
        self.say(f"option name UCI_Variant type combo default {self.settings.variant} {choices}")
        self.say(f"option name Player type string default {self.settings.player}")
        self.say(f"option name Seed type spin default {self.settings.seed} min 0 max {MOST_SEED}")
        self.say("option name Ponder type check default false")
        self.say(f"option name MultiPV type spin default {self.settings.lines} min 1 max {MOST_LINES}")
        self.say("uciok")

    def _ready(self) -> State:
        """The position; at first, load the game and compile the search."""
        if self._state is None:
            game = as_game(find_game(self.settings.variant, "chess").name)
            _rules(game)
            self._state, self._line = game.start(), ()
        if self._player is None:
            chosen = self.settings.player
            self._player = REGISTRY.make(chosen) if isinstance(chosen, str) else chosen
            self._player.warm(self._state.game)
            self._player.begin(self._state.game, self._state.seat, self.settings.seed)
        return self._state

    def _set_position(self, words: list[str]) -> None:
        cut = words.index("moves") if "moves" in words else len(words)
        moves = tuple(words[cut + 1 :])
        root = self._start(words[:cut])
        line = (" ".join(words[:cut]), *moves)
        state, before = root, []
        for text in moves:
            move = state.find(text)
            before.append((state, move))
            state = state.play(move)
        player, known = self._player, self._line
        if player is not None and known and line[: len(known)] == known:
            for at, move in before[len(known) - 1 :]:
                player.played(at, move)
        elif player is not None:
            player.begin(state.game, state.seat, self.settings.seed)
        self._state, self._line = state, line

    def _start(self, words: list[str]) -> State:
        game = self._ready().game
        if not words or words[0] == "startpos":
            return game.start()
        if words[0] != "fen":
            raise LudoportError(f"a position is `startpos` or `fen ...`, not `{words[0]}`")
        fen, rules = " ".join(words[1:]), _rules(game)
        if not rules.holds(fen):
            game = Game(rules.with_fen(fen), game.jit)
        return State(game, _rules(game).state_row(fen))

    def _go(self, words: list[str]) -> None:
        state = self._ready()
        if state.over or not state.moves():
            self.say("bestmove (none)")
            return
        assert self._player is not None
        wanted = _after(words, "searchmoves", state)

        def report(found: SearchResult, seconds: float) -> None:
            for number in shown_lines(found, self.settings.lines):
                self.say(_information(found, seconds, number))

        def finish(best: Move, found: SearchResult | None) -> None:
            if wanted and best not in wanted:
                best = wanted[0] if found is None else next(move for move in found.moves if move in wanted)
            line = () if found is None or found.best != best else found.line
            self.say(f"bestmove {best}" + (f" ponder {line[1]}" if len(line) > 1 else ""))

        limit = limits(words, state.mover)
        self._thinking = _Answering(self.say, self._player, state, self.settings.seed, limit, report, finish)
        self._thinking.start()

    def _stop(self) -> None:
        if self._thinking is not None:
            self._thinking.stop()
            self._thinking = None


class _Answering(Thinking):
    """A player that thinks; if it fails, the program on the other side still gets an answer."""

    def __init__(self, say: Callable[[str], None], *arguments: Any) -> None:
        super().__init__(*arguments)
        self.say = say

    def run(self) -> None:
        """Think."""
        super().run()
        if self.problem is not None:
            self.say(f"info string error: {self.problem}")
            self.say("bestmove (none)")


def limits(words: list[str], mover: int) -> ThinkingLimits:
    """Limits of a ``go`` command; ``depth`` and ``mate`` mean nothing to a Monte-Carlo search.

    >>> limits("wtime 60000 btime 90000 winc 1000".split(), 1).seconds
    2.8
    """
    numbers = {a: int(b[:LONGEST_NUMBER]) for a, b in pairwise(words) if b.removeprefix("-").isdecimal()}
    waits = "infinite" in words or "ponder" in words
    simulations = numbers.get("nodes")
    if "movetime" in numbers:
        return ThinkingLimits(max(numbers["movetime"] / 1000 - OVERHEAD, 0.001), simulations, waits)
    clock, gain = ("wtime", "winc") if mover == 1 else ("btime", "binc")
    if clock in numbers:
        left, more = numbers[clock] / 1000, numbers.get(gain, 0) / 1000
        share = left / max(numbers.get("movestogo", MOVES_LEFT), 1) + 0.8 * more
        return ThinkingLimits(max(min(share, left / 2), 0.001), simulations, waits)
    return ThinkingLimits(None if simulations is not None or waits else 1.0, simulations, waits)


def _after(words: list[str], name: str, state: State) -> list[Move]:
    """The moves that follow a word."""
    if name not in words:
        return []
    found = []
    for text in words[words.index(name) + 1 :]:
        try:
            found.append(state.find(text))
        except LudoportError:
            break
    return found


def shown_lines(found: SearchResult, most: int) -> list[int]:
    """Places of the moves that a report shows: the best, and others that were searched."""
    searched = [n for n in range(1, len(found.moves)) if found.visits is None or found.visits[n]]
    return [0, *searched][:most]


def _information(found: SearchResult, seconds: float, number: int) -> str:
    per_second = round(found.simulations / max(seconds, 0.001))
    line = found.lines[number] if number < len(found.lines) else ()
    return (
        f"info depth {max(len(found.line), 1)} multipv {number + 1} nodes {found.simulations} nps {per_second} "
        f"time {round(1000 * seconds)} score cp {centipawns(found.values[number])} "
        f"pv {' '.join(map(str, line)) or found.moves[number]}"
    )


def centipawns(value: float) -> int:
    """An expected result from -1 to 1 in hundredths of a pawn, by the formula of Leela Chess Zero.

    >>> centipawns(0.0), centipawns(0.5), centipawns(-1.0)
    (0, 89, -9999)
    """
    if math.isnan(value):
        return 0
    return max(-MOST_CENTIPAWNS, min(MOST_CENTIPAWNS, round(90 * math.tan(1.5637541897 * value))))


def _rules(game: Game) -> ChessRules:
    if not isinstance(game.rules, ChessRules):
        raise LudoportError(f"{game.name} is not a game of the chess family; those are {', '.join(VARIANTS)}")
    return game.rules
