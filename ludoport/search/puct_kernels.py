"""The text of network-guided search: PUCT, and the sequential halving of Gumbel search at the root.

The pool is that of UCT, with one row more: ``sums[1]`` holds the prior of an edge and the evaluation of a head for its
mover. Values reach from -1 to 1. Edges that were visited come first; behind them lies the one with the highest prior,
so a choice looks only at those and not at all moves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.pool import pool_source
from ludoport.search.uct_kernels import PROOF
from ludoport.tensors.kernels import HISTORY_SIZE, kernel_text

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.tensors.layout import TensorLayout

SETTINGS = (
    "WEIGHT", "FPU", "FPU_KIND", "TERMINAL", "VIRTUAL", "SOLVE", "FORCED", "BUDGET", "GUMBEL", "SIGMA_VISITS",
    "SIGMA_SCALE", "CONSIDERED", "ROLLOUTS",
)  # fmt: skip
"""The numbers that guide a search, in the order of the array that kernels get; see ``PuctSettings``."""

CHOOSE = '''
@kernel
def bring_up(nodes, sums, tree_moves, head):
    """Put the unvisited edge with the highest prior behind the visited ones."""
    n = wide(nodes[NODE_LINK, head])
    place = head + 1 + wide(nodes[NODE_TRIED, head])
    best = place
    for edge in range(place + 1, head + 1 + n):
        if sums[1, edge] > sums[1, best]:
            best = edge
    if best != place:
        kept = sums[1, place]
        sums[1, place] = sums[1, best]
        sums[1, best] = kept
        for c in range(MOVE_SIZE):
            move = wide(tree_moves[place, c])
            tree_moves[place, c] = tree_moves[best, c]
            tree_moves[best, c] = move
    return 0


@kernel
def first_value(nodes, sums, head, edge):
    """The first evaluation behind a visited edge, for the mover of the head."""
    link = wide(nodes[NODE_LINK, edge])
    if link > 0:
        return sums[1, link] if sums[0, link] == sums[0, head] else -sums[1, link]
    return sums[0, edge] / max(1.0, float(nodes[NODE_VISITS, edge]))


@kernel
def puct_choose(nodes, sums, head, settings, root):
    """The edge with the highest value of PUCT."""
    n = wide(nodes[NODE_LINK, head])
    tried = wide(nodes[NODE_TRIED, head])
    visits = float(nodes[NODE_VISITS, head])
    scale = settings[PUCT_WEIGHT] * math.sqrt(visits + 1.0)
    solve = settings[PUCT_SOLVE] != 0
    forced = settings[PUCT_FORCED] if root else 0.0
    known = 0.0
    total = 0.0
    firsts = 0.0
    best = head + 1
    bound = -1.0e30
    for edge in range(head + 1, head + 1 + tried):
        times = float(nodes[NODE_VISITS, edge])
        prior = float(sums[1, edge])
        total += sums[0, edge]
        known += prior
        if settings[PUCT_FPU_KIND] != 0:
            firsts += first_value(nodes, sums, head, edge)
        value = sums[0, edge] / max(1.0, times) + scale * prior / (1.0 + times)
        exact = nodes[NODE_EXACT, edge]
        if forced > 0 and times < math.floor(math.sqrt(forced * prior * settings[PUCT_BUDGET])) and exact == 0:
            return edge
        if solve and exact != 0:
            if exact == WON:
                return edge
            if exact == LOST:
                value -= 1.0e9
        if value > bound:
            bound = value
            best = edge
    if tried < n:
        if settings[PUCT_FPU_KIND] != 0:
            value = firsts / max(1.0, float(tried))
        else:
            value = (sums[1, head] + total) / (1.0 + visits) - settings[PUCT_FPU] * math.sqrt(known)
        if value + scale * sums[1, head + 1 + tried] > bound:
            best = head + 1 + tried
    return best


@kernel
def sigma(settings, most, value):
    """How much a value from -1 to 1 counts beside a logit (eq. 8 of the Gumbel paper)."""
    return (settings[PUCT_SIGMA_VISITS] + most) * settings[PUCT_SIGMA_SCALE] * 0.5 * (value + 1.0)


@kernel
def mixed_value(nodes, sums, head, first, last):
    """The value of a position from its evaluation and from its visited edges (eq. 33 of the Gumbel paper)."""
    known = 0.0
    total = 0.0
    visits = 0.0
    for edge in range(first, last):
        times = float(nodes[NODE_VISITS, edge])
        if times > 0:
            known += sums[1, edge]
            total += sums[1, edge] * sums[0, edge] / times
            visits += times
    if known <= 0:
        return float(sums[1, head])
    return (sums[1, head] + visits * total / known) / (1.0 + visits)


@kernel
def gumbel_choose(nodes, sums, head, settings):
    """Below the root: the edge whose share of visits is furthest below its improved policy (eq. 14)."""
    n = wide(nodes[NODE_LINK, head])
    tried = wide(nodes[NODE_TRIED, head])
    last = head + 1 + tried
    mixed = mixed_value(nodes, sums, head, head + 1, last)
    most = 0.0
    for edge in range(head + 1, last):
        most = max(most, float(nodes[NODE_VISITS, edge]))
    base = sigma(settings, most, mixed)
    known = 0.0
    total = 0.0
    for edge in range(head + 1, last):
        value = sums[0, edge] / max(1.0, float(nodes[NODE_VISITS, edge]))
        known += sums[1, edge]
        total += sums[1, edge] * math.exp(min(60.0, sigma(settings, most, value) - base))
    total += max(0.0, 1.0 - known)
    rest = 1.0 + float(nodes[NODE_VISITS, head])
    best = head + 1
    bound = -1.0e30
    for edge in range(head + 1, last):
        times = float(nodes[NODE_VISITS, edge])
        value = sums[1, edge] * math.exp(min(60.0, sigma(settings, most, sums[0, edge] / max(1.0, times)) - base))
        value = value / total - times / rest
        if settings[PUCT_SOLVE] != 0 and nodes[NODE_EXACT, edge] != 0:
            if nodes[NODE_EXACT, edge] == WON:
                return edge
            if nodes[NODE_EXACT, edge] == LOST:
                value -= 1.0e9
        if value > bound:
            bound = value
            best = edge
    if tried < n and sums[1, last] / total > bound:
        best = last
    return best


@kernel
def gumbel_score(nodes, sums, noise, head, edge, settings, most, mixed):
    """Gumbel noise, logit and value of a move of the root together."""
    times = float(nodes[NODE_VISITS, edge])
    value = sums[0, edge] / times if times > 0 else mixed
    score = noise[edge - head - 1] + math.log(max(1.0e-30, float(sums[1, edge]))) + sigma(settings, most, value)
    if nodes[NODE_EXACT, edge] == WON:
        score += 1.0e9
    if nodes[NODE_EXACT, edge] == LOST:
        score -= 1.0e9
    return score


@kernel
def gumbel_root(nodes, sums, noise, schedule, head, settings):
    """At the root: the best of the moves whose turn it is in the sequential halving."""
    n = wide(nodes[NODE_LINK, head])
    considered = min(wide(settings[PUCT_CONSIDERED]), n)
    now = min(wide(nodes[NODE_VISITS, head]), wide(schedule.shape[1] - 1))
    turn = wide(schedule[considered, now])
    mixed = mixed_value(nodes, sums, head, head + 1, head + 1 + n)
    most = 0.0
    for edge in range(head + 1, head + 1 + n):
        most = max(most, float(nodes[NODE_VISITS, edge]))
    best = wide(0)
    bound = 0.0
    while best == 0:
        for edge in range(head + 1, head + 1 + n):
            if nodes[NODE_VISITS, edge] == turn:
                score = gumbel_score(nodes, sums, noise, head, edge, settings, most, mixed)
                if best == 0 or score > bound:
                    bound = score
                    best = edge
        # With several leaves under way it may be nobody's turn; then it is that of those visited less.
        turn = turn - 1 if turn > 0 else wide(most)
    return best
'''

SIMULATE = '''
@kernel
def puct_select(
    root, history, state, trail, nodes, sums, tree_moves, path, facts, settings, noise, schedule, work
):
    """From the root to a position that must be evaluated; visits are counted, and virtual losses, on the way.

    Returns the number of edges passed; 0 for the root itself; -1 if the line ended in a known result, which is then
    counted already; -2 if it ended where an evaluation is under way, and everything is as before.
    """
    for i in range(STATE_SIZE):
        state[i] = root[i]
    {remember_root}
    head = wide(facts[POOL_ROOT])
    if head == 0:
        return wide(0)
    depth = wide(0)
    exact = wide(0)
    while depth < PATH_LIMIT:
        if settings[PUCT_GUMBEL] == 0:
            edge = puct_choose(nodes, sums, head, settings, depth == 0)
        elif depth == 0:
            edge = gumbel_root(nodes, sums, noise, schedule, head, settings)
        else:
            edge = gumbel_choose(nodes, sums, head, settings)
        path[2 * depth] = head
        path[2 * depth + 1] = edge
        depth += 1
        nodes[NODE_VISITS, head] += 1
        before = wide(nodes[NODE_VISITS, edge])
        nodes[NODE_VISITS, edge] = before + 1
        sums[0, edge] -= settings[PUCT_VIRTUAL]
        if before == 0 and edge == head + 1 + wide(nodes[NODE_TRIED, head]):
            nodes[NODE_TRIED, head] += 1
            if depth > 1 or settings[PUCT_GUMBEL] == 0:
                bring_up(nodes, sums, tree_moves, head)
        exact = wide(nodes[NODE_EXACT, edge])
        if exact != 0 and settings[PUCT_SOLVE] != 0:
            break
        {remember}
        play(state, tree_moves[edge], work)
        if state[OVER] != 0:
            exact = exact_result(utility(state, exchanged(state, wide(sums[0, head]))))
            if settings[PUCT_SOLVE] != 0:
                prove(nodes, sums, path, depth, exact)
            break
        link = wide(nodes[NODE_LINK, edge])
        if link == 0:
            # Nobody else evaluates this position meanwhile.
            nodes[NODE_LINK, edge] = -1
            return depth
        if link < 0:
            puct_undo(nodes, sums, path, depth, settings)
            return wide(-2)
        head = link
    value = 0.0
    if exact == WON:
        value = settings[PUCT_TERMINAL]
    if exact == LOST:
        value = -settings[PUCT_TERMINAL]
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
    """Everybody on a line gets the value that it has for a person; for the others it is the opposite."""
    for d in range(depth):
        gained = value if wide(sums[0, wide(path[2 * d])]) == person else -value
        sums[0, wide(path[2 * d + 1])] += gained + settings[PUCT_VIRTUAL]
    return 0


@kernel
def puct_expand(state, nodes, sums, tree_moves, path, facts, depth, logits, value, settings, moves, work):
    """Put an evaluated position into the pool, its priors from logits, and count its value; 0 if there was no room."""
    person = exchanged(state, wide(state[MOVER]))
    n = legal(state, moves, work)
    head = wide(facts[POOL_USED])
    fits = head + 1 + n <= nodes.shape[1]
    if fits:
        facts[POOL_USED] = head + 1 + n
        nodes[NODE_VISITS, head] = 0
        nodes[NODE_LINK, head] = n
        nodes[NODE_TRIED, head] = 0
        nodes[NODE_STAMP, head] = 0
        sums[0, head] = person
        sums[1, head] = value
        write_priors(state, nodes, sums, tree_moves, head, n, logits, moves)
        bring_up(nodes, sums, tree_moves, head)
    else:
        facts[POOL_FULL] = 1
        head = wide(0)
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
    for k in range(n):
        logit = {logit}
        sums[1, head + 1 + k] = logit
        high = max(high, logit)
    total = 0.0
    for k in range(n):
        share = {share}
        sums[1, head + 1 + k] = share
        total += share
    for k in range(n):
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
    for edge in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
        if nodes[NODE_EXACT, edge] == WON:
            return True
    for edge in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
        if nodes[NODE_EXACT, edge] == 0:
            return False
    return True


@kernel
def puct_wants(nodes, facts, settings):
    """Whether a game's search goes on: there is budget, and something to find out."""
    if facts[POOL_REST] <= 0:
        return False
    return not puct_decided(nodes, facts, settings)
