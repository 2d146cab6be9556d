"""The functions of the kernel contract, over ``generate`` and ``make``."""

CONTRACT = '''
@kernel
def legal(state, moves, work):
    """Write the legal moves; returns how many."""
    if state[OVER] != 0:
        return wide(0)
    return generate(state, moves)


@kernel
def sample(state, rng, move, moves, work):
    """One legal move, each equally likely."""
    n = generate(state, moves)
    move[0] = moves[draw_number(rng, n)]
    return 0


@kernel
def decide(state, n):
    """Write whether the game is over, and who won, for a player who has n legal moves."""
    if n == 0:
        state[OVER] = 1
        if in_check(state):
            state[WINNER] = 3 - wide(state[MOVER])
    elif state[CLOCK] >= 100 or state[PLY] >= PLY_CAP:
        state[OVER] = 1
    return 0


@kernel
def play(state, move, work):
    """Play one move; decide whether the game is over and who got what."""
    make(state, wide(move[0]))
    decide(state, generate(state, work))
    return 0


@kernel
def utility(state, player):
    """What a player got."""
    winner = wide(state[WINNER])
    if winner == 0:
        return 0.0
    if winner == player:
        return 1.0
    return -1.0


@kernel
def key(state):
    """A hash of board, player, castling and en passant; clock, ply and the flag of the game do not count."""
    value = wide(state[MOVER])
    for i in range(KEY_SIZE):
        value = word((value ^ wide(state[i])) * 0x2545F4914F6CDD1D)
        value ^= (value >> 29) & 0x7FFFFFFFF
    value = word(value * 0x1CE4E5B9BF58476D)
    return value ^ ((value >> 32) & 0xFFFFFFFF)


@kernel
def playout(state, rng, moves, work, limit):
    """Play uniformly random moves to the end; returns how many.

    The same as ``sample`` and ``play`` in turn, but the list that tells whether the game is over also gives the move.
    """
    played = 0
    if state[OVER] != 0 or limit <= 0:
        return played
    n = generate(state, moves)
    while played < limit:
        make(state, wide(moves[draw_number(rng, n)]))
        played += 1
        n = generate(state, moves)
        decide(state, n)
        if state[OVER] != 0:
            break
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
    """The number of move sequences of a length from states[0]; draws by the clock do not end them."""
    if depth == 1:
        return generate(states[0], lists[0])
    total = wide(0)
    level = 0
    lists[0, MAX_MOVES] = generate(states[0], lists[0])
    while level >= 0:
        left = wide(lists[level, MAX_MOVES]) - 1
        if left < 0:
            level -= 1
            continue
        lists[level, MAX_MOVES] = left
        for i in range(STATE_SIZE):
            states[level + 1, i] = states[level, i]
        make(states[level + 1], wide(lists[level, left]))
        n = generate(states[level + 1], lists[level + 1])
        if level + 2 == depth:
            total += n
        else:
            level += 1
            lists[level, MAX_MOVES] = n
    return total
'''
