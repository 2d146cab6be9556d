"""The kernels of self-play and duels on a CUDA device, those of the CPU.

Several threads search a game together, see ``ludoport.kernels.lanes``: one thread a game leaves most of the device idle
and reads and writes memory in small pieces. What happens once a move is done by one thread.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.kernels.cuda_absent import compile_absent
from ludoport.kernels.cuda_apart import ArgumentType, begin_compiling, compile_all, numba_types
from ludoport.kernels.cuda_find import Capability, assume_capability, simulated
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan, row_bits
from ludoport.kernels.lanes import LANES
from ludoport.selfplay.kernels import selfplay_source
from ludoport.tensors.layout import TensorLayout

KERNELS = {
    "fill": '''
def run_fill(
    roots, histories, states, trails, inputs, rngs, nodes, sums, tree_moves, paths, depths, facts, settings, noise,
    schedule, work,
):
    """Begin a simulation of every game; a depth below 0 means that nothing must be judged."""
    g = cuda.grid(1) // LANES
    if g < roots.shape[0]:
        depth = wide(-1)
        if puct_wants(nodes[g], facts[g], settings):
            line = Line(states[g, 0], paths[g, 0])
            sight = NetworkView(histories[g], trails[g, 0], inputs[g, 0])
            pool = Pool(nodes[g], sums[g], tree_moves[g], facts[g])
            tuning = Tuning(settings, noise[g], schedule, rngs[g])
            depth = puct_find(roots[g], line, sight, pool, tuning, work[g])
        depths[g, 0] = depth
''',
    "grow": '''
def run_grow(states, nodes, sums, tree_moves, paths, depths, facts, logits, values, settings, moves, work):
    """Put the judged positions into their trees."""
    g = cuda.grid(1) // LANES
    if g < states.shape[0]:
        if depths[g, 0] >= 0:
            line = Line(states[g, 0], paths[g, 0])
            pool = Pool(nodes[g], sums[g], tree_moves[g], facts[g])
            puct_expand(line, pool, wide(depths[g, 0]), logits[g], values[g], settings, moves[g], work[g])
''',
    "noise": '''
def run_noise(nodes, sums, tree_moves, facts, rngs, noise, settings, alpha, share, scales):
    """Give the roots their noise."""
    g = cuda.grid(1)
    if g < nodes.shape[0]:
        if settings[PUCT_GUMBEL] > 0:
            add_gumbel(nodes[g], facts[g], rngs[g], noise[g], scales[g])
        elif share > 0:
            pool = Pool(nodes[g], sums[g], tree_moves[g], facts[g])
            add_dirichlet(pool, rngs[g], noise[g], alpha, share)
''',
    "step": '''
def run_step(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, counts, places, seen,
    policies, judged, persons, results, replies, finals, ended, given, forward, work,
):
    """Record the searched positions and play a move in every game."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        live = Live(roots[g], histories[g], rngs[g], noise[g])
        log = Log(counts[g], places[g])
        pool = Pool(nodes[g], sums[g], tree_moves[g], facts[g])
        manner = Manner(settings, numbers)
        replay = ReplayArrays(seen, policies, judged, persons, results, replies, finals)
        scratch = Scratch(shares[g], ended[g], forward[g], work[g])
        step_game(live, log, pool, manner, replay, scratch, wide(given[g]))
''',
    "duel": '''
def run_duel(
    roots, histories, rngs, nodes, sums, tree_moves, facts, settings, noise, numbers, shares, plies, chosen, turns, work
):
    """Play a move in every game in which a side is to move."""
    g = cuda.grid(1)
    if g < roots.shape[0]:
        if turns[g] != 0:
            live = Live(roots[g], histories[g], rngs[g], noise[g])
            pool = Pool(nodes[g], sums[g], tree_moves[g], facts[g])
            duel_game(live, pool, Manner(settings, numbers), shares[g], wide(plies[g]), chosen[g], work[g])
            plies[g] += 1
