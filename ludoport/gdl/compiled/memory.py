"""Tables and scratch space of the machine that evaluates rules, as kernel text.

Places, lists, stored relations, and answers that are remembered; ``machine.py`` explains the rest.
"""

from __future__ import annotations

MEMORY = '''
@inlined
def code(k):
    """A number of the program; every mention of a table in kernels would be another copy of it to compile."""
    return wide(PROGRAM[k])


@inlined
def data(k):
    """A number of the data."""
    return wide(DATA[k])


@inlined
def stored(k):
    """A number of what is known about stored relations."""
    return wide(STORED[k])


@kernel
def next_tick(work):
    """A number that marks have not had yet."""
    work[TICK] = wide(work[TICK]) + 1
    return wide(work[TICK])


@kernel
def new_cell(work, last, size):
    """Room for one more entry of a list, linked to the last one; 0 if there is none left."""
    cell = wide(work[TOP])
    if cell + size > HEAP_END or work[FAULT] != 0:
        work[FAULT] = 1
        return wide(0)
    work[TOP] = cell + size
    work[cell] = 0
    work[last] = cell
    return cell


@kernel
def operand(work, fp, x):
    """The value of a register or a constant."""
    if x < 0:
        return -1 - x
    return wide(work[fp + x])


@kernel
def place_of(work, fp, at):
    """The place of a tuple; -1 if some value lies outside of its domain."""
    n = code(at)
    place = code(at + 1)
    at += 2
    for _ in range(n):
        local = wide(work[fp + code(at)]) - code(at + 1)
        table = code(at + 4)
        if table >= 0:
            if local < 0 or local >= data(table):
                return wide(-1)
            local = data(table + 1 + local)
        if local < 0 or local >= code(at + 2):
            return wide(-1)
        place += local * code(at + 3)
        at += 5
    return place


@kernel
def fits(work, fp, at, value):
    """Keep a value in a register, or compare it with one; 0 if it is another."""
    x = code(at + 1)
    if code(at) == 0:
        work[fp + x] = value
        return 1
    if operand(work, fp, x) == value:
        return 1
    return 0


@kernel
def take_columns(work, fp, at, n, row):
    """Read a tuple of a relation that never changes."""
    for _ in range(n):
        if fits(work, fp, at + 1, data(code(at) + row)) == 0:
            return 0
        at += 3
    return 1


@kernel
def take_cells(work, fp, at, n, cell):
    """Read an entry of a list."""
    for _ in range(n):
        if fits(work, fp, at + 1, wide(work[cell + code(at)])) == 0:
            return 0
        at += 3
    return 1


@kernel
def take_parts(work, fp, at, n, place):
    """Read a tuple from its place."""
    for _ in range(n):
        local = (place // code(at)) % code(at + 1)
        table = code(at + 3)
        if table >= 0:
            value = data(table + local)
        else:
            value = code(at + 2) + local
        if fits(work, fp, at + 4, value) == 0:
            return 0
        at += 6
    return 1


@kernel
def clear_tuples(work, number):
    """Forget all tuples of a stored relation."""
    at = wide(STORED_START[number])
    holds = stored(at)
    listed = stored(at + 1)
    counted = stored(at + 2)
    for k in range(wide(work[counted])):
        place = wide(work[listed + k])
        work[holds + place] = 0
        i = at + 4
        for _ in range(stored(at + 3)):
            work[stored(i) + key_of(wide(i + 2), place)] = 0
            i += 3 + 3 * stored(i + 2)
    work[counted] = 0
    return 0


@kernel
def key_of(i, place):
    """The key of a tuple in an index."""
    found = 0
    for k in range(stored(i)):
        j = i + 1 + 3 * k
        found += ((place // stored(j)) % stored(j + 1)) * stored(j + 2)
    return wide(found)


@kernel
def add_tuple(work, number, place):
    """Add a tuple to a stored relation."""
    at = wide(STORED_START[number])
    holds = stored(at)
    if place < 0 or work[holds + place] != 0:
        return 0
    work[holds + place] = 1
    counted = stored(at + 2)
    n = wide(work[counted])
    work[stored(at + 1) + n] = place
    work[counted] = n + 1
    i = at + 4
    for _ in range(stored(at + 3)):
        head = stored(i) + key_of(wide(i + 2), place)
        work[stored(i + 1) + place + 1] = work[head]
        work[head] = place + 1
        i += 3 + 3 * stored(i + 2)
    return 0


@kernel
def listed_already(work, fp, pc, n):
    """Look through a list for an entry; SEEN says how many there were to look at."""
    cell = wide(work[wide(work[fp + code(pc + 1)])])
    while cell != 0:
        work[SEEN] = wide(work[SEEN]) + 1
        same = 1
        for k in range(n):
            if wide(work[cell + 1 + k]) != operand(work, fp, code(pc + 6 + k)):
                same = 0
                break
        if same == 1:
            return 1
        cell = wide(work[cell])
    return 0


@kernel
def append(work, fp, pc):
    """Add an entry to a list unless it is there already; returns the next instruction."""
    n = code(pc + 5)
    at = pc + 6 + n
    after = at + 2 + 5 * code(at)
    marks = code(pc + 4)
    place = place_of(work, fp, at)
    if place < 0:
        return after
    if marks >= 0:
        tick = wide(work[fp + code(pc + 3)])
        if work[marks + place] == tick:
            return after
        work[marks + place] = tick
    elif listed_already(work, fp, pc, n) == 1:
        return after
    last = fp + code(pc + 2)
    cell = new_cell(work, wide(work[last]), n + 1)
    if cell != 0:
        for k in range(n):
            work[cell + 1 + k] = operand(work, fp, code(pc + 6 + k))
        work[last] = cell
    return after


@kernel
def remembered(work, fp, pc):
    """The answer to a question that was asked before; -1 if there is none."""
    how = code(pc + 1)
    place = place_of(work, fp, pc + 3)
    if place < 0:
        # Outside of its domains a relation has no tuples.
        return wide(EMPTY) if how == 2 or how == 3 or how == 5 else wide(0)
    if how >= 4:
        return wide(-1)
    slot = code(pc + 2)
    mixed = ((place * 0x9E3779B1) & 0xFFFFFFFF) >> HASH_SHIFT
    work[fp + 7] = place
    if how == 0:
        slot += place
        known = wide(work[slot])
        if known >> 1 == wide(work[GENERATION]):
            return known & 1
    elif how == 1:
        slot += 2 * mixed
        known = wide(work[slot + 1])
        if known >> 1 == wide(work[GENERATION]) and wide(work[slot]) == place:
            return known & 1
    elif how == 2:
        slot += 2 * place
        if work[slot] == work[GENERATION]:
            return wide(work[slot + 1])
    else:
        slot += 3 * mixed
        if work[slot] == work[GENERATION] and wide(work[slot + 2]) == place:
            return wide(work[slot + 1])
    work[fp + 3] = slot
    return wide(-1)


@kernel
def remember(work, fp, how, value):
    """Keep the result of a function for the next time; returns it."""
    slot = wide(work[fp + 3])
    if how == 0:
        work[slot] = 2 * wide(work[GENERATION]) + value
    elif how == 1:
        work[slot] = work[fp + 7]
        work[slot + 1] = 2 * wide(work[GENERATION]) + value
    elif how == 2 or how == 3:
        value = wide(work[fp + 4])
        work[slot] = work[GENERATION]
        work[slot + 1] = value
        if how == 3:
            work[slot + 2] = work[fp + 7]
    elif how == 5:
        value = wide(work[fp + 4])
    return value
'''
