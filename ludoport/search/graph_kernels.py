"""Kernels between a pool and a graph: they replay the moves of a tree, which gives the key of every state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.pool import pool_source

if TYPE_CHECKING:
    from ludoport.game import Game

LEVELS = '''
@inlined
def same_move(moves, at, other, there):
    """Whether two moves of two lists are equal."""
    for c in range(MOVE_SIZE):
        if moves[at * MOVE_SIZE + c] != other[there * MOVE_SIZE + c]:
            return False
    return True


@entry
def enter_list_rows(rows, moves, work, begin, listed):
    """Write the legal moves of several positions, as far as there is room; returns how many there are."""
    total = wide(0)
    for k in range(rows.shape[0]):
        n = wide(0)
        if rows[k, OVER] == 0:
            n = wide(legal(rows[k], moves, work))
        begin[k] = total
        if (total + n) * MOVE_SIZE <= listed.shape[0]:
            for i in range(n * MOVE_SIZE):
                listed[total * MOVE_SIZE + i] = moves[i]
        total += n
    begin[rows.shape[0]] = total
    return total


@entry
def enter_follow_edges(level, graph, walk, after, names, work):
    """Play the edges of several positions that are legal there and lead to their states; returns how many are new.

    The rows of new states that have edges themselves are written behind each other, with their numbers.
    """
    rows = level.rows
    begin = level.begin
    first = graph.first
    edges = graph.edges
    reached = walk.reached
    new = wide(0)
    spare = after.shape[0] - 1
    for k in range(rows.shape[0]):
        number = wide(level.numbers[k])
        for edge in range(first[number], first[number + 1]):
            found = False
            for j in range(begin[k], begin[k + 1]):
                if same_move(edges, wide(edge), level.listed, wide(j)):
                    found = True
                    break
            if not found:
                continue
            behind = wide(graph.child[edge])
            fresh = walk.inner[behind] != 0 and reached[behind] == 0
            place = new if fresh else spare
            for i in range(STATE_SIZE):
                after[place, i] = rows[k, i]
            play(after[place], edges[edge * MOVE_SIZE : (edge + 1) * MOVE_SIZE], work)
            if wide(key(after[place])) != wide(graph.keys[behind]):
                continue
            walk.kept[edge] = 1
            if fresh:
                reached[behind] = 1
                names[new] = behind
                new += 1
    return new
'''
"""A walk through a graph that plays only what is legal: moves may come from a file."""

WALKS = '''
@inlined
def gained(nodes, before, edge):
    """How often an edge was chosen since visits were remembered."""
    if edge < before.shape[0]:
        return wide(nodes[NODE_VISITS, edge]) - wide(before[edge])
    return wide(nodes[NODE_VISITS, edge])


@kernel
def reach_heads(nodes, before, came, level, queue, head, mark):
    """Reach the heads below one, nearest first, that were not reached before; returns the greatest distance.

    ``came`` becomes the edge by which a head was reached, or the mark where that is -1. Only edges that were chosen
    since visits were remembered are followed.
    """
    if came[head] != 0:
        return wide(0)
    came[head] = mark
    queue[0] = head
    n = 1
    k = 0
    while k < n:
        head = wide(queue[k])
        k += 1
        for edge in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
            link = wide(nodes[NODE_LINK, edge])
            if link > 0 and came[link] == 0 and gained(nodes, before, edge) > 0:
                came[link] = mark if mark == -1 else edge
                level[link] = level[head] + 1
                queue[n] = link
                n += 1
    return wide(level[head])


@kernel
def list_edges(root, rows, stack, work, pool, before, head, came, out):
    """Write all edges with new visits of the heads that were reached, with the keys of both ends; returns how many.

    The walk follows the edges in ``came``, so that every head is entered once and no line is longer than necessary.
    """
    nodes = pool.nodes
    sums = pool.sums
    tree_moves = pool.moves
    for i in range(STATE_SIZE):
        rows[0, i] = root[i]
    name = wide(key(rows[0]))
    level = 0
    n = wide(0)
    stack[0, 0] = head
    stack[1, 0] = head + 1
    stack[2, 0] = name
    while level >= 0:
        head = wide(stack[0, level])
        edge = wide(stack[1, level])
        if edge > head + wide(nodes[NODE_LINK, head]):
            level -= 1
            continue
        stack[1, level] = edge + 1
        link = wide(nodes[NODE_LINK, edge])
        enter = link > 0 and came[link] == edge
        more = gained(nodes, before.visits, edge)
        if more == 0 and not enter:
            continue
        for i in range(STATE_SIZE):
            rows[level + 1, i] = rows[level, i]
        play(rows[level + 1], tree_moves[edge], work)
        name = wide(key(rows[level + 1]))
        if more > 0:
            out.names[0, n] = stack[2, level]
            out.names[1, n] = name
            out.person[n] = wide(sums[0, head])
            out.visits[n] = more
            out.worth[n] = sums[0, edge]
            if edge < before.sums.shape[0]:
                out.worth[n] -= before.sums[edge]
            for c in range(MOVE_SIZE):
                out.moves[n, c] = tree_moves[edge, c]
            n += 1
        if enter:
            level += 1
            stack[0, level] = link
            stack[1, level] = link + 1
            stack[2, level] = name
    return n


@kernel
def swap_edges(nodes, sums, tree_moves, one, two):
    """Let two edges of a head change their places."""
    for c in range(nodes.shape[0]):
        number = nodes[c, one]
        nodes[c, one] = nodes[c, two]
        nodes[c, two] = number
    worth = sums[0, one]
    sums[0, one] = sums[0, two]
    sums[0, two] = worth
    for c in range(MOVE_SIZE):
        column = tree_moves[one, c]
        tree_moves[one, c] = tree_moves[two, c]
        tree_moves[two, c] = column
    return 0


@kernel
def find_move(tree_moves, edge_moves, edge, begin, end):
    """The entry of a move among some, or -1."""
    for place in range(begin, end):
        same = True
        for c in range(MOVE_SIZE):
            if tree_moves[place, c] != edge_moves[edge, c]:
                same = False
        if same:
            return wide(place)
    return wide(-1)


@kernel
def fill_position(number, n, known, pool, rng):
    """Write what a graph knows about the moves of a position: known ones first, those visited most before others."""
    nodes = pool.nodes
    sums = pool.sums
    tree_moves = pool.moves
    visits = known.visits
    head = wide(known.head_of[number])
    for k in range(n):
        other = draw_number(rng, k + 1)
        swap_edges(nodes, sums, tree_moves, head + 1 + k, head + 1 + other)
    tried = wide(0)
    total = wide(0)
    for edge in range(wide(known.first[number]), wide(known.first[number + 1])):
        place = find_move(tree_moves, known.moves, wide(edge), head + 1 + tried, head + 1 + n)
        if place < 0:
            continue
        known.taken[edge] = 1
        nodes[NODE_VISITS, place] = visits[edge]
        nodes[NODE_LINK, place] = known.head_of[known.child[edge]]
        sums[0, place] = known.worth[edge]
        here = head + 1 + tried
        swap_edges(nodes, sums, tree_moves, place, here)
        while here > head + 1 and nodes[NODE_VISITS, here - 1] < nodes[NODE_VISITS, here]:
            swap_edges(nodes, sums, tree_moves, here - 1, here)
            here -= 1
        tried += 1
        total += wide(visits[edge])
    nodes[NODE_VISITS, head] = total
    nodes[NODE_LINK, head] = n
    nodes[NODE_TRIED, head] = tried
    return 0


@entry
def enter_reach_heads(nodes, before, came, level, queue, head, mark):
    return reach_heads(nodes, before, came, level, queue, wide(head), wide(mark))


@entry
def enter_list_edges(root, rows, stack, work, pool, before, head, came, out):
    return list_edges(root, rows, stack, work, pool, before, wide(head), came, out)


@entry
def enter_persons(rows, persons):
    for k in range(rows.shape[0]):
        persons[k] = exchanged(rows[k], wide(rows[k, MOVER]))
    return 0


@entry
def enter_fill_positions(numbers, ends, known, pool, rng):
    for k in range(numbers.shape[0]):
        number = wide(numbers[k])
        fill_position(number, wide(ends[k]) - wide(known.head_of[number]) - 1, known, pool, rng)
    return 0


@entry
def enter_name_heads(table, names, heads):
    mask = wide(table.shape[1] - 1)
    for k in range(names.shape[0]):
        name = wide(names[k])
        place = (name ^ (name >> 29)) & mask
        while table[1, place] != 0:
            place = (place + 1) & mask
        table[0, place] = name
        table[1, place] = heads[k]
    return 0
'''


def graph_source(game: Game) -> str:
    """The kernels between pools and graphs as text."""
    return pool_source(game) + LEVELS + WALKS
