"""The text of kernels on a CUDA device, around the functions of a game; words in capitals are filled in."""

from __future__ import annotations

STEP = """sample(state, rng, move, moves, work)
play(state, move, work)"""

PLAYOUTS = '''
def run_playouts(seed, count, limit, tables, scratch, lengths, utilities, rows):
    """One thread plays the games thread, thread + threads, and so on."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear_row(work, WORK_SIZE)
{games}
'''

TOGETHER = """
    while game < count:
        seed_generator(rng, seed, game)
        START
        played = 0
        while state[OVER] == 0 and played < limit:
            STEP
            played += 1
        FINISH
        game += threads
"""
"""The threads of a warp wait for the longest of their games, then all begin the next one."""

STREAM = """
    played = -1
    while game < count:
        if played < 0:
            seed_generator(rng, seed, game)
            START
            played = 0
        if state[OVER] == 0 and played < limit:
            STEP
            played += 1
        else:
            FINISH
            game += threads
            played = -1
"""
"""Each thread starts its next game as soon as one is over, while others continue."""

FINISH = """lengths[game] = played if state[OVER] != 3 else -1
for player in range(N_PLAYERS):
    utilities[game, player] = utility(state, player + 1)
if rows.shape[1] == STATE_SIZE:
{save}"""
"""Writing down a game that is over."""

WHOLE_START = "start(state, rng)"
WHOLE_SAVE = """for i in range(STATE_SIZE):
    rows[game, i] = state[i]"""
"""How a row begins and is written down as a whole."""

COUNTS = '''
def run_counts(states, tables, scratch, counts):
    """How many legal moves each position has."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear_row(work, WORK_SIZE)
    while game < states.shape[0]:
        for i in range(STATE_SIZE):
            state[i] = states[game, i]
        counts[game] = legal(state, moves, work)
        game += threads
'''

STEPS = '''
def run_steps(states, chosen, tables, scratch, counts):
    """Play a move in each position, chosen by its number among the legal ones; the positions change in place."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear_row(work, WORK_SIZE)
    while game < states.shape[0]:
        for i in range(STATE_SIZE):
            state[i] = states[game, i]
        n = legal(state, moves, work)
        counts[game] = n
        if 0 <= chosen[game] < n:
            for c in range(MOVE_SIZE):
                move[c] = moves[chosen[game] * MOVE_SIZE + c]
            play(state, move, work)
            for i in range(STATE_SIZE):
                states[game, i] = state[i]
        game += threads
'''

QUICK_START = '''
@kernel
def start(state, rng):
    """Write the initial position, two integers at a time."""
    for i in range((STATE_SIZE + 1) // 2):
        copy_word(state, INITIAL, i)
    return 0
'''

DEVICE_TEXTS = (
    '''
@kernel
def seed_generator(rng, seed, game):
    """The same words as ``seed_words``, in 64-bit arithmetic that wraps around."""
    x = np.uint64(seed + game) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0xD1B54A32D192ED03)
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    rng[0] = np.int64(x & np.uint64(0xFFFFFFFF)) | 1
    rng[1] = np.int64(x >> np.uint64(32))
''',
    '''
@kernel
def clear_row(row, size):
    """Set a row to 0."""
    for i in range((size * ROW_BITS + 31) // 32):
        clear_word(row, i)
''',
    '''
@kernel
def fill_shared(tables, words):
    """Copy the tables to the beginning of the block's shared memory."""
    to = shared_row(0, 1, 0)
    source = global_row(tables, 0)
    for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
        copy_word(to, source, i)
    cuda.syncthreads()
''',
)
