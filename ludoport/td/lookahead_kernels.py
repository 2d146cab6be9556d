"""The text of the kernels that look at the tree below an afterstate: its shape as a code, and what search says of it.

Leaves are outcomes of the game for the learner, or not the end. Equal siblings are one, from the bottom upwards, so the
code knows neither how many moves there are nor what they mean. It is odd exactly if an outcome is in the tree.
"""

from __future__ import annotations

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
def td_begin(desk, level, seat):
    """Begin to look at the moves of the node on a level."""
    desk.levels[level, 0] = legal(desk.rows[level], desk.lists[level], desk.work)
    desk.levels[level, 1] = 0
    desk.levels[level, 2] = 0
    desk.levels[level, 3] = 0
    desk.levels[level, 4] = 1 if exchanged(desk.rows[level], wide(desk.rows[level, MOVER])) == seat else 0
    for k in range(4):
        desk.sums[level, k] = 0.0
    return 0


@kernel
def td_child(desk, level, code, lowest, highest, average):
    """A node on a level has one more child: its code joins the others unless it is there, its values are gathered."""
    first = desk.levels[level, 1] == 1
    mine = desk.levels[level, 4] == 1
    desk.sums[level, 3] += 1.0
    if first or highest > desk.sums[level, 1]:
        desk.sums[level, 1] = highest
    if mine:
        if first or lowest > desk.sums[level, 0]:
            desk.sums[level, 0] = lowest
        if first or average > desk.sums[level, 2]:
            desk.sums[level, 2] = average
    else:
        if first or lowest < desk.sums[level, 0]:
            desk.sums[level, 0] = lowest
        desk.sums[level, 2] += average
    if code & 1 == 1:
        desk.levels[level, 3] = 1
    n = wide(desk.levels[level, 2])
    place = n
    while place > 0 and desk.kids[level, place - 1] > code:
        place -= 1
    if place > 0 and desk.kids[level, place - 1] == code:
        return 0
    for k in range(n, place, -1):
        desk.kids[level, k] = desk.kids[level, k - 1]
    desk.kids[level, place] = code
    desk.levels[level, 2] = n + 1
    return 0


@kernel
def td_node(desk, level):
    """The code of a node whose children are all known."""
    h = td_mix(wide(0x2545F491), wide(desk.levels[level, 4]))
    for k in range(wide(desk.levels[level, 2])):
        h = td_mix(h, wide(desk.kids[level, k]))
    return ((h >> 1) << 1) | wide(desk.levels[level, 3])


@kernel
def td_look(desk, depth, seat, nested, terms, memory):
    """The code of the tree below desk.rows[0], which is not the end; its values by search are left in desk.sums[0].

    Where trees are nested, leaves that are afterstates whose feature is in the book stand for that feature.
    """
    level = 0
    td_begin(desk, wide(0), seat)
    while True:
        if desk.levels[level, 1] == desk.levels[level, 0]:
            if desk.levels[level, 4] == 0:
                desk.sums[level, 2] /= desk.sums[level, 3]
            code = td_node(desk, wide(level))
            if level == 0:
                return code
            level -= 1
            td_child(desk, wide(level), code, desk.sums[level + 1, 0], desk.sums[level + 1, 1], desk.sums[level + 1, 2]
            )
            continue
        k = wide(desk.levels[level, 1]) * MOVE_SIZE
        desk.levels[level, 1] += 1
        for i in range(STATE_SIZE):
            desk.rows[level + 1, i] = desk.rows[level, i]
        play(desk.rows[level + 1], desk.lists[level, k : k + MOVE_SIZE], desk.work)
        if desk.rows[level + 1, OVER] != 0:
            reward = td_reward(desk.rows[level + 1], seat, terms.numbers)
            code = td_mix(wide(0x1F123BB5), td_outcome(reward, terms.outcomes)) | 1
            td_child(desk, wide(level), code, reward, reward, reward)
        elif level + 1 == depth:
            value = terms.numbers[TD_DEFAULT]
            code = td_leaf(desk.rows[level + 1], nested, memory)
            td_child(desk, wide(level), code, value, value, value)
        else:
            level += 1
            td_begin(desk, wide(level), seat)


@kernel
def td_leaf(state, nested, memory):
    """The code of a leaf that is not the end."""
    if nested != 0:
        entry = td_entry(memory, state)
        if entry >= 0 and memory.book[BOOK_CODE, entry] & 1 == 1:
            return td_mix(wide(0x7A35B2C9), wide(memory.book[BOOK_CODE, entry])) | 1
    return wide(0x6C62272E)


@entry
def enter_td_look(desk, depth, seat, nested, terms, memory):
    return td_look(desk, depth, seat, nested, terms, memory)


@entry
def enter_td_codes(kept, entries, codes, desk, depth, seat, nested, terms, memory):
    for entry in range(entries):
        codes[entry] = 0
        if kept[entry, OVER] == 0:
            for i in range(STATE_SIZE):
                desk.rows[0, i] = kept[entry, i]
            codes[entry] = td_look(desk, depth, seat, nested, terms, memory)
    return 0
'''
