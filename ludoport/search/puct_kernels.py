"""The text of network-guided search: PUCT, and the sequential halving of Gumbel search at the root.

The pool is that of UCT, with one row more: ``sums[1]`` holds the prior of an edge and the evaluation of a head for its
mover. Values reach from -1 to 1. Edges that were visited come first; behind them lies the one with the highest prior,
so a choice looks only at those and not at all moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.lanes import LANE_WORDS, alone, for_lanes
from ludoport.search.chance import has_chance
from ludoport.search.hidden import refuse_hidden
from ludoport.search.pool import pool_source
from ludoport.search.puct_chance import OUTCOMES, with_chance
from ludoport.search.puct_choice import CHOOSE
from ludoport.search.puct_roots import ROOT
from ludoport.search.uct_kernels import PROOF
from ludoport.tensors.kernels import HISTORY_SIZE, kernel_text

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.tensors.layout import TensorLayout

SETTINGS = (
    "WEIGHT", "FPU", "FPU_KIND", "TERMINAL", "VIRTUAL", "SOLVE", "FORCED", "BUDGET", "GUMBEL", "SIGMA_VISITS",
    "SIGMA_SCALE", "CONSIDERED", "ROLLOUTS", "GUMBEL_NOISE",
)  # fmt: skip
"""The numbers that guide a search, in the order of the array that kernels get; see ``PuctSettings``."""

SIMULATE = '''
from ludoport.search.pool import Pool
from ludoport.search.records import Bench, Line, NetworkView, Tuning


@kernel
def puct_select(root, line, sight, pool, tuning, work):
    """From the root to a position that must be evaluated; visits are counted, and virtual losses, on the way.

    Returns the number of edges passed; 0 for the root itself; -1 if the line ended in a known result, which is then
    counted already; -2 if it ended where an evaluation is under way, and everything is as before.
    """
    state = line.state
    path = line.path
    history = sight.history
    trail = sight.trail
    nodes = pool.nodes
    sums = pool.sums
    tree_moves = pool.moves
    settings = tuning.settings
    for i in range(0 + LANE, STATE_SIZE, LANES):
        state[i] = root[i]
    {remember_root}
    lanes_wait()
    head = wide(pool.facts[POOL_ROOT])
    if head == 0:
        return wide(0)
    depth = wide(0)
    exact = wide(0)
    while depth < PATH_LIMIT:
        if settings[PUCT_GUMBEL] == 0:
            edge = puct_choose(nodes, sums, head, settings, depth == 0)
        elif depth == 0:
            edge = gumbel_root(nodes, sums, tuning.noise, tuning.schedule, head, settings)
        else:
            edge = gumbel_choose(nodes, sums, head, settings)
        fresh = nodes[NODE_VISITS, edge] == 0 and edge == head + 1 + wide(nodes[NODE_TRIED, head])
        lanes_wait()
        if FIRST_LANE:
            path[2 * depth] = head
            path[2 * depth + 1] = edge
            nodes[NODE_VISITS, head] += 1
            nodes[NODE_VISITS, edge] += 1
            sums[0, edge] -= settings[PUCT_VIRTUAL]
            if fresh:
                nodes[NODE_TRIED, head] += 1
        lanes_wait()
        if fresh and (depth > 0 or settings[PUCT_GUMBEL] == 0):
            bring_up(nodes, sums, tree_moves, head)
        depth += 1
        exact = wide(nodes[NODE_EXACT, edge])
        if exact != 0 and settings[PUCT_SOLVE] != 0:
            break
        if FIRST_LANE:
            {remember}
            play(state, tree_moves[edge], work)
        lanes_wait()
        if state[OVER] != 0:
            exact = exact_result(utility(state, exchanged(state, wide(sums[0, head]))))
            if settings[PUCT_SOLVE] != 0 and FIRST_LANE:
                prove(nodes, sums, path, depth, exact)
            break
        link = wide(nodes[NODE_LINK, edge])
        if link == 0:
            # No other leaf evaluates this position meanwhile.
            lanes_wait()
            if FIRST_LANE:
                nodes[NODE_LINK, edge] = -1
            return depth
        if link < 0:
            if FIRST_LANE:
                puct_undo(nodes, sums, path, depth, settings)
            return wide(-2)
        head = link
    value = 0.0
    if exact == WON:
        value = settings[PUCT_TERMINAL]
    if exact == LOST:
        value = -settings[PUCT_TERMINAL]
    if FIRST_LANE:
        puct_count(nodes, sums, path, depth, wide(sums[0, head]), value, settings)
    return wide(-1)


@kernel
def puct_undo(nodes, sums, path, depth, settings):
    """Take the visits of a line back."""
    for d in range(depth):
        nodes[NODE_VISITS, wide(path[2 * d])] -= 1
        edge = wide(path[2 * d + 1])
        nodes[NODE_VISITS, edge] -= 1
        sums[0, edge] += settings[PUCT_VIRTUAL]
    return 0


@kernel
def puct_count(nodes, sums, path, depth, person, value, settings):
    """Add a value, given for one person, to the edges of a line; the other person gets the opposite."""
    for d in range(depth):
        gained = value if wide(sums[0, wide(path[2 * d])]) == person else -value
        sums[0, wide(path[2 * d + 1])] += gained + settings[PUCT_VIRTUAL]
    return 0


@kernel
def puct_expand(line, pool, depth, logits, value, settings, moves, work):
    """Put an evaluated position into the pool, its priors from logits, and count its value; 0 if there was no room."""
    state = line.state
    path = line.path
    nodes = pool.nodes
    sums = pool.sums
    facts = pool.facts
    person = exchanged(state, wide(state[MOVER]))
    n = wide(0)
    if FIRST_LANE:
        n = wide(legal(state, moves, work))
    n = lanes_first(n)
    head = wide(facts[POOL_USED])
    fits = head + 1 + n <= nodes.shape[1]
    lanes_wait()
    if fits:
        if FIRST_LANE:
            facts[POOL_USED] = head + 1 + n
            nodes[NODE_VISITS, head] = 0
            nodes[NODE_LINK, head] = n
            nodes[NODE_TRIED, head] = 0
            nodes[NODE_STAMP, head] = 0
            sums[0, head] = person
            sums[1, head] = value
        write_priors(state, nodes, sums, pool.moves, head, n, logits, moves)
        lanes_wait()
        bring_up(nodes, sums, pool.moves, head)
    else:
        if FIRST_LANE:
            facts[POOL_FULL] = 1
        head = wide(0)
    if FIRST_LANE:
        if depth == 0:
            facts[POOL_ROOT] = head
        else:
            nodes[NODE_LINK, wide(path[2 * depth - 1])] = head
            puct_count(nodes, sums, path, depth, person, value, settings)
    return head


@kernel
def write_priors(state, nodes, sums, tree_moves, head, n, logits, moves):
    """The edges of a new position; moves that share a place in the policy get equal priors."""
    high = -1.0e30
    for k in range(0 + LANE, n, LANES):
        logit = {logit}
        sums[1, head + 1 + k] = logit
        high = max(high, logit)
    high = lanes_max(high)
    total = 0.0
    for k in range(0 + LANE, n, LANES):
        share = {share}
        sums[1, head + 1 + k] = share
        total += share
    total = lanes_sum(total)
    for k in range(0 + LANE, n, LANES):
        edge = head + 1 + k
        nodes[NODE_VISITS, edge] = 0
        nodes[NODE_LINK, edge] = 0
        nodes[NODE_EXACT, edge] = 0
        sums[0, edge] = 0.0
        sums[1, edge] = sums[1, edge] / total
        for c in range(MOVE_SIZE):
            tree_moves[edge, c] = moves[k * MOVE_SIZE + c]
    return 0


@kernel
def puct_decided(nodes, facts, settings):
    """Whether nothing is left to find out at the root."""
    head = wide(facts[POOL_ROOT])
    if settings[PUCT_SOLVE] == 0 or head == 0:
        return False
    won = wide(0)
    unknown = wide(0)
    for edge in range(head + 1 + LANE, head + 1 + wide(nodes[NODE_LINK, head]), LANES):
        if nodes[NODE_EXACT, edge] == WON:
            won = wide(1)
        if nodes[NODE_EXACT, edge] == 0:
            unknown = wide(1)
    won = lanes_max(won)
    unknown = lanes_max(unknown)
    return won != 0 or unknown == 0


@kernel
def puct_wants(nodes, facts, settings):
    """Whether a game's search continues: there is budget left, and the result is not known."""
    if facts[POOL_REST] <= 0:
        return False
    return not puct_decided(nodes, facts, settings)
