"""UCT: the move that Monte-Carlo tree search chooses (Kocsis and Szepesvári, 2006)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.search.tree import STUNTED, SearchFindings, Tree, UctSettings

if TYPE_CHECKING:
    from ludoport.game import Move, State

MOST_NODES = 4_000_000
"""Default capacity of the pool; a search that has used it up continues in the tree that it has."""


def uct(state: State, simulations: int = 1000, seed: int = 0, **settings: Any) -> Move:
    """The move that UCT chooses.

    Args:
        state: a position that is not the end of a game.
        simulations: number of simulations.
        seed: random seed.
        settings: see ``UctSettings``.

    Example:
        >>> import ludoport as lp
        >>> state = lp.load("Tic-Tac-Toe", jit=False).start()
        >>> for move in ("0", "3", "1", "4"):
        ...     state = state.play(move)
        >>> str(uct(state, simulations=100))
        'C1'
    """
    return search(state, simulations=simulations, seed=seed, **settings).best


def search(
    state: State, *, simulations: int = 1000, seed: int = 0, nodes: int = MOST_NODES, **settings: Any
) -> SearchFindings:
    """Search with UCT; returns the statistics of every move. The pool has room for ``nodes`` entries."""
    return grown(state, simulations=simulations, seed=seed, nodes=nodes, **settings).found()


def grown(state: State, *, simulations: int = 1000, seed: int = 0, nodes: int = MOST_NODES, **settings: Any) -> Tree:
    """The tree of such a search."""
    tree = empty_tree(state, simulations, seed, nodes, UctSettings(**settings))
    tree.run(simulations)
    return tree


def empty_tree(state: State, simulations: int, seed: int, nodes: int, settings: UctSettings) -> Tree:
    """An empty tree with room for the simulations of a search, at most ``nodes`` entries."""
    if simulations < 1:
        raise LudoportError(f"the number of simulations must be at least 1, not {simulations}")
    # Every simulation makes at most one position, with all its moves.
    room = max(len(state.moves()) + 2, min(nodes, 2 + (simulations + 1) * (state.game.rules.max_moves + 1)))
    tree = Tree(state, room, settings, seed)
    tree.pool.facts[STUNTED] = 1  # there is room for every position, unless fewer nodes were asked for
    return tree
