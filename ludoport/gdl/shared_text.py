"""Kernel text shared by all rulesheets: rows, choosing, goals and keys."""

from __future__ import annotations


def row_constants(roles: int, words: int) -> dict[str, int]:
    """Offsets in a row: mover, end of the game, goals and choices of the roles, words of facts."""
    return {
        "N_PLAYERS": roles,
        "MOVER": 0,
        "OVER": 1,
        "GOAL": 2,
        "CHOICE": 2 + roles,
        "BITS": 2 + 2 * roles,
        "WORDS": words,
        "STATE_SIZE": 2 + 2 * roles + words,
        "MOVE_SIZE": 2,
    }


def joined(*parts: str) -> str:
    """Kernels one after another."""
    return "\n\n\n".join(part.strip() for part in parts)


def first_chooser(busy: str) -> str:
    """The kernel that finds who chooses first; ``busy`` says when the only move of a role ``r`` is not an idle one."""
    return FIRST_CHOOSER.replace("BUSY", busy)


FIRST_CHOOSER = '''
@kernel
def first_chooser(work):
    """The first role with a choice, otherwise the first that is not idle; 0 if some role has no move at all."""
    first = 0
    for r in range(N_PLAYERS):
        n = count(work, r)
        if n == 0:
            return 0
        if n > 1 and first == 0:
            first = r + 1
    if first == 0:
        first = 1
        for r in range(N_PLAYERS):
            if BUSY:
                first = r + 1
                break
    return first
'''


def settle(ended: str, listing: str = "", fault: str = "") -> str:
    """The kernel that finishes a step.

    Args:
        ended: says whether the rules end the game.
        listing: lines that find the legal moves.
        fault: lines for a state of which it could not be found out what holds.
    """
    text = SETTLE.replace("ENDED", ended).replace("        first = ", f"{listing}        first = ")
    return text.replace("    return 0", f"{fault}    return 0")


SETTLE = '''
@kernel
def settle(state, work):
    """After a step: has the game ended, and otherwise who chooses first?"""
    for r in range(N_PLAYERS):
        state[CHOICE + r] = 0
    if ENDED:
        state[OVER] = 1
    else:
        first = first_chooser(work)
        if first == 0:
            # The rules leave some role without a move, so the game cannot continue.
            state[OVER] = 2
        else:
            state[MOVER] = first
    if state[OVER] != 0:
        score(state, work)
    return 0
'''

LEGAL = '''
@entry
def enter_role_moves(state, role, moves, work):
    return role_moves(state, role, moves, work)


@kernel
def legal(state, moves, work):
    """List the legal moves of the player who chooses now."""
    if state[OVER] != 0:
        return 0
    return role_moves(state, wide(state[MOVER]) - 1, moves, work)
'''


def choosing(listing: str = "") -> str:
    """The kernels that draw a move and that play one; ``listing`` are lines that find the legal moves."""
    return CHOOSING.replace("    sync(state, work)\n", f"    sync(state, work)\n{listing}")


CHOOSING = '''
@kernel
def sample(state, rng, move, moves, work):
    """Draw one legal move; each is equally likely."""
    sync(state, work)
    role = wide(state[MOVER]) - 1
    move[0] = nth(work, role, wide(draw_number(rng, count(work, role))))
    move[1] = role + 1
    return 0


@kernel
def play(state, move, work):
    """Choose a move; when all who have a choice have chosen, the step is made."""
    sync(state, work)
    role = wide(state[MOVER]) - 1
    state[CHOICE + role] = wide(move[0]) + 1
    for r in range(role + 1, N_PLAYERS):
        if count(work, wide(r)) > 1:
            state[MOVER] = r + 1
            return 0
    for r in range(N_PLAYERS):
        if state[CHOICE + r] == 0:
            state[CHOICE + r] = nth(work, wide(r), wide(0)) + 1
    step(state, work)
    settle(state, work)
    return 0
'''

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
    """What a player got: goal 100 (or more) is 1, goal 0 is -1; a role without exactly one goal value got 0."""
    worth = wide(state[GOAL + player - 1])
    if state[OVER] == 0 or worth < 0:
        return 0.0
    return min(worth, wide(100)) / 50.0 - 1.0


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
