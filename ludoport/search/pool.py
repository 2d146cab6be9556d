"""The pool that holds a search tree: flat arrays of a fixed size, and the kernels that every search shares.

Entry 0 of a pool is not used. A position takes one entry, its *head*, followed by one *edge* for each legal move. What
the numbers of an entry mean:

==========  =============================================  ===================================================
column      head                                           edge
==========  =============================================  ===================================================
``VISITS``  how often a move was chosen here               how often this move was chosen
``LINK``    how many edges follow                          the head of the position behind it, 0 if there is none
``EXACT``   how many edges were tried (``TRIED``)          what is proved: 1 won, 2 drawn, 3 lost, 0 nothing
``STAMP``   when it was used last                          not used
``PERSON``  the person to move (in the sums of the head)   (the sum of results for the person who chose it)
==========  =============================================  ===================================================

A position is made when its edge is chosen for the second time, so every simulation adds one node. Results are kept from
the view of the person who chose the move: turns of several moves, several players and swapped colours need no further
thought. Heads are made after those that lead to them, and compaction keeps their order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game

COLUMNS = ("VISITS", "LINK", "EXACT", "STAMP")
FACTS = ("USED", "ROOT", "FULL", "CLOCK", "STUNTED", "REST")
"""Facts about a pool: entries used, the head of the root, whether there was no room for a position, how many
simulations were run, whether to continue without room, and how many simulations are left of the last order."""

WON, DRAWN, LOST = 1, 2, 3
"""Results that may be proved of an edge, for the person who chooses it."""

RAVE_ZERO = "nodes[NODE_OTHERS, edge] = 0; sums[1, edge] = 0.0"
"""Code that initialises a new edge for RAVE."""

PATH = 2048
"""Twice the maximum length of a line in a tree."""

NEVER_EXCHANGED = '''
@inlined
def exchanged(state, player):
    """The seat of a colour, and the colour of a seat: the same number, since this game has no swap."""
    return player
'''

EXCHANGED = '''
@inlined
def exchanged(state, player):
    """The seat of a colour, and the colour of a seat."""
    if state[SWAPPED] != 0:
        return 3 - player
    return player
'''

ALONE = '''
@inlined
def node_bump(nodes, column, index, amount):
    """Add to a number of an entry; returns what was there."""
    before = wide(nodes[column, index])
    nodes[column, index] = before + amount
    return before


@inlined
def edge_gain(sums, index, amount):
    """Add to the results of an edge."""
    sums[0, index] += amount
    return 0


@inlined
def pool_claim(facts, amount):
    """Take entries from the pool; returns the first."""
    first = wide(facts[POOL_USED])
    facts[POOL_USED] = first + amount
    return first
'''
"""One thread at a time grows a tree."""

TOGETHER = '''
from ludoport.kernels.atomic import atomic_add


@inlined
def node_bump(nodes, column, index, amount):
    """Add to a number of an entry; returns what was there."""
    return wide(atomic_add(nodes, wide(column) * nodes.shape[1] + index, nodes.dtype.type(amount)))


@inlined
def edge_gain(sums, index, amount):
    """Add to the results of an edge."""
    atomic_add(sums, wide(index), amount)
    return 0


@inlined
def pool_claim(facts, amount):
    """Take entries from the pool; returns the first."""
    return wide(atomic_add(facts, wide(POOL_USED), wide(amount)))
'''
"""Several threads grow one tree."""

POOL = '''
import math


@kernel
def make_head(state, rng, nodes, sums, tree_moves, facts, moves, work):
    """Put a position into the pool, its moves in random order; returns its head, or 0 if there is no room."""
    n = legal(state, moves, work)
    if facts[POOL_USED] + 1 + n > nodes.shape[1]:
        facts[POOL_FULL] = 1
        return wide(0)
    head = pool_claim(facts, n + 1)
    if head + 1 + n > nodes.shape[1]:
        facts[POOL_FULL] = 1
        return wide(0)
    nodes[NODE_VISITS, head] = 0
    nodes[NODE_LINK, head] = n
    nodes[NODE_TRIED, head] = 0
    sums[0, head] = exchanged(state, wide(state[MOVER]))
    for k in range(n):
        edge = head + 1 + k
        nodes[NODE_VISITS, edge] = 0
        nodes[NODE_LINK, edge] = 0
        nodes[NODE_EXACT, edge] = 0
        sums[0, edge] = 0.0
        {more}
        other = head + 1 + draw_number(rng, k + 1)
        for c in range(MOVE_SIZE):
            tree_moves[edge, c] = tree_moves[other, c]
            tree_moves[other, c] = moves[k * MOVE_SIZE + c]
    return head


@kernel
def keep_heads(nodes, sums, tree_moves, facts, forward, root, visits, stamp):
    """Keep the positions below a root that were used often and lately enough, pushed together; forget all others.

    What remains keeps its order. The room of what goes is free afterwards; edges to it lose their links.
    """
    used = wide(facts[POOL_USED])
    for i in range(used):
        forward[i] = 0
    forward[root] = 1
    changed = 1
    while changed != 0:
        # Links lead to later heads, except where positions are shared; then another round is needed.
        changed = 0
        head = 1
        while head < used:
            n = wide(nodes[NODE_LINK, head])
            if forward[head] != 0:
                for edge in range(head + 1, head + 1 + n):
                    link = wide(nodes[NODE_LINK, edge])
                    if link > 0 and forward[link] == 0:
                        if nodes[NODE_VISITS, link] >= visits and nodes[NODE_STAMP, link] >= stamp:
                            forward[link] = 1
                            if link < head:
                                changed = 1
            head += 1 + n
    free = wide(1)
    head = 1
    while head < used:
        n = wide(nodes[NODE_LINK, head])
        if forward[head] != 0:
            forward[head] = free
            free += 1 + n
        head += 1 + n
    head = 1
    while head < used:
        n = wide(nodes[NODE_LINK, head])
        there = wide(forward[head])
        if there != 0:
            for k in range(n + 1):
                link = wide(nodes[NODE_LINK, head + k])
                if k > 0 and link > 0:
                    link = wide(forward[link])
                for c in range(nodes.shape[0]):
                    nodes[c, there + k] = nodes[c, head + k]
                nodes[NODE_LINK, there + k] = link
                for c in range(sums.shape[0]):
                    sums[c, there + k] = sums[c, head + k]
                for c in range(MOVE_SIZE):
                    tree_moves[there + k, c] = tree_moves[head + k, c]
        head += 1 + n
    facts[POOL_ROOT] = forward[root]
    facts[POOL_USED] = free
    facts[POOL_FULL] = 0
    return free


@entry
def enter_keep_heads(nodes, sums, tree_moves, facts, forward, root, visits, stamp):
    return keep_heads(nodes, sums, tree_moves, facts, forward, root, visits, stamp)


@entry
def enter_list_heads(nodes, used, heads):
    n = 0
    head = 1
    while head < used:
        heads[n] = head
        n += 1
        head += 1 + wide(nodes[NODE_LINK, head])
    return n


@entry
def enter_make_root(root, rng, nodes, sums, tree_moves, facts, moves, work):
    facts[POOL_USED] = 1
    facts[POOL_FULL] = 0
    facts[POOL_ROOT] = make_head(root, rng, nodes, sums, tree_moves, facts, moves, work)
    return wide(facts[POOL_ROOT])
'''


class Pool(NamedTuple):
    """The arrays of one tree, which kernels take together.

    Attributes:
        nodes: the numbers of every entry; shape (columns, entries).
        sums: results of edges and persons of heads; shape (1, entries), or (2, entries) with those of other positions.
        moves: the move of every edge; shape (entries, move size).
        facts: facts about the pool; see ``FACTS``.
    """

    nodes: NDArray[np.int32]
    sums: NDArray[np.floating[Any]]
    moves: NDArray[Any]
    facts: NDArray[np.int64]

    @property
    def used(self) -> int:
        """Entries in use."""
        return min(int(self.facts[FACTS.index("USED")]), self.capacity)

    @property
    def root(self) -> int:
        """The head of the root."""
        return int(self.facts[FACTS.index("ROOT")])

    @property
    def capacity(self) -> int:
        """Entries that there is room for."""
        return int(self.nodes.shape[1])

    @property
    def bytes(self) -> int:
        """Memory of the arrays."""
        return self.nodes.nbytes + self.sums.nbytes + self.moves.nbytes


def new_pool(game: Game, entries: int, *, rave: bool = False) -> Pool:
    """An empty pool with a number of entries."""
    try:
        return Pool(
            np.zeros((len(COLUMNS) + rave, entries), dtype=np.int32),
            np.zeros((1 + rave, entries), dtype=np.float64),
            np.zeros((entries, game.rules.move_size), dtype=game.dtype),
            np.zeros(len(FACTS), dtype=np.int64),
        )
    except MemoryError:
        raise LudoportError(f"there is not enough memory for a pool of {entries:,} nodes") from None


def pool_source(game: Game, *, together: bool = False, rave: bool = False) -> str:
    """The text of the kernels that every search shares."""
    names = [f"NODE_{name} = {number}" for number, name in enumerate(COLUMNS)]
    names += [f"POOL_{name} = {number}" for number, name in enumerate(FACTS)]
    names += [
        "NODE_TRIED = NODE_EXACT",
        f"NODE_OTHERS = {len(COLUMNS)}",
        f"WON = {WON}",
        f"DRAWN = {DRAWN}",
        f"LOST = {LOST}",
    ]
    names += [f"PATH_LIMIT = {PATH // 2}", "PLAYOUT_LIMIT = 1000000"]
    threads = TOGETHER if together and game.jit else ALONE
    exchanged = EXCHANGED if "SWAPPED" in game.rules.fields else NEVER_EXCHANGED
    more = RAVE_ZERO if rave else "pass"
    return "\n".join(["", *names, exchanged, threads, POOL.replace("{more}", more)])
