"""The kernels of a network, as text that is the same for all games; only tables and constants differ.

The numbers of the gates live in ``work``: for every gate a counter that is positive exactly if the gate is true
(a disjunction counts its true inputs, a conjunction counts up to 1). ``work`` remembers for which facts its counters
are right; a state that differs from them is reached by telling the gates behind each changed fact, and nothing else.
"""

from __future__ import annotations

from ludoport.gdl.shared_text import LEGAL, choosing, first_chooser, joined, settle

GATES = '''
@kernel
def value(work, literal):
    """Whether a literal holds: 0 or 1."""
    if work[literal >> 1] > 0:
        return 1 - (literal & 1)
    return literal & 1


@kernel
def load(work):
    """Write the counters of the initial position."""
    for i in range(SNAPSHOT_SIZE):
        work[i] = SNAPSHOT[i]
    return 0


@kernel
def flip(work, fact):
    """Turn one fact into its opposite."""
    word = SHADOW + fact // WORD_BITS
    work[word] = wide(work[word]) ^ (1 << (fact % WORD_BITS))
    up = 1 - wide(work[1 + fact])
    work[1 + fact] = up
    propagate(work, 1 + fact, up)
    return 0


@kernel
def sync(state, work):
    """Make the counters right for the facts of a state."""
    if work[MAGIC] != MAGIC_LOW or work[MAGIC + 1] != MAGIC_HIGH:
        load(work)
    same = 1
    for w in range(WORDS):
        if work[SHADOW + w] != state[BITS + w]:
            same = 0
            break
    if same == 1:
        return 0
    same = 1
    for w in range(WORDS):
        if SNAPSHOT[SHADOW + w] != state[BITS + w]:
            same = 0
            break
    if same == 1:
        load(work)
        return 0
    for w in range(WORDS):
        changed = wide(work[SHADOW + w]) ^ wide(state[BITS + w])
        fact = w * WORD_BITS
        while changed != 0:
            if changed & 1 == 1:
                flip(work, fact)
            changed >>= 1
            fact += 1
    finish(work)
    return 0


@kernel
def compute(state, work, place):
    """The value of a gate that is only looked at when it is needed."""
    kind = wide(ASKED_KIND[place])
    first = wide(ASKED_START[place])
    if kind == 2:
        role = wide(ASKED_INPUT[first])
        local = wide(state[CHOICE + role]) - 1 - wide(ROLE_FIRST[role])
        bits = wide(SETS[wide(ASKED_INPUT[first + 1]) + local // SET_BITS])
        work[ASKED + place] = (bits >> (local % SET_BITS)) & 1
        return 0
    result = 1 - kind
    for k in range(first, wide(ASKED_START[place + 1])):
        if value(work, wide(ASKED_INPUT[k])) == kind:
            result = kind
            break
    work[ASKED + place] = result
    return 0


@kernel
def prepare(state, work, number):
    """Compute the gates that several facts of a list ask for."""
    for k in range(wide(PROGRAM_START[number]), wide(PROGRAM_START[number + 1])):
        compute(state, work, wide(PROGRAM[k]))
    return 0


@kernel
def collect(state, work, number, flips):
    """Note which facts of a list change; returns how many have been noted."""
    prepare(state, work, number)
    for k in range(wide(ENTRY_START[number]), wide(ENTRY_START[number + 1])):
        fact = wide(ENTRY_FACT[k])
        # A fact that needs one of some others cannot come true without them, whatever its gates say.
        t = wide(NEED_START[k])
        end = wide(NEED_START[k + 1])
        possible = t == end
        while t < end and not possible:
            possible = value(work, wide(NEED[t])) == 1
            t += 1
        now = 0
        if possible:
            for p in range(wide(OWN_START[k]), wide(OWN_START[k + 1])):
                compute(state, work, wide(OWN[p]))
            now = value(work, wide(ENTRY_SOURCE[k]))
        if now != work[1 + fact]:
            work[FLIPS + flips] = fact
            flips += 1
    return flips


@kernel
def count(work, role):
    """How many legal moves a role has."""
    n = 0
    for g in range(wide(ROLE_GROUP[role]), wide(ROLE_GROUP[role + 1])):
        if value(work, wide(GROUP_GUARD[g])) == 1:
            for b in range(wide(GROUP_BLOCK[g]), wide(GROUP_BLOCK[g + 1])):
                n += wide(work[BLOCK + b])
    return n


@kernel
def nth(work, role, k):
    """The legal move number k of a role."""
    for g in range(wide(ROLE_GROUP[role]), wide(ROLE_GROUP[role + 1])):
        if value(work, wide(GROUP_GUARD[g])) == 1:
            for b in range(wide(GROUP_BLOCK[g]), wide(GROUP_BLOCK[g + 1])):
                here = wide(work[BLOCK + b])
                if k < here:
                    m = b * BLOCK_MOVES
                    while k >= 0:
                        k -= wide(work[FLAG + m])
                        m += 1
                    return m - 1
                k -= here
    return 0


@kernel
def score(state, work):
    """Write the goal value of each role; -1 where there is not exactly one."""
    prepare(state, work, wide(GOAL_LIST))
    for r in range(N_PLAYERS):
        found = 0
        worth = -1
        for k in range(wide(GOAL_START[r]), wide(GOAL_START[r + 1])):
            if value(work, wide(GOAL_SOURCE[k])) == 1:
                found += 1
                worth = wide(GOAL_VALUE[k])
        state[GOAL + r] = worth if found == 1 else -1
    return 0
'''
"""Kernels that find out what holds in a state: its facts and gates, the numbers of legal moves, and the goals."""

