"""Alpha-beta search as text that is added to a game's kernels.

All values are from the view of person 1, who wants them high; person 2 wants them low. Which of them moves is read from
the position, so turns of several moves and swapped colours need no further thought. There is no recursion: every level
keeps its position, its moves and its window in a row of its own, and the search can stop at any node and go on later.
"""

from __future__ import annotations

from collections.abc import Mapping

FRAME = ("COUNT", "TRIED", "PERSON", "HASH", "CHOSEN", "CUT", "SINCE", "MOVE")
"""What a level knows: its moves and how many were tried, who moves, the best move, whether the depth limit mattered."""

WINDOW = ("ALPHA", "BETA", "LOW", "HIGH", "BEST")
"""The window now and when the node was begun, and the best value so far."""

ENTRY = ("DEPTH", "BOUND", "HINT", "EFFORT")
"""What the table keeps beside hash and value: how deep, exact or a bound, the best move, how many nodes it took."""

CONTROL = ("LEVEL", "NODES")
"""Where the search stands."""

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
def ab_estimate(state, spare, rng, moves, work, playouts):
    """What a position may be worth: 0, or the mean of random games; never as much as a win that is certain."""
    total = 0.0
    for _ in range(playouts):
        for i in range(STATE_SIZE):
            spare[i] = state[i]
        playout(spare, rng, moves, work, wide(1000000))
        total += ab_result(spare)
    if playouts > 0:
        return 0.99 * total / playouts
    return total


@kernel
def ab_open(level, alpha, beta, hashed, hint, nodes, states, lists, scores, frames, windows, history, work):
    """Begin a node: list its moves and rate how promising they are; returns how many there are."""
    moves = lists[level]
    for i in range(MAX_MOVES * MOVE_SIZE):
        moves[i] = 0  # so that equal moves have equal hashes
    n = legal(states[level], moves, work)
    person = ab_person(states[level])
    for k in range(n):
        h = ab_move(moves, k)
        scores[level, k] = history[person, h & HISTORY_MASK]
        if h == hint:
            scores[level, k] = 0x3FFFFFFFFFFFFFFF
    frames[level, FRAME_COUNT] = n
    frames[level, FRAME_TRIED] = 0
    frames[level, FRAME_PERSON] = person
    frames[level, FRAME_HASH] = hashed
    frames[level, FRAME_CHOSEN] = -1
    frames[level, FRAME_CUT] = 0
    frames[level, FRAME_SINCE] = nodes
    windows[level, WINDOW_ALPHA] = alpha
    windows[level, WINDOW_BETA] = beta
    windows[level, WINDOW_LOW] = alpha
    windows[level, WINDOW_HIGH] = beta
    windows[level, WINDOW_BEST] = -2.0 if person == 1 else 2.0
    return n


@kernel
def ab_pick(level, scores, frames):
    """The most promising move that was not tried."""
    best = 0
    top = -1
    for k in range(frames[level, FRAME_COUNT]):
        if scores[level, k] > top:
            top = scores[level, k]
            best = k
    scores[level, best] = -1
    frames[level, FRAME_TRIED] += 1
    frames[level, FRAME_MOVE] = best
    return best


@kernel
def ab_take(level, value, cut, frames, windows):
    """The move that was tried last at a level has this value."""
    if frames[level, FRAME_PERSON] == 1:
        if value > windows[level, WINDOW_BEST]:
            windows[level, WINDOW_BEST] = value
            frames[level, FRAME_CHOSEN] = frames[level, FRAME_MOVE]
        if value > windows[level, WINDOW_ALPHA]:
            windows[level, WINDOW_ALPHA] = value
    else:
        if value < windows[level, WINDOW_BEST]:
            windows[level, WINDOW_BEST] = value
            frames[level, FRAME_CHOSEN] = frames[level, FRAME_MOVE]
        if value < windows[level, WINDOW_BETA]:
            windows[level, WINDOW_BETA] = value
    frames[level, FRAME_CUT] |= cut
    return 0


@kernel
def ab_find(hashed, keys):
    """The place of a position in the table, -1 if it is not there."""
    place = hashed % keys.shape[0]
    if keys[place] == hashed:
        return place
    if keys[place ^ 1] == hashed:
        return place ^ 1
    return wide(-1)


@kernel
def ab_store(level, depth, nodes, lists, frames, windows, keys, values, entries):
    """Keep what is known about a node; of each pair of places one is for what took long, one for what came last."""
    hashed = frames[level, FRAME_HASH]
    place = ab_find(hashed, keys)
    effort = nodes - frames[level, FRAME_SINCE]
    if place < 0:
        place = (hashed % keys.shape[0]) & ~1
        if entries[place, ENTRY_EFFORT] > effort:
            place += 1
    best = windows[level, WINDOW_BEST]
    bound = 0
    if best <= windows[level, WINDOW_LOW]:
        bound = -1
    elif best >= windows[level, WINDOW_HIGH]:
        bound = 1
    keys[place] = hashed
    values[place] = best
    entries[place, ENTRY_BOUND] = bound
    entries[place, ENTRY_DEPTH] = depth - level if frames[level, FRAME_CUT] != 0 else WHOLE
    entries[place, ENTRY_HINT] = ab_move(lists[level], frames[level, FRAME_CHOSEN])
    entries[place, ENTRY_EFFORT] = effort
    return 0


