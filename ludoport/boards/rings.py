"""The rings of edges that may become faces, and the edges that cross others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludoport.boards.elements import Edge, Vertex
from ludoport.boards.geometry import EPSILON
from ludoport.budget import spend

MARGIN = 0.1
"""Edges that are farther apart than this do not cross."""

MAX_FACE_SIDES = 32

Ends = NDArray[np.float64]
"""The ends of edges: x, y, x, y."""


def ring_from(start: Vertex, edge: Edge, crossed: set[Edge]) -> list[Vertex] | None:
    """Walk around a face: at each vertex leave by the next edge after the one we came by."""
    ring = [start]
    vertex = start
    while len(ring) <= MAX_FACE_SIDES:
        edges = vertex.edges
        place = edges.index(edge)
        count = len(edges)
        for step in range(1, count):
            edge = edges[(place + step) % count]
            following = edge.other(vertex)
            if abs(following.z - start.z) < 0.0001:
                break
        else:
            return None
        vertex = following
        if vertex is start:
            return ring if len(ring) >= 3 else None
        if vertex in ring or edge in crossed:
            return None
        ring.append(vertex)
    return None


def crossed_edges(edges: Sequence[Edge]) -> set[Edge]:
    """Edges crossed by an edge of a lower number, ends excepted."""
    ends = np.array([(e.a.x, e.a.y, e.b.x, e.b.y) for e in edges]).reshape(-1, 4)
    # Only edges whose rectangles overlap can cross; finding these takes most of the time on large boards.
    margin = MARGIN + EPSILON * float(np.ptp(ends)) if len(ends) else 0.0
    low, high = np.minimum(ends[:, :2], ends[:, 2:]) - margin, np.maximum(ends[:, :2], ends[:, 2:]) + margin
    crossed: set[Edge] = set()
    for n, edge in enumerate(edges):
        spend()
        others = ends[:n][np.all((low[:n] <= high[n]) & (high[:n] >= low[n]), axis=1)]
        if not len(others):
            continue
        p, q = ends[n, :2], ends[n, 2:]
        near = np.zeros(len(others), dtype=bool)
        for point in (p, q):
            for columns in (others[:, :2], others[:, 2:]):
                near |= np.hypot(columns[:, 0] - point[0], columns[:, 1] - point[1]) < 0.001
        s, t, flat = meetings(ends[n], others)
        inside = (s >= -EPSILON) & (s <= 1 + EPSILON) & (t >= -EPSILON) & (t <= 1 + EPSILON)
        if bool(np.any(inside & ~near & ~flat)):
            crossed.add(edge)
    return crossed


def meetings(edge: Ends, others: Ends) -> tuple[Ends, Ends, NDArray[np.bool_]]:
    """How far along an edge, and along each of some others, their lines meet; and which others run beside it."""
    p = edge[:2]
    a = edge[2:] - p
    b = others[:, 2:] - others[:, :2]
    m = others[:, :2] - p
    det = b[:, 0] * a[1] - b[:, 1] * a[0]
    flat = np.abs(det) < EPSILON
    safe = np.where(flat, 1.0, det)
    return (b[:, 0] * m[:, 1] - b[:, 1] * m[:, 0]) / safe, (a[0] * m[:, 1] - a[1] * m[:, 0]) / safe, flat