'''

HERE = '''
@kernel
def puct_run(root, line, pool, tuning, bench):
    """Search one position to the end of its budget, with an evaluator that is a kernel itself."""
    sight = NetworkView(line.path, line.path, line.path)  # this evaluator does not look at it
    settings = tuning.settings
    facts = pool.facts
    done = 0
    while puct_wants(pool.nodes, facts, settings):
        depth = puct_select(root, line, sight, pool, tuning, bench.work)
        if depth != 0:
            facts[POOL_REST] -= 1
            done += 1
        if depth >= 0:
            value = evaluate_here(line.state, bench, settings)
            puct_expand(line, pool, depth, pool.sums, value, settings, bench.moves, bench.work)
    return done


@kernel
def puct_root(root, line, pool, settings, bench):
    """Evaluate a root, if that was not done yet."""
    if pool.facts[POOL_ROOT] != 0 or pool.facts[POOL_REST] == 0:
        return 0
    state = line.state
    for i in range(STATE_SIZE):
        state[i] = root[i]
    value = evaluate_here(state, bench, settings)
    puct_expand(line, pool, wide(0), pool.sums, value, settings, bench.moves, bench.work)
    return 1


@entry
def enter_puct_roots(roots, lines, pools, tuning, bench, first, last):
    done = 0
    for g in range(first, last):
        line = Line(lines.state[g], lines.path[g])
        pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
        own = Bench(bench.scratch, bench.rng[g], bench.moves, bench.work)
        done += puct_root(roots[g], line, pool, tuning.settings, own)
    return done