'''

HERE = '''
@kernel
def puct_run(root, state, scratch, rng, nodes, sums, tree_moves, path, facts, settings, noise, schedule, moves, work):
    """Search one position to the end of its budget, with an evaluator that is a kernel itself."""
    done = 0
    while puct_wants(nodes, facts, settings):
        depth = puct_select(
            root, path, state, path, nodes, sums, tree_moves, path, facts, settings, noise, schedule, work
        )
        if depth != 0:
            facts[POOL_REST] -= 1
            done += 1
        if depth >= 0:
            value = evaluate_here(state, scratch, rng, moves, work, settings)
            puct_expand(state, nodes, sums, tree_moves, path, facts, depth, sums, value, settings, moves, work)
    return done


@kernel
def puct_root(root, state, scratch, rng, nodes, sums, tree_moves, path, facts, settings, moves, work):
    """Evaluate a root, if that was not done yet."""
    if facts[POOL_ROOT] != 0 or facts[POOL_REST] == 0:
        return 0
    for i in range(STATE_SIZE):
        state[i] = root[i]
    value = evaluate_here(state, scratch, rng, moves, work, settings)
    puct_expand(state, nodes, sums, tree_moves, path, facts, wide(0), sums, value, settings, moves, work)
    return 1


@entry
def enter_puct_roots(
    roots, states, scratch, rngs, nodes, sums, tree_moves, paths, facts, settings, noise, schedule, moves, work, first,
    last,
):
    done = 0
    for g in range(first, last):
        done += puct_root(
            roots[g], states[g], scratch, rngs[g], nodes[g], sums[g], tree_moves[g], paths[g], facts[g], settings,
            moves, work,
        )
    return done


