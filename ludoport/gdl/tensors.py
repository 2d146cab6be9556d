"""Positions and moves of a rulesheet as tensors, read from the names of its facts and actions.

A rulesheet has no board, but many write one down: facts such as ``(cell 2 3 x)`` in which two neighbouring places run
over numbers or letters. If there are such facts, the pair that takes most values is the board. A fact is drawn in the
plane of its text without the coordinates; a fact without them fills its plane. Where a fact names a role, as in
``(stone black 2 3)``, it is a piece of that player. Actions with one pair of coordinates lie there, actions with two go
from the first to the second; the rest of them distinguishes channels. Without a board everything is one cell.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludoport.errors import LudoportError
from ludoport.kernels.tensors import FILL_PLANE, MoveChannel, StateChannel, TensorPlan

CLIP = 3
"""Longer displacements share the channels of this length, as in all games."""

MOST_CHANNELS = 512
"""More planes than these make no useful network."""

PASSES = {"noop", "pass", "wait", "idle", "nothing", "skip"}

Cell = tuple[int, int]
Term = tuple[str, ...]

TEXT = (
    FILL_PLANE
    + '''

@kernel
def planes(state, history, out):
    """Write the state tensor into a row."""
    for c in range(0 + LANE, {drawn} * TENSOR_CELLS, LANES):
        out[c] = 0
    lanes_wait()
    for w in range(WORDS):
        bits = wide(state[BITS + w])
        fact = w * WORD_BITS
        while bits != 0:
            if bits & 1 != 0:
                place = wide(TENSOR_FACT[fact])
                if place >= 0:
                    out[place] = 1
                else:
                    fill_plane(-1 - place, 1, out)
            bits >>= 1
            fact += 1
    for i in range(TENSOR_HISTORY):
        site = wide(history[i])
        if site >= 0:
            out[({last} + i) * TENSOR_CELLS + wide(TENSOR_CELL[site])] = 1
    for player in range(N_PLAYERS):
        fill_plane({mover} + player, 1 if wide(state[MOVER]) == player + 1 else 0, out)
    for c in range(0 + LANE, TENSOR_CELLS, LANES):
        out[{board} * TENSOR_CELLS + c] = 0
    lanes_wait()
    for site in range({sites}):
        if TENSOR_CELL[site] >= 0:
            out[{board} * TENSOR_CELLS + wide(TENSOR_CELL[site])] = 1
    return 0


@kernel
def slot(state, move):
    """The index of a move in the flat tensor of moves."""
    return wide(TENSOR_SLOT[wide(move[0])])


@kernel
def remember_move(history, state, move):
    """The move to be played becomes the last one."""
    history[2] = history[0]
    history[3] = history[1]
    history[0] = wide(TENSOR_ORIGIN[wide(move[0])])
    history[1] = wide(TENSOR_GOAL[wide(move[0])])
    return 0
'''
)


def plan_tensors(
    facts: Sequence[str], moves: Sequence[Sequence[tuple[int, str]]], roles: Sequence[str], name: str
) -> TensorPlan:
    """The tensors of a rulesheet.

    Args:
        facts: the texts of all facts, in the order of their bits.
        moves: number and text of the moves of each role.
        roles: the names of the roles.
        name: the game's name.
    """
    terms = [parts(fact) for fact in facts]
    board = find_board(terms)
    drawn = [_drawn(term, board, roles) for term in terms]
    channels = list(dict.fromkeys(channel for channel, _ in drawn))
    actions = {number: parts(text) for role in moves for number, text in role}
    usual = _usual(actions.values(), board)
    made = {number: _action(term, board, usual) for number, term in actions.items()}
    ways = list(dict.fromkeys(action.channel for action in made.values()))
    state = [
        *channels,
        *(StateChannel(kind, index=ago) for ago in (0, 1) for kind in ("last-from", "last-to")),
        *(StateChannel("to-move", player + 1) for player in range(len(roles))),
        StateChannel("container"),
    ]
    if max(len(state), len(ways)) > MOST_CHANNELS:
        raise LudoportError(
            f"{name}: its tensors would have {len(state)} planes of facts and {len(ways)} of moves; "
            f"more than {MOST_CHANNELS} are not supported"
        )
    sites = [(x, y) for x in range(len(board.columns)) for y in range(len(board.rows))]
    return TensorPlan(
        tuple(state),
        tuple(ways),
        x=[x if (x, y) in board.cells else -1 for x, y in sites],
        y=[y if (x, y) in board.cells else -1 for x, y in sites],
        shape=board.shape,
        text=_text(board, channels, drawn, ways, made),
    )


def parts(text: str) -> Term:
    """The words of a term; terms inside of it stay whole.

    >>> parts("(cell 1 (f 2) x)")
    ('cell', '1', '(f 2)', 'x')
    """
    if not text.startswith("("):
        return (text,)
    words, depth = [""], 0
    for character in text[1:-1]:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == " " and depth == 0:
            words.append("")
        else:
            words[-1] += character
    return tuple(word for word in words if word)


@dataclass(frozen=True)
class SheetBoard:
    """The axes of a board: names of columns and of rows, and the cells that facts speak of."""

    columns: tuple[str, ...] = ("",)
    rows: tuple[str, ...] = ("",)
    cells: frozenset[Cell] = frozenset({(0, 0)})

    @property
    def shape(self) -> tuple[int, int]:
        """Height and width of tensors, whose first axis runs along the columns."""
        return len(self.columns), len(self.rows)

    @property
    def real(self) -> bool:
        """Whether there is a board at all."""
        return len(self.cells) > 1

    def cell(self, x: str, y: str) -> Cell | None:
        """The cell with these coordinates."""
        if not self.real or x not in self.columns or y not in self.rows:
            return None
        here = self.columns.index(x), self.rows.index(y)
        return here if here in self.cells else None

    def number(self, cell: Cell) -> int:
        """The number of a cell."""
        return cell[0] * len(self.rows) + cell[1]


def find_board(terms: Sequence[Term]) -> SheetBoard:
    """The pair of neighbouring places that takes most values, if it looks like coordinates."""
    best = SheetBoard()
    pairs: dict[tuple[str, int, int], set[tuple[str, str]]] = {}
    for term in terms:
        for place in range(1, len(term) - 1):
            pairs.setdefault((term[0], len(term), place), set()).add((term[place], term[place + 1]))
    for found in pairs.values():
        columns, rows = (_ordered({pair[axis] for pair in found}) for axis in (0, 1))
        if columns is None or rows is None or min(len(columns), len(rows)) < 2:
            continue
        # A board is a rectangle with few holes; a hexagon still fills three quarters of one.
        if len(found) >= 0.4 * len(columns) * len(rows) and len(found) > len(best.cells):
            cells = frozenset((columns.index(x), rows.index(y)) for x, y in found)
            best = SheetBoard(columns, rows, cells)
    return best


def _ordered(names: set[str]) -> tuple[str, ...] | None:
    """Names in order, if they are all numbers or all single letters."""
    if all(name.isdecimal() for name in names):
        return tuple(sorted(names, key=int))
    if all(len(name) == 1 and name.isalpha() for name in names):
        return tuple(sorted(names))
    return None


def coordinates(term: Term, board: SheetBoard) -> Iterator[tuple[int, Cell]]:
    """Coordinates in a term, from the left: the place of each pair and its cell; none overlap."""
    place = 1
    while place < len(term) - 1:
        cell = board.cell(term[place], term[place + 1])
        if cell is None:
            place += 1
        else:
            yield place, cell
            place += 2


def _drawn(term: Term, board: SheetBoard, roles: Sequence[str]) -> tuple[StateChannel, Cell | None]:
    """The plane and the cell of a fact."""
    found = list(coordinates(term, board))
    if len(found) != 1:
        return StateChannel("fact", piece=f"({' '.join(term)})"), None
    place, cell = found[0]
    words = [*term[:place], ".", ".", *term[place + 2 :]]
    owners = [word for word in words[1:] if word in roles]
    if len(owners) != 1:
        return StateChannel("fact", piece=f"({' '.join(words)})"), cell
    kind = "-".join(word for word in words[1:] if word not in (owners[0], ".")) or term[0]
    owner = roles.index(owners[0]) + 1
    return StateChannel("piece", owner, f"{kind.capitalize()}{owner}"), cell


@dataclass(frozen=True)
class _Action:
    """A move for tensors: its channel, and where it begins and ends; moves apart from the board have neither."""

    channel: MoveChannel
    origin: Cell | None = None
    goal: Cell | None = None


def _usual(terms: Iterable[Term], board: SheetBoard) -> str:
    """The name of most actions on the board; it distinguishes nothing, so channels leave it out."""
    counts = Counter(term[0] for term in terms if any(coordinates(term, board)))
    return counts.most_common(1)[0][0] if counts else ""


def _action(term: Term, board: SheetBoard, usual: str) -> _Action:
    found = list(coordinates(term, board))
    places = {place + k for place, _ in found for k in (0, 1)}
    words = [word for place, word in enumerate(term) if place not in places and (place or word != usual)]
    if len(found) == 1:
        return _Action(MoveChannel("displacement", text=" ".join(words)), found[0][1], found[0][1])
    if len(found) == 2:
        (_, origin), (_, goal) = found
        dx, dy = (min(max(b - a, -CLIP), CLIP) for a, b in zip(origin, goal, strict=True))
        return _Action(MoveChannel("displacement", dx, dy, text=" ".join(words)), origin, goal)
    if len(term) == 1 and term[0] in PASSES:
        return _Action(MoveChannel("pass"))
    if len(term) == 2 and board.real and term[1] in board.columns:
        column = board.columns.index(term[1])
        rows = [row for row in range(len(board.rows)) if (column, row) in board.cells]
        if rows:  # such as a stone that falls down in a column
            return _Action(MoveChannel("displacement", text=term[0]), (column, rows[0]), (column, rows[0]))
    return _Action(MoveChannel("action", text=" ".join(term)))


def _text(
    board: SheetBoard,
    channels: Sequence[StateChannel],
    drawn: Sequence[tuple[StateChannel, Cell | None]],
    ways: Sequence[MoveChannel],
    actions: dict[int, _Action],
) -> str:
    """The kernels with their tables."""
    size = math.prod(board.shape)
    plane = {channel: number for number, channel in enumerate(channels)}
    way = {channel: number for number, channel in enumerate(ways)}
    facts = [plane[c] * size + board.number(cell) if cell is not None else -1 - plane[c] for c, cell in drawn]
    most = 1 + max(actions, default=0)
    slots, origins, goals = [0] * most, [-1] * most, [-1] * most
    for number, action in actions.items():
        slots[number] = way[action.channel] * size + (board.number(action.goal) if action.goal is not None else 0)
        origins[number] = board.number(action.origin) if action.origin is not None else -1
        goals[number] = board.number(action.goal) if action.goal is not None else -1
    tables = {"TENSOR_FACT": facts, "TENSOR_SLOT": slots, "TENSOR_ORIGIN": origins, "TENSOR_GOAL": goals}
    last = len(channels)
    numbers = {"drawn": last + 4, "last": last, "mover": last + 4, "board": -1, "sites": size}
    lines = [f"{name} = np.array([{','.join(map(str, values))}], dtype=np.int32)" for name, values in tables.items()]
    text = TEXT.replace("{board}", "(TENSOR_SIZE // TENSOR_CELLS - 1)")
    for name, number in numbers.items():
        text = text.replace(f"{{{name}}}", str(number))
    return "\n".join(lines) + "\n" + text
