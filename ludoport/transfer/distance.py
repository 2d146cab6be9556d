"""Edit distance of labelled ordered trees: the least number of nodes to insert, delete or rename.

This is the tree edit distance of Zhang and Shasha (1989) with unit costs. The algorithm is a kernel; everything before
it is bookkeeping: nodes are numbered from below, equal trees are compared once, and pairs that cannot beat the best
distance known so far are left out.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.build import cpu_module, plain_functions

Ints = NDArray[np.int32]

MOST_PAIRS = 20_000_000
"""Pairs of nodes; more of them would take too long."""

SOURCE = '''
import numpy as np


@entry
def tree_distance(labels_a, first_a, roots_a, labels_b, first_b, roots_b, between, forest):
    """Edit distance of two trees whose nodes are numbered in postorder.

    first_x[i] is the leftmost leaf below node i; roots_x lists the nodes that have a left sibling, and the root.
    between and forest are scratch space with one row and column more than there are nodes.
    """
    for p in range(roots_a.shape[0]):
        i = wide(roots_a[p])
        top = wide(first_a[i])
        for q in range(roots_b.shape[0]):
            j = wide(roots_b[q])
            left = wide(first_b[j])
            forest[top, left] = 0
            for a in range(top, i + 1):
                forest[a + 1, left] = forest[a, left] + 1
            for b in range(left, j + 1):
                forest[top, b + 1] = forest[top, b] + 1
            for a in range(top, i + 1):
                for b in range(left, j + 1):
                    least = min(forest[a, b + 1], forest[a + 1, b]) + 1
                    if first_a[a] == top and first_b[b] == left:
                        cost = 0 if labels_a[a] == labels_b[b] else 1
                        least = min(least, forest[a, b] + cost)
                        between[a, b] = least
                    else:
                        least = min(least, forest[wide(first_a[a]), wide(first_b[b])] + between[a, b])
                    forest[a + 1, b + 1] = least
    return between[labels_a.shape[0] - 1, labels_b.shape[0] - 1]
'''


@dataclass(frozen=True)
class LabelTree:
    """A node with a label and the trees below it, from left to right.

    >>> distance(LabelTree("a", (LabelTree("b"), LabelTree("c"))), LabelTree("a", (LabelTree("c"),)))
    1
    """

    label: str
    children: tuple[LabelTree, ...] = ()

    def __str__(self) -> str:
        if not self.children:
            return self.label
        return f"{self.label}({' '.join(map(str, self.children))})"

    @cached_property
    def _hash(self) -> int:
        return hash((self.label, self.children))

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels of all nodes, from below and from the left."""
        below = [label for child in self.children for label in child.labels]
        return (*below, self.label)

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of times that each label occurs."""
        return Counter(self.labels)

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.labels)


def distance(a: LabelTree, b: LabelTree) -> int:
    """The least number of nodes to insert, delete or rename that makes ``b`` of ``a``.

    Trees that are too large for that (`MOST_PAIRS`) are compared by their labels only.
    """
    if a == b:
        return 0
    return lower_bound(a, b) if a.size * b.size > MOST_PAIRS else _distance(*_ordered(a, b))


def lower_bound(a: LabelTree, b: LabelTree) -> int:
    """A number that the distance never falls below: labels that have no partner must be touched."""
    return max(a.size, b.size) - (a.counts & b.counts).total()


def nearest(tree: LabelTree, others: Sequence[LabelTree]) -> tuple[int, int]:
    """The first of the nearest trees and its distance; -1 where there are none.

    >>> nearest(LabelTree("a"), [LabelTree("b"), LabelTree("a", (LabelTree("b"),)), LabelTree("c")])
    (0, 1)
    """
    best: tuple[int, int] | None = None
    for least, number in sorted((lower_bound(tree, other), number) for number, other in enumerate(others)):
        if best is None or (least, number) < best:
            found = distance(tree, others[number]), number
            best = found if best is None else min(best, found)
    return (-1, 0) if best is None else (best[1], best[0])


def _ordered(a: LabelTree, b: LabelTree) -> tuple[LabelTree, LabelTree]:
    """The distance is symmetric, so each pair is computed in one order only."""
    return (a, b) if (a.size, hash(a)) <= (b.size, hash(b)) else (b, a)


@cache
def _distance(a: LabelTree, b: LabelTree) -> int:
    numbers: dict[str, int] = {}
    shape = (a.size + 1, b.size + 1)
    between, forest = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
    return int(_kernel()(*_arrays(a, numbers), *_arrays(b, numbers), between, forest))


def _arrays(tree: LabelTree, numbers: dict[str, int]) -> tuple[Ints, Ints, Ints]:
    """Labels as numbers, leftmost leaves, and the nodes at which forests begin."""
    labels: list[int] = []
    first: list[int] = []

    def visit(node: LabelTree) -> int:
        leaf = min((visit(child) for child in node.children), default=len(labels))
        labels.append(numbers.setdefault(node.label, len(numbers)))
        first.append(leaf)
        return leaf

    visit(tree)
    roots = sorted({leaf: node for node, leaf in enumerate(first)}.values())
    return tuple(np.array(values, dtype=np.int32) for values in (labels, first, roots))  # type: ignore[return-value]


@cache
def _kernel() -> Any:
    if os.environ.get("LUDOPORT_JIT", "1") == "0":
        return plain_functions(SOURCE)["tree_distance"]
    return cpu_module("tree distance", SOURCE).tree_distance
