"""The text of the kernels that look at the tree below an afterstate: its shape as a code, and what search says of it.

Leaves are outcomes of the game for the learner, or not the end. Equal siblings are one, from the bottom upwards, so the
code knows neither how many moves there are nor what they mean. It is odd exactly if an outcome is in the tree.
"""

from __future__ import annotations

LOOK_VALUES = ("minimax", "maxmax", "avgmax")
"""Ways to value an afterstate by search, in the order of the results."""

LOOKAHEAD = '''
@kernel
def td_mix(h, x):
    """One more number in a hash of 63 bits."""
    h ^= x
    h = ((h & 0xFFFFFFFF) * 0x9E3779B1 + ((h >> 32) ^ 0x5BD1E995)) & 0x7FFFFFFFFFFFFFFF
    return h ^ (h >> 29)


@kernel
def td_outcome(reward, outcomes):
    """The class of a reward: that of the nearest one listed."""
    best = 0
    for k in range(1, outcomes.shape[1]):
        if abs(outcomes[0, k] - reward) < abs(outcomes[0, best] - reward):
            best = k
    return wide(outcomes[1, best])


@kernel
def td_begin(rows, lists, levels, sums, level, seat, work):
    """Begin to look at the moves of the node on a level."""
    levels[level, 0] = legal(rows[level], lists[level], work)
    levels[level, 1] = 0
    levels[level, 2] = 0
    levels[level, 3] = 0
    levels[level, 4] = 1 if exchanged(rows[level], wide(rows[level, MOVER])) == seat else 0
    for k in range(4):
        sums[level, k] = 0.0
    return 0


@kernel
def td_child(kids, levels, sums, level, code, lowest, highest, average):
    """A node on a level has one more child: its code joins the others unless it is there, its values are gathered."""
    first = levels[level, 1] == 1
    mine = levels[level, 4] == 1
    sums[level, 3] += 1.0
    if first or highest > sums[level, 1]:
        sums[level, 1] = highest
    if mine:
        if first or lowest > sums[level, 0]:
            sums[level, 0] = lowest
        if first or average > sums[level, 2]:
            sums[level, 2] = average
    else:
        if first or lowest < sums[level, 0]:
            sums[level, 0] = lowest
        sums[level, 2] += average
    if code & 1 == 1:
        levels[level, 3] = 1
    n = wide(levels[level, 2])
    place = n
    while place > 0 and kids[level, place - 1] > code:
        place -= 1
    if place > 0 and kids[level, place - 1] == code:
        return 0
    for k in range(n, place, -1):
        kids[level, k] = kids[level, k - 1]
    kids[level, place] = code
    levels[level, 2] = n + 1
    return 0


@kernel
def td_node(kids, levels, level):
    """The code of a node whose children are all known."""
    h = td_mix(wide(0x2545F491), wide(levels[level, 4]))
    for k in range(wide(levels[level, 2])):
        h = td_mix(h, wide(kids[level, k]))
    return ((h >> 1) << 1) | wide(levels[level, 3])


@kernel
def td_look(rows, lists, kids, levels, sums, work, depth, seat, nested, numbers, outcomes, slots, book):
    """The code of the tree below rows[0], which is not the end; its values by search are left in sums[0].

    Where trees are nested, leaves that are afterstates whose feature is in the book stand for that feature.
    """
    level = 0
    td_begin(rows, lists, levels, sums, wide(0), seat, work)
    while True:
        if levels[level, 1] == levels[level, 0]:
            if levels[level, 4] == 0:
                sums[level, 2] /= sums[level, 3]
            code = td_node(kids, levels, wide(level))
            if level == 0:
                return code
            level -= 1
            td_child(
                kids, levels, sums, wide(level), code, sums[level + 1, 0], sums[level + 1, 1], sums[level + 1, 2]
            )
            continue
        k = wide(levels[level, 1]) * MOVE_SIZE
        levels[level, 1] += 1
        for i in range(STATE_SIZE):
            rows[level + 1, i] = rows[level, i]
        play(rows[level + 1], lists[level, k : k + MOVE_SIZE], work)
        if rows[level + 1, OVER] != 0:
            reward = td_reward(rows[level + 1], seat, numbers)
            code = td_mix(wide(0x1F123BB5), td_outcome(reward, outcomes)) | 1
            td_child(kids, levels, sums, wide(level), code, reward, reward, reward)
        elif level + 1 == depth:
            value = numbers[TD_DEFAULT]
            code = td_leaf(rows[level + 1], nested, slots, book)
            td_child(kids, levels, sums, wide(level), code, value, value, value)
        else:
            level += 1
            td_begin(rows, lists, levels, sums, wide(level), seat, work)


@kernel
def td_leaf(state, nested, slots, book):
    """The code of a leaf that is not the end."""
    if nested != 0:
        entry = td_entry(slots, book, state)
        if entry >= 0 and book[BOOK_CODE, entry] & 1 == 1:
            return td_mix(wide(0x7A35B2C9), wide(book[BOOK_CODE, entry])) | 1
    return wide(0x6C62272E)


@entry
def enter_td_look(rows, lists, kids, levels, sums, work, depth, seat, nested, numbers, outcomes, slots, book):
    return td_look(rows, lists, kids, levels, sums, work, depth, seat, nested, numbers, outcomes, slots, book)


@entry
def enter_td_codes(
    kept, entries, codes, rows, lists, kids, levels, sums, work, depth, seat, nested, numbers, outcomes, slots, book
):
    for entry in range(entries):
        codes[entry] = 0
        if kept[entry, OVER] == 0:
            for i in range(STATE_SIZE):
                rows[0, i] = kept[entry, i]
            codes[entry] = td_look(
                rows, lists, kids, levels, sums, work, depth, seat, nested, numbers, outcomes, slots, book
            )
    return 0
'''
"""One level of ``rows``, ``lists``, ``kids``, ``levels`` and ``sums`` for each move of the lookahead.

``levels`` holds the number of moves, how many were looked at, how many codes differ, whether an outcome was met, and
whether the learner moves; ``sums`` the values so far and the number of children.
"""
