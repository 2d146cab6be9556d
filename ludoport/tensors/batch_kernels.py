"""Kernels that take many positions one step further: for the CPU all in a loop, on a CUDA device one a thread."""

from __future__ import annotations

from collections.abc import Mapping

KINDS = {"slots": 1, "moves": 0}
"""Meaning of a step's numbers: 1 for places in the policy, 0 for places in the list of legal moves."""

REFUSED, CHOSEN, ENDED = 0, 1, 2
"""Outcome of the choice for a position: no such move, a move, or nothing because its game is over."""

TEXT = '''
@kernel
def batch_begin(state, history, rng):
    """Begin a game."""
    start(state, rng)
    for i in range(TENSOR_HISTORY):
        history[i] = -1
    return 0


@kernel
def batch_mask(state, mask, moves, work):
    """Mark the places of the policy that hold legal moves; returns the number of legal moves."""
    for i in range(mask.shape[0]):
        mask[i] = 0
    if state[OVER] != 0:
        return 0
    n = legal(state, moves, work)
    for k in range(n):
        mask[slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])] = 1
    return n


@kernel
def batch_choose(state, rng, action, by_slot, move, moves, work):
    """Find the legal move that a number means; of several moves in one place of the policy, one at random."""
    if state[OVER] != 0:
        return BATCH_ENDED
    n = wide(legal(state, moves, work))
    found = wide(-1)
    if by_slot == 0:
        if 0 <= action < n:
            found = action
    else:
        fitting = wide(0)
        for k in range(n):
            if slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE]) == action:
                fitting += 1
                if fitting == 1 or draw_number(rng, fitting) == 0:
                    found = wide(k)
    if found < 0:
        return BATCH_REFUSED
    for i in range(MOVE_SIZE):
        move[i] = moves[found * MOVE_SIZE + i]
    return BATCH_CHOSEN


@kernel
def batch_random(state, rng, moves, work):
    """The place in the policy of a legal move that is drawn uniformly; -1 where the game is over."""
    if state[OVER] != 0:
        return -1
    k = draw_number(rng, wide(legal(state, moves, work)))
    return slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])


@kernel
def batch_note(choice, action, turn, refusal, wrong):
    """Note the first action that was refused, and when; all threads write the same to ``wrong``."""
    if choice == BATCH_REFUSED:
        wrong[0] = 1
        if refusal[0] == 0:
            refusal[0] = turn
            refusal[1] = action
    return 0


@kernel
def batch_step(state, history, rng, move, choice, results, flags, plies, limit, again, work):
    """Play a move, note what the game came to, and begin a new one if asked to; returns the plies of the game.

    Flags: the game is over, was given up at the limit, ended in this step, ended with exchanged colours.
    """
    flags[2] = 0
    if choice != BATCH_CHOSEN:
        return plies
    flags[0] = 0
    flags[1] = 0
    flags[3] = 0
    remember_move(history, state, move)
    play(state, move, work)
    plies += 1
    for p in range(N_PLAYERS):
        results[p] = 0
    if state[OVER] != 0:
        flags[0] = 1
        flags[3] = BATCH_SWAPPED
        for p in range(N_PLAYERS):
            results[p] = utility(state, p + 1)
    elif plies >= limit:
        flags[1] = 1
    if flags[0] != 0 or flags[1] != 0:
        flags[2] = 1
        if again != 0:
            batch_begin(state, history, rng)
            plies = wide(0)
    return plies
'''

BODIES = {
    "begin": ("states, histories, rngs", "batch_begin(states[i], histories[i], rngs[i])"),
    "mask": (
        "states, masks, counts, moves, work",
        "counts[i] = batch_mask(states[i], masks[i], moves{i}, work{i})",
    ),
    "planes": ("states, histories, planes_out", "planes(states[i], histories[i], planes_out[i])"),
    "choose": (
        "states, rngs, actions, by_slot, chosen, choices, moves, work",
        "choices[i] = batch_choose(states[i], rngs[i], wide(actions[i]), by_slot, chosen[i], moves{i}, work{i})",
    ),
    "random": (
        "states, rngs, actions, moves, work",
        "actions[i] = batch_random(states[i], rngs[i], moves{i}, work{i})",
    ),
    "step": (
        "states, histories, rngs, actions, chosen, choices, results, flags, plies, refusals, wrong, "
        "turn, limit, again, work",
        "batch_note(wide(choices[i]), wide(actions[i]), turn, refusals[i], wrong); "
        "plies[i] = batch_step(states[i], histories[i], rngs[i], chosen[i], wide(choices[i]), results[i], flags[i], "
        "wide(plies[i]), limit, again, work{i})",
    ),
}
"""Parameters of each kernel, and its code for position ``i``; scratch space is one for all, or one a position."""

PARAMETERS = {name: tuple(parameters.split(", ")) for name, (parameters, _) in BODIES.items()}

SHARED = frozenset({"moves", "work", "by_slot", "limit", "again", "turn", "wrong"})
"""Parameters that are not one row a position."""


def batch_text(fields: Mapping[str, int]) -> str:
    """The kernels for one position, over the contract and the tensors of a game."""
    swapped = "wide(state[SWAPPED])" if "SWAPPED" in fields else "0"
    text = TEXT.replace("BATCH_SWAPPED", swapped)
    for name, number in (("REFUSED", REFUSED), ("CHOSEN", CHOSEN), ("ENDED", ENDED)):
        text = text.replace(f"BATCH_{name}", str(number))
    return text


def entries() -> str:
    """Loops over positions that Python calls."""
    parts = []
    for name, (parameters, body) in BODIES.items():
        line = body.replace("{i}", "")
        parts.append(
            f"@entry\ndef enter_batch_{name}({parameters}):\n    for i in range(states.shape[0]):\n        {line}\n"
            "    return 0\n"
        )
    return "\n\n".join(parts)


def device_text(name: str) -> str:
    """A kernel in which each thread of a device has one position."""
    parameters, body = BODIES[name]
    head = f"def run_batch_{name}({parameters}):\n    i = cuda.grid(1)\n    if i < states.shape[0]:\n"
    return f"{head}        {body.replace('{i}', '[i]')}\n"