@entry
def enter_puct_run(
    roots, states, scratch, rngs, nodes, sums, tree_moves, paths, facts, settings, noise, schedule, moves, work, first,
    last,
):
    done = 0
    for g in range(first, last):
        done += puct_run(
            roots[g], states[g], scratch, rngs[g], nodes[g], sums[g], tree_moves[g], paths[g], facts[g], settings,
            noise[g], schedule, moves, work,
        )
    return done
'''
"""Search with an evaluator that is a kernel: nothing, or rollouts."""

UNIFORM = '''
@kernel
def evaluate_here(state, scratch, rng, moves, work, settings):
    """Nothing is known of a position."""
    return 0.0
'''

ROLLOUTS = '''
@kernel
def evaluate_here(state, scratch, rng, moves, work, settings):
    """The mean result of random games for the mover."""
    person = exchanged(state, wide(state[MOVER]))
    rollouts = wide(settings[PUCT_ROLLOUTS])
    total = 0.0
    for _ in range(rollouts):
        for i in range(STATE_SIZE):
            scratch[i] = state[i]
        playout(scratch, rng, moves, work, PLAYOUT_LIMIT)
        total += utility(scratch, exchanged(scratch, person))
    return total / rollouts
'''

ROOT = '''
@kernel
def draw_real(rng):
    """A number strictly between 0 and 1."""
    return (draw_number(rng, 1 << 30) + 0.5) / 1073741824.0


