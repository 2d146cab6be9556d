"""What happens between two searches of self-play, as text over the contract: record, choose, play, begin anew.

A position is written into the replay when its search ends, and gets its result when its game ends. All games take a
step together; in a step that is recorded, game g writes position number ``base + g`` of the run, which the replay keeps
until it has gone round.
"""

from __future__ import annotations

from ludoport.game import Game
from ludoport.search.puct_kernels import puct_source
from ludoport.tensors.layout import TensorLayout

PENDING = 9.0
"""The result of a position whose game goes on."""

SHARES = 32767
"""Shares of the policy are stored as whole numbers up to this; places of no legal move hold -1."""

STEP_NUMBERS = (
    "TEMPERATURE", "SAMPLED", "LIMIT", "RECORD", "BASE", "OLDEST", "TARGET", "REUSE", "PRUNE", "CURVED",
    "OPENING_SHARE", "OPENING_PLIES",
)  # fmt: skip
"""How a step is taken: temperature and number of first plies for drawing moves by visits, most plies of a game, whether
to record, the number of the first position of this step and of the oldest one that the replay still holds after it,
what the policy learns from (1: the improved policy, 0: visits), whether subtrees are used again, whether forced visits
are taken back, whether moves are drawn by the curve of Polygames, the share of games that begin with random moves, and
the most of them."""

GAME_FACTS = ("PLY", "FINISHED", "MOVES", "FIRST_WINS", "DRAWS", "OPENING")
"""What is counted for every game: plies so far, games finished, their moves, wins of who began, draws; how many plies
of this game are random."""

