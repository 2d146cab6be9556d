"""Kernels between a pool and a graph: they replay the moves of a tree, which gives the key of every state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.pool import pool_source

if TYPE_CHECKING:
    from ludoport.game import Game

WALKS = '''
@kernel
def reach_heads(nodes, came, level, queue, head, mark):
    """Reach the heads below one, nearest first, that were not reached before; returns the greatest distance.

    ``came`` becomes the edge by which a head was reached, or the mark where that is -1.
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
            if link > 0 and came[link] == 0:
                came[link] = mark if mark == -1 else edge
                level[link] = level[head] + 1
                queue[n] = link
                n += 1
    return wide(level[head])


@kernel
def list_edges(root, rows, stack, work, nodes, sums, tree_moves, head, came, names, person, visits, worths, moves_out):
    """Write all visited edges of the heads that were reached, with the keys of both ends; returns how many.

    The walk follows the edges in ``came``, so that every head is entered once and no line is longer than need be.
    """
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
        if nodes[NODE_VISITS, edge] == 0:
            continue
        for i in range(STATE_SIZE):
            rows[level + 1, i] = rows[level, i]
        play(rows[level + 1], tree_moves[edge], work)
        name = wide(key(rows[level + 1]))
        names[0, n] = stack[2, level]
        names[1, n] = name
        person[n] = wide(sums[0, head])
        visits[n] = nodes[NODE_VISITS, edge]
        worths[n] = sums[0, edge]
        for c in range(MOVE_SIZE):
            moves_out[n, c] = tree_moves[edge, c]
        n += 1
        link = wide(nodes[NODE_LINK, edge])
        if link > 0 and came[link] == edge:
            level += 1
            stack[0, level] = link
            stack[1, level] = link + 1
            stack[2, level] = name
    return n


@kernel
def list_position(state, moves, work, number, counts, persons, order, listed, found):
    """Write the legal moves of one position of a graph after those of the positions before it."""
    n = legal(state, moves, work)
    k = wide(found[0])
    total = wide(found[1])
    order[k] = number
    counts[k] = n
    persons[k] = exchanged(state, wide(state[MOVER]))
    if total + n <= listed.shape[0]:
        for i in range(n):
            for c in range(MOVE_SIZE):
                listed[total + i, c] = moves[i * MOVE_SIZE + c]
    found[0] = k + 1
    found[1] = total + n
    return 0


@kernel
def list_positions(
    root, rows, stack, work, moves, keys, first, child, edge_moves, came, start, counts, persons, order, listed, found
):
    """Replay a graph and write the legal moves of all positions that have edges, as far as there is room."""
    for i in range(STATE_SIZE):
        rows[0, i] = root[i]
    found[0] = 0
    found[1] = 0
    level = 0
    stack[0, 0] = start
    stack[1, 0] = first[start]
    list_position(rows[0], moves, work, wide(start), counts, persons, order, listed, found)
    while level >= 0:
        number = wide(stack[0, level])
        edge = wide(stack[1, level])
        if edge == wide(first[number + 1]):
            level -= 1
            continue
        stack[1, level] = edge + 1
        behind = wide(child[edge])
        if came[behind] != edge or first[behind] == first[behind + 1]:
            continue
        for i in range(STATE_SIZE):
            rows[level + 1, i] = rows[level, i]
        play(rows[level + 1], edge_moves[edge], work)
        if rows[level + 1, OVER] != 0 or wide(key(rows[level + 1])) != wide(keys[behind]):
            continue
        level += 1
        stack[0, level] = behind
        stack[1, level] = first[behind]
        list_position(rows[level], moves, work, behind, counts, persons, order, listed, found)
    return wide(found[1])


@entry
def enter_reach_heads(nodes, came, level, queue, head, mark):
    return reach_heads(nodes, came, level, queue, wide(head), wide(mark))


@entry
def enter_list_edges(
    root, rows, stack, work, nodes, sums, tree_moves, head, came, names, person, visits, worths, moves_out
):
    return list_edges(
        root, rows, stack, work, nodes, sums, tree_moves, wide(head), came, names, person, visits, worths, moves_out
    )


@entry
def enter_list_positions(
    root, rows, stack, work, moves, keys, first, child, edge_moves, came, start, counts, persons, order, listed, found
):
    return list_positions(
        root, rows, stack, work, moves, keys, first, child, edge_moves, came, start, counts, persons, order, listed,
        found,
    )


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
    return pool_source(game) + WALKS