@entry
def enter_puct_run(roots, lines, pools, tuning, bench, first, last):
    done = 0
    for g in range(first, last):
        line = Line(lines.state[g], lines.path[g])
        pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
        own = Bench(bench.scratch, bench.rng[g], bench.moves, bench.work)
        here = Tuning(tuning.settings, tuning.noise[g], tuning.schedule, tuning.rng[g])
        done += puct_run(roots[g], line, pool, here, own)
    return done
'''
"""Search with an evaluator that is a kernel: nothing, or rollouts."""

UNIFORM = '''
@kernel
def evaluate_here(state, bench, settings):
    """Nothing is known of a position."""
    return 0.0
'''

ROLLOUTS = '''
@kernel
def evaluate_here(state, bench, settings):
    """The mean result of random games for the mover."""
    scratch = bench.scratch
    person = exchanged(state, wide(state[MOVER]))
    rollouts = wide(settings[PUCT_ROLLOUTS])
    total = 0.0
    for _ in range(rollouts):
        for i in range(STATE_SIZE):
            scratch[i] = state[i]
        playout(scratch, bench.rng, bench.moves, bench.work, PLAYOUT_LIMIT)
        total += utility(scratch, exchanged(scratch, person))
    return total / rollouts
'''

BATCH = '''
@kernel
def puct_find(root, line, sight, pool, tuning, work):
    """Begin a simulation, and describe the position that must be evaluated; returns its depth, see ``puct_select``."""
    depth = puct_select(root, line, sight, pool, tuning, work)
    if (depth > 0 or depth == -1) and FIRST_LANE:
        pool.facts[POOL_REST] -= 1
    if depth >= 0:
        {describe}
    return depth


