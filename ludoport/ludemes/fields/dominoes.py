"""Dominoes on the board: eight cells each, two wide and four long, turned in one of four directions.

Positions keep which dominoes are still in the pool, which cells are covered, and where dominoes lie. A domino is on
the cell where its first number begins, its local state is its direction, and its count is its number, as in the
reference.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.fields.actions import piece_primitives, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

LONG, WIDE = 4, 2
_TURNS = (((0, 1), (1, 0)), ((-1, 0), (0, 1)), ((0, -1), (-1, 0)), ((1, 0), (0, -1)))
"""For each local state, the steps along a domino and across it, as rows and columns."""


class DominoTables:
    """Tables of where dominoes lie and where others join them."""

    def __init__(self, program: Program, node: Ludeme) -> None:
        sites = program.sites
        self.width = max(sites.col) + 1
        self.height = len(sites.row) // self.width
        square = sites.n == self.width * self.height and not any(
            (sites.row[s], sites.col[s]) != divmod(s, self.width) for s in range(sites.n)
        )
        if not square or not program.board.options.boardless or program.board.kind != "Cell":
            raise UnsupportedError("dominoes are only implemented on a square `boardless`", node.source)
        lying = [(site, turn) for site in range(sites.n) for turn in range(4)]
        table = program.module.table
        self.cells = table("DOMINO_CELLS", [c for each in lying for c in self._cells(*each)])
        self.places = table("DOMINO_PLACES", [p for each in lying for p in self._joining(*each)])
        pips = [c.pips for c in program.components[1:]]
        doubled = [(a, b, a, a) if a == b else (a, b, -1, -1) for a, b in pips]
        self.ends = table("DOMINO_ENDS", [-1] * 4 + [value for each in doubled for value in each])
        self.dominoes = len(pips)

    def _cell(self, site: int, turn: int, along: int, across: int) -> int:
        """A cell of a domino or near it; -1 off the board."""
        (a, b), (c, d) = _TURNS[turn]
        row, column = site // self.width + along * a + across * c, site % self.width + along * b + across * d
        inside = 0 <= row < self.height and 0 <= column < self.width
        return row * self.width + column if inside else -1

    def _cells(self, site: int, turn: int) -> list[int]:
        return [self._cell(site, turn, along, across) for along in range(LONG) for across in range(WIDE)]

    def _joining(self, site: int, turn: int) -> list[int]:
        """Where a domino joins each end, and each side as one of a double, with its first number or its second.

        A place is a site and a direction as one number; -1 where there is no room on the board.
        """
        places = []
        for (along, across), away in ((((-1, 0), 2)), ((LONG, 0), 0), ((1, -1), -1), ((1, WIDE), 1)):
            # Sides lie across: their direction is found by where the steps across lead.
            steps = _TURNS[turn]
            lead = {2: _minus(steps[0]), 0: steps[0], -1: _minus(steps[1]), 1: steps[1]}[away]
            other = (along, across + 1) if away in (0, 2) else (along + 1, across)
            touched = {self._cell(site, turn, along, across), self._cell(site, turn, *other)}
            for near in (0, 1):
                facing = next(t for t in range(4) if _TURNS[t][0] == (lead if near == 0 else _minus(lead)))
                places.append(self._touching(touched, facing, near))
        return places

    def _touching(self, touched: set[int], turn: int, near: int) -> int:
        """The place of a domino in a direction whose first or last two cells are given."""
        if -1 in touched:
            return -1
        for cell in touched:
            (a, b), _ = _TURNS[turn]
            back = near * (LONG - 1)
            row, column = cell // self.width - back * a, cell % self.width - back * b
            if not (0 <= row < self.height and 0 <= column < self.width):
                continue
            site = row * self.width + column
            cells = self._cells(site, turn)
            if set(cells[back * WIDE : back * WIDE + WIDE]) == touched and -1 not in cells:
                return site * 4 + turn
        return -1


def _minus(step: tuple[int, int]) -> tuple[int, int]:
    return -step[0], -step[1]


def domino_tables(program: Program) -> DominoTables:
    """The tables, made when first asked for; positions keep what dominoes need from then on."""
    return program.memo(_tables)


def _tables(program: Program) -> DominoTables:
    found = DominoTables(program, program.board_node)
    program.want_state()
    program.state.want("COUNT", program.n_sites)
    program.state.want("POOL", len(program.components))
    program.state.want("N_POOL")
    program.state.want("COVERED", program.n_board)
    program.state.want("LAID", found.dominoes)
    program.state.want("N_LAID")
    return found


def pool_setup(program: Program) -> list[str]:
    """Lines that put all dominoes into the pool."""
    if not program.state.has("POOL"):
        return []
    count = len(program.components) - 1
    return [f"for i in range(1, {count + 1}):", "    state[POOL + i] = 1", f"state[N_POOL] = {count}"]


def deal(program: Program, node: Ludeme) -> list[str]:
    """Lines that deal dominoes, one to each player in turn."""
    kind, count = node.args["type"], node.get("count")
    if not isinstance(kind, Word) or kind.name != "Dominoes" or not program.dominoes:
        raise UnsupportedError(f"`deal {kind}` is not implemented yet", node.source)
    domino_tables(program)
    program.primitives.add("take_domino")
    # Once the pool is empty nothing more is dealt, whatever number a text names.
    count = min(count if isinstance(count, int) else 1, len(program.components) - 1)
    return [
        f"for i in range({count}):",
        "    for p in range(1, N_PLAYERS + 1):",
        "        take_domino(state, p)",
    ]


@piece_primitives
def write_dominoes(program: Program) -> None:
    """Write the primitives that take a domino from the pool, and lay one on the board."""
    if "take_domino" in program.primitives:
        _write_take(program)
    if "lay_domino" not in program.primitives:
        return
    known = domino_tables(program)
    f = state_function(program, "lay_domino", "start end turn", "a domino leaves a hand and lies on the board")
    f.facts["i"] = (0, 7)
    f.line("piece = state[WHAT + start]")
    with f.block(f"if piece == 0 or state[N_LAID] >= {known.dominoes}:"):
        f.line("return 0")
    f.line("lift(state, start)")
    f.line("place(state, end, piece)")
    f.line("state[STATE + end] = turn")
    f.line("state[COUNT + end] = piece")
    with f.block("for i in range(8):"):
        f.line(f"cell = {known.cells}[(end * 4 + turn) * 8 + i]")
        with f.block("if cell >= 0:"):
            f.line("state[COVERED + cell] = piece")
    f.line("state[LAID + state[N_LAID]] = end")
    f.line("state[N_LAID] += 1")
    f.line("return 0")


def _write_take(program: Program) -> None:
    bases = [0] * (program.n_players + 1)
    sizes = [0] * (program.n_players + 1)
    for hand in program.hands:
        if 1 <= hand.owner <= program.n_players:
            bases[hand.owner], sizes[hand.owner] = hand.base, hand.size
    base, size = program.module.table("HAND_BASE", bases), program.module.table("HAND_SIZE", sizes)
    f = state_function(program, "take_domino", "player", "a random domino of the pool comes into a player's hand")
    with f.block("if player < 1 or player > N_PLAYERS or state[N_POOL] == 0:"):
        f.line("return 0")
    f.line("free = -1")
    with f.block(f"for i in range({size}[player]):"):
        with f.block(f"if free < 0 and state[WHAT + {base}[player] + i] == 0:"):
            f.line(f"free = {base}[player] + i")
    with f.block("if free < 0:"):
        f.line("return 0")
    f.line("wanted = chance(state, wide(state[N_POOL]), 0)")
    with f.block(f"for i in range(1, {len(program.components)}):"):
        with f.block("if state[POOL + i] != 0:"):
            with f.block("if wanted == 0:"):
                f.line("state[POOL + i] = 0")
                f.line("state[N_POOL] -= 1")
                f.line("place(state, free, i)")
                f.line("return 0")
            f.line("wanted -= 1")
    f.line("return 0")