@kernel
def draw_gamma(rng, shape):
    """A gamma variate (Marsaglia and Tsang)."""
    boost = 1.0
    if shape < 1.0:
        boost = draw_real(rng) ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for _ in range(1000):
        x = math.sqrt(-2.0 * math.log(draw_real(rng))) * math.cos(6.283185307179586 * draw_real(rng))
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(draw_real(rng)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v
    return boost * d


@kernel
def add_dirichlet(nodes, sums, tree_moves, facts, rng, noise, alpha, share):
    """Mix Dirichlet noise into the priors of the root."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    total = 0.0
    for k in range(n):
        noise[k] = draw_gamma(rng, alpha)
        total += noise[k]
    for k in range(n):
        sums[1, head + 1 + k] = (1.0 - share) * sums[1, head + 1 + k] + share * noise[k] / max(1.0e-30, total)
    bring_up(nodes, sums, tree_moves, head)
    return 0


@kernel
def add_gumbel(nodes, facts, rng, noise, scale):
    """Draw the Gumbel noise of the root's moves."""
    head = wide(facts[POOL_ROOT])
    for k in range(wide(nodes[NODE_LINK, head])):
        noise[k] = -scale * math.log(-math.log(draw_real(rng)))
    return 0


@kernel
def improved_policy(nodes, sums, facts, settings, out):
    """The policy that the values of a search suggest for the root: softmax of logits and completed values."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    mixed = mixed_value(nodes, sums, head, head + 1, head + 1 + n)
    most = 0.0
    for edge in range(head + 1, head + 1 + n):
        most = max(most, float(nodes[NODE_VISITS, edge]))
    high = -1.0e30
    for k in range(n):
        edge = head + 1 + k
        times = float(nodes[NODE_VISITS, edge])
        value = sums[0, edge] / times if times > 0 else mixed
        if nodes[NODE_EXACT, edge] == WON:
            value = 1.0
        if nodes[NODE_EXACT, edge] == LOST:
            value = -1.0
        out[k] = math.log(max(1.0e-30, float(sums[1, edge]))) + sigma(settings, most, value)
        high = max(high, float(out[k]))
    total = 0.0
    for k in range(n):
        out[k] = math.exp(out[k] - high)
        total += out[k]
    for k in range(n):
        out[k] = out[k] / total
    return n


@kernel
def gumbel_best(nodes, sums, noise, facts, settings):
    """The move of the root that sequential halving ends with: the best among those visited most."""
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    mixed = mixed_value(nodes, sums, head, head + 1, head + 1 + n)
    most = wide(0)
    for edge in range(head + 1, head + 1 + n):
        most = max(most, wide(nodes[NODE_VISITS, edge]))
    best = wide(0)
    bound = 0.0
    for edge in range(head + 1, head + 1 + n):
        score = gumbel_score(nodes, sums, noise, head, edge, settings, float(most), mixed)
        won = nodes[NODE_EXACT, edge] == WON
        if (nodes[NODE_VISITS, edge] == most or won) and (best == 0 or score > bound):
            bound = score
            best = edge
    return best


@entry
def enter_root_noise(nodes, sums, tree_moves, facts, rngs, noise, alpha, share, gumbel):
    for g in range(nodes.shape[0]):
        if facts[g, POOL_ROOT] > 0:
            if gumbel > 0:
                add_gumbel(nodes[g], facts[g], rngs[g], noise[g], gumbel)
            elif share > 0:
                add_dirichlet(nodes[g], sums[g], tree_moves[g], facts[g], rngs[g], noise[g], alpha, share)
    return 0


@entry
def enter_root_policy(nodes, sums, facts, settings, noise, out, best):
    for g in range(nodes.shape[0]):
        if facts[g, POOL_ROOT] > 0:
            improved_policy(nodes[g], sums[g], facts[g], settings, out[g])
            best[g] = gumbel_best(nodes[g], sums[g], noise[g], facts[g], settings)
    return 0
'''

BATCH = '''
@kernel
def puct_fill(
    root, history, states, trails, inputs, nodes, sums, tree_moves, paths, depths, facts, settings, noise, schedule,
    work,
):
    """Find positions to evaluate for all places of one game; a depth of -1 leaves a place empty."""
    found = 0
    for place in range(states.shape[0]):
        depths[place] = -1
    while found < states.shape[0] and puct_wants(nodes, facts, settings):
        depth = puct_select(
            root, history, states[found], trails[found], nodes, sums, tree_moves, paths[found], facts, settings, noise,
            schedule, work,
        )
        if depth == -2:
            return found
        if depth != 0:
            facts[POOL_REST] -= 1
        if depth >= 0:
            {describe}
            depths[found] = depth
            found += 1
            if depth == 0:
                return found
    return found


@entry
def enter_puct_fill(
    roots, histories, states, trails, inputs, nodes, sums, tree_moves, paths, depths, facts, settings, noise, schedule,
    work, first, last,
):
    found = 0
    for g in range(first, last):
        found += puct_fill(
            roots[g], histories[g], states[g], trails[g], inputs[g], nodes[g], sums[g], tree_moves[g], paths[g],
            depths[g], facts[g], settings, noise[g], schedule, work,
        )
    return found


@entry
def enter_remember(history, state, move):
    {remember_played}
    return 0


@entry
def enter_puct_grow(
    states, nodes, sums, tree_moves, paths, depths, facts, logits, values, settings, moves, work, first, last
):
    for g in range(first, last):
        for place in range(states.shape[1]):
            if depths[g, place] >= 0:
                puct_expand(
                    states[g, place], nodes[g], sums[g], tree_moves[g], paths[g, place], facts[g],
                    wide(depths[g, place]), logits[g, place], values[g, place], settings, moves, work,
                )
    return 0
'''
"""Search with an evaluator outside: positions of many games are found, evaluated in one batch, and grown."""


def puct_source(game: Game, evaluator: str, layout: TensorLayout | None = None) -> str:
    """The kernels of PUCT and Gumbel search as text.

    Args:
        game: the game.
        evaluator: ``uniform`` or ``rollouts``, which run inside the kernels, or ``batch`` for one outside of them.
        layout: how positions and moves become tensors for an evaluator outside; without it, it gets the rows of
            positions, and all moves have equal priors.
    """
    names = [f"PUCT_{name} = {number}" for number, name in enumerate(SETTINGS)]
    text = CHOOSE + SIMULATE + ROOT
    text += BATCH if evaluator == "batch" else {"uniform": UNIFORM, "rollouts": ROLLOUTS}[evaluator] + HERE
    lines = dict.fromkeys(("remember_root", "remember", "remember_played", "describe"), "pass") | {
        "logit": "0.0",
        "share": "1.0",
    }
    if layout is not None:
        lines = {
            "remember_root": f"for i in range({HISTORY_SIZE}): trail[i] = history[i]",
            "remember_played": "remember_move(history, state, move)",
            "remember": "remember_move(trail, state, tree_moves[edge])",
            "describe": "planes(states[found], trails[found], inputs[found])",
            "logit": "float(logits[slot(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE])])",
            "share": "math.exp(sums[1, head + 1 + k] - high)",
        }
    for name, line in lines.items():
        text = text.replace(f"{{{name}}}", line)
    tensors = kernel_text(layout) if layout is not None else ""
    return "\n".join([pool_source(game), *names, tensors, PROOF, text])
