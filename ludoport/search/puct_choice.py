"""The text of choosing an edge: by PUCT, or by the improved policy and the sequential halving of Gumbel search."""

CHOOSE = '''
@kernel
def bring_up(nodes, sums, tree_moves, head):
    """Put the unvisited edge with the highest prior behind the visited ones."""
    n = wide(nodes[NODE_LINK, head])
    place = head + 1 + wide(nodes[NODE_TRIED, head])
    best = place
    bound = -1.0
    for edge in range(place + LANE, head + 1 + n, LANES):
        if sums[1, edge] > bound:
            bound = float(sums[1, edge])
            best = edge
    best = lanes_best(bound, best)
    if best != place and FIRST_LANE:
        kept = sums[1, place]
        sums[1, place] = sums[1, best]
        sums[1, best] = kept
        for c in range(MOVE_SIZE):
            move = wide(tree_moves[place, c])
            tree_moves[place, c] = tree_moves[best, c]
            tree_moves[best, c] = move
    lanes_wait()
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
    for edge in range(head + 1 + LANE, head + 1 + tried, LANES):
        times = float(nodes[NODE_VISITS, edge])
        prior = float(sums[1, edge])
        total += sums[0, edge]
        known += prior
        if settings[PUCT_FPU_KIND] != 0:
            firsts += first_value(nodes, sums, head, edge)
        value = sums[0, edge] / max(1.0, times) + scale * prior / (1.0 + times)
        exact = nodes[NODE_EXACT, edge]
        if forced > 0 and times < math.floor(math.sqrt(forced * prior * settings[PUCT_BUDGET])) and exact == 0:
            best = edge
            bound = 1.0e30
            break
        if solve and exact != 0:
            if exact == WON:
                best = edge
                bound = 1.0e30
                break
            if exact == LOST:
                value -= 1.0e9
        if value > bound:
            bound = value
            best = edge
    known = lanes_sum(known)
    total = lanes_sum(total)
    firsts = lanes_sum(firsts)
    best = lanes_best(bound, best)
    bound = lanes_max(bound)
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
    for edge in range(first + LANE, last, LANES):
        times = float(nodes[NODE_VISITS, edge])
        if times > 0:
            known += sums[1, edge]
            total += sums[1, edge] * sums[0, edge] / times
            visits += times
    known = lanes_sum(known)
    total = lanes_sum(total)
    visits = lanes_sum(visits)
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
    for edge in range(head + 1 + LANE, last, LANES):
        most = max(most, float(nodes[NODE_VISITS, edge]))
    most = lanes_max(most)
    base = sigma(settings, most, mixed)
    known = 0.0
    total = 0.0
    for edge in range(head + 1 + LANE, last, LANES):
        value = sums[0, edge] / max(1.0, float(nodes[NODE_VISITS, edge]))
        known += sums[1, edge]
        total += sums[1, edge] * math.exp(min(600.0, sigma(settings, most, value) - base))
    known = lanes_sum(known)
    total = lanes_sum(total)
    total += max(0.0, 1.0 - known)
    rest = 1.0 + float(nodes[NODE_VISITS, head])
    best = head + 1
    bound = -1.0e30
    for edge in range(head + 1 + LANE, last, LANES):
        times = float(nodes[NODE_VISITS, edge])
        value = sums[1, edge] * math.exp(min(600.0, sigma(settings, most, sums[0, edge] / max(1.0, times)) - base))
        value = value / total - times / rest
        if settings[PUCT_SOLVE] != 0 and nodes[NODE_EXACT, edge] != 0:
            if nodes[NODE_EXACT, edge] == WON:
                best = edge
                bound = 1.0e30
                break
            if nodes[NODE_EXACT, edge] == LOST:
                value -= 1.0e9
        if value > bound:
            bound = value
            best = edge
    best = lanes_best(bound, best)
    bound = lanes_max(bound)
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
    for edge in range(head + 1 + LANE, head + 1 + n, LANES):
        most = max(most, float(nodes[NODE_VISITS, edge]))
    most = lanes_max(most)
    best = wide(0)
    bound = 0.0
    while best == 0:
        for edge in range(head + 1 + LANE, head + 1 + n, LANES):
            if nodes[NODE_VISITS, edge] == turn:
                score = gumbel_score(nodes, sums, noise, head, edge, settings, most, mixed)
                if best == 0 or score > bound:
                    bound = score
                    best = edge
        best = lanes_best(bound, best)
        # With several leaves under way no move may be due; then one that was visited less is chosen.
        turn = turn - 1 if turn > 0 else wide(most)
    return best
'''
