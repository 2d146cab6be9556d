"""One game as it was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludoport.errors import LudoportError
from ludoport.game import Game, Move, State, as_game


@dataclass(frozen=True)
class Record:
    """A game as it was played.

    Attributes:
        game: the game's name.
        options: its options.
        moves: labels of the moves, such as ``D4``.
        result: ``1-0`` if the first player won, ``0-1``, ``1/2-1/2``, or ``*`` where it is not known.
        start: position from which it began, where it is not the initial one: a FEN.
        facts: further facts, such as ``White`` and ``Date``.
    """

    game: str
    options: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    result: str = "*"
    start: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)

    def load(self) -> Game:
        """The game, from the position where the record begins."""
        game = as_game(self.game, self.options)
        if not self.start:
            return game
        from ludoport.chess.rules import ChessRules

        if not isinstance(game.rules, ChessRules):
            raise LudoportError(f"{self.game}: only games of the chess family begin with a FEN")
        return Game(game.rules.with_fen(self.start), game.jit)

    def line(self) -> tuple[list[State], list[Move]]:
        """All positions, from the first to the last, and the moves between them.

        Raises:
            LudoportError: a move is not legal.
        """
        states, moves = [self.load().start()], list[Move]()
        for number, text in enumerate(self.moves, 1):
            try:
                moves.append(states[-1].find(text))
            except LudoportError as error:
                raise LudoportError(f"{self.game}, move {number}: {error}") from None
            states.append(states[-1].play(moves[-1]))
        return states, moves


def record_of(game: str, options: Sequence[str], state: State, moves: Sequence[Move], **facts: str) -> Record:
    """The record of a game that was played to a position."""
    results = {-1: "*", 0: "1/2-1/2", 1: "1-0", 2: "0-1"}
    labels = tuple(move.label for move in moves)
    return Record(game, tuple(options), labels, results.get(state.winner, "*"), facts=facts)
