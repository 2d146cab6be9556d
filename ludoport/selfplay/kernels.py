"""The step between two searches of self-play, as text over the contract: record, choose, play, begin the next game.

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
"""Settings of a step: temperature and number of first plies for drawing moves by visits, most plies of a game, the
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
"""Numbers kept for every game. Plies of the current game. Sums: games that ended, moves, wins of who began, draws,
games that were resigned, those played on although a player would have resigned, and those of them that were not lost.
Again of the current game: how many plies are random at its beginning, whether one may resign, for how many plies each
person's position was hopeless, who would have resigned, who plays random moves now and then (bits 1 and 2), whether
there was a random move. In a tournament: the person that the opponent is, whether it is to move, its moves, those by
the network that it has now, and the verdict on the last game: 0 none, 1 not rated, 2 lost, 3 drawn, 4 won by the
newest."""

TEXT = '''
from ludoport.selfplay.records import Live, Log, Manner, ReplayArrays, Scratch


@kernel
def record_position(live, pool, manner, replay, shares, place):
    """Write a searched position into the replay; moves that share a place in the policy add up."""
    root = live.root
    policy = replay.policies[place]
    planes(root, live.history, replay.seen[place])
    for i in range(policy.shape[0]):
        policy[i] = -1
    head = wide(pool.facts[POOL_ROOT])
    n = target_policy(pool.nodes, pool.sums, pool.facts, manner.settings, manner.numbers, shares)
    for k in range(n):
        where = slot(root, pool.moves[head + 1 + k])
        share = wide(shares[k] * STEP_SHARES + 0.5)
        policy[where] = min(wide(STEP_SHARES), max(wide(0), wide(policy[where])) + share)
    replay.judged[place] = root_value(pool.nodes, pool.sums, pool.facts)
    replay.persons[place] = exchanged(root, wide(root[MOVER]))
    replay.results[place] = STEP_PENDING
    replay.replies[place] = -1
    return 0


@kernel
def record_reply(root, move, number, oldest, replay):
    """Write the answer into the position before, number ``number``, if the other person was to move there."""
    if number < 0 or number < oldest:
        return 0
    place = number % replay.results.shape[0]
    if wide(replay.persons[place]) != exchanged(root, wide(root[MOVER])):
        replay.replies[place] = slot(root, move)
    return 0


@kernel
def played_edge(live, pool, manner, counts, ply, shares):
    """The move to play; now and then a random one, which what the policy learns knows nothing of."""
    root = live.root
    rng = live.rng
    if ply < counts[STEP_OPENING]:
        counts[STEP_IRREGULAR] = 1
        return any_edge(pool.nodes, pool.facts, rng)
    edge = choose_edge(pool, rng, live.noise, manner, ply, shares)
    if wide(counts[STEP_RANDOM]) & exchanged(root, wide(root[MOVER])):
        if draw_real(rng) < 4.0 / ((ply + 10.0) * (ply + 10.0)):
            counts[STEP_IRREGULAR] = 1
            return any_edge(pool.nodes, pool.facts, rng)
    return edge


@kernel
def count_turn(root, counts, numbers):
    """In a tournament: whether the opponent is to move."""
    if numbers[STEP_TOURNAMENT] != 0:
        counts[STEP_TURN] = 1 if exchanged(root, wide(root[MOVER])) == wide(counts[STEP_SEAT]) else 0
    return 0


@kernel
def next_game(root, history, rng):
    """Begin a new game."""
    start(root, rng)
    for i in range(history.shape[0]):
        history[i] = -1
    return 0


@kernel
def step_game(live, log, pool, manner, replay, scratch, number):
    """One step of a game whose search has ended; its position is number ``number`` of the run, -1 if of none."""
    root = live.root
    counts = log.counts
    places = log.places
    numbers = manner.numbers
    facts = pool.facts
    ply = wide(counts[STEP_PLY])
    places[ply] = number
    if number >= 0:
        record_position(live, pool, manner, replay, scratch.shares, number % replay.results.shape[0])
    if counts[STEP_TURN] != 0:
        counts[STEP_THEIRS] += 1
        counts[STEP_CURRENT] += 1
    link = wide(0)
    over = False
    loser = resigning(root, pool.nodes, pool.sums, facts, numbers, counts)
    counts[STEP_PLY] = ply + 1
    if loser == 0:
        edge = played_edge(live, pool, manner, counts, ply, scratch.shares)
        if ply > 0:
            record_reply(root, pool.moves[edge], wide(places[ply - 1]), numbers[STEP_OLDEST], replay)
        link = wide(pool.nodes[NODE_LINK, edge])
        remember_move(live.history, root, pool.moves[edge])
        play(root, pool.moves[edge], scratch.work)
        counts[STEP_MOVES] += 1
        over = root[OVER] != 0
    if over or loser != 0 or ply + 1 >= numbers[STEP_LIMIT]:
        finish_game(live, log, numbers, replay, scratch.ended, over, loser)
        next_game(root, live.history, live.rng)
        link = wide(0)
    count_turn(root, counts, numbers)
    if link > 0 and numbers[STEP_REUSE] != 0:
        keep_heads(pool.nodes, pool.sums, pool.moves, facts, scratch.forward, link, wide(0), wide(0))
    else:
        facts[POOL_ROOT] = 0
        facts[POOL_USED] = 1
    facts[POOL_FULL] = 0
    return 0


@entry
def enter_selfplay_step(lives, logs, pools, manner, replay, scratch, given):
    for g in range(given.shape[0]):
        live = Live(lives.root[g], lives.history[g], lives.rng[g], lives.noise[g])
        log = Log(logs.counts[g], logs.places[g])
        pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
        step_game(live, log, pool, manner, replay, scratch, wide(given[g]))
    return 0
'''


def selfplay_source(game: Game, layout: TensorLayout, *, lanes: bool = False) -> str:
    """The kernels of self-play and of duels: those of the search, and the step between two searches.

    Args:
        game: the game.
        layout: layout of the tensors.
        lanes: whether several threads search a game together; a step is always that of one thread.
    """
    names = [f"STEP_{name} = {number}" for number, name in enumerate(STEP_NUMBERS)]
    names += [f"STEP_{name} = {number}" for number, name in enumerate(GAME_FACTS)]
    names += [f"STEP_PENDING = {PENDING}", f"STEP_SHARES = {SHARES}", owner_table(layout)]
    return "\n".join([puct_source(game, "batch", layout, lanes=lanes), *names, CHOOSING, ENDING, TEXT, DUEL])
