"""What happens between two searches of self-play, as text over the contract: record, choose, play, begin anew.

A position is written into the replay when its search ends, and gets its result when its game ends. All games take a
step together; each position that is recorded gets the next number of the run, and the replay keeps it until it has
gone round.
"""

from __future__ import annotations

from ludoport.game import Game
from ludoport.search.puct_kernels import puct_source
from ludoport.selfplay.choosing import CHOOSING
from ludoport.selfplay.duel_kernels import DUEL
from ludoport.selfplay.ending import ENDING, owner_table
from ludoport.tensors.layout import TensorLayout

PENDING = 9.0
"""The result of a position whose game has not ended."""

SHARES = 32767
"""Shares of the policy are stored as whole numbers up to this; places of no legal move hold -1."""

STEP_NUMBERS = (
    "TEMPERATURE", "SAMPLED", "LIMIT", "OLDEST", "TARGET", "REUSE", "PRUNE", "CURVED", "OPENING_SHARE",
    "OPENING_PLIES", "RESIGN", "RESIGN_PLIES", "RESIGN_SHARE", "RANDOM_SEATS", "TOURNAMENT", "OWNERSHIP",
)  # fmt: skip
"""How a step is taken: temperature and number of first plies for drawing moves by visits, most plies of a game, the
number of the oldest position that the replay still holds after this step, what the policy learns from (1: the improved
policy, 0: visits), whether subtrees are used again, whether forced visits are taken back, whether moves are drawn by
the curve of Polygames; the share of games that begin with random moves, and the most of them (0: as Polygames does);
the value below which a player resigns (0: never), for how many plies, and in which share of games; the share of
seats that play random moves now and then; whether one side is played by a network of the tournament; whether to note
who owns which cell in the end."""

GAME_FACTS = (
    "PLY", "FINISHED", "MOVES", "FIRST_WINS", "DRAWS", "RESIGNED", "PLAYED_ON", "WRONG",
    "OPENING", "RESIGNS", "LOW_1", "LOW_2", "GAVE_UP", "RANDOM", "IRREGULAR", "SEAT", "TURN", "THEIRS", "CURRENT",
    "VERDICT",
)  # fmt: skip
"""What is kept for every game. Plies of the current game. Sums: games that ended, moves, wins of who began, draws,
games that were resigned, those played on although a player would have resigned, and those of them that were not lost.
Again of the current game: how many plies are random at its beginning, whether one may resign, for how many plies each
person's position was hopeless, who would have resigned, who plays random moves now and then (bits 1 and 2), whether
there was a random move. In a tournament: the person that the opponent is, whether it is to move, its moves, those by
the network that it has now, and the verdict on the last game: 0 none, 1 not rated, 2 lost, 3 drawn, 4 won by the
newest."""

