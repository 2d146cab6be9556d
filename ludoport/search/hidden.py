"""Games that hide something from players: UCT determinises them, other searches refuse them.

Each simulation shuffles what is hidden from the player to move: pieces whose kind is hidden among those of the same
owner, pieces of which nothing is seen among each other. The positions look the same to the player and allow the same
moves. The player is taken to know which pieces are there, and to conclude nothing from the moves of the others.
Where all players choose in the same step, each simulation draws again what others have chosen before the player.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.ludemes.fields.hidden import UNKNOWN, hides
from ludoport.ludemic import LudemicRules

if TYPE_CHECKING:
    from ludoport.game import Game

TRIES = 8
"""Shuffles that are tried until the player has the same moves; then the position stays as it is."""

DETERMINISE = '''
@kernel
def hidden_group(state, site):
    """What the player to move cannot tell a site from: 0 nothing, 1 all sites of which nothing is seen, or an owner."""
    mask = wide(state[HIDDEN + (wide(state[MOVER]) - 1) * N_SITES + site])
    if mask & 5 != 0:
        return wide(1)
    if mask & 2 != 0:
        return 2 + wide(OWNER_OF[wide(state[WHAT + site])])
    return wide(0)


@kernel
def exchange_sites(state, a, b):
    """What is on two sites changes places; what is hidden of the sites stays so."""
    first = wide(state[WHAT + a])
    second = wide(state[WHAT + b])
    {keep}
    if first != 0:
        lift(state, a)
    if second != 0:
        lift(state, b)
    if second != 0:
        place(state, a, second)
    if first != 0:
        place(state, b, first)
    {give}
    return 0


@kernel
def shuffle_hidden(state, rng):
    """Shuffle the sites of each group."""
    for site in range(N_SITES):
        group = hidden_group(state, wide(site))
        if group != 0:
            chosen = wide(0)
            for other in range(site + 1):
                chosen += 1 if hidden_group(state, wide(other)) == group else 0
            chosen = draw_number(rng, chosen)
            for other in range(site):
                if hidden_group(state, wide(other)) == group:
                    if chosen == 0:
                        exchange_sites(state, wide(other), wide(site))
                    chosen -= 1
    return 0


@kernel
def sum_of_moves(state, moves, work):
    """A number that lists of the same moves share."""
    n = legal(state, moves, work)
    total = n
    for k in range(n):
        code = wide(0)
        for c in range(MOVE_SIZE):
            code = (code * 31 + wide(moves[k * MOVE_SIZE + c]) + 1) & 0xFFFFFF
        total += code
    return total


@kernel
def determinise(root, state, rng, moves, work):
    """Write a position into a row that the player to move cannot tell from the root."""
    for i in range(MAX_MOVES * MOVE_SIZE):
        moves[i] = 0
    known = sum_of_moves(root, moves, work)
    for _ in range(HIDDEN_TRIES):
        for i in range(STATE_SIZE):
            state[i] = root[i]
        shuffle_hidden(state, rng)
        for i in range(MAX_MOVES * MOVE_SIZE):
            moves[i] = 0
        if sum_of_moves(state, moves, work) == known:
            return 0
    for i in range(STATE_SIZE):
        state[i] = root[i]
    return 0
'''


CHOOSE_AGAIN = '''
@kernel
def determinise(root, state, rng, moves, work):
    """Write a position into a row in which those who have chosen before the player to move chose at random."""
    for i in range(STATE_SIZE):
        state[i] = root[i]
    before = wide(state[MOVER]) - 1
    state[MOVER] = 1
    move = moves[MAX_MOVES * MOVE_SIZE : (MAX_MOVES + 1) * MOVE_SIZE]
    for _ in range(before):
        sample(state, rng, move, moves, work)
        play(state, move, work)
    return 0
'''


def is_hidden(game: Game) -> bool:
    """Whether players do not know all: rules hide something from them, or all choose in the same step."""
    if not isinstance(game.rules, LudemicRules):
        return False
    program = game.rules.compiled.program
    return hides(program) or program.together


def refuse_hidden(game: Game, what: str) -> None:
    """Refuse a game that hides something where a search would see it.

    Raises:
        LudoportError: the game has hidden information.
    """
    if is_hidden(game):
        together = "CHOSEN" in game.rules.fields
        hidden = "the choices of others in the same step" if together else "something from players (`set Hidden`)"
        raise LudoportError(
            f"{game.name} hides {hidden}, which {what} would see; the player `uct` determinises such games"
        )


def determinise_source(game: Game) -> str:
    """The kernels that shuffle what is hidden.

    Raises:
        LudoportError: positions of the game do not keep what is hidden.
    """
    assert isinstance(game.rules, LudemicRules)
    program = game.rules.compiled.program
    if program.together and hides(program):
        raise LudoportError(f"{game.name} hides something and lets players choose in the same step; no search plays it")
    if program.together:
        return CHOOSE_AGAIN
    if UNKNOWN in program.wants or program.unions is not None:
        raise LudoportError(f"{game.name} hides something from players that positions do not keep; no search plays it")
    if "HIDDEN" not in game.rules.fields:
        return ""
    n = program.n_sites
    names = [name for name in ("COUNT", "STATE", "VALUE", "ROTATION") if name in game.rules.fields]
    kept = [(f"{name.lower()}_{site}", f"{name} + {site}") for name in names for site in "ab"]
    masks = [(f"mask{k}_{site}", f"HIDDEN + {k * n} + {site}") for k in range(program.n_players) for site in "ab"]
    other = {"a": "b", "b": "a"}
    keep = [f"{name} = state[{place}]" for name, place in (*kept, *masks)]
    give = [f"state[{place}] = {name[:-1]}{other[name[-1]]}" for name, place in kept]
    give += [f"state[{place}] = {name}" for name, place in masks]
    text = DETERMINISE.replace("{keep}", "\n    ".join(keep)).replace("{give}", "\n    ".join(give))
    owners = [component.owner for component in program.components]
    table = f"OWNER_OF = np.array({owners}, dtype=np.int16)\nHIDDEN_TRIES = {TRIES}"
    return f"{table}\n{text}"
