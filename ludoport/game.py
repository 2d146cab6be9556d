"""Game and State; moves are in ``moves.py``."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.drawing import draw
from ludoport.errors import LudoportError
from ludoport.kernels.build import defined_names
from ludoport.kernels.contract import Rules, rules_at
from ludoport.kernels.loaded import Kernels
from ludoport.kernels.room import GIVEN_UP, no_room
from ludoport.kernels.seeds import seeded
from ludoport.moves import Move, find_move, illegal
from ludoport.playouts import PlayoutStats, measure_playouts

__all__ = ["Game", "Kernels", "Move", "Row", "State", "as_game", "load", "seeded"]

Row = NDArray[np.int16]


class Game:
    """A game ready to be played.

    Args:
        rules: what a language made of the game's text.
        jit: compile to machine code; plain Python otherwise (also chosen by ``LUDOPORT_JIT=0``).
    """

    def __init__(self, rules: Rules, jit: bool | None = None) -> None:
        self.rules = rules
        self.jit = jit if jit is not None else os.environ.get("LUDOPORT_JIT", "1") != "0"
        self._further: dict[str, Kernels] = {}

    def __repr__(self) -> str:
        return f"Game({self.title!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self is other or (self.jit == other.jit and self.rules == other.rules)

    def __hash__(self) -> int:
        return hash((self.rules, self.jit))

    def __copy__(self) -> Game:
        """The same game, rules and kernels, with scratch space of its own, so that another thread can use it."""
        fresh = Game(self.rules, self.jit)
        shared = {name: value for name, value in vars(self).items() if name not in ("work", "move_list")}
        vars(fresh).update(shared)
        return fresh

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.__copy__()

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[Rules, bool]]:
        # Rules travel as their text; what was compiled is compiled again, or found in the cache, where it is needed.
        return _restored, (self.rules, self.jit)

    @cached_property
    def kernels(self) -> Kernels:
        """The kernels on the chosen target."""
        return Kernels(self.name, self.rules.source, self.jit)

    def kernels_with(self, text: str) -> Kernels:
        """The kernels together with further ones over the contract, such as a search, in a module of their own."""
        known = self._further.get(text)
        if known is None:
            if clash := defined_names(self.rules.source) & defined_names(text):
                raise RuntimeError(f"{self.name}: kernels define {', '.join(sorted(clash))} a second time")
            # Rules that are interpreted are functions of Python, which machine code cannot call.
            jit = self.jit and getattr(self.rules, "engine", "") != "interpreter"
            known = self._further[text] = Kernels(self.name, self.rules.source + text, jit)
        return known

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def title(self) -> str:
        """The name with the options that were chosen, such as ``Hex 7x7``."""
        return self.rules.title

    @property
    def n_players(self) -> int:
        """Number of players."""
        return self.rules.n_players

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of a row: small for machine code, wide for plain Python, where nothing may overflow."""
        return self.rules.dtype if self.jit else np.int64

    def new_row(self) -> NDArray[Any]:
        """An empty state row."""
        return np.zeros(self.rules.state_size, dtype=self.dtype)

    @cached_property
    def work(self) -> NDArray[Any]:
        """Scratch space for one caller at a time."""
        return np.zeros(self.rules.work_size, dtype=self.dtype)

    @cached_property
    def move_list(self) -> NDArray[Any]:
        """Space for the legal moves of one position."""
        return np.zeros((self.rules.max_moves + 1) * self.rules.move_size, dtype=self.dtype)

    def start(self, seed: int = 0) -> State:
        """The initial position."""
        row = self.new_row()
        self.kernels.call("start", row, seeded(seed))
        return State(self, row)

    def perft(self, depth: int) -> list[int]:
        """Numbers of legal move sequences of length 1 to ``depth`` from the start."""
        if depth < 1:
            raise LudoportError(f"the depth must be at least 1, not {depth}")
        return [self.start().perft(d) for d in range(1, depth + 1)]

    def divide(self, depth: int) -> dict[str, int]:
        """For each first move, in recorded notation, the number of sequences of this length that begin with it."""
        if depth < 1:
            raise LudoportError(f"the depth must be at least 1, not {depth}")
        state = self.start()
        return {move.text: state.play(move).perft(depth - 1) for move in state.moves()}

    def playouts(
        self, seconds: float | None = None, count: int | None = None, seed: int = 1, limit: int = 1_000_000
    ) -> PlayoutStats:
        """Play uniformly random games on one thread and measure CPU time.

        Args:
            seconds: how long to measure; 1 if neither this nor ``count`` is given.
            count: how many games to play instead.
            seed: the seed of the games.
            limit: most moves of one game.
        """
        if seconds is not None and seconds <= 0:
            raise LudoportError(f"the time must be positive, not {seconds}")
        if count is not None and count < 1:
            raise LudoportError(f"the number of playouts must be at least 1, not {count}")
        row, rng, moves, work = self.new_row(), seeded(seed), self.move_list, self.work
        self.kernels.call("playouts", row, seeded(0), moves, work, 1, limit)
        play = self.kernels.playouts
        return measure_playouts(lambda games: int(play(row, rng, moves, work, games, limit)), seconds, count)