''',
}
"""Kernels of the device by name; each does the work of the CPU's kernels for all games, one thread a game."""


RARE = ("noise", "step", "duel")
"""Kernels that are launched once a move, not once a simulation."""

PARAMETERS = {
    name: tuple(argument.arg for argument in function.args.args)
    for name, text in KERNELS.items()
    if isinstance(function := ast.parse(text).body[0], ast.FunctionDef)
}
"""Names of the parameters of each kernel."""


ROW = ""
"""Stands for the integers of the game's rows."""

TYPES: dict[str, ArgumentType] = {
    "roots": (ROW, 2), "histories": (ROW, 2), "states": (ROW, 3), "trails": (ROW, 3), "inputs": ("uint8", 3),
    "nodes": ("int32", 3), "sums": ("float32", 3), "tree_moves": (ROW, 3), "paths": ("int32", 3),
    "depths": ("int32", 2), "facts": ("int64", 2), "settings": ("float64", 1), "noise": ("float32", 2),
    "schedule": ("int32", 2), "work": (ROW, 2), "logits": ("float32", 2), "values": ("float32", 1), "moves": (ROW, 2),
    "rngs": ("int64", 2), "alpha": ("float64", 0), "share": ("float64", 0), "scales": ("float64", 1),
    "numbers": ("float64", 1), "shares": ("float32", 2), "counts": ("int64", 2), "places": ("int64", 2),
    "seen": ("uint8", 2), "policies": ("int16", 2), "judged": ("float32", 1), "persons": ("int8", 1),
    "results": ("float32", 1), "replies": ("int32", 1), "finals": ("int8", 2), "ended": ("uint8", 2),
    "given": ("int64", 1), "forward": ("int32", 2), "plies": ("int64", 1), "chosen": (ROW, 2), "turns": ("int8", 1),
}  # fmt: skip
"""Types of the parameters of kernels: the type of numbers, and the number of dimensions."""

FUNCTION = re.compile(r"^def (\w+)\(", re.MULTILINE)
"""The names of the functions of a text."""

SELF_PLAY = ("fill", "grow", "noise", "step")
"""Kernels of self-play; duels have ``duel`` in the place of ``step``."""


def device_kernels(game: Game, layout: TensorLayout) -> dict[str, CudaKernels]:
    """For each kernel of self-play: the kernels of the game that it is compiled with."""
    bits = row_bits(game.rules.dtype)
    sources = {lanes: kernel_source(game, layout, lanes) for lanes in {lanes_of(name) for name in KERNELS}}
    return {name: _compiled(sources[lanes_of(name)], bits, name in RARE) for name in KERNELS}


def kernel_source(game: Game, layout: TensorLayout, lanes: int) -> str:
    """Source of the kernels of a game, for a number of threads per game (``lanes``)."""
    added = selfplay_source(game, layout, lanes=lanes > 1)
    # On a device all functions are of one module, and a second one of a name would take the place of the first.
    twice = set(FUNCTION.findall(game.rules.source)) & set(FUNCTION.findall(added))
    if twice:
        raise LudoportError(f"{game.name}: the rules and the search both have a function `{min(twice)}`")
    return game.rules.source + f"\nLANES = {lanes}\n" + added


def lanes_of(name: str) -> int:
    """Number of threads per game in a kernel; 1 in the simulator."""
    return 1 if name in RARE or simulated() else LANES


def prepare_kernels(game: Game, layout: TensorLayout, names: Sequence[str] = SELF_PLAY, *, wait: bool = True) -> None:
    """Have kernels compiled, or loaded from the disk.

    Args:
        game: the game.
        layout: layout of the tensors.
        names: names of the kernels.
        wait: otherwise those that are not on the disk are only begun, in other processes.
    """
    kernels = device_kernels(game, layout)
    if kernels["fill"].simulated:
        return
    do = compile_all if wait else begin_compiling
    for some in dict.fromkeys(kernels[name] for name in names):
        wanted = {f"run_{name}": (KERNELS[name], _arguments(game, name)) for name in names if kernels[name] is some}
        do(some, wanted)


def _arguments(game: Game, name: str) -> list[ArgumentType]:
    """The types of a kernel's arguments."""
    row = f"int{row_bits(game.rules.dtype)}"
    return [(TYPES[p][0] or row, TYPES[p][1]) for p in PARAMETERS[name]]


def compile_ahead(game: Game, layout: TensorLayout, capability: Capability) -> Iterator[Path]:
    """Put all kernels of a game for devices of a capability into the cache; none needs to be here."""
    assume_capability(capability)
    for name, kernels in device_kernels(game, layout).items():
        function, types = kernels.kernel(f"run_{name}", KERNELS[name]), numba_types(_arguments(game, name))
        path = function._cache.path(types)
        yield path if path.exists() else compile_absent(function, types, capability)


@cache
def _compiled(source: str, bits: int, rare: bool) -> CudaKernels:
    return CudaKernels(source, LaunchPlan(bits=bits, words=False, calls=rare))
