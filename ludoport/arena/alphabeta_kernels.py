"""Alpha-beta search as text that is added to a game's kernels.

All values are from the view of seat 1, which maximises them; seat 2 minimises them. The seat to move is read from the
position, so turns of several moves and swapped colours need no further thought. There is no recursion: every level
has a row for its position, its moves and its window, and the search can stop at any node and continue later.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

FRAME = ("COUNT", "TRIED", "PERSON", "HASH", "CHOSEN", "CUT", "SINCE", "MOVE")
"""Numbers of a level: moves, moves tried, seat to move, hash, best move, whether the depth limit mattered."""

WINDOW = ("ALPHA", "BETA", "LOW", "HIGH", "BEST")
"""The window now and when the node was begun, and the best value so far."""

ENTRY = ("DEPTH", "BOUND", "HINT", "EFFORT")
"""Fields of an entry of the table beside hash and value: depth, exact or a bound, best move, number of nodes."""


class SearchLevels(NamedTuple):
    """Rows of the levels of a search.

    Attributes:
        states: positions, shape (levels, state size).
        lists: their legal moves, shape (levels, moves times move size).
        scores: how promising these are, -1 for those that were tried; shape (levels, moves).
        frames: see ``FRAME``; shape (levels, numbers).
        windows: see ``WINDOW``; shape (levels, numbers).
    """

    states: NDArray[Any]
    lists: NDArray[Any]
    scores: NDArray[np.int64]
    frames: NDArray[np.int64]
    windows: NDArray[np.float64]


class Transpositions(NamedTuple):
    """Positions that the search remembers.

    Attributes:
        keys: their hashes, 0 for none; shape (places,).
        values: their values, shape (places,).
        entries: see ``ENTRY``; shape (places, numbers).
    """

    keys: NDArray[np.int64]
    values: NDArray[np.float64]
    entries: NDArray[np.int64]


class AlphaBetaDesk(NamedTuple):
    """Memory of a search besides its levels.

    Attributes:
        history: how often moves cut off a search, by player and hash of the move; shape (3, counters).
        spare: a row for random games, shape (state size,).
        rng: random state.
        work: scratch space.
    """

    history: NDArray[np.int64]
    spare: NDArray[Any]
    rng: NDArray[np.int64]
    work: NDArray[Any]


CONTROL = ("LEVEL", "NODES")
"""State of the search between calls: current level, and number of nodes."""

WHOLE = 1 << 20
"""The depth of what holds for the whole game, however deep."""

HISTORY_SIZE = 4096
"""Moves share this many counters of how often they cut off a search."""

_IN_NO_ORDER = ("SLOT", "EMPTY", "N_EMPTY", "OWN", "N_OWN", "ROOT", "TOUCH", "OWNED", "OWNED_PIECE", "OWNED_HERE")
"""Fields that only repeat what the others say, in an order that depends on how the position came about."""

_HASH = '''
@kernel
def ab_mix(h, v):
    """One more number in a hash of 63 bits."""
    h = ((h ^ (v & 0xFFFFFFFF)) * 0x2545F4914F6CDD1D) & 0x7FFFFFFFFFFFFFFF
    return h ^ (h >> 29)


@kernel
def ab_hash(state):
    """A hash of all that may matter for the future of a position; never 0."""
    h = 0x1B873593
{loops}
    return h | 1


@kernel
def ab_person(state):
    """The person to move."""
    return {person}
'''

_SEARCH = '''
@kernel
def ab_move(moves, k):
    """A hash of the move with number k."""
    h = 0x2545F491
    for i in range(k * MOVE_SIZE, (k + 1) * MOVE_SIZE):
        h = ab_mix(h, wide(moves[i]))
    return h


@kernel
def ab_result(state):
    """What person 1 got more than person 2, from -1 to 1."""
    if N_PLAYERS == 1:
        return utility(state, wide(1)) * 1.0
    value = 0.5 * (utility(state, wide(1)) - utility(state, wide(2)))
    if ab_person(state) != wide(state[MOVER]):
        return -value
    return value * 1.0


@kernel
def ab_estimate(state, moves, desk, playouts):
    """What a position may be worth: 0, or the mean of random games; never as much as a win that is certain."""
    total = 0.0
    for _ in range(playouts):
        for i in range(STATE_SIZE):
            desk.spare[i] = state[i]
        playout(desk.spare, desk.rng, moves, desk.work, wide(1000000))
        total += ab_result(desk.spare)
    if playouts > 0:
        return 0.99 * total / playouts
    return total


@kernel
def ab_open(level, alpha, beta, hashed, hint, nodes, levels, desk):
    """Begin a node: list its moves and rate how promising they are; returns how many there are."""
    moves = levels.lists[level]
    for i in range(MAX_MOVES * MOVE_SIZE):
        moves[i] = 0  # so that equal moves have equal hashes
    n = legal(levels.states[level], moves, desk.work)
    person = ab_person(levels.states[level])
    for k in range(n):
        h = ab_move(moves, k)
        levels.scores[level, k] = desk.history[person, h & HISTORY_MASK]
        if h == hint:
            levels.scores[level, k] = 0x3FFFFFFFFFFFFFFF
    levels.frames[level, FRAME_COUNT] = n
    levels.frames[level, FRAME_TRIED] = 0
    levels.frames[level, FRAME_PERSON] = person
    levels.frames[level, FRAME_HASH] = hashed
    levels.frames[level, FRAME_CHOSEN] = -1
    levels.frames[level, FRAME_CUT] = 0
    levels.frames[level, FRAME_SINCE] = nodes
    levels.windows[level, WINDOW_ALPHA] = alpha
    levels.windows[level, WINDOW_BETA] = beta
    levels.windows[level, WINDOW_LOW] = alpha
    levels.windows[level, WINDOW_HIGH] = beta
    levels.windows[level, WINDOW_BEST] = -2.0 if person == 1 else 2.0
    return n


@kernel
def ab_pick(level, levels):
    """The most promising move that was not tried."""
    best = 0
    top = -1
    for k in range(levels.frames[level, FRAME_COUNT]):
        if levels.scores[level, k] > top:
            top = levels.scores[level, k]
            best = k
    levels.scores[level, best] = -1
    levels.frames[level, FRAME_TRIED] += 1
    levels.frames[level, FRAME_MOVE] = best
    return best


@kernel
def ab_take(level, value, cut, levels):
    """The move that was tried last at a level has this value."""
    if levels.frames[level, FRAME_PERSON] == 1:
        if value > levels.windows[level, WINDOW_BEST]:
            levels.windows[level, WINDOW_BEST] = value
            levels.frames[level, FRAME_CHOSEN] = levels.frames[level, FRAME_MOVE]
        if value > levels.windows[level, WINDOW_ALPHA]:
            levels.windows[level, WINDOW_ALPHA] = value
    else:
        if value < levels.windows[level, WINDOW_BEST]:
            levels.windows[level, WINDOW_BEST] = value
            levels.frames[level, FRAME_CHOSEN] = levels.frames[level, FRAME_MOVE]
        if value < levels.windows[level, WINDOW_BETA]:
            levels.windows[level, WINDOW_BETA] = value
    levels.frames[level, FRAME_CUT] |= cut
    return 0


@kernel
def ab_find(hashed, table):
    """The place of a position in the table, -1 if it is not there."""
    place = hashed % table.keys.shape[0]
    if table.keys[place] == hashed:
        return place
    if table.keys[place ^ 1] == hashed:
        return place ^ 1
    return wide(-1)


@kernel
def ab_store(level, depth, nodes, levels, table):
    """Keep what is known about a node; of each pair of places one is for what took long, one for what came last."""
    hashed = levels.frames[level, FRAME_HASH]
    place = ab_find(hashed, table)
    effort = nodes - levels.frames[level, FRAME_SINCE]
    if place < 0:
        place = (hashed % table.keys.shape[0]) & ~1
        if table.entries[place, ENTRY_EFFORT] > effort:
            place += 1
    best = levels.windows[level, WINDOW_BEST]
    bound = 0
    if best <= levels.windows[level, WINDOW_LOW]:
        bound = -1
    elif best >= levels.windows[level, WINDOW_HIGH]:
        bound = 1
    table.keys[place] = hashed
    table.values[place] = best
    table.entries[place, ENTRY_BOUND] = bound
    table.entries[place, ENTRY_DEPTH] = depth - level if levels.frames[level, FRAME_CUT] != 0 else WHOLE
    table.entries[place, ENTRY_HINT] = ab_move(levels.lists[level], levels.frames[level, FRAME_CHOSEN])
    table.entries[place, ENTRY_EFFORT] = effort
    return 0


@kernel
def ab_close(level, depth, nodes, levels, table, desk):
    """End a node: remember what it taught."""
    if abs(levels.windows[level, WINDOW_BEST]) >= 1.0:
        levels.frames[level, FRAME_CUT] = 0  # estimates stay below 1, so this was seen, not estimated
    if levels.frames[level, FRAME_TRIED] < levels.frames[level, FRAME_COUNT]:
        h = ab_move(levels.lists[level], levels.frames[level, FRAME_CHOSEN])
        desk.history[levels.frames[level, FRAME_PERSON], h & HISTORY_MASK] += (depth - level) * (depth - level)
    if table.keys.shape[0] > 1:
        ab_store(level, depth, nodes, levels, table)
    return 0


@kernel
def ab_step(level, depth, nodes, playouts, levels, table, desk):
    """Try one move at a level; returns the level where the search continues: deeper only if a node was begun."""
    k = ab_pick(level, levels)
    state = levels.states[level + 1]
    for i in range(STATE_SIZE):
        state[i] = levels.states[level, i]
    play(state, levels.lists[level, k * MOVE_SIZE : (k + 1) * MOVE_SIZE], desk.work)
    if state[OVER] != 0:
        ab_take(level, ab_result(state), wide(0), levels)
        return level
    if level + 1 == depth:
        value = ab_estimate(state, levels.lists[level + 1], desk, playouts)
        ab_take(level, value, wide(1), levels)
        return level
    alpha = levels.windows[level, WINDOW_ALPHA]
    beta = levels.windows[level, WINDOW_BETA]
    hashed = wide(0)
    hint = wide(0)
    if table.keys.shape[0] > 1:
        hashed = ab_hash(state)
        place = ab_find(hashed, table)
        if place >= 0:
            hint = table.entries[place, ENTRY_HINT]
            bound = table.entries[place, ENTRY_BOUND]
            value = table.values[place]
            known = bound == 0 or (bound > 0 and value >= beta) or (bound < 0 and value <= alpha)
            if known and table.entries[place, ENTRY_DEPTH] >= depth - level - 1:
                ab_take(level, value, wide(table.entries[place, ENTRY_DEPTH] != WHOLE), levels)
                return level
    n = ab_open(level + 1, alpha, beta, hashed, hint, nodes, levels, desk)
    if n == 0:
        ab_take(level, ab_result(state), wide(0), levels)
        return level
    return level + 1


@kernel
def ab_root(hint, levels, desk):
    """Begin the search; moves that look equally promising come in random order."""
    n = ab_open(wide(0), -1.0, 1.0, ab_hash(levels.states[0]), hint, wide(0), levels, desk)
    for k in range(n):
        if levels.scores[0, k] < 0x3FFFFFFF:
            levels.scores[0, k] = levels.scores[0, k] * 1024 + draw_number(desk.rng, 1024)
    return n


@kernel
def ab_run(control, depth, budget, playouts, levels, table, desk):
    """Continue the search for ``budget`` nodes; returns 1 if the search to this depth is done."""
    level = wide(control[CONTROL_LEVEL])
    nodes = wide(control[CONTROL_NODES])
    last = nodes + budget
    done = 0
    while done == 0 and nodes < last:
        left = levels.frames[level, FRAME_COUNT] - levels.frames[level, FRAME_TRIED]
        if left > 0 and levels.windows[level, WINDOW_ALPHA] < levels.windows[level, WINDOW_BETA]:
            nodes += 1
            level = ab_step(level, depth, nodes, playouts, levels, table, desk)
            continue
        ab_close(level, depth, nodes, levels, table, desk)
        if level == 0:
            done = 1
        else:
            level -= 1
            ab_take(level, levels.windows[level + 1, WINDOW_BEST], levels.frames[level + 1, FRAME_CUT], levels)
    control[CONTROL_LEVEL] = level
    control[CONTROL_NODES] = nodes
    return done


@entry
def enter_ab_root(hint, levels, desk):
    return ab_root(hint, levels, desk)


@entry
def enter_ab_move(moves, k):
    return ab_move(moves, k)


@entry
def enter_ab_run(control, depth, budget, playouts, levels, table, desk):
    return ab_run(control, depth, budget, playouts, levels, table, desk)
'''


def kernels(fields: Mapping[str, int], state_size: int) -> str:
    """The text for a game whose rows have these fields."""
    lines = [f"WHOLE = {WHOLE}", f"HISTORY_MASK = {HISTORY_SIZE - 1}"]
    for prefix, names in (("FRAME", FRAME), ("WINDOW", WINDOW), ("ENTRY", ENTRY), ("CONTROL", CONTROL)):
        lines += [f"{prefix}_{name} = {number}" for number, name in enumerate(names)]
    loops = "\n".join(
        f"    for i in range({begin}, {end}):\n        h = ab_mix(h, wide(state[i]))"
        for begin, end in _hashed_parts(fields, state_size)
    )
    person = "3 - wide(state[MOVER]) if state[SWAPPED] != 0 else wide(state[MOVER])"
    simple = "wide(state[MOVER])"
    text = _HASH.replace("{loops}", loops).replace("{person}", person if "SWAPPED" in fields else simple)
    return "\n".join(lines) + "\n" + text + _SEARCH


def _hashed_parts(fields: Mapping[str, int], state_size: int) -> list[tuple[int, int]]:
    """The parts of a row that distinguish positions, as (begin, end)."""
    places = sorted((begin, name) for name, begin in fields.items())
    parts: list[tuple[int, int]] = []
    for (begin, name), (end, _) in zip(places, [*places[1:], (state_size, "")], strict=True):
        if name in _IN_NO_ORDER or begin == end:
            continue
        if parts and parts[-1][1] == begin:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((begin, end))
    return parts if not places or places[0][0] == 0 else [(0, places[0][0]), *parts]
