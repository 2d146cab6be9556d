"""Tiles that cover several cells: where they lie, and the primitives that lay them down and take them up.

A large piece is on the cell where its walk begins. Its local state is its walk and the direction in which the walk
begins. The other cells hold a component of their own, which rules see neither as empty nor as a piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.ludemes.core.large_pieces import TURNS
from ludoport.ludemes.fields.actions import piece_primitives, state_function
from ludoport.ludemes.fields.walks import walk_sites

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def cells_of(program: Program, piece: int, state: int, site: int) -> tuple[int, ...]:
    """The cells that a large piece covers, its own site first; none if it leaves the board."""
    walks = program.components[piece].walks
    facings = program.sites.supported_directions("Orthogonal")
    if not 0 <= site < program.n_board or not 0 <= state < len(walks) * TURNS:
        return ()
    found = walk_sites(program, site, list(walks[state // len(facings)]), facings[state % len(facings)])
    return tuple(dict.fromkeys(found)) if found is not None else ()


def covered(program: Program, fields: dict[str, int], row: Sequence[int]) -> dict[int, int]:
    """The cells of a position that large pieces cover besides their own, each with the site of its piece."""
    found: dict[int, int] = {}
    for site in range(program.n_board) if program.cover else ():
        piece = int(row[fields["WHAT"] + site])
        if program.components[piece].walks:
            cells = cells_of(program, piece, int(row[fields["STATE"] + site]), site)
            found.update((cell, site) for cell in cells[1:] if row[fields["WHAT"] + cell] == program.cover)
    return found


@dataclass(frozen=True)
class LargeTables:
    """Names of tables about large pieces, and their sizes."""

    number: str
    """For each component, its number among the large pieces; -1 for others."""
    states: str
    """For each component, how many local states it may have."""
    cells: str
    """For each large piece, state and site, the cells that it covers, its own first, padded with -1."""
    sizes: str
    """For each component, how many cells count as its size."""
    most: int
    """The most local states."""
    width: int
    """The most cells of a piece."""


def large_tables(program: Program) -> LargeTables:
    """The tables of large pieces, made when first asked for; positions keep local states from then on."""
    return program.memo(_tables)


def _tables(program: Program) -> LargeTables:
    if program.stacking or program.board.kind != "Cell":
        text = "tiles larger than a site are not implemented yet in stacks, on vertices and on edges"
        raise UnsupportedError(text, program.board_node.source)
    program.want_state()
    large = [c for c in program.components if c.walks]
    most = max(len(c.walks) for c in large) * TURNS
    program.module.claim(len(large) * most * program.n_board)
    rows = [
        cells_of(program, c.index, state, site)
        for c in large
        for state in range(most)
        for site in range(program.n_board)
    ]
    width = max(map(len, rows), default=0) or 1
    centre = program.sites.centre[0]
    sizes = [len(cells_of(program, c.index, 0, centre)) if c.walks else 1 for c in program.components]
    table = program.module.table
    return LargeTables(
        table("LARGE", [large.index(c) if c.walks else -1 for c in program.components]),
        table("LARGE_STATES", [len(c.walks) * TURNS for c in program.components]),
        table("LARGE_CELLS", [s for row in rows for s in [*row, *([-1] * (width - len(row)))]]),
        table("LARGE_SIZES", [0, *sizes[1:]]),
        most,
        width,
    )


def first_cell(program: Program, number: str, state: str, site: str) -> str:
    """Code for the place in the table where the cells of a large piece begin."""
    known = large_tables(program)
    return f"(({number} * {known.most} + {state}) * {program.n_board} + {site}) * {known.width}"


@contextmanager
def _other_cells(program: Program, f: Function) -> Iterator[None]:
    """Write a loop over the cells ``cell`` that the large piece on the site ``s`` covers besides its own."""
    known = large_tables(program)
    f.line(f"large = {known.number}[state[WHAT + s]]")
    with f.block(f"if large >= 0 and s < {program.n_board} and 0 <= state[STATE + s] < {known.most}:"):
        f.line(f"base = {first_cell(program, 'large', 'state[STATE + s]', 's')}")
        with f.block(f"for k in range(1, {known.width}):"):
            f.line(f"cell = {known.cells}[base + k]")
            with f.block("if cell >= 0:"):
                yield


def write_uncover(program: Program, f: Function) -> None:
    """Write that the cells which the large piece on a site covers become empty."""
    with _other_cells(program, f), f.block(f"if state[WHAT + cell] == {program.cover}:"):
        f.line("lift_one(state, cell)")


@piece_primitives
def write_large_pieces(program: Program) -> None:
    """Write the primitives that cover cells, and lay a large piece down."""
    if not program.cover:
        return
    f = state_function(program, "cover", "s", "the large piece on a site covers its other cells")
    with _other_cells(program, f), f.block("if state[WHAT + cell] == 0:"):
        f.line(f"place(state, cell, {program.cover})")
    f.line("return 0")
    f = state_function(program, "lay", "start end turn", "a large piece moves and lies in a direction")
    f.line("piece = state[WHAT + start]")
    if program.state.has("COUNT"):
        with f.block("if state[COUNT + start] > 1:"):
            f.line("state[COUNT + start] -= 1")
        with f.block("else:"):
            f.line("lift(state, start)")
    else:
        f.line("lift(state, start)")
    f.line("add_large(state, end, piece, turn)")
    f.line("return 0")
    f = state_function(program, "add_large", "s piece turn", "a large piece arrives and lies in a direction")
    f.line("place(state, s, piece)")
    f.line("state[STATE + s] = turn")
    f.line("cover(state, s)")
    f.line("return 0")
