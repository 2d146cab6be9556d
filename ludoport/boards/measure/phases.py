"""Phases: a colouring in which neighbours differ."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from ludoport.boards.elements import Edge, Element, Face, Vertex
from ludoport.boards.graph import Graph

MAX_PHASES = 6


def neighbours(element: Element) -> list[Element]:
    """Elements of the same kind that share an edge, or an end for edges."""
    if isinstance(element, Vertex):
        return [edge.other(element) for edge in element.edges]
    if isinstance(element, Face):
        return [other for edge in element.edges if (other := edge.other_face(element)) is not None]
    assert isinstance(element, Edge)
    return [other for end in (element.a, element.b) for other in end.edges if other is not element]


def find_phases(graph: Graph, kind: str) -> list[int]:
    """The phase of each element; 4 where four phases are all taken."""
    elements = graph.elements(kind)
    around = [[n.id for n in neighbours(element)] for element in elements]
    phases = [-1] * len(elements)
    for start in range(len(elements)):
        if phases[start] < 0:
            _spread(start, around, phases)
    return phases


def _spread(start: int, around: Sequence[Sequence[int]], phases: list[int]) -> None:
    """Colour a connected part, most constrained neighbours first."""
    phases[start] = 0
    queue = deque([start])
    visited: set[int] = set()
    while queue:
        site = queue.popleft()
        if site in visited:
            continue
        taken = {phases[n] for n in around[site]}
        phases[site] = next((p for p in range(4) if p not in taken), 4)
        visited.add(site)
        for other in around[site]:
            if other in visited:
                continue
            colours = {phases[n] for n in around[other]}
            if len(colours - {-1}) > 1:
                queue.appendleft(other)
            else:
                queue.append(other)
