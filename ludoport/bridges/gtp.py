"""The GTP protocol, version 2: placement games such as Go, Hex and Gomoku as an engine for their programs."""

from __future__ import annotations

import queue
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ludoport
from ludoport.arena.player import Player
from ludoport.arena.players import REGISTRY
from ludoport.bridges.sizes import komi_choices, komi_of, sized, with_komi
from ludoport.bridges.thinking import MISTAKES, Thinking, ThinkingLimits, lines_of_input
from ludoport.errors import LudoportError
from ludoport.game import Game, Move, State, as_game

if TYPE_CHECKING:
    from ludoport.search.result import SearchResult

COLOURS = {"b": 1, "black": 1, "w": 2, "white": 2}
"""Black is the first player, as in Go."""

SWAPS = {"swap", "swap-sides", "swap-pieces"}

MOVES_LEFT = 30
"""Moves that the rest of the time is shared among where the clock does not tell."""

LONGEST = 10_000_000
"""Seconds that a clock can show."""

SHORTEST = 0.02
"""Seconds between two lines of analysis, however often a program wants them."""

PAIRS = "pspairs/Visits/ludoport-visits\npspairs/Values/ludoport-values"
"""Data that GoGui and HexGui can show beside the game."""

_LABEL = re.compile(r"([A-Za-z])(\d+)")


@dataclass(frozen=True)
class GtpSettings:
    """The game and the player of the engine.

    Attributes:
        game: the game.
        options: its options; ``boardsize`` changes the one for the size of the board.
        player: the player, or its text.
        seconds: time for a move where no clock was set and the player has no limit of its own.
        seed: random seed.
    """

    game: str = "Go"
    options: tuple[str, ...] = ()
    player: Player | str = "uct"
    seconds: float = 1.0
    seed: int = 1


