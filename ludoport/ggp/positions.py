"""Positions of a rulesheet as the protocol sees them: every role moves in every step, and moves are texts.

The interpreter is ready at once; the compiled game is fast. Both give the same positions.
"""

from __future__ import annotations

import copy
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.gdl import GdlRules, load_rules
from ludoport.gdl.interpreter import Facts, Interpreter
from ludoport.gdl.kif import Term, parse_term, term_text

NAME = "ggp"
"""Games that come over the network have no name; one for all lets equal rulesheets share what is compiled."""


class SheetPosition(ABC):
    """A position. Everything that a manager or a player asks about it."""

    roles: Sequence[str]

    @cached_property
    @abstractmethod
    def legal(self) -> list[list[str]]:
        """The legal moves of each role."""

    @cached_property
    @abstractmethod
    def terminal(self) -> bool:
        """Whether the rules say that the game has ended."""

    @cached_property
    @abstractmethod
    def goals(self) -> list[int | None]:
        """The goal value of each role; None where there is not exactly one."""

    @abstractmethod
    def facts(self) -> list[str]:
        """Facts of the position, sorted."""

    @abstractmethod
    def after(self, moves: Sequence[str]) -> SheetPosition:
        """The position after a joint move of legal moves, one for each role."""

    @property
    def state(self) -> State | None:
        """The same for those who search; None where only the interpreter plays."""
        return None

    @property
    def stuck(self) -> bool:
        """Whether the game cannot continue although the rules do not end it."""
        return not self.terminal and not all(self.legal)

    def find(self, role: int, text: str) -> str | None:
        """The legal move of a role with this text; letter case matters only where it has to."""
        moves = self.legal[role]
        if text in moves:
            return text
        found = [move for move in moves if move.lower() == text.lower()]
        return found[0] if len(found) == 1 else None

    def matching(self, moves: Sequence[Term]) -> list[str]:
        """The legal moves that were received, one for each role."""
        if len(moves) != len(self.roles):
            raise LudoportError(f"{len(moves)} moves for {len(self.roles)} roles")
        found = []
        for role, move in enumerate(moves):
            known = self.find(role, term_text(move))
            if known is None:
                raise LudoportError(f"`{term_text(move)}` is not a legal move of {self.roles[role]}")
            found.append(known)
        return found

    def digest(self) -> str:
        """A short hash of the facts."""
        return hashlib.sha1("\n".join(self.facts()).encode(), usedforsecurity=False).hexdigest()[:12]


class Interpreted(SheetPosition):
    """A position of the interpreter."""

    def __init__(self, interpreter: Interpreter, held: Facts) -> None:
        self.interpreter, self.held = interpreter, held
        self.roles = interpreter.roles

    @cached_property
    def _view(self) -> Any:
        return self.interpreter.view(self.held)

    @cached_property
    def legal(self) -> list[list[str]]:
        """The legal moves of each role."""
        return [sorted(map(term_text, moves)) for moves in self._view.legal]

    @cached_property
    def terminal(self) -> bool:
        """Whether the rules say that the game has ended."""
        return bool(self._view.terminal)

    @cached_property
    def goals(self) -> list[int | None]:
        """The goal value of each role."""
        return list(self._view.goals)

    def facts(self) -> list[str]:
        """Facts of the position, sorted."""
        return sorted(map(term_text, self.held))

    def after(self, moves: Sequence[str]) -> Interpreted:
        """The position after a joint move."""
        return Interpreted(self.interpreter, self.interpreter.following(self.held, [parse_term(x) for x in moves]))


class CompiledPosition(SheetPosition):
    """A position of a compiled game; only one thread may use a game at a time, see ``twin``."""

    def __init__(self, game: Game, row: NDArray[Any]) -> None:
        self.game, self.row = game, row
        assert isinstance(game.rules, GdlRules)
        self.rules: GdlRules = game.rules
        self.roles = self.rules.roles

    @property
    def state(self) -> State:
        """The same for those who search."""
        return State(self.game, self.row)

    @cached_property
    def _rows(self) -> list[dict[str, NDArray[Any]]]:
        """The legal moves of each role with their rows."""
        width = self.rules.move_size
        row, place = self.row.copy(), self.rules.fields["MOVER"]
        row[self.rules.fields["OVER"]] = 0
        found = []
        for role in range(len(self.roles)):
            # Roles are asked one after another; the one that is asked now has its moves listed.
            row[place] = role + 1
            n = int(self.game.kernels.call("legal", row, self.game.move_list, self.game.work))
            rows = self.rules.tidy(self.game.move_list[: n * width].reshape(n, width))
            found.append(dict(zip(self.rules.move_texts(row, rows), rows, strict=True)))
        return found

    def choosers(self) -> list[int]:
        """The roles that are asked in this step, in their order: those with a choice, otherwise any one of them."""
        found = [role for role, legal in enumerate(self._rows) if len(legal) > 1]
        return found or [int(self.row[self.rules.fields["MOVER"]]) - 1]

    @cached_property
    def legal(self) -> list[list[str]]:
        """The legal moves of each role."""
        return [sorted(rows) for rows in self._rows]

    @cached_property
    def terminal(self) -> bool:
        """Whether the rules say that the game has ended."""
        return int(self.row[self.rules.fields["OVER"]]) == 1

    @cached_property
    def goals(self) -> list[int | None]:
        """The goal value of each role."""
        row, first = self.row.copy(), self.rules.fields["GOAL"]
        self.game.kernels.enter_goals(row, self.game.work)
        values = row[first : first + len(self.roles)].tolist()
        return [value if value >= 0 else None for value in values]

    def facts(self) -> list[str]:
        """Facts of the position, sorted."""
        return self.rules.facts(self.row)

    def chosen(self, role: int, move: str) -> NDArray[Any]:
        """A row in which only one role has chosen a move: what that role knows before the step."""
        row, fields = self.row.copy(), self.rules.fields
        row[fields["MOVER"]] = role + 1
        row[fields["CHOICE"] + role] = self._rows[role][move][0] + 1
        return row

    def after(self, moves: Sequence[str]) -> CompiledPosition:
        """The position after a joint move."""
        row = self.row.copy()
        for role in self.choosers():
            self.game.kernels.call("play", row, self._rows[role][moves[role]], self.game.work)
        return CompiledPosition(self.game, row)


def twin(game: Game) -> Game:
    """The same game with scratch space of its own, so that another thread can use it."""
    return copy.copy(game)


def initial(rules: GdlRules, game: Game | None = None) -> SheetPosition:
    """The initial position, of the compiled game if there is one."""
    if game is not None:
        return CompiledPosition(game, game.start().row)
    return Interpreted(rules.interpreter, rules.interpreter.initial())


def read_rules(text: str) -> GdlRules:
    """The rules in a message; an error names what is wrong with them."""
    if "(" not in text:
        raise LudoportError("the rules are empty")
    return load_rules(text, NAME)


def compiled_game(rules: GdlRules, jit: bool | None = None) -> Game | None:
    """The compiled game with its kernels ready; None where the interpreter has to play."""
    if rules.engine == "interpreter":
        return None
    game = Game(rules, jit)
    position = CompiledPosition(game, game.start().row)
    if not position.terminal and not position.stuck:
        position.after([moves[0] for moves in position.legal])
    _ = position.goals
    return game
