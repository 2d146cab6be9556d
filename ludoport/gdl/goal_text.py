"""Kernels about goals and keys, the same whatever computes the facts."""

from __future__ import annotations

GOALS = '''
@kernel
def goals(state, work):
    """Write the goal values of a state that need not be the last one."""
    sync(state, work)
    score(state, work)
    return 0


@entry
def enter_goals(state, work):
    return goals(state, work)


@kernel
def utility(state, player):
    """What a player got: goal 100 is 1, goal 0 is -1; a role without exactly one goal value got nothing, that is 0."""
    worth = wide(state[GOAL + player - 1])
    if state[OVER] == 0 or worth < 0:
        return 0.0
    return worth / 50.0 - 1.0


@kernel
def key(state):
    """A hash of the facts and of the choices made so far."""
    h = 0x345678
    for i in range(CHOICE, STATE_SIZE):
        h ^= wide(state[i])
        h = ((h & 0xFFFFFFFF) * 0x9E3779B1 + ((h >> 32) ^ i)) & 0x7FFFFFFFFFFFFFFF
        h ^= h >> 29
    return h
'''
