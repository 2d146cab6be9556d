"""What happens between two searches of self-play, as text over the contract: record, choose, play, begin anew.

A position is written into the replay when its search ends, and gets its result when its game ends. All games take a
step together; in a step that is recorded, game g writes into place ``base + g``.
"""

from __future__ import annotations

from ludoport.game import Game
from ludoport.search.puct_kernels import puct_source
from ludoport.tensors.layout import TensorLayout

PENDING = 9.0
"""The result of a position whose game goes on."""

SHARES = 32767
"""Shares of the policy are stored as whole numbers up to this; places of no legal move hold -1."""

STEP_NUMBERS = ("TEMPERATURE", "SAMPLED", "LIMIT", "RECORD", "BASE", "TARGET", "REUSE")
"""How a step is taken: temperature and number of first plies for drawing moves by visits, most plies of a game, whether
to record, where, what the policy learns from (1: the improved policy, 0: visits), whether subtrees are used again."""

GAME_FACTS = ("PLY", "FINISHED", "MOVES", "FIRST_WINS", "DRAWS")
"""What is counted for every game: plies so far, games finished, their moves, wins of who began, draws."""

TEXT = '''
@kernel
def target_policy(nodes, sums, facts, settings, numbers, out):
    """What the policy of a position should be, after its search; returns how many moves there are."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    if numbers[STEP_TARGET] != 0:
        return improved_policy(nodes, sums, facts, settings, out)
    total = 0.0
    for k in range(n):
        out[k] = float(nodes[NODE_VISITS, head + 1 + k])
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
    place,
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
    return 0


@kernel
def finish_game(root, counts, places, persons, results, finished):
    """Give all recorded positions of a game their result, and begin the next game."""
    for ply in range(wide(counts[STEP_PLY])):
        place = wide(places[ply])
        if place >= 0:
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
    return 0


@kernel
def step_game(
    root, history, rng, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen, policy,
    judged, persons, results, place, forward, work,
):
    """One step of a game whose search has ended."""
    ply = wide(counts[STEP_PLY])
    places[ply] = -1
    if numbers[STEP_RECORD] != 0:
        record_position(
            root, history, nodes, sums, tree_moves, facts, settings, numbers, shares, seen, policy, judged, persons,
            results, place,
        )
        places[ply] = place
    edge = choose_edge(nodes, sums, facts, rng, noise, settings, numbers, ply, shares)
    link = wide(nodes[NODE_LINK, edge])
    remember_move(history, root, tree_moves[edge])
    play(root, tree_moves[edge], work)
    counts[STEP_PLY] = ply + 1
    over = root[OVER] != 0
    if over or ply + 1 >= numbers[STEP_LIMIT]:
        finish_game(root, counts, places, persons, results, over)
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
    policies, judged, persons, results, forward, work,
):
    for g in range(roots.shape[0]):
        place = (wide(numbers[STEP_BASE]) + g) % results.shape[0]
        step_game(
            roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g], numbers,
            shares, counts[g], places[g], seen[place], policies[place], judged, persons, results, place, forward, work,
        )
    return 0
'''


def selfplay_source(game: Game, layout: TensorLayout) -> str:
    """The kernels of self-play: those of the search, and the step between two searches."""
    names = [f"STEP_{name} = {number}" for number, name in enumerate(STEP_NUMBERS)]
    names += [f"STEP_{name} = {number}" for number, name in enumerate(GAME_FACTS)]
    names += [f"STEP_PENDING = {PENDING}", f"STEP_SHARES = {SHARES}"]
    return "\n".join([puct_source(game, "batch", layout), *names, TEXT])
