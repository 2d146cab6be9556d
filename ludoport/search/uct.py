"""UCT: Monte-Carlo tree search that treats every node as a bandit problem (Kocsis and Szepesvári, 2006).

The tree is a pool of nodes in flat arrays. A node holds its visits, its parent, the person who moved into it, and
where its children lie; all children of a node are made at once, in random order, when the node is visited a second
time. The sum of results in a node is from the view of the person who moved into it, so turns of several moves, several
players and swapped colours need no further thought. A win counts 1, a draw 0.5 and a loss 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import seeded

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State

MOST_NODES = 1_000_000
"""So many nodes at most; a search that has used them all goes on in the tree that it has."""

COLUMNS = ("VISITS", "PARENT", "PERSON", "FIRST", "CHILDREN", "TRIED")
"""What a node holds beside its move and its sum of results."""

SOURCE = '''
import math

PLAYOUT_LIMIT = 1000000


@kernel
def uct_expand(state, rng, tree, tree_moves, node, used, moves, work):
    """Make all children of a node, in random order, if there is room; returns how many nodes are used."""
    n = legal(state, moves, work)
    if used + n > tree.shape[0]:
        return used
    tree[node, NODE_FIRST] = used
    tree[node, NODE_CHILDREN] = n
    person = exchanged(state, wide(state[MOVER]))
    for k in range(n):
        tree[used + k, NODE_PARENT] = node
        tree[used + k, NODE_PERSON] = person
        j = draw_number(rng, k + 1)
        for c in range(MOVE_SIZE):
            tree_moves[used + k, c] = tree_moves[used + j, c]
            tree_moves[used + j, c] = moves[k * MOVE_SIZE + c]
    return used + n


@kernel
def uct_select(tree, sums, node, exploration):
    """The child to visit next: one that was never tried, otherwise the one with the highest upper bound (UCB1)."""
    first = wide(tree[node, NODE_FIRST])
    n = wide(tree[node, NODE_CHILDREN])
    tried = wide(tree[node, NODE_TRIED])
    if tried < n:
        tree[node, NODE_TRIED] = tried + 1
        return first + tried
    width = exploration * exploration * math.log(tree[node, NODE_VISITS])
    best = first
    bound = -1.0
    for child in range(first, first + n):
        visits = tree[child, NODE_VISITS]
        value = sums[child] / visits + math.sqrt(width / visits)
        if value > bound:
            bound = value
            best = child
    return best


@kernel
def uct(root, state, rng, moves, work, tree, sums, tree_moves, simulations, exploration):
    """Grow the tree below a position by so many simulations; returns how many nodes are used."""
    used = 1
    for _ in range(simulations):
        for i in range(STATE_SIZE):
            state[i] = root[i]
        node = 0
        while state[OVER] == 0:
            if tree[node, NODE_CHILDREN] == 0:
                if node != 0 and tree[node, NODE_VISITS] == 0:
                    break
                used = uct_expand(state, rng, tree, tree_moves, node, used, moves, work)
                if tree[node, NODE_CHILDREN] == 0:
                    break
            node = uct_select(tree, sums, node, exploration)
            play(state, tree_moves[node], work)
        playout(state, rng, moves, work, PLAYOUT_LIMIT)
        while node != 0:
            tree[node, NODE_VISITS] += 1
            sums[node] += 0.5 + 0.5 * utility(state, exchanged(state, wide(tree[node, NODE_PERSON])))
            node = wide(tree[node, NODE_PARENT])
        tree[0, NODE_VISITS] += 1
    return used


@entry
def enter_uct(root, state, rng, moves, work, tree, sums, tree_moves, simulations, exploration):
    return uct(root, state, rng, moves, work, tree, sums, tree_moves, simulations, exploration)
'''

_NEVER_EXCHANGED = '''
@kernel
def exchanged(state, player):
    """The person who plays a colour, and the colour that a person plays: the same number, for nobody swaps here."""
    return player
'''

_EXCHANGED = '''
@kernel
def exchanged(state, player):
    """The person who plays a colour, and the colour that a person plays."""
    if state[SWAPPED] != 0:
        return 3 - player
    return player
'''


@dataclass(frozen=True)
class Found:
    """What a search found out about the moves of a position.

    Attributes:
        moves: the legal moves, in the order in which they were first tried.
        visits: how many simulations began with each; shape (moves,).
        values: mean result of each for the person to move, from 0 to 1, NaN where untried; shape (moves,).
        nodes: how many nodes the tree has.
    """

    moves: list[Move]
    visits: NDArray[np.int64]
    values: NDArray[np.float64]
    nodes: int

    @property
    def best(self) -> Move:
        """The move that was visited most."""
        return self.moves[int(np.argmax(self.visits))]


def uct(state: State, simulations: int = 1000, seed: int = 0, exploration: float = math.sqrt(2)) -> Move:
    """The move that UCT chooses.

    Args:
        state: a position that is not the end of a game.
        simulations: how many playouts.
        seed: the same seed gives the same move.
        exploration: the weight of moves that were tried seldom; the square root of 2 is that of UCB1.

    Example:
        >>> import ludoport as lp
        >>> state = lp.load("Tic-Tac-Toe", jit=False).start()
        >>> for move in ("0", "3", "1", "4"):
        ...     state = state.play(move)
        >>> str(uct(state, simulations=100))
        '2'
    """
    return search(state, simulations=simulations, seed=seed, exploration=exploration).best


def search(
    state: State, *, simulations: int = 1000, seed: int = 0, exploration: float = math.sqrt(2), nodes: int = MOST_NODES
) -> Found:
    """Search as ``uct`` does, and say what was found about every move; the tree has at most ``nodes`` nodes."""
    if state.over:
        raise LudoportError("the game is over; there is no move to search for")
    if simulations < 1:
        raise LudoportError(f"the number of simulations must be at least 1, not {simulations}")
    if not exploration >= 0:
        raise LudoportError(f"the exploration must not be negative, not {exploration}")
    game = state.game
    legal = state.moves()
    room = max(len(legal) + 1, min(nodes, 1 + simulations * game.rules.max_moves))
    tree = np.zeros((room, len(COLUMNS)), dtype=np.int32)
    sums = np.zeros(room, dtype=np.float64)
    rows: NDArray[Any] = np.zeros((room, game.rules.move_size), dtype=game.dtype)
    used = game.kernels_with(_source(game)).call(
        "enter_uct", state.row, game.new_row(), seeded(seed), game.move_list, game.work, tree, sums, rows,
        simulations, float(exploration),
    )  # fmt: skip
    visits = tree[1 : 1 + len(legal), COLUMNS.index("VISITS")].astype(np.int64)
    with np.errstate(invalid="ignore"):
        values = sums[1 : 1 + len(legal)] / visits
    return Found(_in_order(legal, game.rules.tidy(rows[1 : 1 + len(legal)])), visits, values, int(used))


def _source(game: Game) -> str:
    """The kernels of the search, for a game where persons may or may not swap their colours."""
    columns = "\n".join(f"NODE_{name} = {number}" for number, name in enumerate(COLUMNS))
    return f"{columns}\n{_EXCHANGED if 'SWAPPED' in game.rules.fields else _NEVER_EXCHANGED}{SOURCE}"


def _in_order(legal: list[Move], rows: NDArray[Any]) -> list[Move]:
    """The legal moves in the order of the rows."""
    known: dict[bytes, list[Move]] = {}
    for move in legal:
        known.setdefault(move.row.tobytes(), []).append(move)
    return [known[row.tobytes()].pop() for row in rows]
