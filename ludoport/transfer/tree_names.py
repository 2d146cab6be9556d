"""Positions and moves by names that mean the same in two games, so that a tree of one can be read in the other.

Sites are called by their labels where the boards differ, and pieces of the target like those of the source that they
correspond to. Chess and its relatives name moves by squares: how people write a move depends on what else is legal. So
they can be compared with chess as a game text, whose sites are squares with the same labels.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ludoport.chess.notation import coordinate_text
from ludoport.chess.rules import ChessRules
from ludoport.errors import LudoportError
from ludoport.ludemic import LudemicRules
from ludoport.transfer.mapping import match_piece
from ludoport.transfer.sides import read_side

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.kernels.contract import Rules

_SITE = re.compile(r"([cve]?)(\d+)")
_BETWEEN = re.compile(r"/b([\d.]+)")


class Names(ABC):
    """Names of the positions and moves of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._over, self._mover = rules.fields["OVER"], rules.fields["MOVER"]
        self._swapped = rules.fields.get("SWAPPED")

    def over(self, row: NDArray[Any]) -> bool:
        """Whether the game has ended."""
        return bool(row[self._over] != 0)

    def turn(self, row: NDArray[Any]) -> tuple[int, bool]:
        """Number of the player to move, and whether the persons have exchanged their colours."""
        return int(row[self._mover]), self._swapped is not None and bool(row[self._swapped] != 0)

    @abstractmethod
    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""

    @abstractmethod
    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""


class PlainNames(Names):
    """Names unchanged; a game without a board is identified by its picture."""

    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""
        pieces = self.rules.pieces(row)
        return _frozen(pieces) if pieces else self.rules.picture(row)

    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""
        return self.rules.move_texts(row, moves)


class ChessNames(Names):
    """Squares by file and rank, and moves by squares."""

    rules: ChessRules

    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""
        position = self.rules.position(row)
        return frozenset((position.text(square), here) for square, here in position.pieces.items())

    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""
        position, width = self.rules.position(row), self.rules.variant.width
        return [coordinate_text(position, int(move), width, chessplus=True) for move in moves.reshape(-1)]


class LudemicNames(Names):
    """Sites by labels, and pieces like those of another game.

    Args:
        rules: the game.
        labels: whether sites are called by their labels; otherwise by their numbers.
        pieces: names of pieces that have another name there.
    """

    rules: LudemicRules

    def __init__(self, rules: LudemicRules, labels: bool, pieces: Mapping[str, str]) -> None:
        super().__init__(rules)
        self._labels = site_labels(rules) if labels else None
        self._pieces = pieces

    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""
        pieces = self.rules.pieces(row)
        if self._pieces:
            pieces = {site: self._renamed(piece) for site, piece in pieces.items()}
        return _frozen(pieces if self._labels is None else {self._site("", site): pieces[site] for site in pieces})

    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""
        texts = self.rules.move_texts(row, moves)
        return texts if self._labels is None and not self._pieces else [self._move(text) for text in texts]

    def _site(self, kind: str, number: int) -> str:
        if self._labels is None:
            return f"{kind}{number}"
        known = self._labels[kind]
        return f"{kind}{known[number]}" if number < len(known) else f"{kind}+{number - len(known)}"

    def _renamed(self, piece: str | list[str]) -> str | list[str]:
        if isinstance(piece, list):
            return [self._renamed_one(part) for part in piece]
        return self._renamed_one(piece)

    def _renamed_one(self, text: str) -> str:
        """A piece may carry a number or a local state behind its name."""
        name = re.split(r"[*/]", text, maxsplit=1)[0]
        return self._pieces.get(name, name) + text[len(name) :]

    def _move(self, text: str) -> str:
        """A move, as in ``12-13``, ``c4=Marker1`` or ``3-9/b5.7``, with its sites and pieces renamed."""
        main = re.split(r"[=/#]", text, maxsplit=1)[0]
        rest = text[len(main) :]
        if not re.fullmatch(r"[cve]?\d+(-([cve]?\d+|off))?", main):
            return text  # a pass, a swap and the like
        rest = _BETWEEN.sub(lambda m: "/b" + ".".join(self._site("", int(n)) for n in m[1].split(".")), rest)
        if rest.startswith("="):
            rest = "=" + self._renamed_one(rest[1:])
        return _SITE.sub(lambda m: self._site(m[1], int(m[2])), main) + rest