def _restored(rules: Any, jit: bool) -> Game:
    """The game of rules that arrived from elsewhere; equal ones share their kernels, but no scratch space."""
    return copy.copy(_first_restored(rules, jit))


@lru_cache(maxsize=32)
def _first_restored(rules: Rules, jit: bool) -> Game:
    return Game(rules, jit)


class State:
    """A position. Playing a move gives a new one.

    States are equal if they have the same rules and the same row, which holds everything that the rules can ask for:
    counters, the last move and, where repetition matters, earlier positions. ``key`` recognises a position that was
    reached in another way.
    """

    last: Move | None = None
    """The move that led here, where it is known; pictures mark it. It is not part of the position."""

    def __init__(self, game: Game, row: NDArray[Any]) -> None:
        self.game, self.row = game, row

    def __repr__(self) -> str:
        parts = [self.game.title]
        standing = getattr(self.game.rules, "standing", None)
        if standing is not None:
            parts.append(standing(self.row))
        if self.ply is not None:
            parts.append(f"ply {self.ply}")
        names = self.game.rules.player_names
        if not self.over:
            parts.append(f"{names[self.mover - 1]} to move")
        else:
            parts.append(f"{names[self.winner - 1]} won" if self.winner > 0 else "draw")
        return ", ".join(parts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return np.array_equal(self.row, other.row) and self.game.rules == other.game.rules

    def __hash__(self) -> int:
        return hash(self.row.astype(np.int64).tobytes())

    def __copy__(self) -> State:
        return State(self.game, self.row.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.__copy__()

    def __reduce__(self) -> tuple[type[State], tuple[Game, NDArray[Any]]]:
        return State, (self.game, self.row)

    def _field(self, name: str) -> int:
        return int(self.row[self.game.rules.fields[name]])

    @property
    def mover(self) -> int:
        """The player number (colour) to move."""
        return self._field("MOVER")

    @property
    def swapped(self) -> bool:
        """Whether the seats have exchanged their colours."""
        return "SWAPPED" in self.game.rules.fields and self._field("SWAPPED") != 0

    @property
    def seat(self) -> int:
        """The seat to move; differs from the mover (the colour) after a swap."""
        return 3 - self.mover if self.swapped else self.mover

    @property
    def ply(self) -> int | None:
        """Moves played so far; None in rulesheets, whose positions do not count them."""
        fields = self.game.rules.fields
        if "PLY" not in fields:
            return None
        return self._field("PLY") + (self._field("FIRST") if "FIRST" in fields else 0)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._field("OVER") != 0

    @property
    def utilities(self) -> list[float]:
        """Result of each player number: 1 for a win, -1 for a loss; undecided players share the rest."""
        return [float(self.game.kernels.call("utility", self.row, p)) for p in range(1, self.game.n_players + 1)]

    @property
    def seat_utilities(self) -> list[float]:
        """Result of each seat; differs from ``utilities`` after a swap."""
        values = self.utilities
        return values[::-1] if self.swapped else values

    @property
    def scores(self) -> list[int] | None:
        """Score of each player number, in the current game of a match; None in games without scores."""
        return self._scores(rules_at(self.game.rules, self.row))

    @property
    def match_scores(self) -> list[int] | None:
        """Match score of each player number, in a match of several games; None in other games."""
        return self._scores(self.game.rules) if "INSTANCE" in self.game.rules.fields else None

    def _scores(self, rules: Rules) -> list[int] | None:
        begin = rules.fields.get("SCORE")
        if begin is None:
            return None
        return [int(score) for score in self.row[begin + 1 : begin + 1 + self.game.n_players]]

    @property
    def winner(self) -> int:
        """The player number that won (of a team, its first player), 0 for a draw, -1 while the game runs."""
        if not self.over:
            return -1
        values = self.utilities
        best = max(values)
        alone = values.count(best) == 1 or (self.game.rules.teams and best == 1)
        return values.index(best) + 1 if best > 0 and alone else 0

    @property
    def key(self) -> int:
        """A hash; equal positions have equal keys."""
        return int(self.game.kernels.call("key", self.row))

    @cached_property
    def _rows(self) -> NDArray[Any]:
        """The legal moves as kernels play them, shape (moves, move size)."""
        game = self.game
        moves = game.move_list
        # Columns that a rule does not use must not keep what was there before.
        moves[:] = 0
        n = int(game.kernels.call("legal", self.row, moves, game.work))
        width = game.rules.move_size
        return game.rules.tidy(moves[: n * width].reshape(n, width))

    @cached_property
    def _moves(self) -> list[Move]:
        names = _Names(self.game.rules, self.row, self._rows)
        return [Move(row, partial(names.text, n), partial(names.label, n)) for n, row in enumerate(self._rows)]

    def moves(self) -> list[Move]:
        """The legal moves."""
        return list(self._moves)

    def find(self, text: str) -> Move:
        """The legal move with a text: its label (``E2-E4``) or its recorded notation (``12-28``).

        Letter case, hyphens and blanks do not matter where only one move can be meant.
        """
        return find_move(text, self._moves)

    def play(self, move: Move | str) -> State:
        """The position after a legal move, given as a Move or as a text that `find` understands."""
        if isinstance(move, str):
            move = self.find(move)
        elif not isinstance(move, Move):
            raise LudoportError(f"a move is a Move or a text such as `{self._example()}`, not {move!r}")
        elif move.row.shape != self._rows.shape[1:] or not (self._rows == move.row).all(axis=1).any():
            raise illegal(move.label, self._moves)
        row = self.row.copy()
        self.game.kernels.call("play", row, move.row, self.game.work)
        following = State(self.game, row)
        if following._field("OVER") == GIVEN_UP:
            raise no_room(self.game.name, self.game.rules.max_moves)
        following.last = move
        return following

    def _example(self) -> str:
        return self._moves[0].label if self._moves else "pass"

    def perft(self, depth: int) -> int:
        """The number of legal move sequences of this length."""
        if depth < 0:
            raise LudoportError(f"the depth must not be negative, not {depth}")
        if depth == 0:
            return 1
        game = self.game
        size, width = game.rules.max_moves + 1, game.rules.move_size
        rows: NDArray[Any] = np.zeros((depth + 1, game.rules.state_size), dtype=game.dtype)
        lists: NDArray[Any] = np.zeros((depth, size * width), dtype=game.dtype)
        rows[0] = self.row
        return int(game.kernels.call("perft", rows, lists, game.work, depth))

    def pieces(self) -> dict[int, str | list[str]]:
        """Pieces by site: names, with counts and local states where they matter; stacks from the bottom."""
        return self.game.rules.pieces(self.row)

    def seen_by(self, player: int) -> dict[int, str | list[str]]:
        """Pieces that a player may see: ``pieces`` without what rules hide from the player (``set Hidden``).

        A piece of which nothing may be seen is ``?``; one whose kind is hidden is ``?`` with the number of its owner.

        Raises:
            LudoportError: there is no such player, or positions of this game do not keep what is hidden.
        """
        if not 1 <= player <= self.game.n_players:
            raise LudoportError(f"{self.game.name} has no player {player}; there are {self.game.n_players}")
        view = getattr(self.game.rules, "seen_by", None)  # other languages hide nothing
        seen: dict[int, str | list[str]] = self.pieces() if view is None else view(self.row, player)
        return seen

    def picture(self) -> str:
        """The position as text."""
        return self.game.rules.picture(self.row)

    def svg(self, last: Move | None = None, heat: Mapping[int, float] | None = None) -> str:
        """The position as the text of an SVG picture.

        Args:
            last: a move to mark; default: the move that led here.
            heat: numbers from 0 to 1 by site, shown as discs of that area.
        """
        rules, move = self.game.rules, last or self.last
        marked = () if move is None else rules.move_sites(self.row, move.row).ends
        geometry, kinds = (here := rules_at(rules, self.row)).geometry, here.kinds
        facts = "" if geometry.sites else self.picture()
        return draw(geometry, rules.figures(self.row), rules.player_names, marked, repr(self), facts, kinds, heat)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.picture()


class _Names:
    """The names of the legal moves of a position, written when the first is read: that takes longer than finding moves.

    Moves refer to their names, and nothing here refers to a State, so that positions are freed without the collector.
    """

    def __init__(self, rules: Rules, row: NDArray[Any], rows: NDArray[Any]) -> None:
        self._rules, self._row, self._rows = rules, row, rows

    @cached_property
    def _texts(self) -> list[str]:
        return self._rules.move_texts(self._row, self._rows)

    @cached_property
    def _labels(self) -> list[str]:
        return self._rules.move_labels(self._row, self._rows)

    def text(self, number: int) -> str:
        """The recorded notation of a move."""
        return self._texts[number]

    def label(self, number: int) -> str:
        """A move as people read it."""
        return self._labels[number]


def load(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None, jit: bool | None = None) -> Game:
    """Load a game by its name, or from a game file.

    Args:
        name: a name that ``games()`` lists, such as ``Hex`` or ``Chess 8x8`` (letter case does not matter), or the path
            of a ``.lud`` or ``.kif`` file.
        options: choices such as ``Board Size/7x7``.
        ruleset: a ruleset's name.
        jit: compile to machine code or run plain Python.

    Example:
        >>> game = load("Tic-Tac-Toe")
        >>> len(game.start().moves())
        9
    """
    from ludoport.languages import chosen, find_rules

    if not isinstance(name, (str, Path)):
        raise LudoportError(f"a game is given by its name or a path, not as {type(name).__name__}")
    return Game(find_rules(name, chosen(options), ruleset), jit)


def as_game(game: Game | str | Path, options: Sequence[str] = ()) -> Game:
    """Return a game unchanged, or load the game with this name or path."""
    if isinstance(game, Game):
        if options:
            raise LudoportError(f"options belong to a game given by name; {game.name} is already loaded")
        return game
    if not isinstance(game, (str, Path)):
        raise LudoportError(f"a game is given as a Game, a name or a path, not as {type(game).__name__}")
    return load(game, options=options)
