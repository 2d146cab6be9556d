"""Results of a finished search, as kernel text: the policy to learn, the value, and the move to play."""

CHOOSING = '''
@kernel
def without_forced(nodes, sums, head, settings, k, best, total):
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
            out[k] = without_forced(nodes, sums, head, settings, wide(k), best, total)
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
def most_visited(nodes, head, n):
    """The number of the edge visited most among those not proved to lose, or among all if they do."""
    best = wide(0)
    for k in range(1, n):
        lost = nodes[NODE_EXACT, head + 1 + k] == LOST
        worse = nodes[NODE_EXACT, head + 1 + best] == LOST
        more = nodes[NODE_VISITS, head + 1 + k] > nodes[NODE_VISITS, head + 1 + best]
        if (worse and not lost) or (more and lost == worse):
            best = wide(k)
    return best


@kernel
def choose_edge(pool, rng, noise, manner, ply, shares):
    """The move to play: drawn by visits in the first plies, otherwise the best."""
    nodes = pool.nodes
    sums = pool.sums
    facts = pool.facts
    settings = manner.settings
    numbers = manner.numbers
    head = wide(facts[POOL_ROOT])
    n = wide(nodes[NODE_LINK, head])
    for k in range(n):
        if nodes[NODE_EXACT, head + 1 + k] == WON:
            return head + 1 + k
    if settings[PUCT_GUMBEL] > 0:
        return gumbel_best(nodes, sums, noise, facts, settings)
    best = most_visited(nodes, head, n)
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
'''