class BesideText(ChessNames):
    """Chess as it is called beside a game text: pieces by their names, en passant without a sign of its own."""

    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""
        position = self.rules.position(row)
        return frozenset((position.text(square), tuple(here.names)) for square, here in position.pieces.items())

    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""
        return self.rules.coordinate_texts(row, moves)


class BesideChess(LudemicNames):
    """A game text as it is called beside chess; the local state of a piece, such as whether it has moved, is left out.

    A promotion is a move of its own in a game text, so it is not a move of both.
    """

    def __init__(self, rules: LudemicRules) -> None:
        super().__init__(rules, labels=True, pieces={})

    def board(self, row: NDArray[Any]) -> Hashable:
        """Pieces by site."""
        found = set()
        for site, piece in self.rules.pieces(row).items():
            parts = piece if isinstance(piece, list) else [piece]
            found.add((self._site("", site).lower(), tuple(part.split("/")[0] for part in parts)))
        return frozenset(found)

    def moves(self, row: NDArray[Any], moves: NDArray[Any]) -> list[str]:
        """The legal moves of a position, all different."""
        return [self._squares(text) for text in self.rules.move_texts(row, moves)]

    def _squares(self, text: str) -> str:
        ends = re.fullmatch(r"(\d+)-(\d+)", text)
        return "".join(self._site("", int(site)).lower() for site in ends.groups()) if ends else text


def same_position(one: Names, row: NDArray[Any], two: Names, other: NDArray[Any]) -> bool:
    """Whether two rows of two games are the same position; there is no mover where a game is over."""
    if not (one.over(row) or two.over(other)) and one.turn(row) != two.turn(other):
        return False
    return one.board(row) == two.board(other)


def site_labels(rules: LudemicRules) -> dict[str, Sequence[str]]:
    """The labels of cells, vertices and edges by their letters, and of the sites that are played on."""
    board = rules.board
    labels: dict[str, Sequence[str]] = {"": board.sites(board.kind).label}
    for letter, kind in (("c", "Cell"), ("v", "Vertex"), ("e", "Edge")):
        labels[letter] = board.sites(kind).label
    return labels


def names_of(source: Game, target: Game) -> tuple[Names, Names]:
    """Namings of the positions and moves of two games in which equal names mean the same.

    Raises:
        LudoportError: the games are written in languages whose names cannot be compared.
    """
    one, two = source.rules, target.rules
    if isinstance(one, ChessRules) and isinstance(two, ChessRules):
        return ChessNames(one), ChessNames(two)
    if isinstance(one, LudemicRules) and isinstance(two, LudemicRules):
        labels = site_labels(one) != site_labels(two)
        return LudemicNames(one, labels, {}), LudemicNames(two, labels, piece_names(one, two))
    if isinstance(one, ChessRules) and isinstance(two, LudemicRules):
        return BesideText(one), BesideChess(two)
    if isinstance(one, LudemicRules) and isinstance(two, ChessRules):
        return BesideChess(one), BesideText(two)
    if isinstance(one, ChessRules | LudemicRules) or isinstance(two, ChessRules | LudemicRules):
        raise LudoportError(
            f"{source.name} and {target.name} are games of two languages, which name positions and moves differently; "
            "a tree of one cannot be compared with the other"
        )
    return PlainNames(one), PlainNames(two)


def piece_names(source: LudemicRules, target: LudemicRules) -> dict[str, str]:
    """For pieces of the target without a namesake, the piece of the source that they correspond to, if it is free."""
    theirs = {component.name for component in source.components}
    ours = {component.name for component in target.components}
    if ours <= theirs:
        return {}
    sides = read_side(source.description), read_side(target.description)
    found: dict[str, str] = {}
    for component in target.components:
        if component.name not in theirs:
            partner = match_piece(*sides, (component.name, component.owner))[0]
            if partner and partner not in ours and partner not in found.values():
                found[component.name] = partner
    return found


def _frozen(pieces: Mapping[Any, str | list[str]]) -> Hashable:
    return frozenset((site, tuple(piece) if isinstance(piece, list) else piece) for site, piece in pieces.items())