@kernel
def ab_close(level, depth, nodes, lists, frames, windows, history, keys, values, entries):
    """End a node: remember what it taught."""
    if abs(windows[level, WINDOW_BEST]) >= 1.0:
        frames[level, FRAME_CUT] = 0  # estimates stay below 1, so this was seen, not estimated
    if frames[level, FRAME_TRIED] < frames[level, FRAME_COUNT]:
        h = ab_move(lists[level], frames[level, FRAME_CHOSEN])
        history[frames[level, FRAME_PERSON], h & HISTORY_MASK] += (depth - level) * (depth - level)
    if keys.shape[0] > 1:
        ab_store(level, depth, nodes, lists, frames, windows, keys, values, entries)
    return 0


@kernel
def ab_step(
    level, depth, nodes, playouts, states, lists, scores, frames, windows, history, keys, values, entries, spare, rng,
    work,
):
    """Try one move at a level; returns the level where the search goes on: deeper only if a node was begun."""
    k = ab_pick(level, scores, frames)
    state = states[level + 1]
    for i in range(STATE_SIZE):
        state[i] = states[level, i]
    play(state, lists[level, k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)
    if state[OVER] != 0:
        ab_take(level, ab_result(state), wide(0), frames, windows)
        return level
    if level + 1 == depth:
        value = ab_estimate(state, spare, rng, lists[level + 1], work, playouts)
        ab_take(level, value, wide(1), frames, windows)
        return level
    alpha = windows[level, WINDOW_ALPHA]
    beta = windows[level, WINDOW_BETA]
    hashed = wide(0)
    hint = wide(0)
    if keys.shape[0] > 1:
        hashed = ab_hash(state)
        place = ab_find(hashed, keys)
        if place >= 0:
            hint = entries[place, ENTRY_HINT]
            bound = entries[place, ENTRY_BOUND]
            value = values[place]
            known = bound == 0 or (bound > 0 and value >= beta) or (bound < 0 and value <= alpha)
            if known and entries[place, ENTRY_DEPTH] >= depth - level - 1:
                ab_take(level, value, wide(entries[place, ENTRY_DEPTH] != WHOLE), frames, windows)
                return level
    n = ab_open(
        level + 1, alpha, beta, hashed, hint, nodes, states, lists, scores, frames, windows, history, work
    )
    if n == 0:
        ab_take(level, ab_result(state), wide(0), frames, windows)
        return level
    return level + 1


@kernel
def ab_root(hint, rng, states, lists, scores, frames, windows, history, work):
    """Begin the search; moves that look equally promising come in random order."""
    n = ab_open(
        wide(0), -1.0, 1.0, ab_hash(states[0]), hint, wide(0), states, lists, scores, frames, windows, history, work
    )
    for k in range(n):
        if scores[0, k] < 0x3FFFFFFF:
            scores[0, k] = scores[0, k] * 1024 + draw_number(rng, 1024)
    return n


@kernel
def ab_run(
    control, depth, budget, playouts, states, lists, scores, frames, windows, history, keys, values, entries, spare,
    rng, work,
):
    """Search on for so many nodes; returns 1 if the search to this depth is done."""
    level = wide(control[CONTROL_LEVEL])
    nodes = wide(control[CONTROL_NODES])
    last = nodes + budget
    done = 0
    while done == 0 and nodes < last:
        tried = frames[level, FRAME_TRIED]
        if tried < frames[level, FRAME_COUNT] and windows[level, WINDOW_ALPHA] < windows[level, WINDOW_BETA]:
            nodes += 1
            level = ab_step(
                level, depth, nodes, playouts, states, lists, scores, frames, windows, history, keys, values, entries,
                spare, rng, work,
            )
            continue
        ab_close(level, depth, nodes, lists, frames, windows, history, keys, values, entries)
        if level == 0:
            done = 1
        else:
            level -= 1
            ab_take(level, windows[level + 1, WINDOW_BEST], frames[level + 1, FRAME_CUT], frames, windows)
    control[CONTROL_LEVEL] = level
    control[CONTROL_NODES] = nodes
    return done


@entry
def enter_ab_root(hint, rng, states, lists, scores, frames, windows, history, work):
    return ab_root(hint, rng, states, lists, scores, frames, windows, history, work)


@entry
def enter_ab_move(moves, k):
    return ab_move(moves, k)


@entry
def enter_ab_run(
    control, depth, budget, playouts, states, lists, scores, frames, windows, history, keys, values, entries, spare,
    rng, work,
):
    return ab_run(
        control, depth, budget, playouts, states, lists, scores, frames, windows, history, keys, values, entries, spare,
        rng, work,
    )
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
    """The parts of a row that tell positions apart, as (begin, end)."""
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
