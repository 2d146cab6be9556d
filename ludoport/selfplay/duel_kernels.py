"""The step between two searches of a duel, as text over the contract: choose and play, and nothing is recorded."""

DUEL = '''
@kernel
def duel_game(live, pool, manner, shares, ply, chosen, work):
    """Play the move that a search suggests, and forget its tree."""
    edge = choose_edge(pool, live.rng, live.noise, manner, ply, shares)
    for c in range(MOVE_SIZE):
        chosen[c] = pool.moves[edge, c]
    remember_move(live.history, live.root, pool.moves[edge])
    play(live.root, pool.moves[edge], work)
    pool.facts[POOL_ROOT] = 0
    pool.facts[POOL_USED] = 1
    pool.facts[POOL_FULL] = 0
    return 0


@entry
def enter_duel_step(lives, pools, manner, shares, plies, chosen, turns, work):
    for g in range(turns.shape[0]):
        if turns[g] != 0:
            live = Live(lives.root[g], lives.history[g], lives.rng[g], lives.noise[g])
            pool = Pool(pools.nodes[g], pools.sums[g], pools.moves[g], pools.facts[g])
            duel_game(live, pool, manner, shares, wide(plies[g]), chosen[g], work)
            plies[g] += 1
    return 0
'''
