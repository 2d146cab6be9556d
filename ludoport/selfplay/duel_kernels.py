"""What happens between two searches of a duel, as text over the contract: choose and play, and nothing is recorded."""

DUEL = '''
@kernel
def duel_game(
    root, history, rng, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, ply, chosen, work
):
    """Play the move that a search suggests, and forget its tree."""
    edge = choose_edge(nodes, sums, facts, rng, noise, settings, numbers, ply, shares)
    for c in range(MOVE_SIZE):
        chosen[c] = tree_moves[edge, c]
    remember_move(history, root, tree_moves[edge])
    play(root, tree_moves[edge], work)
    facts[POOL_ROOT] = 0
    facts[POOL_USED] = 1
    facts[POOL_FULL] = 0
    return 0


@entry
def enter_duel_step(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, plies, chosen, turns, work
):
    for g in range(roots.shape[0]):
        if turns[g] != 0:
            duel_game(
                roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g],
                numbers, shares, wide(plies[g]), chosen[g], work,
            )
            plies[g] += 1
    return 0
'''
