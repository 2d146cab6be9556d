"""Top, bottom, left and right sites, big and small cells."""

from __future__ import annotations

from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import KINDS, Marks

_TOLERANCE = 0.01


def mark_extremes(graph: Graph, marks: Marks) -> None:
    """Mark ``Top``, ``Bottom``, ``Left`` and ``Right`` elements of each kind."""
    for kind in KINDS:
        elements = graph.elements(kind)
        if not elements:
            continue
        x0, x1 = min(e.x for e in elements), max(e.x for e in elements)
        y0, y1 = min(e.y for e in elements), max(e.y for e in elements)
        for element in elements:
            if element.x - x0 < _TOLERANCE:
                marks.add(element, "Left")
            if element.y - y0 < _TOLERANCE:
                marks.add(element, "Bottom")
            if x1 - element.x < _TOLERANCE:
                marks.add(element, "Right")
            if y1 - element.y < _TOLERANCE:
                marks.add(element, "Top")


def mark_major(graph: Graph, marks: Marks) -> None:
    """Mark cells with the most corners ``Major``, the others ``Minor``."""
    most = max((len(face.vertices) for face in graph.faces), default=0)
    for face in graph.faces:
        marks.add(face, "Major" if len(face.vertices) == most else "Minor")
