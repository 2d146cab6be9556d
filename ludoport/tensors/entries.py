"""Kernels over batches that Python calls; they stand behind the kernels of a game and of its tensors."""

from __future__ import annotations

ENTRIES = '''
@entry
def enter_tensor_planes(states, histories, out):
    """State tensors of a batch."""
    for i in range(states.shape[0]):
        planes(states[i], histories[i], out[i])
    return 0


@entry
def enter_tensor_slots(states, begin, first, slots, moves, work):
    """Slots of the legal moves of states from ``begin`` on, as long as there is room; returns the next state."""
    total = first[begin]
    for i in range(begin, states.shape[0]):
        n = legal(states[i], moves, work)
        if total + n > slots.shape[0]:
            return i
        for k in range(n):
            slots[total + k] = slot(states[i], moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])
        total += n
        first[i + 1] = total
    return states.shape[0]


@entry
def enter_tensor_slots_of(states, moves, slots):
    """Slots of one move for each state of a batch."""
    for i in range(states.shape[0]):
        slots[i] = slot(states[i], moves[i])
    return 0


@entry
def enter_tensor_remember(histories, states, moves):
    """One move in each state of a batch is going to be played."""
    for i in range(states.shape[0]):
        remember_move(histories[i], states[i], moves[i])
    return 0


@entry
def enter_tensor_play(states, histories, moves, work):
    """Play one move in each state of a batch and remember it."""
    for i in range(states.shape[0]):
        remember_move(histories[i], states[i], moves[i])
        play(states[i], moves[i], work)
    return 0


@entry
def enter_tensor_wander(states, histories, rng, moves, work):
    """Fill a batch with all positions of random games, one game after another, except their ends."""
    move = moves[MAX_MOVES * MOVE_SIZE : (MAX_MOVES + 1) * MOVE_SIZE]
    for i in range(states.shape[0]):
        if i > 0:
            for k in range(STATE_SIZE):
                states[i, k] = states[i - 1, k]
            for k in range(TENSOR_HISTORY):
                histories[i, k] = histories[i - 1, k]
            sample(states[i], rng, move, moves, work)
            remember_move(histories[i], states[i], move)
            play(states[i], move, work)
        if i == 0 or states[i, OVER] != 0:
            start(states[i], rng)
            for k in range(TENSOR_HISTORY):
                histories[i, k] = -1
    return 0
'''
