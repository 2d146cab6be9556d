"""The player ``human``: a person at the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ludoport.arena.players import Player, register
from ludoport.arena.specification import Specification
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State

HELP = "Type a move or its beginning, `?` for all moves, `quit` to stop."


@dataclass
class Human(Player):
    """Shows the board and asks for moves.

    Args:
        ask: shows a prompt and returns what was typed.
        tell: shows a text.
    """

    ask: Callable[[str], str] = input
    tell: Callable[[str], None] = print
    interactive: ClassVar[bool] = True
    seat: int = 1

    @property
    def spec(self) -> str:
        """The text that makes this player again."""
        return "human"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Greet."""
        self.seat = seat
        self.tell(f"\nA new game of {game.name}; you are player {seat}. {HELP}")

    def choose(self, state: State, seed: int) -> Move:
        """What the person types; asks again until it is one legal move."""
        moves = state.moves()
        colour = f" (playing colour {state.mover} after the swap)" if state.swapped else ""
        self.tell(f"\n{textwrap.indent(state.picture().rstrip(), '  ')}\n")
        while True:
            try:
                typed = self.ask(f"player {self.seat}{colour}> ").strip()
            except EOFError:
                raise KeyboardInterrupt from None
            if typed.lower() in ("quit", "exit"):
                raise KeyboardInterrupt
            if typed == "?":
                self.tell(columns([move.text for move in moves]))
                continue
            try:
                return complete(typed, moves)
            except LudoportError as error:
                self.tell(str(error))

    def played(self, state: State, move: Move) -> None:
        """Say what the others do."""
        if state.agent != self.seat:
            self.tell(f"player {state.agent} plays {move}")

    def end(self, state: State) -> None:
        """Show the last position and who won."""
        mine = state.agent_utilities[self.seat - 1] if state.over else 0.0
        said = "You win." if mine > 0 else "You lose." if mine < 0 else "A draw."
        self.tell(f"\n{textwrap.indent(state.picture().rstrip(), '  ')}\n\n{said}")


def complete(typed: str, moves: Sequence[Move]) -> Move:
    """The one move that begins like this, or is exactly this; letter case matters only if it has to."""
    if not typed:
        raise LudoportError(HELP)
    stages: tuple[Callable[[str], bool], ...] = (
        lambda text: text == typed,
        lambda text: text.startswith(typed),
        lambda text: text.lower().startswith(typed.lower()),
    )
    for fits in stages:
        found = [move for move in moves if fits(move.text)]
        if len(found) == 1:
            return found[0]
        if found:
            shown = ", ".join(move.text for move in found[:8])
            more = f" and {len(found) - 8} more" if len(found) > 8 else ""
            raise LudoportError(f"`{typed}` may be {shown}{more}")
    raise LudoportError(f"`{typed}` is not a legal move; `?` shows all")


def columns(texts: Sequence[str], width: int = 78) -> str:
    """Texts side by side."""
    cell = max(map(len, texts), default=0) + 2
    per_line = max(1, width // cell)
    lines = ["".join(t.ljust(cell) for t in texts[i : i + per_line]) for i in range(0, len(texts), per_line)]
    return "\n".join(f"  {line.rstrip()}" for line in lines)


@register("human", "human")
def make(specification: Specification) -> Player:
    """The player of a text."""
    specification.named(None, ())
    return Human()
