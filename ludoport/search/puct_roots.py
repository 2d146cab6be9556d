"""The text of what happens at roots before and after a search: noise, and the policy that its values suggest."""

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
def add_dirichlet(pool, rng, noise, alpha, share):
    """Mix Dirichlet noise into the priors of the root."""
    sums = pool.sums
    head = wide(pool.facts[POOL_ROOT])
    n = wide(pool.nodes[NODE_LINK, head])
    total = 0.0
    for k in range(n):
        noise[k] = draw_gamma(rng, alpha)
        total += noise[k]
    for k in range(n):
        sums[1, head + 1 + k] = (1.0 - share) * sums[1, head + 1 + k] + share * noise[k] / max(1.0e-30, total)
    bring_up(pool.nodes, sums, pool.moves, head)
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
def enter_root_noise(pools, rngs, noise, alpha, share, gumbel, scales, games):
    for g in range(games):
        if pools.facts[g, POOL_ROOT] > 0:
            pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
            if gumbel > 0:
                add_gumbel(pool.nodes, pool.facts, rngs[g], noise[g], scales[g])
            elif share > 0:
                add_dirichlet(pool, rngs[g], noise[g], alpha, share)
    return 0


@entry
def enter_root_policy(nodes, sums, facts, settings, noise, out, best):
    for g in range(nodes.shape[0]):
        if facts[g, POOL_ROOT] > 0:
            improved_policy(nodes[g], sums[g], facts[g], settings, out[g])
            best[g] = gumbel_best(nodes[g], sums[g], noise[g], facts[g], settings)
    return 0
'''
