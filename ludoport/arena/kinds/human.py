"""The player ``human``: a person at the terminal."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from ludoport.arena.player import Player, TakeBack
from ludoport.arena.players import player, register
from ludoport.arena.specification import Specification
from ludoport.errors import LudoportError
from ludoport.game import State
from ludoport.kernels.contract import rules_at
from ludoport.moves import few, find_move
from ludoport.source import plain_name
from ludoport.terminal import terminal_picture

if TYPE_CHECKING:
    from ludoport.game import Game, Move

HELP = "Type a move or its beginning; `?` lists all moves, `hint` runs a search, `undo` takes back, `quit` stops."

HINT = "uct:10000"
"""The player that gives hints."""


def _colours() -> bool:
    """Whether the terminal shows colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@dataclass(repr=False)
class Human(Player):
    """Shows the board and asks for moves.

    Args:
        ask: shows a prompt and returns what was typed.
        tell: shows a text.
        colours: whether to use colours; default: where the terminal shows them.
    """

    ask: Callable[[str], str] = input
    tell: Callable[[str], None] = print
    colours: bool | None = None
    interactive: ClassVar[bool] = True
    seat: int = 1
    plies: int = 0

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return "human"

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Greet."""
        self.seat, self.plies = seat, 0
        name = game.rules.player_names[seat - 1]
        self.tell(f"\nA new game of {game.title}; you are player {seat} ({name}).\n{HELP}")

    def choose(self, state: State, seed: int) -> Move:
        """The move that the user types; asks again until it is one legal move."""
        self._show(state)
        name = state.game.rules.player_names[state.mover - 1]
        while True:
            try:
                typed = self.ask(f"{name}> ").strip()
            except EOFError:
                raise KeyboardInterrupt from None
            word = typed.lower()
            if word in ("quit", "exit"):
                raise KeyboardInterrupt
            if word == "undo":
                raise TakeBack
            if word == "?":
                self.tell(columns([move.label for move in state.moves()]))
            elif word == "help":
                self.tell(HELP)
            elif word == "hint":
                self.tell(f"{HINT} suggests {self._hint(state, seed)}")
            else:
                try:
                    return complete(typed, state.moves())
                except LudoportError as error:
                    self.tell(plain_name(str(error)))

    def rewind(self, game: Game, seat: int, seed: int, line: Sequence[tuple[State, Move]]) -> None:
        """Report how far moves were taken back."""
        del game, seat, seed
        if len(line) == self.plies:
            self.tell("nothing to undo: no move of yours was played")
        else:
            self.tell("back to the first move" if not line else f"back to the position after {line[-1][1]}")
        self.plies = len(line)

    def played(self, state: State, move: Move) -> None:
        """Report the moves of the others."""
        self.plies += 1
        names = state.game.rules.player_names
        if state.seat != self.seat:
            self.tell(f"{names[state.mover - 1]} plays {move}")
        after = state.play(move)
        if after.swapped != state.swapped:
            colour = 3 - self.seat if after.swapped else self.seat
            self.tell(f"the players have exchanged colours: you are now {names[colour - 1]}")

    def end(self, state: State) -> None:
        """Show the last position and the result."""
        mine = state.seat_utilities[self.seat - 1] if state.over else 0.0
        said = "You win." if mine > 0 else "You lose." if mine < 0 else "A draw."
        self._show(state)
        self.tell(said)

    def _show(self, state: State) -> None:
        rules, here = state.game.rules, rules_at(state.game.rules, state.row)
        hidden = self._hidden(state)
        if hidden:
            # The board without what the player may not see; its places are listed below.
            row, first = state.row.copy(), state.game.rules.fields["WHAT"]
            row[[first + site for site in hidden]] = 0
            last, state = state.last, State(state.game, row)
            state.last = last
        picture = state.picture().rstrip()
        if here.geometry.sites:
            marked = () if state.last is None else rules.move_sites(state.row, state.last.row).ends
            colours = _colours() if self.colours is None else self.colours
            picture = terminal_picture(here.geometry, rules.figures(state.row), rules.player_names, marked, colours)
            if here is not rules:
                picture = f"{rules.standing(state.row)}\n\n{picture}"  # type: ignore[attr-defined]
        self.tell(f"\n{textwrap.indent(picture, '  ')}\n")
        if hidden:
            sites = state.game.rules.geometry.sites
            self.tell(f"  hidden: {', '.join(f'{sites[site].label} {text}' for site, text in hidden.items())}\n")

    def _hidden(self, state: State) -> dict[int, str]:
        """The sites of which something is hidden from this player, with what the player sees there."""
        if state.over or "HIDDEN" not in state.game.rules.fields:
            return {}
        seen = state.seen_by(self.seat)
        return {site: text for site, text in seen.items() if isinstance(text, str) and text.startswith("?")}

    def _hint(self, state: State, seed: int) -> str:
        adviser = player(HINT)
        adviser.begin(state.game, state.seat, seed)
        return str(adviser.choose(state, seed))


def complete(typed: str, moves: Sequence[Move]) -> Move:
    """The one move that a text means, or that begins like it; letter case matters only if it has to."""
    if not typed:
        raise LudoportError(HELP)
    names: tuple[Callable[[Move], str], ...] = (lambda move: move.label, lambda move: move.text)
    for name in names:
        for begins in (str.__eq__, str.startswith, _starts_alike):
            found = [move for move in moves if begins(name(move), typed)]
            if len(found) == 1:
                return found[0]
            if found and begins is not str.__eq__:
                raise LudoportError(f"`{typed}` may be {few([name(move) for move in found])}")
    return find_move(typed, moves)


def _starts_alike(text: str, typed: str) -> bool:
    return text.casefold().replace("-", "").startswith(typed.casefold().replace("-", ""))


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
