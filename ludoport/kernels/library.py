"""Kernels that many games share, as text that their modules include unchanged."""

from __future__ import annotations

BASICS = '''
@kernel
def draw_number(rng, n):
    """A number below n; the generator is xoroshiro64* on two 32-bit words, the same on every target."""
    a = int(rng[0])
    b = int(rng[1])
    value = (a * 0x9E3779BB) & 0xFFFFFFFF
    b ^= a
    rng[0] = (((a << 26) | (a >> 6)) & 0xFFFFFFFF) ^ b ^ ((b << 9) & 0xFFFFFFFF)
    rng[1] = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    return (value * n) >> 32


@kernel
def over(state):
    """Whether the game has ended."""
    return state[OVER] != 0


@kernel
def mover(state):
    """The player to move."""
    return state[MOVER]
'''
"""What is the same in every game."""

START = '''
@kernel
def start(state, rng):
    """Write the initial position."""
    for i in range(STATE_SIZE):
        state[i] = INITIAL[i]
    return 0
'''

START_BY_CHANCE = '''
@kernel
def start(state, rng):
    """Write the initial position, with random words of its own."""
    for i in range(STATE_SIZE):
        state[i] = INITIAL[i]
    reseed(state, rng)
    state[UNSEEN] = 1
    begin(state)
    next_luck(state)
    return 0


@kernel
def reseed(state, rng):
    """Give the row other random words for what no player has seen; the present list of moves stays."""
    for i in range(6):
        state[LUCK + 6 + i] = draw_number(rng, 2048 if i % 3 < 2 else 1024)
    state[LUCK + 6] = state[LUCK + 6] | 1
    return 0
'''

LOOPS = '''
@kernel
def playout(state, rng, moves, work, limit):
    """Play uniformly random moves to the end; returns how many."""
    played = 0
    move = moves[MAX_MOVES * MOVE_SIZE : (MAX_MOVES + 1) * MOVE_SIZE]
    while state[OVER] == 0 and played < limit:
        sample(state, rng, move, moves, work)
        play(state, move, work)
        played += 1
    return played


@kernel
def playouts(state, rng, moves, work, count, limit):
    """Random games from the start, one after another; returns the number of moves."""
    total = 0
    for _ in range(count):
        start(state, rng)
        total += playout(state, rng, moves, work, limit)
    return total


@kernel
def perft(states, lists, work, depth):
    """The number of move sequences of a length from states[0]; one list of moves per level."""
    if depth == 1:
        return legal(states[0], lists[0], work)
    total = 0
    level = 0
    last = MAX_MOVES * MOVE_SIZE
    lists[0, last] = legal(states[0], lists[0], work)
    lists[0, last + 1] = 0
    while level >= 0:
        if lists[level, last + 1] == lists[level, last]:
            level -= 1
            continue
        k = lists[level, last + 1] * MOVE_SIZE
        move = lists[level, k : k + MOVE_SIZE]
        lists[level, last + 1] += 1
        for i in range(STATE_SIZE):
            states[level + 1, i] = states[level, i]
        play(states[level + 1], move, work)
        if states[level + 1, OVER] != 0:
            continue
        n = legal(states[level + 1], lists[level + 1], work)
        if level + 2 == depth:
            total += n
        else:
            level += 1
            lists[level, last] = n
            lists[level, last + 1] = 0
    return total
'''
"""Random games and counts of move sequences; a move must have at least two numbers."""


def always(chance: bool) -> str:
    """Functions in the modules of all games; with chance, the initial position is drawn too."""
    return f"{BASICS.rstrip()}\n\n{START_BY_CHANCE if chance else START}\n{LOOPS}"


ALWAYS = always(chance=False)

ENTRIES = {
    "start": "state, rng",
    "legal": "state, moves, work",
    "sample": "state, rng, move, moves, work",
    "play": "state, move, work",
    "utility": "state, player",
    "key": "state",
    "playout": "state, rng, moves, work, limit",
    "playouts": "state, rng, moves, work, count, limit",
    "perft": "states, lists, work, depth",
}
"""The functions that are called from outside of kernels."""


def entries() -> str:
    """Thin functions that Python calls; the kernels themselves only call each other."""
    return "\n\n\n".join(
        f"@entry\ndef enter_{name}({params}):\n    return {name}({params})" for name, params in ENTRIES.items()
    )


LUCK_SIZE = 12
"""Numbers of a row that hold random words: two words for what the mover sees, two for all that comes later."""