MOVES_OF_ROLE = '''
@kernel
def role_moves(state, role, moves, work):
    """List the legal moves of a role."""
    sync(state, work)
    n = 0
    for g in range(wide(ROLE_GROUP[role]), wide(ROLE_GROUP[role + 1])):
        if value(work, wide(GROUP_GUARD[g])) == 1:
            for b in range(wide(GROUP_BLOCK[g]), wide(GROUP_BLOCK[g + 1])):
                if work[BLOCK + b] > 0:
                    for m in range(b * BLOCK_MOVES, (b + 1) * BLOCK_MOVES):
                        if work[FLAG + m] > 0:
                            moves[MOVE_SIZE * n] = m
                            moves[MOVE_SIZE * n + 1] = role + 1
                            n += 1
    return n
'''
"""The moves of one role in a state."""

STEP = '''
@kernel
def step(state, work):
    """All roles have chosen: go to the next state."""
    flips = collect(state, work, wide(ALWAYS_LIST), wide(0))
    busy = 0
    last = 0
    for r in range(N_PLAYERS):
        m = wide(state[CHOICE + r]) - 1
        flips = collect(state, work, wide(ALONE[m]), flips)
        if IDLE_SET[m] == 0:
            busy += 1
            last = m
    if busy == 0:
        last = wide(state[CHOICE]) - 1
    if busy > 1:
        flips = collect(state, work, wide(GENERAL_LIST), flips)
    else:
        flips = collect(state, work, wide(JOINT[last]), flips)
    # Facts that end come first, because their gates then have less to tell.
    for side in range(2):
        for k in range(flips):
            fact = wide(work[FLIPS + k])
            if fact >= 0 and work[1 + fact] != side:
                flip(work, fact)
                word = BITS + fact // WORD_BITS
                state[word] = wide(state[word]) ^ (1 << (fact % WORD_BITS))
                work[FLIPS + k] = -1
    finish(work)
    return 0
'''
"""From a state to the next one."""

COMMON = joined(
    GATES,
    first_chooser("IDLE_SET[nth(work, r, wide(0))] == 0"),
    settle("value(work, wide(TERMINAL)) == 1"),
    MOVES_OF_ROLE,
    LEGAL,
    STEP,
    choosing(),
)