class GtpEngine:
    """An engine that answers lines of GTP.

    Args:
        settings: game and player.
        say: writes text as it is.
    """

    def __init__(self, settings: GtpSettings, say: Callable[[str], None] | None = None) -> None:
        self.settings, self.say = settings, say or _printed
        self.clock, self._incoming = MoveClock(settings.seconds), queue.Queue[str | None]()
        self.options = settings.options
        self._begin(as_game(settings.game, settings.options))

    def _begin(self, game: Game) -> None:
        chosen = self.settings.player
        self.player = REGISTRY.make(chosen) if isinstance(chosen, str) else chosen
        self.names, self.state = Vertices(game), game.start()
        self.line: list[tuple[State, Move]] = []
        self.player.warm(game)
        self.player.begin(game, self.state.seat, self.settings.seed)

    def run(self, lines: Iterable[str] | None = None) -> None:
        """Answer lines until ``quit`` or the end of the input."""
        source = lines_of_input() if lines is None else lines
        threading.Thread(target=self._read, args=(source,), daemon=True).start()
        while (line := self._incoming.get()) is not None:
            words = line.split("#")[0].split()
            if words and not self._answer(words):
                break

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._incoming.put(line)
        self._incoming.put(None)

    def _answer(self, words: list[str]) -> bool:
        """Answer one command; False if it was the last."""
        number = words.pop(0) if words[0].isdigit() else ""
        if not words:
            return True
        name, *arguments = words
        command = self._commands().get(name)
        if command is None:
            self.say(f"?{number} unknown command\n\n")
        else:
            self._number = number
            try:
                answer = command(arguments)
                self.say("\n" if answer is None else f"={number} {answer}\n\n")
            except MISTAKES as error:
                told = str(error) if isinstance(error, LudoportError) else "syntax error"
                self.say(f"?{number} {told}\n\n")
        return name != "quit"

    def _commands(self) -> dict[str, Callable[[list[str]], str | None]]:
        """All commands; those that write while they run return None."""
        return {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Ludoport",
            "version": lambda _: ludoport.__version__,
            "known_command": lambda a: "true" if a[0] in self._commands() else "false",
            "list_commands": lambda _: "\n".join(sorted(self._commands())),
            "quit": lambda _: "",
            "boardsize": self._boardsize,
            "rectangular_boardsize": self._boardsize,
            "clear_board": self._clear,
            "komi": self._komi,
            "play": self._play,
            "genmove": lambda a: self._genmove(a, keep=True),
            "reg_genmove": lambda a: self._genmove(a, keep=False),
            "undo": self._undo,
            "showboard": lambda _: f"\n{self.names.picture(self.state)}",
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "analyze": self._analyze,
            "lz-analyze": self._analyze,
            "genmove_analyze": self._genmove_analyze,
            "lz-genmove_analyze": self._genmove_analyze,
            "hexgui-analyze_commands": lambda _: PAIRS,
            "gogui-analyze_commands": lambda _: PAIRS,
            "ludoport-visits": lambda _: self._pairs("visits"),
            "ludoport-values": lambda _: self._pairs("values"),
        }

    def _boardsize(self, arguments: list[str]) -> str:
        width, height = int(arguments[0]), int(arguments[-1])
        options = sized(self.settings.game, self.options, width, height)
        self._begin(as_game(self.settings.game, options))
        self.options = options
        return ""

    def _clear(self, arguments: list[str]) -> str:
        del arguments
        self._begin(self.state.game)
        return ""

    def _komi(self, arguments: list[str]) -> str:
        komi, name = float(arguments[0]), self.settings.game
        if komi == float(komi_of(self.options) or 0):
            return ""
        options = with_komi(name, self.options, komi)
        if options is None:
            choices = komi_choices(name)
            known = f"a komi of {', '.join(choices)}" if choices else "no komi"
            raise LudoportError(f"the rules of this game have {known}")
        line = self.line
        self._begin(as_game(name, options))
        self.options = options
        for _, move in line:
            self._make(self.state.find(move.label))
        return ""

    def _play(self, arguments: list[str]) -> str:
        self._turn_to(arguments[0])
        self._make(self.names.move(self.state, arguments[1]))
        return ""

    def _make(self, move: Move) -> None:
        before, self.state = self.state, self.state.play(move)
        self.line.append((before, move))
        self.player.played(before, move)

    def _turn_to(self, colour: str) -> None:
        """Let a colour move; the other one passes where it is its turn and the rules allow that."""
        if colour.lower() not in COLOURS:
            raise LudoportError(f"a colour is black or white, not `{colour}`")
        if self.state.over:
            raise LudoportError("the game is over")
        if self.state.mover == COLOURS[colour.lower()]:
            return
        passing = next((move for move in self.state.moves() if move.label.lower() == "pass"), None)
        if passing is None:
            raise LudoportError(f"it is not {colour}'s turn, and the other player cannot pass")
        self._make(passing)

    def _think(
        self, arguments: Sequence[str], limits: ThinkingLimits, report: Callable[[SearchResult], None]
    ) -> Thinking:
        self._turn_to(arguments[0] if arguments else _colour(self.state))
        self.best: Move | None = None

        def finish(best: Move, found: SearchResult | None) -> None:
            del found
            self.best = best

        thinking = Thinking(
            self.player,
            self.state,
            self.settings.seed + len(self.line),
            limits,
            lambda found, seconds: report(found),
            finish,
        )
        thinking.start()
        return thinking

    def _genmove(self, arguments: list[str], keep: bool) -> str:
        limits = ThinkingLimits(self.clock.share(arguments[0]))
        self._finished(self._think(arguments, limits, lambda found: None))
        assert self.best is not None
        name = self.names.name(self.best)
        if keep:
            self._make(self.best)
        return name

    def _finished(self, thinking: Thinking) -> None:
        """Wait until a player has thought."""
        thinking.join()
        if thinking.problem is not None:
            raise thinking.problem

    def _undo(self, arguments: list[str]) -> str:
        del arguments
        if not self.line:
            raise LudoportError("cannot undo")
        self.state, _ = self.line.pop()
        self.player.rewind(self.state.game, self.state.seat, self.settings.seed, self.line)
        return ""

    def _final_score(self, arguments: list[str]) -> str:
        del arguments
        if not self.state.over:
            raise LudoportError("cannot score: the game is not over")
        return {0: "0", 1: "B+", 2: "W+"}[self.state.winner] + self._lead()

    def _lead(self) -> str:
        """Lead of the winner in points, as text; empty where points do not decide."""
        scores, winner = self.state.scores, self.state.winner
        if scores is None or winner == 0:
            return ""
        lead = scores[winner - 1] - scores[2 - winner]
        # Scores count half points where the komi has a half.
        halves = float(komi_of(self.options) or 0) % 1 != 0
        return f"{lead / 2 if halves else lead:g}" if lead > 0 else ""

    def _time_settings(self, arguments: list[str]) -> str:
        main, overtime, stones = map(_seconds, arguments[:3])
        self.clock.set(main, overtime, stones)
        return ""

    def _time_left(self, arguments: list[str]) -> str:
        self.clock.left[COLOURS[arguments[0].lower()]] = (_seconds(arguments[1]), max(int(arguments[2][:9]), 0))
        return ""

    def _analyze(self, arguments: list[str]) -> None:
        """Report results until the next command arrives."""
        colours = [part for part in arguments if part.lower() in COLOURS]
        self.say(f"={self._number}\n")
        thinking = self._think(colours, ThinkingLimits(waits=True, interval=_interval(arguments)), self._tell)
        while self._incoming.empty() and thinking.is_alive():
            time.sleep(0.02)
        thinking.stop()

    def _genmove_analyze(self, arguments: list[str]) -> None:
        colours = [part for part in arguments if part.lower() in COLOURS]
        self.say(f"={self._number}\n")
        seconds = self.clock.share(colours[0] if colours else _colour(self.state))
        limits = ThinkingLimits(seconds, interval=_interval(arguments))
        self._finished(self._think(colours, limits, self._tell))
        assert self.best is not None
        self.say(f"play {self.names.name(self.best)}\n")
        self._make(self.best)

    def _tell(self, found: SearchResult) -> None:
        """One line of analysis, as Leela Zero writes it and Sabaki and Lizzie read it."""
        parts = []
        for order, move in enumerate(found.moves):
            visits = 0 if found.visits is None else int(found.visits[order])
            if visits:
                line = found.lines[order] if order < len(found.lines) else (move,)
                name = self.names.name(move)
                pv = " ".join(self.names.name(part) for part in line) or name
                rate = round(5000 * (1 + found.values[order]))
                parts.append(f"info move {name} visits {visits} winrate {rate} order {order} pv {pv}")
        self.say(" ".join(parts) + "\n")

    def _pairs(self, what: str) -> str:
        """Result of the last search, as pairs of a point and a number, for HexGui."""
        found = self.player.so_far()
        if found is None or found.visits is None:
            raise LudoportError("nothing was searched yet")
        numbers = found.visits.tolist() if what == "visits" else [f"{value:.2f}" for value in found.values]
        seen = [n for n, count in enumerate(found.visits) if count]
        return " ".join(f"{self.names.name(found.moves[n])} {numbers[n]}" for n in seen)


