"""End and beginning of games of self-play, as text over the contract: resignation, results, owners, verdicts."""

from __future__ import annotations

from ludoport.tensors.layout import TensorLayout

RATED_SHARE = 0.9
"""A game counts for a network of the tournament if it made at least this share of the opponent's moves."""

ENDING = '''
@kernel
def resigning(root, nodes, sums, facts, numbers, counts):
    """The person to move if it resigns, else 0: a position is hopeless if both sides have thought so for some plies."""
    if numbers[STEP_RESIGN] <= 0 or counts[STEP_PLY] < counts[STEP_OPENING]:
        return wide(0)
    value = root_value(nodes, sums, facts)
    person = exchanged(root, wide(root[MOVER]))
    mine = STEP_LOW_1 + person - 1
    other = STEP_LOW_1 + 2 - person
    counts[mine] = counts[mine] + 1 if value < -numbers[STEP_RESIGN] else 0
    counts[other] = counts[other] + 1 if value > numbers[STEP_RESIGN] else 0
    if counts[mine] < numbers[STEP_RESIGN_PLIES]:
        return wide(0)
    if counts[STEP_RESIGNS] != 0:
        return person
    if counts[STEP_GAVE_UP] == 0:
        counts[STEP_GAVE_UP] = person
    return wide(0)


@kernel
def gained(root, person, finished, loser):
    """What a person got: the result of the rules, or of a resignation; nothing if the game was too long."""
    if loser != 0:
        return -1.0 if person == loser else 1.0
    if finished:
        return float(utility(root, exchanged(root, person)))
    return 0.0


@kernel
def own_cells(root, history, ended, final):
    """Seat that owns the piece on each cell of the last position, 0 for none."""
    planes(root, history, ended)
    for cell in range(final.shape[0]):
        owner = wide(0)
        for c in range(STEP_PLANES):
            if STEP_OWNERS[c] != 0 and ended[c * TENSOR_CELLS + cell] != 0:
                owner = exchanged(root, wide(STEP_OWNERS[c]))
        final[cell] = owner
    return 0


@kernel
def own_finals(root, history, log, oldest, ended, finals, finished):
    """Tell all positions of a game who owned which cell in the end; -1 where the rules did not end it."""
    first = wide(-1)
    for ply in range(wide(log.counts[STEP_PLY])):
        number = wide(log.places[ply])
        if number >= 0 and number >= oldest:
            place = number % finals.shape[0]
            if first < 0 and finished:
                own_cells(root, history, ended, finals[place])
                first = place
            for cell in range(finals.shape[1]):
                finals[place, cell] = finals[first, cell] if finished else -1
    return 0


@kernel
def judge_game(root, counts, numbers, finished, loser):
    """In a tournament: what the game says about the opponent's network."""
    if numbers[STEP_TOURNAMENT] == 0:
        return 0
    counts[STEP_VERDICT] = 0
    theirs = wide(counts[STEP_THEIRS])
    if theirs > 0 and counts[STEP_CURRENT] >= STEP_RATED_SHARE * theirs:
        won = gained(root, 3 - wide(counts[STEP_SEAT]), finished, loser)
        rated = 4 if won > 0 else 2 if won < 0 else 3
        counts[STEP_VERDICT] = 1 if counts[STEP_IRREGULAR] != 0 else rated
    return 0


@kernel
def count_game(root, counts, finished, loser):
    """Add a game to the sums."""
    counts[STEP_FINISHED] += 1
    won = gained(root, wide(1), finished, loser)
    if won > 0:
        counts[STEP_FIRST_WINS] += 1
    if won == 0:
        counts[STEP_DRAWS] += 1
    if loser != 0:
        counts[STEP_RESIGNED] += 1
    if counts[STEP_GAVE_UP] != 0:
        counts[STEP_PLAYED_ON] += 1
        if gained(root, wide(counts[STEP_GAVE_UP]), finished, loser) >= 0:
            counts[STEP_WRONG] += 1
    return 0


@kernel
def begin_game(rng, counts, numbers):
    """Draw what is special about the next game."""
    for fact in range(STEP_OPENING, STEP_VERDICT):
        counts[fact] = 0
    counts[STEP_PLY] = 0
    if numbers[STEP_OPENING_SHARE] > 0 and draw_real(rng) < numbers[STEP_OPENING_SHARE]:
        if numbers[STEP_OPENING_PLIES] > 0:
            counts[STEP_OPENING] = 1 + wide(draw_real(rng) * numbers[STEP_OPENING_PLIES])
        else:
            usual = counts[STEP_MOVES] / counts[STEP_FINISHED]
            most = usual if draw_real(rng) < 0.5 else 0.1 * usual
            counts[STEP_OPENING] = wide(draw_real(rng) * most)
    if numbers[STEP_RESIGN] > 0:
        counts[STEP_RESIGNS] = 1 if draw_real(rng) < numbers[STEP_RESIGN_SHARE] else 0
    if numbers[STEP_RANDOM_SEATS] > 0:
        one = 1 if draw_real(rng) < numbers[STEP_RANDOM_SEATS] else 0
        counts[STEP_RANDOM] = one + 2 if draw_real(rng) < numbers[STEP_RANDOM_SEATS] else one
    if numbers[STEP_TOURNAMENT] != 0:
        counts[STEP_SEAT] = 1 if draw_real(rng) < 0.5 else 2
    return 0


@kernel
def finish_game(live, log, numbers, replay, ended, finished, loser):
    """Give all recorded positions of a game that are still there their result."""
    root = live.root
    counts = log.counts
    for ply in range(wide(counts[STEP_PLY])):
        number = wide(log.places[ply])
        if number >= 0 and number >= numbers[STEP_OLDEST]:
            place = number % replay.results.shape[0]
            replay.results[place] = gained(root, wide(replay.persons[place]), finished, loser)
    if numbers[STEP_OWNERSHIP] != 0:
        own_finals(root, live.history, log, numbers[STEP_OLDEST], ended, replay.finals, finished)
    count_game(root, counts, finished, loser)
    judge_game(root, counts, numbers, finished, loser)
    begin_game(live.rng, counts, numbers)
    return 0
'''


def cell_owners(layout: TensorLayout) -> list[int]:
    """For every plane of a state: the player whose pieces it shows, 0 for other planes; of stacks, the top counts."""
    return [
        channel.owner if channel.kind == "piece" or (channel.kind == "level-from-top" and channel.index == 0) else 0
        for channel in layout.state_channels
    ]


def owner_table(layout: TensorLayout) -> str:
    """Constants of this text."""
    owners = ",".join(str(owner if owner in (1, 2) else 0) for owner in cell_owners(layout))
    return (
        f"STEP_OWNERS = np.array([{owners}], dtype=np.int16)\nSTEP_PLANES = {len(layout.state_channels)}\n"
        f"STEP_RATED_SHARE = {RATED_SHARE}"
    )
