"""The kernels that are the same for all rulesheets whose rules are compiled.

The facts of a state are lists in the scratch space; whatever is asked about them is answered by functions that the
rules became, and remembered until the state changes. The scratch space knows for which facts this is right.
"""

from __future__ import annotations

from ludoport.gdl.shared_text import LEGAL, choosing, first_chooser, joined, settle

ANSWERS = '''
@kernel
def renew(work):
    """Forget everything that was found out about the last state."""
    work[GENERATION] = wide(work[GENERATION]) + 1
    work[TOP] = HEAP
    work[FAULT] = 0
    work[LISTED] = 0
    return 0


@kernel
def load(state, work):
    """Take over the facts of a state."""
    if work[TICK] > TURN_OVER or work[GENERATION] > TURN_OVER:
        work[MAGIC] = 0
    if work[MAGIC] != MAGIC_NUMBER:
        for i in range(STACK):
            work[i] = 0
        work[MAGIC] = MAGIC_NUMBER
        work[GENERATION] = 1
    renew(work)
    for w in range(WORDS):
        work[SHADOW + w] = state[BITS + w]
    for n in range(FLUENTS):
        clear_tuples(work, wide(n))
        end = wide(FACT_WORD[n + 1])
        for w in range(wide(FACT_WORD[n]), end):
            bits = wide(work[SHADOW + w])
            place = (w - wide(FACT_WORD[n])) * WORD_BITS
            while bits != 0:
                if bits & 1 == 1:
                    add_tuple(work, wide(n), place)
                bits >>= 1
                place += 1
    return 0


@kernel
def sync(state, work):
    """Make the scratch space right for a state."""
    if work[MAGIC] != MAGIC_NUMBER or work[GENERATION] == 0:
        load(state, work)
        return 0
    for w in range(WORDS):
        if work[SHADOW + w] != state[BITS + w]:
            load(state, work)
            return 0
    return 0


@kernel
def sift(work):
    """Sort the moves that were found and drop those that are there twice."""
    n = wide(work[FOUND])
    gap = 1
    while gap < n // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, n):
            x = wide(work[MOVES + i])
            j = i
            while j >= gap and work[MOVES + j - gap] > x:
                work[MOVES + j] = work[MOVES + j - gap]
                j -= gap
            work[MOVES + j] = x
        gap //= 3
    kept = 0
    for i in range(n):
        if kept == 0 or work[MOVES + i] != work[MOVES + kept - 1]:
            work[MOVES + kept] = work[MOVES + i]
            kept += 1
    work[FOUND] = kept
    return 0


@kernel
def found_move(work, constant, number):
    """A legal move of the role with this name; 1 if there is no room for it."""
    role = wide(ROLE_OF[constant])
    if role < 0 or number < 0:
        return 0
    if work[FOUND] == MOVES_ROOM:
        sift(work)
    if work[FOUND] == MOVES_ROOM:
        work[FAULT] = 1
        return 1
    work[MOVES + wide(work[FOUND])] = role * ALL_MOVES + number
    work[FOUND] = wide(work[FOUND]) + 1
    return 0


@kernel
def find_moves(work):
    """List the legal moves of all roles, unless that has been done for this state."""
    if work[LISTED] == 1:
        return 0
    work[FOUND] = 0
    run(work, wide(EACH_LEGAL))
    sift(work)
    at = 0
    n = wide(work[FOUND])
    for r in range(N_PLAYERS):
        work[ROLE_FIRST + r] = at
        while at < n and work[MOVES + at] < (r + 1) * ALL_MOVES:
            at += 1
        if at - work[ROLE_FIRST + r] > MAX_MOVES:
            work[FAULT] = 1
    work[ROLE_FIRST + N_PLAYERS] = at
    work[LISTED] = 1
    return 0


@kernel
def count(work, role):
    """How many legal moves a role has."""
    return wide(work[ROLE_FIRST + role + 1]) - wide(work[ROLE_FIRST + role])


@kernel
def nth(work, role, k):
    """The legal move number k of a role."""
    return wide(work[MOVES + wide(work[ROLE_FIRST + role]) + k]) - role * ALL_MOVES


@kernel
def found_goal(work, constant, worth):
    """A goal value of the role with this name."""
    role = wide(ROLE_OF[constant])
    if role >= 0:
        if work[WORTH + role] == -3:
            work[WORTH + role] = worth
        elif work[WORTH + role] != worth:
            work[WORTH + role] = -2
    return 0


@kernel
def score(state, work):
    """Write the goal value of each role; -1 where there is not exactly one."""
    for r in range(N_PLAYERS):
        work[WORTH + r] = -3
    run(work, wide(EACH_GOAL))
    for r in range(N_PLAYERS):
        state[GOAL + r] = max(wide(work[WORTH + r]), -1)
    return 0
'''
"""Kernels that find out what holds in a state: its facts, the legal moves and the goals."""

GAVE_UP = """    if work[FAULT] != 0:
        # There was not enough room or time to find out what holds, so nothing may be said about this state.
        state[OVER] = GIVEN_UP
        work[FULL] = MARK
        for r in range(N_PLAYERS):
            state[GOAL + r] = -1
"""

MOVES_OF_ROLE = '''
@kernel
def role_moves(state, role, moves, work):
    """List the legal moves of a role."""
    sync(state, work)
    find_moves(work)
    n = min(count(work, role), MAX_MOVES)
    if work[FAULT] != 0:
        work[FULL] = MARK
    for k in range(n):
        moves[MOVE_SIZE * k] = nth(work, role, wide(k))
        moves[MOVE_SIZE * k + 1] = role + 1
    return n
'''
"""The moves of one role in a state."""

STEP = '''
@kernel
def take_move(work, role, number):
    """Write down what a role does: its name, the constants of the move, and the number of their shape."""
    row = DONE + role * DONE_ROW
    shape = SHAPES - 1
    while number < wide(MOVE_FIRST[shape]):
        shape -= 1
    work[row] = ROLE_CONSTANT[role]
    work[row + DONE_ROW - 1] = MOVE_SHAPE[shape]
    place = number - wide(MOVE_FIRST[shape])
    at = wide(MOVE_PART[shape])
    for k in range(wide(MOVE_SIZE_OF[shape])):
        local = (place // wide(MOVE_PARTS[at])) % wide(MOVE_PARTS[at + 1])
        if MOVE_PARTS[at + 3] >= 0:
            work[row + 1 + k] = data(wide(MOVE_PARTS[at + 3]) + local)
        else:
            work[row + 1 + k] = wide(MOVE_PARTS[at + 2]) + local
        at += 4
    return 0


@kernel
def step(state, work):
    """All roles have chosen: go to the next state."""
    for r in range(N_PLAYERS):
        take_move(work, wide(r), wide(state[CHOICE + r]) - 1)
    for w in range(WORDS):
        work[NEW + w] = 0
    run(work, wide(EACH_NEXT))
    fault = wide(work[FAULT])
    for w in range(WORDS):
        state[BITS + w] = work[NEW + w]
    load(state, work)
    work[FAULT] = fault
    return 0
'''
"""From a state to the next one."""

RULES = joined(
    ANSWERS,
    first_chooser("nth(work, r, wide(0)) != IDLE_MOVE"),
    settle("run(work, wide(IS_TERMINAL)) == 1", "        find_moves(work)\n", GAVE_UP),
    MOVES_OF_ROLE,
    LEGAL,
    STEP,
    choosing("    find_moves(work)\n"),
)
