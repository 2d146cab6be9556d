"""Games in the ludemic language as rules that everything after them understands."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport import lud
from ludoport.board_geometry import board_geometry, figures, move_sites, shown_dice
from ludoport.boards import Board, draw_text
from ludoport.errors import LudoportError
from ludoport.kernels.build import finish_source
from ludoport.kernels.contract import default_names
from ludoport.kernels.geometry import Die, Figure, Geometry, MoveSites
from ludoport.lud.tree import Description, Origin
from ludoport.ludemes import Compiled, compile_description
from ludoport.ludemes.core.equipment import Component
from ludoport.ludemes.core.rule import COLUMNS
from ludoport.ludemes.fields.large_pieces import covered
from ludoport.notation import move_labels, move_texts, piece_texts
from ludoport.seeing import seen_texts


class LudemicRules:
    """The rules of a game text in the ludemic language; compiled when more than the text is needed.

    Args:
        description: the text.
        compiled: its kernels, where they are known: those of a game of a match work on rows of the match.
    """

    def __init__(self, description: Description, compiled: Compiled | None = None) -> None:
        self.description = description
        if compiled is not None:
            self.compiled = compiled

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LudemicRules):
            return NotImplemented
        return self is other or self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Callable[[Origin], LudemicRules], tuple[Origin]]:
        # Rules travel as their text; the file they came from may not exist where they arrive.
        origin = self.description.origin
        return _read_again, (replace(origin, file=Path(origin.file).name),)

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
    def title(self) -> str:
        """The name with the options that were asked for, such as ``Hex 7x7``."""
        origin = self.description.origin
        chosen = [option.rpartition("/")[2] for option in origin.options]
        return ", ".join(
            [" ".join([self.name, *chosen[:1]]), *chosen[1:], *([origin.ruleset] if origin.ruleset else [])]
        )

    @cached_property
    def player_names(self) -> tuple[str, ...]:
        """Colours of the players, or their names where the text's metadata gives them."""
        metadata = self.description.metadata
        colours: dict[str, str] = dict(re.findall(r"\(player\s+Colour\s+P(\d+)\s+\(colour\s+(\w+)", metadata))
        names: dict[str, str] = dict(re.findall(r'\(player\s+Name\s+P(\d+)\s+"([^"]+)"', metadata))
        usual = default_names(self.n_players)
        return tuple(names.get(str(p), colours.get(str(p), usual[p - 1])) for p in range(1, self.n_players + 1))

    @property
    def teams(self) -> bool:
        """Whether players form teams, which win together."""
        return "start:set Team" in self.compiled.program.keys

    @property
    def n_players(self) -> int:
        """Number of players."""
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
        """The recorded notation of the legal moves of one position, all different."""
        return move_texts(self.compiled, rows, int(state[self.fields["MOVER"]]), state)

    def move_labels(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The legal moves of one position by the coordinates of the board, all different."""
        return move_labels(self.compiled, rows, state)

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """Pieces by site: names, with counts and local states where they matter; stacks from the bottom."""
        return piece_texts(self.compiled, state)

    def seen_by(self, state: NDArray[Any], player: int) -> dict[int, str | list[str]]:
        """Pieces that a player may see; see ``State.seen_by``."""
        return seen_texts(self.compiled, state, player)

    @cached_property
    def geometry(self) -> Geometry:
        """The board, its hands, and whose side is where."""
        return board_geometry(self.compiled.program)

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """Owners and names of all kinds of pieces."""
        return tuple((component.owner, component.label) for component in self.components)

    def figures(self, state: NDArray[Any]) -> dict[int, list[Figure]]:
        """The pieces by site, from the bottom; hands have sites after the board's."""
        return figures(self.compiled, state)

    def move_sites(self, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
        """Sites where a legal move begins and ends, and its effects there."""
        return move_sites(self.compiled, state, move)

    def dice(self, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
        """The dice as the player to move sees them."""
        return shown_dice(self.compiled, state, after)

    def picture(self, state: NDArray[Any]) -> str:
        """The board as text."""
        pieces = self.pieces(state)
        roots = covered(self.compiled.program, self.compiled.fields, state.tolist())
        by_name = {component.name: component for component in self.components}

        def glyph(site: int) -> str:
            piece = pieces.get(roots.get(site, site))
            if piece is None:
                return "."
            top = piece if isinstance(piece, str) else piece[-1]
            component = by_name.get(top.split("*")[0].split("/")[0])
            return self.letter(component) if component is not None else "#"

        return draw_text(self.board, glyph)


def read_rules(path: Path, options: Sequence[str] = (), ruleset: str | None = None) -> LudemicRules:
    """The rules of a game file."""
    return LudemicRules(lud.read_file(path, options, ruleset))


@lru_cache(maxsize=32)
def _read_again(origin: Origin) -> LudemicRules:
    return LudemicRules(lud.read_again(origin))


def options_of(rules: object) -> tuple[str, ...]:
    """The options that a game was loaded with; games of other languages have none."""
    return rules.description.origin.options if isinstance(rules, LudemicRules) else ()


def ludemic(rules: object) -> LudemicRules:
    """The same rules, if they come from the ludemic language; for callers that need a board and pieces."""
    if not isinstance(rules, LudemicRules):
        name = getattr(rules, "name", "this game")
        if hasattr(rules, "games"):
            raise LudoportError(f"{name} is a match of several games; name one of its games")
        raise LudoportError(f"{name} is not written in the ludemic language")
    return rules
