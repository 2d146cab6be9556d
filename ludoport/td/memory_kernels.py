"""The text of the kernels that remember afterstates and learn their values after a match."""

from __future__ import annotations

BOOK = ("KEY", "VISITS", "CODE")
"""Columns of an afterstate beside its value: its key, its visits, the tree below it."""

NUMBERS = ("ALPHA", "GAMMA", "LAMBDA", "EPSILON", "OTHER_EPSILON", "DEFAULT", "LOSS", "WIN")
"""Real numbers that a match is given."""

MEMORY = '''
@kernel
def td_place(memory, name):
    """The slot of an afterstate, by its key; a free one if nothing is known of it."""
    mask = wide(memory.slots.shape[0] - 1)
    place = (name ^ (name >> 29)) & mask
    while memory.slots[place] >= 0 and memory.book[BOOK_KEY, wide(memory.slots[place])] != name:
        place = (place + 1) & mask
    return place


@kernel
def td_entry(memory, state):
    """The entry of an afterstate, -1 if there is none."""
    return wide(memory.slots[td_place(memory, key(state))])


@kernel
def td_add(memory, state, value, code):
    """Write a new afterstate down; there must be room. Returns its entry."""
    name = key(state)
    entry = wide(memory.counts[0])
    memory.counts[0] = entry + 1
    memory.slots[td_place(memory, name)] = entry
    memory.book[BOOK_KEY, entry] = name
    memory.book[BOOK_VISITS, entry] = 0
    memory.book[BOOK_CODE, entry] = code
    memory.q[entry] = value
    if entry < memory.kept.shape[0]:
        for i in range(STATE_SIZE):
            memory.kept[entry, i] = state[i]
    return entry


@kernel
def td_reward(state, seat, numbers):
    """The reward of a seat at the end of a match; a match that was cut short is a draw."""
    gained = 0.0
    if state[OVER] != 0:
        gained = utility(state, exchanged(state, wide(seat)))
    return numbers[TD_LOSS] + (numbers[TD_WIN] - numbers[TD_LOSS]) * (gained + 1.0) * 0.5


@kernel
def td_update(q, trail, length, reward, numbers):
    """Eq. 1 of the paper for all moments of a match at once: the values of the afterstates on the trail.

    The error at a moment changes all afterstates before it, less the further back. A match meets an afterstate once
    in most games; otherwise all errors are those of the values before the match.
    """
    later = 0.0
    for t in range(length - 1, -1, -1):
        trail[1, t] = -q[wide(trail[0, t])]
        if t + 1 < length:
            trail[1, t] += numbers[TD_GAMMA] * q[wide(trail[0, t + 1])]
        else:
            trail[1, t] += reward
    for t in range(length - 1, -1, -1):
        later = trail[1, t] + numbers[TD_LAMBDA] * later
        q[wide(trail[0, t])] += numbers[TD_ALPHA] * later
    return 0


@entry
def enter_td_rehash(memory, entries):
    for place in range(memory.slots.shape[0]):
        memory.slots[place] = -1
    for number in range(entries):
        memory.slots[td_place(memory, wide(memory.book[BOOK_KEY, number]))] = number
    return 0


@entry
def enter_td_entry(memory, state):
    return td_entry(memory, state)


@entry
def enter_td_add(memory, state, value, code):
    return td_add(memory, state, value, code)


@entry
def enter_td_update(q, trail, length, reward, numbers):
    return td_update(q, trail, length, reward, numbers)
'''
"""Entries lie one after another; ``memory.slots`` (a power of two, at least half empty) finds them by their keys."""
