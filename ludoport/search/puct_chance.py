"""Network-guided search in games with chance, as changes of its text.

Each simulation draws again what no player has seen. A move then leads to one of several positions: the outcomes behind
an edge are a chain of heads, found by the keys of their positions. The first lies in the ``STAMP`` of the edge, each
further one in the ``STAMP`` of the head before; the row of a head among the moves holds its key. Edges have no
``LINK``, so nothing follows a line of which only one outcome is known, and nothing is proved.
"""

from ludoport.search.changes import changed

OUTCOMES = '''
@kernel
def is_outcome(tree_moves, head, name):
    """Whether a head belongs to the position with this key."""
    if tree_moves[head, 0] != name & 32767 or tree_moves[head, 1] != (name >> 15) & 32767:
        return False
    return tree_moves[head, 2] == (name >> 30) & 32767


@kernel
def find_outcome(state, nodes, tree_moves, edge):
    """The head of a position among the outcomes of an edge; 0 if it is not there yet."""
    head = wide(nodes[NODE_STAMP, edge])
    if head == 0:
        return head
    name = key(state)
    while head != 0 and not is_outcome(tree_moves, head, name):
        head = wide(nodes[NODE_STAMP, head])
    return head


@kernel
def add_outcome(state, nodes, tree_moves, edge, head):
    """Put a new head before the other outcomes of an edge."""
    name = key(state)
    tree_moves[head, 0] = name & 32767
    tree_moves[head, 1] = (name >> 15) & 32767
    tree_moves[head, 2] = (name >> 30) & 32767
    nodes[NODE_STAMP, head] = nodes[NODE_STAMP, edge]
    nodes[NODE_STAMP, edge] = head
    return 0
'''

_CHANGES = (
    (
        "    {remember_root}\n    lanes_wait()\n",
        """    {remember_root}
    lanes_wait()
    if FIRST_LANE:
        reseed(state, tuning.rng)
    lanes_wait()
""",
    ),
    (
        """            if settings[PUCT_SOLVE] != 0 and FIRST_LANE:
                prove(nodes, sums, path, depth, exact)
            break
""",
        "            break\n",
    ),
    (
        """        link = wide(nodes[NODE_LINK, edge])
...
        head = link
""",
        """        link = find_outcome(state, nodes, tree_moves, edge)
        if link == 0:
            return depth
        head = link
""",
    ),
    (
        """    head = wide(facts[POOL_USED])
    fits = head + 1 + n <= nodes.shape[1]
""",
        """    head = wide(facts[POOL_USED])
    fits = head + 1 + n <= nodes.shape[1]
    if depth > 0:
        known = find_outcome(state, nodes, pool.moves, wide(path[2 * depth - 1]))
        if known != 0:
            # Two leaves met in this position, and the other one was first.
            if FIRST_LANE:
                puct_count(nodes, sums, path, depth, person, value, settings)
            return known
""",
    ),
    (
        """            nodes[NODE_LINK, wide(path[2 * depth - 1])] = head
""",
        """            if head != 0:
                add_outcome(state, nodes, pool.moves, wide(path[2 * depth - 1]), head)
""",
    ),
    (
        "        nodes[NODE_EXACT, edge] = 0\n        sums[0, edge] = 0.0\n",
        "        nodes[NODE_EXACT, edge] = 0\n        nodes[NODE_STAMP, edge] = 0\n        sums[0, edge] = 0.0\n",
    ),
)  # fmt: skip

_ROLLOUT = (
    "            scratch[i] = state[i]\n        playout(",
    "            scratch[i] = state[i]\n        reseed(scratch, bench.rng)\n        playout(",
)


def with_chance(text: str) -> str:
    """The text of the search for games with chance."""
    return changed(text, _CHANGES).replace(*_ROLLOUT)