TEXT = '''
@kernel
def record_position(
    root, history, nodes, sums, tree_moves, facts, settings, numbers, shares, seen, policy, judged, persons, results,
    replies, place,
):
    """Write a searched position into the replay; moves that share a place in the policy add up."""
    planes(root, history, seen)
    for i in range(policy.shape[0]):
        policy[i] = -1
    head = wide(facts[POOL_ROOT])
    n = target_policy(nodes, sums, facts, settings, numbers, shares)
    for k in range(n):
        where = slot(root, tree_moves[head + 1 + k])
        share = wide(shares[k] * STEP_SHARES + 0.5)
        policy[where] = min(wide(STEP_SHARES), max(wide(0), wide(policy[where])) + share)
    judged[place] = root_value(nodes, sums, facts)
    persons[place] = exchanged(root, wide(root[MOVER]))
    results[place] = STEP_PENDING
    replies[place] = -1
    return 0


@kernel
def record_reply(root, move, ply, places, numbers, persons, results, replies):
    """Tell the position before, if the other person was to move there, what the answer is."""
    number = wide(places[ply - 1])
    if number < 0 or number < numbers[STEP_OLDEST]:
        return 0
    place = number % results.shape[0]
    if wide(persons[place]) != exchanged(root, wide(root[MOVER])):
        replies[place] = slot(root, move)
    return 0


@kernel
def played_edge(root, nodes, sums, facts, rng, noise, settings, numbers, counts, ply, shares):
    """The move to play; now and then a random one, which what the policy learns knows nothing of."""
    if ply < counts[STEP_OPENING]:
        counts[STEP_IRREGULAR] = 1
        return any_edge(nodes, facts, rng)
    edge = choose_edge(nodes, sums, facts, rng, noise, settings, numbers, ply, shares)
    if wide(counts[STEP_RANDOM]) & exchanged(root, wide(root[MOVER])):
        if draw_real(rng) < 4.0 / ((ply + 10.0) * (ply + 10.0)):
            counts[STEP_IRREGULAR] = 1
            return any_edge(nodes, facts, rng)
    return edge


@kernel
def count_turn(root, counts, numbers):
    """In a tournament: whether the opponent is to move."""
    if numbers[STEP_TOURNAMENT] != 0:
        counts[STEP_TURN] = 1 if exchanged(root, wide(root[MOVER])) == wide(counts[STEP_SEAT]) else 0
    return 0


@kernel
def next_game(root, history, rng):
    """Begin anew."""
    start(root, rng)
    for i in range(history.shape[0]):
        history[i] = -1
    return 0


@kernel
def step_game(
    root, history, rng, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen, policy,
    judged, persons, results, replies, finals, ended, number, forward, work,
):
    """One step of a game whose search has ended; its position is number ``number`` of the run, -1 if of none."""
    ply = wide(counts[STEP_PLY])
    places[ply] = number
    if number >= 0:
        record_position(
            root, history, nodes, sums, tree_moves, facts, settings, numbers, shares, seen, policy, judged, persons,
            results, replies, number % results.shape[0],
        )
    if counts[STEP_TURN] != 0:
        counts[STEP_THEIRS] += 1
        counts[STEP_CURRENT] += 1
    link = wide(0)
    over = False
    loser = resigning(root, nodes, sums, facts, numbers, counts)
    counts[STEP_PLY] = ply + 1
    if loser == 0:
        edge = played_edge(root, nodes, sums, facts, rng, noise, settings, numbers, counts, ply, shares)
        if ply > 0:
            record_reply(root, tree_moves[edge], ply, places, numbers, persons, results, replies)
        link = wide(nodes[NODE_LINK, edge])
        remember_move(history, root, tree_moves[edge])
        play(root, tree_moves[edge], work)
        counts[STEP_MOVES] += 1
        over = root[OVER] != 0
    if over or loser != 0 or ply + 1 >= numbers[STEP_LIMIT]:
        finish_game(root, history, rng, counts, places, numbers, persons, results, finals, ended, over, loser)
        next_game(root, history, rng)
        link = wide(0)
    count_turn(root, counts, numbers)
    if link > 0 and numbers[STEP_REUSE] != 0:
        keep_heads(nodes, sums, tree_moves, facts, forward, link, wide(0), wide(0))
    else:
        facts[POOL_ROOT] = 0
        facts[POOL_USED] = 1
    facts[POOL_FULL] = 0
    return 0


@entry
def enter_selfplay_step(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen,
    policies, judged, persons, results, replies, finals, ended, given, forward, work,
):
    for g in range(roots.shape[0]):
        number = wide(given[g])
        place = max(wide(0), number) % results.shape[0]
        step_game(
            roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g], numbers,
            shares, counts[g], places[g], seen[place], policies[place], judged, persons, results, replies, finals,
            ended, number, forward, work,
        )
    return 0
'''


def selfplay_source(game: Game, layout: TensorLayout) -> str:
    """The kernels of self-play and of duels: those of the search, and the step between two searches."""
    names = [f"STEP_{name} = {number}" for number, name in enumerate(STEP_NUMBERS)]
    names += [f"STEP_{name} = {number}" for number, name in enumerate(GAME_FACTS)]
    names += [f"STEP_PENDING = {PENDING}", f"STEP_SHARES = {SHARES}", owner_table(layout)]
    return "\n".join([puct_source(game, "batch", layout), *names, CHOOSING, ENDING, TEXT, DUEL])
