"""Memory policies: what a search does when its pool is full.

``stop``, ``stunt``, ``ensemble``, ``flatten``, ``recycle`` and ``collect`` are those that the thesis compares (section
2.2.4); ``drop`` is its own (section 4.2).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from ludoport.errors import LudoportError
from ludoport.search.tree import LINK, STAMP, STUNTED, VISITS, SearchFindings, Tree, combine

Policy = Literal["stop", "stunt", "ensemble", "flatten", "recycle", "collect", "drop"]
POLICIES: tuple[Policy, ...] = get_args(Policy)

RECYCLED = 0.5
"""The share of a full pool that recycling frees at once; node by node it would cost more than it saves."""

SavesBranch = Callable[[Tree, int], None]
"""Saves a tree without what lies below one head (0 for all of it)."""


class BoundedSearch:
    """A search that keeps to its pool.

    Args:
        tree: the tree to grow.
        policy: memory policy, for a full pool.
        least: ``collect`` forgets positions with fewer visits; raised by itself where that frees nothing.
        save: receives the branches that ``drop`` prunes.
    """

    def __init__(
        self, tree: Tree, policy: Policy = "stunt", *, least: int = 2, save: SavesBranch | None = None
    ) -> None:
        if policy not in POLICIES:
            raise LudoportError(f"unknown memory policy `{policy}`; choose from {', '.join(POLICIES)}")
        if least < 1:
            raise LudoportError(f"positions must have at least 1 visit to be kept, not {least}")
        self.tree, self.policy, self.least, self.save = tree, policy, least, save
        self.stopped = ""
        self.pruned = 0
        """Number of times that the pool was full."""
        tree.pool.facts[STUNTED] = policy == "stunt"
        self._earlier: list[SearchFindings] = []

    def run(self, simulations: int) -> int:
        """Grow the tree by simulations, as far as the policy lets it; returns how many were done."""
        if simulations < 1:
            raise LudoportError(f"the number of simulations must be at least 1, not {simulations}")
        done = 0
        while done < simulations and not self.stopped:
            step = self.tree.run(simulations - done)
            done += step
            if done < simulations:
                if self.tree.full and not self.tree.pool.facts[STUNTED]:
                    self.pruned += 1
                    getattr(self, f"_{self.policy}")()
                else:
                    self.stopped = "the result is proved"
        return done

    def found(self) -> SearchFindings:
        """Statistics of the moves of the first root, from all trees and branches."""
        now = self.tree.found(self.stopped)
        if self.policy == "ensemble":
            return combine([*self._earlier, now])
        if self._earlier:  # after a drop nothing changes at the first root
            return replace(self._earlier[0], nodes=now.nodes + sum(f.nodes for f in self._earlier), stopped=now.stopped)
        return now

    def _stop(self) -> None:
        self.stopped = "the pool is full"

    def _ensemble(self) -> None:
        """Begin again with a new tree; in the end the trees are combined."""
        self._earlier.append(self.tree.found())
        self.tree.clear()

    def _flatten(self) -> None:
        """Keep the root and its moves with their results."""
        self.tree.keep(self.tree.pool.root, visits=np.iinfo(np.int32).max)

    def _collect(self) -> None:
        """Forget positions that were visited seldom; more of them if that was not enough."""
        tree, least = self.tree, self.least
        before = tree.pool.used
        while True:
            tree.keep(tree.pool.root, visits=least)
            if tree.pool.used <= before * 0.9 or least > 2**30:
                break
            least *= 2
        self._stunt_if_full(before)

    def _recycle(self) -> None:
        """Forget what was not used for longest."""
        tree = self.tree
        before = tree.pool.used
        heads, sizes = tree.heads()
        stamps = tree.pool.nodes[STAMP, heads]
        order = np.argsort(stamps, kind="stable")
        room = np.cumsum(sizes[order] + 1)
        last = order[min(int(np.searchsorted(room, RECYCLED * before)), len(order) - 1)]
        tree.keep(tree.pool.root, stamp=int(stamps[last]) + 1)
        self._stunt_if_full(before)

    def _drop(self) -> None:
        """Continue below the best move of the pseudoroot; all other branches are saved and forgotten."""
        tree = self.tree
        edges, nodes = tree.edges(), tree.pool.nodes
        best = edges.start + int(np.argmax(nodes[VISITS, edges]))
        link = int(nodes[LINK, best])
        if link <= 0:
            # The best move ends the game: no search can follow, so this tree is used.
            tree.pool.facts[STUNTED] = 1
            return
        if self.save is not None:
            try:
                self.save(tree, link)
            except OSError as error:
                self.stopped = (
                    f"the pool is full, and the pruned branches could not be saved: {error.strerror or error}"
                )
                return
        found = tree.found()
        before = tree.pool.used
        tree.advance(found.moves[best - edges.start])
        self._earlier.append(replace(found, nodes=found.nodes - tree.nodes()))
        self._stunt_if_full(before)

    def _stunt_if_full(self, before: int) -> None:
        """Continue without new positions where nothing could be forgotten, as where lines lead back to the root."""
        if self.tree.pool.used >= before:
            self.tree.pool.facts[STUNTED] = 1
