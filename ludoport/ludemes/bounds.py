"""What the rows, moves and scratch space of a game can hold, so that no index of its kernels leaves them."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.kernels.checked import CHECKED_INDEX, checking
from ludoport.kernels.guards import Text, checked, guarded
from ludoport.kernels.ranges import Block, Pair, Ranges, Shapes
from ludoport.kernels.ranges.pairs import NARROW
from ludoport.kernels.source import Function
from ludoport.ludemes.fields.stack_owned import owned_capacity
from ludoport.ludemes.fields.stacks import max_height

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_SITES = ("s", "start", "end", "site")
"""Parameters of primitives that are sites: off the board, nothing happens."""

_SET_AT_START = ("MOVER", "NEXT")

_CALLED_FROM_OUTSIDE = ("setup", "begin", "legal", "sample", "play", "key", "utility")


def guard(program: Program, texts: list[str], rows: int) -> tuple[list[str], Ranges]:
    """The texts of a game's functions with a test before every index that is not proved."""
    singles = [i for i, text in enumerate(texts) if text.count("\ndef ") + text.startswith("def ") == 1]
    shapes = _shapes(program, rows)
    parts = []
    for i in singles:
        function = program.module.functions[i]
        # Moves that stay in a list are counted in ``kept``, which never overtakes the move being looked at.
        facts = {"kept": (0, rows), **(function.facts if isinstance(function, Function) else {})}
        parts.append(Text(texts[i], facts, _needs(program, texts[i])))
    seeds: dict[tuple[str, str], Pair] = {("utility", "player"): (0, program.n_players + 1)}
    found, ranges = guarded(parts, shapes, seeds, _CALLED_FROM_OUTSIDE)
    if checking():
        again = [replace(part, text=text, needs={}) for part, text in zip(parts, found, strict=True)]
        proved, second = guarded(again, shapes, seeds, _CALLED_FROM_OUTSIDE)
        assert proved == found, "an index is tested and still not proved"
        found = checked(proved, second)
    out = list(texts)
    for i, text in zip(singles, found, strict=True):
        out[i] = text
    return out + [CHECKED_INDEX.strip()] * checking(), ranges


def _needs(program: Program, text: str) -> dict[str, Pair]:
    """What the parameters of a primitive must be."""
    node = ast.parse(text).body[0]
    assert isinstance(node, ast.FunctionDef)
    params = [a.arg for a in node.args.args]
    if params[:1] != ["state"] or "work" in params or node.name == "utility":
        return {}
    needs: dict[str, Pair] = {}
    for name in params[1:]:
        if name in _SITES or (node.name == "swap_sites" and name in ("a", "b")):
            needs[name] = (0, program.n_sites - 1)
        elif name == "piece":
            # A level of a stack may be left without a piece.
            needs[name] = (0 if program.stacking else 1, len(program.components) - 1)
        elif name == "level":
            # Above the top of a stack there is no level, but its top goes all the same.
            needs[name] = (0, NARROW[1] if node.name in ("take", "lift_level") else max_height(program) - 1)
        elif name == "slot" and program.state.has("N_REMEMBERED") and node.name != "set_var":
            needs[name] = (0, program.state.fields["N_REMEMBERED"] - 1)
        elif name == "player":
            needs[name] = (1, program.n_players) if node.name == "set_next" else (0, program.n_players + 1)
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
    fields = {
        name: Block(name, program.state.offsets[name], size, "state", kept.get(name), zero=name not in _SET_AT_START)
        for name, size in program.state.fields.items()
    }
    scratch = {}
    for name, size in program.scratch_sizes.items():
        stamped = name.startswith("W_STAMPS")
        fixed = (0, constants["BUFFER_ROOM"]) if name == "BUFFER_TOP" else None
        scratch[name] = Block(name, constants[name], size - stamped, "work", fixed, counter=stamped)
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
