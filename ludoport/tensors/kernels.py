"""Kernels that write the tensors of a game, generated for one layout.

``kernel_text`` holds inner kernels only, so that a search may call them from kernels of its own:

    planes(state, history, out)           write the state tensor into a row of TENSOR_SIZE numbers
    slot(state, move)                     the index of a move in the flat tensor of moves; several moves may share one
    remember_move(history, state, move)   call it before a move is played: keeps the last two moves

A *history* is TENSOR_HISTORY numbers: origin and destination of the last move, then those of the move before; -1 for
none. It lies beside the state's row because the rules of most games never ask for it. All constants begin with
``TENSOR_``. What is written are whole numbers: 0 and 1, and in planes of counts and heights what is there, at most 255;
so a row may be of any type of numbers from bytes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ludoport.errors import LudoportError
from ludoport.kernels.lanes import alone, for_lanes
from ludoport.ludemes.fields.hidden import HIDDEN
from ludoport.tensors.dice import dice_lines, dice_tables
from ludoport.tensors.layout import CLIP, LEVELS, LEVELS_MOVED, STATES, LudemicLayout, TensorLayout

HISTORY_SIZE = 4
"""Numbers of a history."""

MOST = 255
"""Maximum of the numbers in a plane, so that bytes hold them."""

FEW_PIECES = 4
"""Maximum number of kinds of pieces whose planes are written in one sweep over all cells."""


def kernel_text(layout: TensorLayout, *, lanes: bool = False) -> str:
    """The inner kernels of a layout, to be added to the kernels of its game.

    Args:
        layout: the layout.
        lanes: whether several threads write a tensor together, see ``ludoport.kernels.lanes``; for devices, in a text
            that says what the words of lanes mean.
    """
    return for_lanes(_text(layout)) if lanes else alone(_text(layout))


def _text(layout: TensorLayout) -> str:
    text = "\n".join(_sizes(layout))
    if layout.text:
        return f"\n{text}\n\n\n{layout.text.strip()}\n"
    if not isinstance(layout, LudemicLayout):
        raise LudoportError(f"{layout.game}: the layout has no kernels")
    text += "\n" + "\n".join(_tables(layout))
    for name, parameters, comment, body in (
        ("planes", "state, history, out", "Write the state tensor into a row.", _planes(layout)),
        ("slot", "state, move", "The index of a move in the flat tensor of moves.", _slot(layout)),
        ("remember_move", "history, state, move", "The move to be played becomes the last one.", _remember(layout)),
    ):
        lines = "\n".join("    " + line for line in body)
        text += f'\n\n\n@kernel\ndef {name}({parameters}):\n    """{comment}"""\n{lines}\n'
    return f"\n{text}\n"


def _sizes(layout: TensorLayout) -> Iterator[str]:
    channels, height, width = layout.shape
    yield f"TENSOR_HISTORY = {HISTORY_SIZE}"
    yield f"TENSOR_CELLS = {height * width}"
    yield f"TENSOR_SIZE = {channels * height * width}"
    yield f"TENSOR_MOVES = {len(layout.move_channels) * height * width}"
    yield _table("TENSOR_CELL", layout.cells.tolist())


def _tables(layout: LudemicLayout) -> Iterator[str]:
    _, height, width = layout.shape
    cells = layout.cells
    if _sweeps(layout):
        # Cells without a site read the wall, which equals no piece.
        sites = np.full(height * width, len(cells))
        sites[cells[cells >= 0]] = np.flatnonzero(cells >= 0)
        yield _table("TENSOR_SITE", sites.tolist())
    exists = np.zeros((len(layout.containers), height * width), dtype=np.int64)
    for plane, sites_there in zip(exists, layout.containers, strict=True):
        plane[cells[list(sites_there)]] = 1
    yield _table("TENSOR_EXISTS", exists.reshape(-1).tolist())
    yield _table("TENSOR_WAY", [("to", "between", "apart").index(way.kind) for way in layout.ways])
    yield _table("TENSOR_APART", [way.channel for way in layout.ways])
    for name, numbers in dice_tables(layout.dice):
        yield _table(name, numbers)
    if layout.features.movement:
        yield _table("TENSOR_X", layout.x.tolist())
        yield _table("TENSOR_Y", layout.y.tolist())
    if layout.features.stacking:
        yield _table("TENSOR_LEVEL", [int(way.level) for way in layout.ways])
        yield _table("TENSOR_WHOLE", [int(way.whole) for way in layout.ways])


def _table(name: str, values: Sequence[int]) -> str:
    return f"{name} = np.array([{','.join(map(str, values))}], dtype=np.int16)"


# Planes ----------------------------------------------------------------------------------------------


def _planes(layout: LudemicLayout) -> Iterator[str]:
    """The lines that write a state; every plane is cleared or filled once."""
    if layout.features.stacking:
        yield from _stacks(layout)
    elif _sweeps(layout):
        yield from _sweep(layout)
    else:
        yield from _scattered(layout)
    if layout.features.counts:
        yield from _counts(layout)
    yield from _movers(layout)
    if layout.features.states:
        yield from _states(layout)
    if layout.features.swap:
        yield from _filled(layout.first("swapped"), "1 if state[SWAPPED] != 0 else 0")
    yield f"for c in range(0 + LANE, {len(layout.containers)} * TENSOR_CELLS, LANES):"
    yield f"    out[{layout.first('container')} * TENSOR_CELLS + c] = TENSOR_EXISTS[c]"
    last = layout.first("last-from")
    yield from _cleared(last, HISTORY_SIZE)
    yield f"for i in range(0 + LANE, {HISTORY_SIZE}, LANES):"
    yield "    site = wide(history[i])"
    yield "    if site >= 0:"
    yield f"        out[({last} + i) * TENSOR_CELLS + TENSOR_CELL[site]] = 1"
    if layout.dice.channels:
        yield from _dice(layout)
    yield "return 0"


def _sweeps(layout: LudemicLayout) -> bool:
    """Whether pieces are few and lie on cells of their own."""
    pieces = sum(channel.kind == "piece" for channel in layout.state_channels)
    return 0 < pieces <= FEW_PIECES and not layout.shared_cells and "HIDDEN" not in layout.fields


def _sweep(layout: LudemicLayout) -> Iterator[str]:
    """Collect the pieces in the first plane, then compare; the second loop is one for vector instructions."""
    pieces = sum(channel.kind == "piece" for channel in layout.state_channels)
    yield "for c in range(0 + LANE, TENSOR_CELLS, LANES):"
    yield "    out[c] = state[WHAT + TENSOR_SITE[c]] & 255"
    yield "for c in range(0 + LANE, TENSOR_CELLS, LANES):"
    yield "    piece = out[c]"
    for plane in range(pieces):
        piece = plane + 1 + layout.dice.components
        value = f"1 if piece == {piece} else 0" if piece in layout.drawn else "0"
        yield f"    out[{plane} * TENSOR_CELLS + c] = {value}"


def _scattered(layout: LudemicLayout) -> Iterator[str]:
    pieces = sum(channel.kind == "piece" for channel in layout.state_channels)
    yield from _cleared(0, pieces)
    skipped = sorted(set(range(1 + layout.dice.components, 1 + layout.dice.components + pieces)) - layout.drawn)
    tests = [*_seen(layout, "", "What", "Who"), f"piece > {layout.dice.components}"]
    drawn = " and ".join([*tests, *(f"piece != {piece}" for piece in skipped)])
    for sites in _site_ranges(layout):
        yield _each_site(layout, sites)
        yield "    piece = wide(state[WHAT + site])"
        yield f"    if {drawn}:"
        yield f"        out[(piece - {1 + layout.dice.components}) * TENSOR_CELLS + TENSOR_CELL[site]] = 1"


def _stacks(layout: LudemicLayout) -> Iterator[str]:
    """The lowest and the highest levels of every stack, and its height."""
    height, dice = layout.first("height"), layout.dice.components
    yield from _cleared(0, height + 1)
    for sites in _site_ranges(layout):
        yield _each_site(layout, sites)
        yield "    height = wide(state[HEIGHT + site])"
        yield "    cell = wide(TENSOR_CELL[site])"
        yield f"    out[{height} * TENSOR_CELLS + cell] = min(height, {MOST})"
        yield f"    for level in range(min(height, {LEVELS})):"
        yield "        bottom = wide(state[LEVELS + site * MAX_HEIGHT + level])"
        yield "        top = wide(state[LEVELS + site * MAX_HEIGHT + height - 1 - level])"
        yield f"        if bottom > {dice}:"
        yield f"            out[((bottom - {1 + dice}) * {2 * LEVELS} + level) * TENSOR_CELLS + cell] = 1"
        yield f"        if top > {dice}:"
        yield f"            out[((top - {1 + dice}) * {2 * LEVELS} + {LEVELS} + level) * TENSOR_CELLS + cell] = 1"


def _counts(layout: LudemicLayout) -> Iterator[str]:
    """In order of the containers, so that a later site overwrites an earlier one in the same cell."""
    plane = layout.first("count")
    # Rows only have what rules can ask for; where no rule can make piles, there are none.
    kept = "COUNT" in layout.fields
    count = f"min(wide(state[COUNT + site]), {MOST})" if kept else "1 if state[WHAT + site] != 0 else 0"
    seen = " and ".join(_seen(layout, "", "Count"))
    count = f"({count}) if {seen} else 0" if seen else count
    yield from _cleared(plane, 1)
    for sites in _site_ranges(layout):
        yield _each_site(layout, sites)
        yield f"    out[{plane} * TENSOR_CELLS + TENSOR_CELL[site]] = {count}"


def _states(layout: LudemicLayout) -> Iterator[str]:
    plane = layout.first("state")
    local = f"min(wide(state[STATE + site]), {STATES - 1})" if "STATE" in layout.fields else "0"
    seen = " and ".join(_seen(layout, "", "State"))
    local = f"({local}) if {seen} else 0" if seen else local
    yield from _cleared(plane, STATES)
    for sites in _site_ranges(layout):
        yield _each_site(layout, sites)
        yield f"    local = {local}"
        yield f"    out[({plane} + local) * TENSOR_CELLS + TENSOR_CELL[site]] = 1"


def _seen(layout: LudemicLayout, *what: str) -> list[str]:
    """Tests that nothing of this is hidden from the player to move."""
    if "HIDDEN" not in layout.fields:
        return []
    mask = sum(HIDDEN[name] for name in what)
    return [f"wide(state[HIDDEN + (wide(state[MOVER]) - 1) * {len(layout.cells)} + site]) & {mask} == 0"]


def _movers(layout: LudemicLayout) -> Iterator[str]:
    """A plane of ones for the person to move, who after a swap plays the other colour."""
    plane = layout.first("to-move")
    if plane < 0:
        return
    yield "seat = wide(state[MOVER])"
    if "SWAPPED" in layout.fields:
        yield "if state[SWAPPED] != 0:"
        yield "    seat = 3 - seat"
    for player in range(sum(channel.kind == "to-move" for channel in layout.state_channels)):
        yield from _filled(plane + player, f"1 if seat == {player + 1} else 0")


def _dice(layout: LudemicLayout) -> Iterator[str]:
    """The planes of dice; rows do not keep dice that no rule asks for."""
    first = len(layout.state_channels) - len(layout.dice.channels)
    yield from _cleared(first, len(layout.dice.channels))
    if "DICE" in layout.fields:
        yield from dice_lines(layout.dice, first)


def _cleared(plane: int, count: int) -> Iterator[str]:
    yield f"for c in range(0 + LANE, {count} * TENSOR_CELLS, LANES):"
    yield f"    out[{plane} * TENSOR_CELLS + c] = 0"
    yield "lanes_wait()"


def _filled(plane: int, value: str) -> Iterator[str]:
    yield f"value = {value}"
    yield "for c in range(0 + LANE, TENSOR_CELLS, LANES):"
    yield f"    out[{plane} * TENSOR_CELLS + c] = value"


def _each_site(layout: LudemicLayout, sites: range) -> str:
    """A loop over sites; those that share a cell come in order, so all lanes write all of them."""
    if layout.shared_cells:
        return f"for site in range({sites.start}, {sites.stop}):"
    return f"for site in range({sites.start} + LANE, {sites.stop}, LANES):"


def _site_ranges(layout: LudemicLayout) -> list[range]:
    """Runs of numbers that are sites, in order."""
    runs: list[range] = []
    for site in np.flatnonzero(layout.cells >= 0).tolist():
        if runs and runs[-1].stop == site:
            runs[-1] = range(runs[-1].start, site + 1)
        else:
            runs.append(range(site, site + 1))
    return runs


# Moves -----------------------------------------------------------------------------------------------


def _remember(layout: LudemicLayout) -> Iterator[str]:
    """Moves to a site have it as their origin too; passes and swaps have neither."""
    yield "history[2] = history[0]"
    yield "history[3] = history[1]"
    yield "way = TENSOR_WAY[wide(move[RULE])]"
    yield "history[0] = -1 if way == 2 else move[FROM] if way == 1 else move[TO]"
    yield "history[1] = -1 if way == 2 else move[TO]"
    yield "return 0"


def _slot(layout: LudemicLayout) -> Iterator[str]:
    """Destination and clipped displacement; a piece that leaves the board lies at its origin."""
    features = layout.features
    yield "rule = wide(move[RULE])"
    yield "to = wide(move[TO])"
    yield "way = TENSOR_WAY[rule]"
    if features.movement:
        yield "origin = wide(move[FROM]) if way == 1 else to"
        yield "if to < 0:"
        yield "    to = origin"
    yield "if way == 2 or to < 0:"
    yield "    return wide(TENSOR_APART[rule]) * TENSOR_CELLS"
    channel = "0"
    if features.movement:
        side = 2 * CLIP + 1
        yield "if origin < 0:"
        yield "    origin = to"
        for axis in "xy":
            table = f"TENSOR_{axis.upper()}"
            yield f"d{axis} = min(max(wide({table}[to]) - wide({table}[origin]), -{CLIP}), {CLIP}) + {CLIP}"
        channel = f"(dx * {side} + dy)"
    if features.stacking:
        yield from _levels(features.movement)
        channel = f"(({channel} * {LEVELS_MOVED} + level) * {LEVELS_MOVED} + span)"
    yield f"return {channel} * TENSOR_CELLS + wide(TENSOR_CELL[to])"


def _levels(movement: bool) -> Iterator[str]:
    """The lowest level that moves, and how many move with it."""
    yield "level = wide(0)"
    yield "span = wide(0)"
    if movement:
        most = LEVELS_MOVED - 1
        yield "if TENSOR_LEVEL[rule] != 0:"
        yield "    level = wide(move[LEVEL])"
        yield "if TENSOR_WHOLE[rule] != 0:"
        yield "    span = wide(state[HEIGHT + origin]) - 1 - level"
        yield f"level = min(max(level, 0), {most})"
        yield f"span = min(max(span, 0), {most})"