class Vertices:
    """Names of moves in GTP: a letter and a number.

    Boards of squares have no column I, as the protocol says; boards of hexagons have one, as programs for Hex write it.
    """

    def __init__(self, game: Game) -> None:
        sites = game.rules.geometry.sites
        if not sites or not all(_LABEL.fullmatch(site.label) for site in sites):
            raise LudoportError(f"{game.name}: GTP needs a board whose points have a letter and a number")
        self.skips = not any(len(site.outline) == 6 for site in sites)

    def name(self, move: Move) -> str:
        """A move as GTP writes it."""
        found = _LABEL.fullmatch(move.label)
        if found is None:
            return "swap-sides" if move.label.lower() == "swap" else move.label
        letter = found[1].upper()
        return f"{chr(ord(letter) + 1) if self.skips and letter >= 'I' else letter}{found[2]}"

    def picture(self, state: State) -> str:
        """A position as text, with the letters of GTP below its columns."""
        board, _, letters = state.picture().rstrip().rpartition("\n")
        if not self.skips or not re.fullmatch(r"[\sA-Z]+", letters):
            return f"{board}\n{letters}"
        return f"{board}\n{letters.translate({ord('A') + n: chr(ord('A') + n + 1) for n in range(8, 25)})}"

    def move(self, state: State, text: str) -> Move:
        """The legal move that a text of GTP means."""
        if text.lower() in SWAPS:
            text = "swap"
        found = _LABEL.fullmatch(text)
        if found and self.skips and found[1].upper() == "I":
            raise LudoportError("illegal move")
        if found and self.skips and found[1].upper() > "I":
            text = f"{chr(ord(found[1].upper()) - 1)}{found[2]}"
        try:
            return state.find(text)
        except LudoportError:
            raise LudoportError("illegal move") from None


@dataclass
class MoveClock:
    """Time for a move: the settings of GTP, or a number of seconds.

    Example:
        >>> clock = MoveClock(1.0)
        >>> clock.set(300, 0, 0)
        >>> clock.left[1] = (60.0, 0)
        >>> clock.share("black"), clock.share("white")
        (2.0, 10.0)
    """

    seconds: float
    main: float | None = None
    left: dict[int, tuple[float, int]] = field(default_factory=dict)

    def set(self, main: float, overtime: float, stones: float) -> None:
        """Main time, then a number of stones in each period of overtime."""
        self.main, self.left = (None, {}) if overtime > 0 and stones == 0 else (main, {})
        if main == 0 and overtime > 0 and stones > 0:
            self.main, self.seconds = None, 0.9 * overtime / stones

    def share(self, colour: str) -> float:
        """Seconds for the next move of a colour."""
        seconds, stones = self.left.get(COLOURS.get(colour.lower(), 0), (self.main, 0))
        if seconds is None:
            return self.seconds
        return max(seconds / (stones or MOVES_LEFT), 0.01)


def _seconds(text: str) -> float:
    """A time that a clock can show."""
    seconds = float(text)
    if not -LONGEST <= seconds <= LONGEST:
        raise LudoportError(f"a time is at most {LONGEST} seconds")
    return max(seconds, 0.0)


def _interval(arguments: Sequence[str]) -> float | None:
    """Seconds between lines of analysis, which programs give in hundredths.

    >>> _interval(["black", "50"]), _interval(["interval", "0"]), _interval(["black"])
    (0.5, 0.02, None)
    """
    hundredths = [int(part[:9]) for part in arguments if part.isdecimal()]
    return max(hundredths[0] / 100, SHORTEST) if hundredths else None


def _colour(state: State) -> str:
    return "black" if state.mover == 1 else "white"


def _printed(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