PARTS = {
    "chance": '''
@kernel
def chance(state, n, k):
    """A number below n.

    While moves are listed, number k of those that the seen words decide: asked again, it is the same. Afterwards the
    next one of the words that no player has seen.
    """
    at = LUCK + 6 * (1 if state[UNSEEN] != 0 else 0)
    a = wide(state[at]) | (wide(state[at + 1]) << 11) | (wide(state[at + 2]) << 22)
    b = wide(state[at + 3]) | (wide(state[at + 4]) << 11) | (wide(state[at + 5]) << 22)
    if state[UNSEEN] == 0:
        x = (a + k * 0x9E3779B9) & 0xFFFFFFFF
        for _ in range(2):
            x = ((x ^ (x >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
            x = ((x ^ (x >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
            x = ((x ^ (x >> 16)) + b) & 0xFFFFFFFF
        return (x * n) >> 32
    value = (a * 0x9E3779BB) & 0xFFFFFFFF
    b ^= a
    a = (((a << 26) | (a >> 6)) & 0xFFFFFFFF) ^ b ^ ((b << 9) & 0xFFFFFFFF)
    b = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    state[at] = a & 2047
    state[at + 1] = (a >> 11) & 2047
    state[at + 2] = (a >> 22) & 1023
    state[at + 3] = b & 2047
    state[at + 4] = (b >> 11) & 2047
    state[at + 5] = (b >> 22) & 1023
    return (value * n) >> 32
''',
    "next_luck": '''
@kernel
def next_luck(state):
    """A move has been played: the next player sees new words."""
    state[UNSEEN] = 1
    for i in range(6):
        state[LUCK + i] = chance(state, 2048 if i % 3 < 2 else 1024, 0)
    state[UNSEEN] = 0
    return 0
''',
    "divide": '''
@kernel
def divide(a, b):
    """Integer division that rounds towards zero; 0 if the divisor is 0."""
    if b == 0:
        return 0
    q = abs(a) // abs(b)
    if (a < 0) != (b < 0):
        q = -q
    return q
''',
    "power": '''
@kernel
def power(a, b):
    """A power of whole numbers, rounded towards zero and kept within 32 bits, as the reference does."""
    if a == 0 and b < 0:
        return 2147483647
    if a >= -1 and a <= 1:
        return a if b & 1 else a * a if b != 0 else 1
    if b < 0:
        return 0
    result = 1
    for _ in range(min(b, 32)):
        result *= a
        if result > 2147483647:
            result = 2147483647 if a > 0 or b & 1 == 0 else -2147483648
            break
        if result < -2147483648:
            result = -2147483648 if b & 1 else 2147483647
            break
    return result
''',
    "track_step": '''
@kernel
def track_step(place, steps, size, loops):
    """The place on a track some steps further; -1 behind its end."""
    if steps > 0:
        place += steps
    if place < size:
        return place
    if loops and size > 0:
        return place % size
    return -1
''',
    "bit_count": '''
@kernel
def bit_count(x):
    """How many bits are set."""
    n = 0
    while x != 0:
        x &= x - 1
        n += 1
    return n
''',
    "win": '''
@kernel
def win(state, player):
    """A player takes the best rank that is left."""
    if state[RANK + player] != 0:
        return 0
    best = 1
    # Ranks are kept doubled, because players who tie share the mean of their ranks.
    for _ in range(N_PLAYERS):
        for p in range(1, N_PLAYERS + 1):
            if state[RANK + p] == 2 * best:
                best += 1
    state[RANK + player] = 2 * best
    settle(state)
    return 0
''',
    "lose": '''
@kernel
def lose(state, player):
    """A player takes the worst rank that is left."""
    if state[RANK + player] != 0:
        return 0
    worst = N_PLAYERS
    for _ in range(N_PLAYERS):
        for p in range(1, N_PLAYERS + 1):
            if state[RANK + p] == 2 * worst:
                worst -= 1
    state[RANK + player] = 2 * worst if N_PLAYERS > 1 else 1
    settle(state)
    return 0
''',
    "settle": '''
@kernel
def settle(state):
    """The last player who is left takes the last rank; then the game is over."""
    active = 0
    last = 0
    for p in range(1, N_PLAYERS + 1):
        if state[RANK + p] == 0:
            active += 1
            last = p
    if active == 1 and N_PLAYERS > 1:
        rank = 1
        for _ in range(N_PLAYERS):
            for p in range(1, N_PLAYERS + 1):
                if state[RANK + p] == 2 * rank:
                    rank += 1
        state[RANK + last] = 2 * rank
        active = 0
    if active == 0:
        state[OVER] = 1
    return 0
''',
    "draw": '''
@kernel
def draw(state):
    """All players who are left share their mean rank."""
    used = 0
    total = 0
    active = 0
    for p in range(1, N_PLAYERS + 1):
        if state[RANK + p] == 0:
            active += 1
        else:
            used += state[RANK + p]
    if active == 0:
        return 0
    total = N_PLAYERS * (N_PLAYERS + 1)
    # Alone, a player who did not win has lost.
    mean = (total - used) // active if N_PLAYERS > 1 else 1
    for p in range(1, N_PLAYERS + 1):
        if state[RANK + p] == 0:
            state[RANK + p] = mean
    state[OVER] = 1
    return 0
''',
    "rank_by_score": '''
@kernel
def rank_by_score(state, sign):
    """Ranks by score, the highest first; equal scores share the mean of their ranks."""
    for p in range(1, N_PLAYERS + 1):
        if state[RANK + p] == 0:
            better = 0
            equal = 0
            for q in range(1, N_PLAYERS + 1):
                difference = sign * (state[SCORE + q] - state[SCORE + p])
                if difference > 0:
                    better += 1
                elif difference == 0:
                    equal += 1
            state[RANK + p] = 2 * better + equal + 1
    state[OVER] = 1
    return 0
''',
}

NEEDS = {"win": ("settle",), "lose": ("settle",)}


def parts(names: set[str]) -> list[str]:
    """The text of the named kernels and of those they call."""
    wanted = set(names)
    for name in names:
        wanted.update(NEEDS.get(name, ()))
    return [PARTS[name].strip() for name in PARTS if name in wanted]