TEXT = '''
@kernel
def take_back(nodes, sums, head, settings, k, best, total):
    """Visits of an edge without those that were only forced, and none if a single one remains."""
    edge = head + 1 + k
    visits = float(nodes[NODE_VISITS, edge])
    if k == best or visits == 0:
        return visits
    prior = float(sums[1, edge])
    scale = settings[PUCT_WEIGHT] * math.sqrt(total + 1.0)
    top = head + 1 + best
    most = float(nodes[NODE_VISITS, top])
    bound = sums[0, top] / most + scale * sums[1, top] / (1.0 + most)
    value = sums[0, edge] / visits
    left = visits
    least = visits - math.floor(math.sqrt(settings[PUCT_FORCED] * prior * settings[PUCT_BUDGET]))
    while left > max(0.0, least) and value + scale * prior / left <= bound:
        left -= 1.0
    return left if left > 1.0 else 0.0


@kernel
def target_policy(nodes, sums, facts, settings, numbers, out):
    """What the policy of a position should be, after its search; returns how many moves there are."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    if numbers[STEP_TARGET] != 0:
        return improved_policy(nodes, sums, facts, settings, out)
    total = 0.0
    best = wide(0)
    for k in range(n):
        total += nodes[NODE_VISITS, head + 1 + k]
        if nodes[NODE_VISITS, head + 1 + k] > nodes[NODE_VISITS, head + 1 + best]:
            best = wide(k)
    prune = numbers[STEP_PRUNE] != 0 and nodes[NODE_VISITS, head + 1 + best] > 0
    for k in range(n):
        out[k] = float(nodes[NODE_VISITS, head + 1 + k])
        if prune:
            out[k] = take_back(nodes, sums, head, settings, wide(k), best, total)
    for k in range(n):
        if nodes[NODE_EXACT, head + 1 + k] == WON:
            total = -1.0
    if total < 0:
        for k in range(n):
            out[k] = 1.0 if nodes[NODE_EXACT, head + 1 + k] == WON else 0.0
    total = 0.0
    for k in range(n):
        total += out[k]
    for k in range(n):
        out[k] = out[k] / max(1.0e-9, total) if total > 0 else 1.0 / n
    return n


@kernel
def root_value(nodes, sums, facts):
    """The value of a position for its mover, after its search."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    total = float(sums[1, head])
    for edge in range(head + 1, head + 1 + n):
        if nodes[NODE_EXACT, edge] == WON:
            return 1.0
        total += sums[0, edge]
    return total / (1.0 + float(nodes[NODE_VISITS, head]))


@kernel
def any_edge(nodes, facts, rng):
    """A move drawn uniformly."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    return head + 1 + min(n - 1, wide(draw_real(rng) * n))


@kernel
def draw_curved(nodes, sums, facts, rng, settings, numbers, shares):
    """A move drawn as Polygames draws it: the weight of a share p is exp(2 p p) - 1, and a little for every move."""
    n = target_policy(nodes, sums, facts, settings, numbers, shares)
    total = 0.0
    for k in range(n):
        shares[k] = math.exp(2.0 * shares[k] * shares[k]) - 1.0 + 0.5 / n
        total += shares[k]
    point = draw_real(rng) * total
    for k in range(n):
        point -= shares[k]
        if point < 0:
            return wide(facts[POOL_ROOT]) + 1 + wide(k)
    return wide(facts[POOL_ROOT]) + n


@kernel
def choose_edge(nodes, sums, facts, rng, noise, settings, numbers, ply, shares):
    """The move to play: drawn by visits in the first plies, otherwise the best."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    for k in range(n):
        if nodes[NODE_EXACT, head + 1 + k] == WON:
            return head + 1 + k
    if settings[PUCT_GUMBEL] > 0:
        return gumbel_best(nodes, sums, noise, facts, settings)
    best = wide(0)
    for k in range(n):
        if nodes[NODE_VISITS, head + 1 + k] > nodes[NODE_VISITS, head + 1 + best]:
            best = wide(k)
    if ply >= numbers[STEP_SAMPLED] or nodes[NODE_VISITS, head + 1 + best] == 0:
        return head + 1 + best
    if numbers[STEP_CURVED] != 0:
        return draw_curved(nodes, sums, facts, rng, settings, numbers, shares)
    most = float(nodes[NODE_VISITS, head + 1 + best])
    total = 0.0
    for k in range(n):
        total += (float(nodes[NODE_VISITS, head + 1 + k]) / most) ** (1.0 / numbers[STEP_TEMPERATURE])
    point = draw_real(rng) * total
    for k in range(n):
        point -= (float(nodes[NODE_VISITS, head + 1 + k]) / most) ** (1.0 / numbers[STEP_TEMPERATURE])
        if point < 0:
            return head + 1 + wide(k)
    return head + 1 + best


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
def finish_game(root, rng, counts, places, numbers, persons, results, finished):
    """Give all recorded positions of a game that are still there their result, and begin the next game."""
    for ply in range(wide(counts[STEP_PLY])):
        number = wide(places[ply])
        if number >= 0 and number >= numbers[STEP_OLDEST]:
            place = number % results.shape[0]
            value = 0.0
            if finished:
                value = utility(root, exchanged(root, wide(persons[place])))
            results[place] = value
    counts[STEP_FINISHED] += 1
    counts[STEP_MOVES] += counts[STEP_PLY]
    won = utility(root, exchanged(root, wide(1))) if finished else 0.0
    if won > 0:
        counts[STEP_FIRST_WINS] += 1
    if won == 0:
        counts[STEP_DRAWS] += 1
    counts[STEP_PLY] = 0
    counts[STEP_OPENING] = 0
    if numbers[STEP_OPENING_SHARE] > 0 and draw_real(rng) < numbers[STEP_OPENING_SHARE]:
        counts[STEP_OPENING] = 1 + wide(draw_real(rng) * numbers[STEP_OPENING_PLIES])
    return 0


@kernel
def step_game(
    root, history, rng, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen, policy,
    judged, persons, results, replies, number, forward, work,
):
    """One step of a game whose search has ended; its position is number ``number`` of the run."""
    ply = wide(counts[STEP_PLY])
    opening = ply < counts[STEP_OPENING]
    places[ply] = -1
    if numbers[STEP_RECORD] != 0 and not opening:
        record_position(
            root, history, nodes, sums, tree_moves, facts, settings, numbers, shares, seen, policy, judged, persons,
            results, replies, number % results.shape[0],
        )
        places[ply] = number
    if opening:
        edge = any_edge(nodes, facts, rng)
    else:
        edge = choose_edge(nodes, sums, facts, rng, noise, settings, numbers, ply, shares)
    if ply > 0:
        record_reply(root, tree_moves[edge], ply, places, numbers, persons, results, replies)
    link = wide(nodes[NODE_LINK, edge])
    remember_move(history, root, tree_moves[edge])
    play(root, tree_moves[edge], work)
    counts[STEP_PLY] = ply + 1
    over = root[OVER] != 0
    if over or ply + 1 >= numbers[STEP_LIMIT]:
        finish_game(root, rng, counts, places, numbers, persons, results, over)
        start(root, rng)
        for i in range(history.shape[0]):
            history[i] = -1
        link = wide(0)
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
    policies, judged, persons, results, replies, forward, work,
):
    for g in range(roots.shape[0]):
        number = wide(numbers[STEP_BASE]) + g
        place = number % results.shape[0]
        step_game(
            roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g], numbers,
            shares, counts[g], places[g], seen[place], policies[place], judged, persons, results, replies, number,
            forward, work,
        )
    return 0
'''


def selfplay_source(game: Game, layout: TensorLayout) -> str:
    """The kernels of self-play: those of the search, and the step between two searches."""
    names = [f"STEP_{name} = {number}" for number, name in enumerate(STEP_NUMBERS)]
    names += [f"STEP_{name} = {number}" for number, name in enumerate(GAME_FACTS)]
    names += [f"STEP_PENDING = {PENDING}", f"STEP_SHARES = {SHARES}"]
    return "\n".join([puct_source(game, "batch", layout), *names, TEXT])
