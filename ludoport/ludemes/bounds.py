"""What the rows, moves and scratch space of a game can hold, so that no index of its kernels leaves them."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport import kernels
from ludoport.kernels.checked import CHECKED_INDEX, checking
from ludoport.kernels.counting import likely_listed, most_listed
from ludoport.kernels.found import found
from ludoport.kernels.guards import FunctionText, analysed, checked, guarded
from ludoport.kernels.ranges import CellBlock, Pair, Ranges, Shapes
from ludoport.kernels.ranges.pairs import NARROW
from ludoport.kernels.source import Function
from ludoport.ludemes.fields.entries import MOST
from ludoport.ludemes.fields.stack_owned import owned_capacity
from ludoport.ludemes.fields.stacks import max_height

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_SITES = ("s", "start", "end", "site")
"""Parameters of primitives that are sites: off the board, nothing happens."""

_SET_AT_START = ("MOVER", "NEXT")

_CALLED_FROM_OUTSIDE = (
    *("setup", "begin", "legal", "sample", "play", "key", "utility"),
    *("game_worth", "match_end", "match_next"),
)


_HEAD = re.compile(r"^def (\w+)\((.*)\):$", re.MULTILINE)


class Bounds:
    """The numbers that the functions of a game can have, for one length of lists of moves after the other.

    What follows from them is kept on disk: the proof takes longer than everything else in loading a game.

    Args:
        program: the game.
        texts: its functions; texts that hold several of them are left as they are.
    """

    def __init__(self, program: Program, texts: Sequence[str]) -> None:
        self.program, self.texts = program, list(texts)
        self._parts: dict[int, FunctionText] = {}
        self._seeds: dict[tuple[str, str], Pair] = {
            ("utility", "player"): (0, program.n_players + 1),
            ("game_worth", "player"): (1, program.n_players),
        }
        for i, text in enumerate(texts):
            if text.count("\ndef ") + text.startswith("def ") == 1:
                head, function = _HEAD.search(text), program.module.functions[i]
                assert head is not None
                facts = function.facts if isinstance(function, Function) else {}
                self._parts[i] = FunctionText(text, facts, _needs(program, head[1], head[2].split(", ")))
        self._analysed: dict[int, Ranges] = {}

    def ranges(self, rows: int) -> Ranges:
        """The part of the analysis for lists of a length that bounds the number of listed moves."""
        known = self._analysed.get(rows)
        if known is None:
            parts = list(self._parts.values())
            known = analysed(parts, _shapes(self.program, rows), self._seeds, _CALLED_FROM_OUTSIDE)
            known.check(name for name, function in known.functions.items() if "cap" in function.params)
            self._analysed[rows] = known
        return known

    def listed(self, rows: int) -> tuple[int, int]:
        """The most moves that a list can get, and how many if pieces block the ways of others."""

        def find() -> list[int]:
            ranges = self.ranges(rows)
            return [most_listed(ranges), likely_listed(ranges)]

        most, likely = found(self._recipe(rows), "listed", find)
        return most, likely

    def guarded(self, rows: int) -> list[str]:
        """The texts with a test before every index that the analysis for lists of a length does not prove."""

        def find() -> list[str | None]:
            new = self._guarded(self.ranges(rows))
            return [None if text == part.text else text for text, part in zip(new, self._parts.values(), strict=True)]

        out = list(self.texts)
        for i, text in zip(self._parts, found(self._recipe(rows), "guarded", find), strict=True):
            out[i] = self.texts[i] if text is None else text
        return out + [CHECKED_INDEX.strip()] * checking()

    def _guarded(self, ranges: Ranges) -> list[str]:
        parts = list(self._parts.values())
        tested = guarded(parts, ranges)
        if not checking():
            return tested
        again = [replace(part, text=text, needs={}) for part, text in zip(parts, tested, strict=True)]
        second = analysed(again, ranges.shapes, self._seeds, _CALLED_FROM_OUTSIDE)
        # It may prove less, because bounds that grow jump elsewhere: what runs is checked, without further tests.
        second.check(second.functions)
        return checked(tested, second)

    def _recipe(self, rows: int) -> str:
        """Everything that decides what the analysis finds."""
        shapes = _shapes(self.program, rows)
        known = {each.name: getattr(shapes, each.name) for each in fields(shapes)}
        known["tables"] = self._tables
        parts = [(part.text, dict(part.facts), part.needs) for part in self._parts.values()]
        return repr((_own_texts(), sys.version_info[:2], checking(), self._seeds, known, parts))

    @cached_property
    def _tables(self) -> dict[str, Any]:
        tables = self.program.module.tables
        return {name: (str(t.dtype), t.shape, hashlib.sha256(t.tobytes()).hexdigest()) for name, t in tables.items()}


@cache
def _own_texts() -> str:
    """Changes whenever the analysis does."""
    room = Path(kernels.__file__).parent
    named = [room / f"{name}.py" for name in ("checked", "counting", "guards", "turns")]
    texts = [path.read_bytes() for path in [Path(__file__), *named, *sorted((room / "ranges").glob("*.py"))]]
    return hashlib.sha256(b"".join(texts)).hexdigest()


def _needs(program: Program, function: str, params: Sequence[str]) -> dict[str, Pair]:
    """Required ranges of the parameters of a primitive."""
    if params[0] != "state" or "work" in params or function == "utility":
        return {}
    needs: dict[str, Pair] = {}
    for name in params[1:]:
        if name in _SITES or (function == "swap_sites" and name in ("a", "b")):
            needs[name] = (0, program.n_sites - 1)
        elif name == "piece":
            # A level of a stack may be left without a piece.
            needs[name] = (0 if program.stacking else 1, len(program.components) - 1)
        elif name == "level":
            # Above the top of a stack there is no level, but its top goes all the same.
            least = -1 if function == "shift_level" else 0  # -1 means the top
            needs[name] = (least, NARROW[1] if function in ("take", "lift_level") else max_height(program) - 1)
        elif name == "slot" and program.state.has("N_REMEMBERED") and function != "set_var":
            needs[name] = (0, program.state.fields["N_REMEMBERED"] - 1)
        elif name == "player":
            needs[name] = (1, program.n_players) if function == "set_next" else (0, program.n_players + 1)
    return needs


def _shapes(program: Program, rows: int) -> Shapes:
    constants = dict(program.module.constants)
    board = program.n_board
    kept: dict[str, Pair] = {
        "EMPTY": (0, board - 1),
        "N_EMPTY": (0, board),
        "SLOT": (0, board - 1),
        "OWN": (0, board - 1),
        "N_OWN": (0, board),
        "ROOT": (0, board - 1),
    }
    if program.state.has("ARRIVALS"):
        kept |= {"ARRIVALS": (0, program.n_sites - 1), "N_ARRIVALS": (0, program.n_sites)}
    if program.state.has("ENTRIES"):
        kept["ENTRIES"] = (0, MOST)
    if "MAX_HEIGHT" in constants:
        height = constants["MAX_HEIGHT"]
        kept["HEIGHT"] = (0, height)
        kept["OWNED"] = (0, program.n_sites * height - 1)
    if program.state.has("OWNED"):
        kept["N_OWNED"] = (0, owned_capacity(program))
    if "MEMORY_SIZE" in constants:
        kept["N_REMEMBERED"] = (0, constants["MEMORY_SIZE"])
    if "HISTORY_SIZE" in constants:
        kept["N_HISTORY"] = (0, constants["HISTORY_SIZE"])
    if program.part is not None:
        kept |= program.part.held(program.n_players)
    fields = {
        name: CellBlock(
            name, program.state.offsets[name], size, "state", kept.get(name), zero=name not in _SET_AT_START
        )
        for name, size in program.state.fields.items()
    }
    scratch = {}
    for name, size in program.scratch_sizes.items():
        stamped = name.startswith("W_STAMPS")
        fixed = (0, constants["BUFFER_ROOM"]) if name == "BUFFER_TOP" else None
        scratch[name] = CellBlock(name, constants[name], size - stamped, "work", fixed, counter=stamped)
    return Shapes(
        constants,
        program.module.tables,
        fields,
        scratch,
        program.moves.offsets,
        program.moves.size,
        rows,
        program.state.size,
        constants["CORE_SIZE"],
        program.n_sites,
        program.n_players,
        len(program.components) - 1,
        program.once,
    )