@kernel
def puct_fill(root, lines, sights, depths, pool, tuning, work):
    """Find positions to evaluate for all places of one game; a depth of -1 leaves a place empty."""
    found = 0
    for place in range(depths.shape[0]):
        depths[place] = -1
    while found < depths.shape[0] and puct_wants(pool.nodes, pool.facts, tuning.settings):
        line = Line(lines.state[found], lines.path[found])
        sight = NetworkView(sights.history, sights.trail[found], sights.inputs[found])
        depth = puct_find(root, line, sight, pool, tuning, work)
        if depth == -2:
            return found
        if depth >= 0:
            depths[found] = depth
            found += 1
            if depth == 0:
                return found
    return found


@entry
def enter_puct_fill(roots, lines, sights, depths, pools, tuning, work, first, last):
    found = 0
    for g in range(first, last):
        own = Line(lines.state[g], lines.path[g])
        sight = NetworkView(sights.history[g], sights.trail[g], sights.inputs[g])
        pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
        here = Tuning(tuning.settings, tuning.noise[g], tuning.schedule, tuning.rng[g])
        found += puct_fill(roots[g], own, sight, depths[g], pool, here, work)
    return found


@entry
def enter_remember(history, state, move):
    {remember_played}
    return 0


@entry
def enter_puct_grow(lines, depths, pools, verdicts, settings, moves, work, first, last):
    for g in range(first, last):
        pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
        for place in range(depths.shape[1]):
            if depths[g, place] >= 0:
                line = Line(lines.state[g, place], lines.path[g, place])
                logits = verdicts.logits[g, place]
                value = verdicts.value[g, place]
                puct_expand(line, pool, wide(depths[g, place]), logits, value, settings, moves, work)
    return 0
'''
"""Search with an evaluator outside: positions of many games are found, evaluated in one batch, and grown."""


def puct_source(game: Game, evaluator: str, layout: TensorLayout | None = None, *, lanes: bool = False) -> str:
    """The kernels of PUCT and Gumbel search as text.

    Args:
        game: the game.
        evaluator: ``uniform`` or ``rollouts``, which run inside the kernels, or ``batch`` for one outside of them.
        layout: how positions and moves become tensors for an evaluator outside; without it, it gets the rows of
            positions, and all moves have equal priors.
        lanes: whether several threads work on a game, see ``ludoport.kernels.lanes``; for devices.
    """
    refuse_hidden(game, "network-guided search")
    names = [f"PUCT_{name} = {number}" for number, name in enumerate(SETTINGS)]
    text = CHOOSE + SIMULATE + ROOT
    text += BATCH if evaluator == "batch" else {"uniform": UNIFORM, "rollouts": ROLLOUTS}[evaluator] + HERE
    if has_chance(game):
        text = OUTCOMES + with_chance(text)
    lines = dict.fromkeys(("remember_root", "remember", "remember_played", "describe"), "pass") | {
        "logit": "0.0",
        "share": "1.0",
    }
    if layout is not None:
        lines = {
            "remember_root": f"for i in range(0 + LANE, {HISTORY_SIZE}, LANES): trail[i] = history[i]",
            "remember_played": "remember_move(history, state, move)",
            "remember": "remember_move(trail, state, tree_moves[edge])",
            "describe": "planes(line.state, sight.trail, sight.inputs)",
            "logit": "float(logits[slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])])",
            "share": "math.exp(sums[1, head + 1 + k] - high)",
        }
    for name, line in lines.items():
        text = text.replace(f"{{{name}}}", line)
    tensors = kernel_text(layout, lanes=lanes) if layout is not None else ""
    words = LANE_WORDS if lanes else ""
    return "\n".join([pool_source(game), *names, words, tensors, PROOF, for_lanes(text) if lanes else alone(text)])
