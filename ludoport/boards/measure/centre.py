"""The centre: the sites with the least sum of squared distances to the outline and the corners."""

from __future__ import annotations

import numpy as np

from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import KINDS, Marks

_TOLERANCE = 0.0001
# Boards of this size and more are measured by their corners alone.
_LARGE = 100


def mark_centre(graph: Graph, marks: Marks) -> None:
    """Mark the ``Centre`` elements of each kind."""
    for kind in KINDS:
        elements = graph.elements(kind)
        if not elements:
            continue
        points = np.array([e.point for e in elements])
        targets = [e.point for e in elements if len(elements) < _LARGE and marks.has(e, "Perimeter")]
        targets += [e.point for e in elements if marks.has(e, "Corner")]
        total = np.zeros(len(elements))
        for x, y in targets:
            total += (points[:, 0] - x) ** 2 + (points[:, 1] - y) ** 2
        least = min(1000000.0, float(total.min()))
        for element, value in zip(elements, total, strict=True):
            if abs(float(value) - least) < _TOLERANCE:
                marks.add(element, "Centre")
