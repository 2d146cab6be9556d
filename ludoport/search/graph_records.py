"""Arrays that the kernels between pools and graphs take together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class LevelRows(NamedTuple):
    """Positions of one distance from the root of a graph.

    Attributes:
        rows: positions, shape (positions, state size).
        numbers: their states in the graph.
        begin: start of the legal moves of each, shape (positions + 1,).
        listed: legal moves, one row after another.
    """

    rows: NDArray[Any]
    numbers: NDArray[np.int64]
    begin: NDArray[np.int64]
    listed: NDArray[Any]


class GraphEdges(NamedTuple):
    """Arrays of a graph that a walk reads.

    Attributes:
        first: start of the edges of each state, shape (states + 1,).
        child: the state behind each edge.
        edges: moves of the edges, one row after another.
        keys: key of each state.
    """

    first: NDArray[np.int64]
    child: NDArray[np.int32]
    edges: NDArray[Any]
    keys: NDArray[np.int64]


class Walk(NamedTuple):
    """States and edges of a walk.

    Attributes:
        inner: whether a state has edges, shape (states,).
        reached: whether a state was reached, shape (states,).
        kept: whether an edge was legal and led to its state, shape (edges,).
    """

    inner: NDArray[np.int8]
    reached: NDArray[np.int8]
    kept: NDArray[np.int8]


class EdgeList(NamedTuple):
    """Edges of a tree, for a graph.

    Attributes:
        names: keys of both ends, shape (2, edges).
        person: the person who chooses the move, shape (edges,).
        visits: visits, shape (edges,).
        worth: sum of results, shape (edges,).
        moves: shape (edges, move size).
    """

    names: NDArray[np.int64]
    person: NDArray[np.int8]
    visits: NDArray[np.int64]
    worth: NDArray[np.float64]
    moves: NDArray[Any]


class GraphKnowledge(NamedTuple):
    """Edges of a graph, and their places in a pool.

    Attributes:
        first: start of the edges of each state, shape (states + 1,).
        child: the state behind each edge.
        visits: visits, shape (edges,).
        worth: sum of results, shape (edges,).
        moves: shape (edges, move size).
        head_of: the head of each state, 0 if it has none.
        taken: becomes 1 where an edge was found among the legal moves, shape (edges,).
    """

    first: NDArray[np.int64]
    child: NDArray[np.int32]
    visits: NDArray[np.int64]
    worth: NDArray[np.float64]
    moves: NDArray[Any]
    head_of: NDArray[np.int64]
    taken: NDArray[np.int8]
