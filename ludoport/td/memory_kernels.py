"""The text of the kernels that remember afterstates and learn their values after a match."""

from __future__ import annotations

BOOK = ("KEY", "VISITS", "CODE")
"""What is written about an afterstate beside its value: its key, how often it was visited, the tree below it."""

NUMBERS = ("ALPHA", "GAMMA", "LAMBDA", "EPSILON", "OTHER_EPSILON", "DEFAULT", "LOSS", "WIN")
"""Real numbers that a match is given."""

MEMORY = '''
@kernel
def td_place(slots, book, name):
    """The slot of an afterstate, by its key; a free one if nothing is known of it."""
    mask = wide(slots.shape[0] - 1)
    place = (name ^ (name >> 29)) & mask
    while slots[place] >= 0 and book[BOOK_KEY, wide(slots[place])] != name:
        place = (place + 1) & mask
    return place


@kernel
def td_entry(slots, book, state):
    """The entry of an afterstate, -1 if there is none."""
    return wide(slots[td_place(slots, book, key(state))])


@kernel
def td_add(slots, book, q, kept, counts, state, value, code):
    """Write a new afterstate down; there must be room. Returns its entry."""
    name = key(state)
    entry = wide(counts[0])
    counts[0] = entry + 1
    slots[td_place(slots, book, name)] = entry
    book[BOOK_KEY, entry] = name
    book[BOOK_VISITS, entry] = 0
    book[BOOK_CODE, entry] = code
    q[entry] = value
    if entry < kept.shape[0]:
        for i in range(STATE_SIZE):
            kept[entry, i] = state[i]
    return entry


@kernel
def td_reward(state, person, numbers):
    """What a person got at the end of a match, on the scale of rewards; a match that was cut short is a draw."""
    gained = 0.0
    if state[OVER] != 0:
        gained = utility(state, exchanged(state, wide(person)))
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
def enter_td_rehash(slots, book, entries):
    for place in range(slots.shape[0]):
        slots[place] = -1
    for number in range(entries):
        slots[td_place(slots, book, wide(book[BOOK_KEY, number]))] = number
    return 0


@entry
def enter_td_entry(slots, book, state):
    return td_entry(slots, book, state)


@entry
def enter_td_add(slots, book, q, kept, counts, state, value, code):
    return td_add(slots, book, q, kept, counts, state, value, code)


@entry
def enter_td_update(q, trail, length, reward, numbers):
    return td_update(q, trail, length, reward, numbers)
'''
"""Entries lie one after another; ``slots`` (a power of two, at least half empty) finds them by their keys."""
