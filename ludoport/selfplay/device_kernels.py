"""The kernels of self-play and duels on a CUDA device: those of the CPU, one thread a game."""

from __future__ import annotations

from functools import cache

from ludoport.game import Game
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import Plan, row_bits
from ludoport.selfplay.kernels import selfplay_source
from ludoport.tensors.layout import TensorLayout

KERNELS = {
    "fill": '''
def run_fill(
    roots, histories, states, trails, inputs, nodes, sums, tree_moves, paths, depths, facts, settings, noise, schedule,
    work,
):
    """Begin a simulation of every game; a depth below 0 means that nothing must be judged."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        depths[g, 0] = -1
        if puct_wants(nodes[g], facts[g], settings):
            depths[g, 0] = puct_find(
                roots[g], histories[g], states[g, 0], trails[g, 0], inputs[g, 0], nodes[g], sums[g], tree_moves[g],
                paths[g, 0], facts[g], settings, noise[g], schedule, work[g],
            )
''',
    "grow": '''
def run_grow(states, nodes, sums, tree_moves, paths, depths, facts, logits, values, settings, moves, work):
    """Put the judged positions into their trees."""
    g = cuda.grid(1)
    if g < states.shape[0]:
        if depths[g, 0] >= 0:
            puct_expand(
                states[g, 0], nodes[g], sums[g], tree_moves[g], paths[g, 0], facts[g], wide(depths[g, 0]), logits[g],
                values[g], settings, moves[g], work[g],
            )
''',
    "noise": '''
def run_noise(nodes, sums, tree_moves, facts, rngs, noise, settings, alpha, share, scales):
    """Give the roots their noise."""
    g = cuda.grid(1)
    if g < nodes.shape[0]:
        if settings[PUCT_GUMBEL] > 0:
            add_gumbel(nodes[g], facts[g], rngs[g], noise[g], scales[g])
        elif share > 0:
            add_dirichlet(nodes[g], sums[g], tree_moves[g], facts[g], rngs[g], noise[g], alpha, share)
''',
    "step": '''
def run_step(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen,
    policies, judged, persons, results, replies, finals, ended, given, forward, work,
):
    """Record the searched positions and play a move in every game."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        number = wide(given[g])
        place = max(wide(0), number) % results.shape[0]
        step_game(
            roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g], numbers,
            shares[g], counts[g], places[g], seen[place], policies[place], judged, persons, results, replies, finals,
            ended[g], number, forward[g], work[g],
        )
''',
    "duel": '''
def run_duel(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, plies, chosen, turns, work
):
    """Play a move in every game in which a side is to move."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        if turns[g] != 0:
            duel_game(
                roots[g], histories[g], rngs[g], nodes[g], sums[g], tree_moves[g], facts[g], settings, noise[g],
                numbers, shares[g], wide(plies[g]), chosen[g], work[g],
            )
            plies[g] += 1
''',
}
"""What the kernels of the CPU do for all games, one thread a game."""


def device_kernels(game: Game, layout: TensorLayout) -> CudaKernels:
    """The kernels of a game and of its self-play."""
    return _compiled(game.rules.source + selfplay_source(game, layout), row_bits(game.rules.dtype))


@cache
def _compiled(source: str, bits: int) -> CudaKernels:
    return CudaKernels(source, Plan(bits=bits, words=False))
