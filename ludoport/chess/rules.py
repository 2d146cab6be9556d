"""Chess and Chessplus behind the kernel contract."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.chess.fen import COLOURS, FenError, read_fen, write_fen
from ludoport.chess.layout import EN_PASSANT, MOVE_SIZE, NAMES
from ludoport.chess.notation import coordinate_text, king_target, short_texts, unpack
from ludoport.chess.position import Position
from ludoport.chess.rows import position_of, row_of
from ludoport.chess.source import kernel_source, most_moves, without_unused
from ludoport.chess.tensors import tensor_plan
from ludoport.chess.variant import NAMED, ChessVariant, named_variant
from ludoport.errors import LudoportError
from ludoport.kernels.build import plain_functions
from ludoport.kernels.geometry import Die, Figure, Geometry, MoveSites, Site
from ludoport.kernels.tensors import TensorPlan

Row = NDArray[np.int64]


class ChessRules:
    """The rules of one variant, from one start position.

    A game ends with checkmate, stalemate, a halfmove clock of 100 (checkmate goes first), or the variant's cap of
    moves. As in the thesis, positions may repeat, and play continues with kings alone.
    """

    n_players = 2
    teams = False
    player_names = ("White", "Black")
    move_size = MOVE_SIZE
    dtype = np.int64

    def __init__(self, variant: ChessVariant) -> None:
        self.variant = variant
        self._start = read_fen(variant.start, variant)
        self.halves = max(2 * variant.width, self._start.halves(1), self._start.halves(2))

    def __eq__(self, other: object) -> bool:
        return self.variant == other.variant if isinstance(other, ChessRules) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.variant)

    def __reduce__(self) -> tuple[Callable[[ChessVariant], ChessRules], tuple[ChessVariant]]:
        return _made_again, (self.variant,)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.variant.name

    @property
    def title(self) -> str:
        """The game's name; a variant has no options beside it."""
        return self.variant.name

    @property
    def fields(self) -> Mapping[str, int]:
        """Start of each field in a row."""
        return self.variant.layout.fields

    @property
    def state_size(self) -> int:
        """Numbers in a state row."""
        return self.variant.layout.state_size

    @property
    def max_moves(self) -> int:
        """Upper bound on the legal moves of a position."""
        return most_moves(self.variant, self.halves)

    @property
    def work_size(self) -> int:
        """Numbers of scratch space; playing a move lists the answers there."""
        return self.max_moves + 1

    @cached_property
    def source(self) -> str:
        """The text of the kernels.

        Raises:
            FenError: no game can begin with the start position.
        """
        return without_unused(self._whole_source)

    @cached_property
    def _whole_source(self) -> str:
        row = self.state_row(self.variant.start)
        self._refuse_open_king(row)
        return kernel_source(self.variant, row.tolist(), self.halves)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the kernels, in which all rules and the start position are."""
        # With functions that nothing calls: networks and trees of earlier versions stay valid.
        return hashlib.sha256(self._whole_source.encode()).hexdigest()[:32]

    @cached_property
    def plain(self) -> dict[str, Any]:
        """The kernels as plain Python; names of moves need a few positions only."""
        return plain_functions(kernel_source(self.variant, self._row(self._start).tolist(), self.halves))

    def with_fen(self, fen: str) -> ChessRules:
        """The same rules with another start position."""
        return ChessRules(self.variant.with_start(fen))

    def holds(self, fen: str) -> bool:
        """Whether there is room for the moves of a position; one with more pieces needs rules of its own."""
        position = read_fen(fen, self.variant)
        return max(position.halves(1), position.halves(2)) <= self.halves

    def state_row(self, fen: str) -> Row:
        """The row of a position; kings are never taken, so the one of the player who waits may be attacked.

        Raises:
            FenError: it cannot be read, or is not a position of this game.
        """
        position = read_fen(fen, self.variant)
        for player, name in COLOURS.items():
            if (halves := position.halves(player)) > self.halves:
                raise FenError(fen, f"{name} has {halves} pieces; a game from this start has at most {self.halves}")
        row = self._row(position)
        self.plain["decide"](row, self.plain["generate"](row, self._scratch))
        return row

    def fen_of(self, row: NDArray[Any]) -> str:
        """The FEN of a row."""
        return write_fen(self.position(row), self.variant)

    def position(self, row: NDArray[Any]) -> Position:
        """The position of a row as plain data."""
        return position_of(row, self.variant.layout)

    def tidy(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Copies of moves; every number of them means something."""
        return rows.copy()

    def move_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The moves as people write them, with + for check and # for checkmate."""
        moves = [int(move) for move in rows.reshape(-1)]
        texts = short_texts(self.position(state), moves)
        return [text + self._sign(state, move) for text, move in zip(texts, moves, strict=True)]

    def move_labels(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The moves by their squares: ``e2e4``, ``e7e8q``."""
        return self.coordinate_texts(state, rows)

    def coordinate_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The moves by their squares."""
        position, variant = self.position(state), self.variant
        return [coordinate_text(position, int(move), variant.width, variant.chessplus) for move in rows.reshape(-1)]

    def moves_of(self, state: NDArray[Any]) -> Row:
        """The legal moves of a position, also where the game is over by the clock; shape (moves, 1)."""
        row: Row = np.array(state, dtype=np.int64)
        n = self.plain["generate"](row, self._scratch)
        return self._scratch[:n].copy().reshape(n, MOVE_SIZE)

    def find(self, state: NDArray[Any], text: str) -> Row:
        """The legal move that a text names, as people write it or by squares; signs for check may be left out."""
        rows = self.moves_of(state)
        short = short_texts(self.position(state), [int(move) for move in rows.reshape(-1)])
        wanted = text.rstrip("+#!?").replace("0-0", "O-O").replace("O-0", "O-O")
        for names in (short, self.coordinate_texts(state, rows)):
            if wanted in names:
                found: Row = rows[names.index(wanted)]
                return found
        raise LudoportError(f"`{text}` is not a legal move in {self.fen_of(state)}")

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """Names of pieces by site, from the lowest rank; merged pieces as a list of two."""
        found: dict[int, str | list[str]] = {}
        position = self.position(state)
        for square, here in sorted(position.pieces.items()):
            found[self._site(square)] = here.names if len(here.names) > 1 else here.names[0]
        return found

    def picture(self, state: NDArray[Any]) -> str:
        """The position as text, Black above; merged pieces are two letters."""
        return picture(self.position(state), self.variant)

    @cached_property
    def geometry(self) -> Geometry:
        """The squares of the board."""
        return board_squares(self.variant.width, self.variant.height)

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """Owners and names of all kinds of pieces."""
        return tuple((player, name) for player in (1, 2) for name in NAMES)

    def figures(self, state: NDArray[Any]) -> dict[int, list[Figure]]:
        """The pieces on the board; merged pieces are two figures."""
        position = self.position(state)
        return {
            self._site(square): [Figure(NAMES[kind], here.player) for kind in here.halves]
            for square, here in position.pieces.items()
        }

    def move_sites(self, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
        """The squares from and to which a move goes; a castling king ends where its label says."""
        position = self.position(state)
        step = unpack(int(move[0]))
        start, end = self._site(step.source), self._site(king_target(position, step, self.variant.width))
        between: tuple[int, ...] = ()
        if step.castling:
            between = (self._site(step.target),)
        elif step.special == EN_PASSANT:
            # The pawn that is taken stands beside the one that takes it.
            between = (start - start % self.variant.width + end % self.variant.width,)
        if step.promotion:
            return MoveSites("promote", start, end, between, Figure(NAMES[step.promotion], position.mover))
        there = position.pieces.get(step.source)
        piece = None if there is None else Figure(NAMES[step.kind if step.split else there.halves[0]], there.player)
        return MoveSites("move", start, end, between, piece)

    def dice(self, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
        """Empty: this language has no dice."""
        return []

    def _site(self, square: int) -> int:
        stride = self.variant.layout.stride
        return square // stride * self.variant.width + square % stride

    def tensors(self) -> TensorPlan:
        """The plan of tensors of positions and moves."""
        return tensor_plan(self.variant)

    def _row(self, position: Position) -> Row:
        row: Row = np.array(row_of(position, self.variant.layout, self.variant.chessplus), dtype=np.int64)
        return row

    def _refuse_open_king(self, row: Row) -> None:
        """Refuses to begin a game where the player who is not to move stands in check."""
        start, waiting = self._start, 3 - self._start.mover
        turned = row.copy()
        turned[self.fields["MOVER"]] = waiting
        if self.plain["in_check"](turned):
            mover, king = COLOURS[start.mover], start.text(start.king(waiting))
            raise FenError(
                self.variant.start, f"{mover} is to move and could take the king on {king}; no game begins like this"
            )

    @cached_property
    def _scratch(self) -> Row:
        return np.zeros(self.max_moves + 1, dtype=np.int64)

    def _sign(self, state: NDArray[Any], move: int) -> str:
        after: Row = np.array(state, dtype=np.int64)
        self.plain["make"](after, move)
        if not self.plain["in_check"](after):
            return ""
        return "+" if self.plain["generate"](after, self._scratch) else "#"


@lru_cache(maxsize=32)
def _made_again(variant: ChessVariant) -> ChessRules:
    return ChessRules(variant)


def board_squares(width: int, height: int) -> Geometry:
    """A board of squares, numbered from a1 along the ranks; a1 is dark."""
    sites = []
    for rank in range(height):
        for file in range(width):
            x, y, column = float(file), float(rank), chr(ord("a") + file)
            corners = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
            sites.append(
                Site(f"{column}{rank + 1}", x, y, "cell", column, str(rank + 1), corners, (file + rank + 1) % 2)
            )
    return Geometry(tuple(sites))


def picture(position: Position, variant: ChessVariant) -> str:
    """A position as text, with the names of ranks and files."""
    texts = {square: here.text.strip("()") for square, here in position.pieces.items()}
    wide = max((len(text) for text in texts.values()), default=1)
    margin = len(str(variant.height))
    lines = []
    for rank in reversed(range(variant.height)):
        cells = [texts.get(position.stride * rank + file, ".").ljust(wide) for file in range(variant.width)]
        lines.append(f"{rank + 1:>{margin}} {' '.join(cells)}".rstrip())
    files = " ".join(chr(ord("a") + file).ljust(wide) for file in range(variant.width))
    return "\n".join([*lines, f"{'':>{margin}} {files}".rstrip()])


def chess_rules(
    board: str = "8x8", *, start: str | None = None, chessplus: bool = False, literal: bool = False, **options: Any
) -> ChessRules:
    """The rules of chess or Chessplus on a board.

    Args:
        board: ``8x8``, ``gardner`` (5x5), a name such as ``chess960:518``, or another size such as ``6x7``, which needs
            a start position.
        start: the start position as FEN, if it is not the usual one.
        chessplus: whether pieces may merge; they also do on a board whose name says so, as ``gardner-chessplus``.
        literal: Gardner chess with all rules of chess: double steps and castling.
        options: further fields of ``ChessVariant``, such as ``ply_cap`` or ``castling``.

    Example:
        >>> chess_rules("gardner").variant.size
        (5, 5)
    """
    variant = _board(board, start, literal)
    chessplus = chessplus or variant.chessplus
    name = re.sub(r"[Cc]hess(?!plus)( 8x8)?", "Chessplus", variant.name) if chessplus else variant.name
    unknown = set(options) - set(ChessVariant.__dataclass_fields__)
    if unknown:
        known = ", ".join(field for field in ChessVariant.__dataclass_fields__ if field not in ("start", "chessplus"))
        raise LudoportError(f"unknown option `{min(unknown)}`; the options are {known}")
    return ChessRules(replace(variant, **{"name": name, "chessplus": chessplus, **options}))


def named_rules(name: str, fen: str | None = None) -> ChessRules | None:
    """The rules of a game with a name (``chess``, ``gardner-chessplus``, ``chess960:N`` ...); None if there is none."""
    variant = named_variant(name)
    if variant is None:
        return None
    return ChessRules(variant if fen is None else variant.with_start(fen))


def _board(board: str, start: str | None, literal: bool) -> ChessVariant:
    if board in ("8x8", "gardner", "5x5"):
        variant = NAMED["chess" if board == "8x8" else "gardner-literal" if literal else "gardner"]
        return variant if start is None else variant.with_start(start)
    found = named_variant(board)
    if found is not None:
        return found if start is None else found.with_start(start)
    width, _, height = board.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise LudoportError(f"`{board}` is not a board; write 8x8, gardner, chess960:N, or another size such as 6x7")
    if start is None:
        raise LudoportError(f"chess on a board of {board} needs a start position as FEN")
    variant = ChessVariant(f"Chess {board}", start)
    if variant.size != (int(width), int(height)):
        shown = "{}x{}".format(*variant.size)
        raise LudoportError(f"the start position `{start}` has a board of {shown}, not {board}")
    return variant
