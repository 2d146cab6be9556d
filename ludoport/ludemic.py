"""Games in the ludemic language as rules that everything after them understands."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport import lud
from ludoport.boards import Board, draw_text
from ludoport.errors import LudoportError
from ludoport.games import bundled, find
from ludoport.kernels.build import finish_source
from ludoport.lud.tree import Description
from ludoport.ludemes import Compiled, compile_description
from ludoport.ludemes.equipment import Component
from ludoport.ludemes.rules import COLUMNS
from ludoport.notation import move_texts, piece_texts


class LudemicRules:
    """The rules of a game text in the ludemic language; compiled when somebody asks for more than the text."""

    def __init__(self, description: Description) -> None:
        self.description = description

    @cached_property
    def compiled(self) -> Compiled:
        """The generated kernels and their layout."""
        return compile_description(self.description)

    @cached_property
    def source(self) -> str:
        """The generated source, with the initial position."""
        return finish_source(self.compiled.source)

    @property
    def name(self) -> str:
        """The game's name."""
        return self.description.name

    @property
    def n_players(self) -> int:
        """How many players."""
        return self.compiled.program.n_players

    @property
    def state_size(self) -> int:
        """Numbers in a state row."""
        return self.compiled.state_size

    @property
    def move_size(self) -> int:
        """Numbers in a move row."""
        return self.compiled.move_size

    @property
    def max_moves(self) -> int:
        """No position has more legal moves."""
        return self.compiled.max_moves

    @property
    def work_size(self) -> int:
        """Numbers of scratch space."""
        return self.compiled.work_size

    @property
    def fields(self) -> dict[str, int]:
        """Where the fields of a row begin."""
        return self.compiled.fields

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of rows in machine code."""
        return np.int32 if self.compiled.large_numbers else np.int16

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the text with its options chosen and its macros expanded; spaces do not count."""
        return hashlib.sha256(" ".join(self.description.expanded.split()).encode()).hexdigest()[:32]

    @property
    def identifying(self) -> list[int]:
        """The numbers of a move that always mean something."""
        return [self.compiled.columns[name] for name in ("RULE", "FROM", "TO")]

    @property
    def board(self) -> Board:
        """The board."""
        return self.compiled.program.board

    @property
    def components(self) -> list[Component]:
        """The piece types, from number 1."""
        return self.compiled.program.components[1:]

    @cached_property
    def _letters(self) -> dict[str, str]:
        """One letter for each kind of piece: the first of its name that no earlier kind has, if there is one."""
        letters: dict[str, str] = {}
        for kind in (component.name.rstrip("0123456789") for component in self.components):
            letters.setdefault(kind, next((c for c in kind.upper() if c not in letters.values()), kind[:1].upper()))
        return letters

    def letter(self, component: Component) -> str:
        """How pictures show a piece: capital for player 1, small for player 2, # for all others."""
        letter = self._letters[component.name.rstrip("0123456789")]
        return {1: letter.upper(), 2: letter.lower()}.get(component.owner, "#")

    def tidy(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Copies of moves in which all numbers are 0 that playing them does not read."""
        return np.where(self._read[rows[:, self.compiled.columns["RULE"]]], rows, 0)

    @cached_property
    def _read(self) -> NDArray[np.bool_]:
        """Which numbers of a move are read when it is played, for each rule; shape (rules + 1, move size)."""
        columns, rules = self.compiled.columns, self.compiled.program.rules.rules
        read = np.zeros((len(rules) + 1, self.compiled.move_size), dtype=np.bool_)
        read[:, [columns[name] for name in ("RULE", "FROM", "TO")]] = True
        for rule in rules:
            read[rule.number, [columns[COLUMNS[slot]] for slot in rule.needed]] = True
        return read

    def move_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The notation of the legal moves of one position, all different."""
        return move_texts(self.compiled, rows, int(state[self.fields["MOVER"]]))

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """What stands where: names, with counts and local states where they matter; stacks from the bottom."""
        return piece_texts(self.compiled, state)

    def picture(self, state: NDArray[Any]) -> str:
        """The board as text."""
        pieces = self.pieces(state)
        by_name = {component.name: component for component in self.components}

        def glyph(site: int) -> str:
            piece = pieces.get(site)
            if piece is None:
                return "."
            top = piece if isinstance(piece, str) else piece[-1]
            component = by_name.get(top.split("*")[0].split("/")[0])
            return self.letter(component) if component is not None else "#"

        return draw_text(self.board, glyph)


def find_rules(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None) -> LudemicRules:
    """The rules of a bundled game by its name, or of a text by its path."""
    path = Path(name)
    if path.suffix == ".lud" or path.is_file():
        return LudemicRules(lud.read_file(path, options, ruleset))
    found = find(str(name))
    if found is None:
        near = difflib.get_close_matches(str(name), list(bundled()), 3, 0.4)
        hint = f"; did you mean {' or '.join(near)}?" if near else "; `ludoport games` lists them"
        raise LudoportError(f"there is no bundled game `{name}`{hint}")
    return LudemicRules(lud.read_file(found, options, ruleset))


def ludemic(rules: object) -> LudemicRules:
    """The same rules, if they come from the ludemic language; whoever needs a board and pieces asks here."""
    if not isinstance(rules, LudemicRules):
        raise LudoportError(f"{getattr(rules, 'name', 'this game')} is not written in the ludemic language")
    return rules
