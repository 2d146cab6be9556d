"""Names stuck on elements while a graph is measured."""

from __future__ import annotations

from ludoport.boards.elements import Element
from ludoport.boards.graph import Graph

KINDS = ("Vertex", "Edge", "Cell")


class Marks:
    """A set of names for every element of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._marked: dict[str, dict[Element, None]] = {}

    def add(self, element: Element, *names: str) -> None:
        """Mark an element."""
        for name in names:
            self._marked.setdefault(name, {})[element] = None

    def has(self, element: Element, name: str) -> bool:
        """Whether an element carries a name."""
        return element in self._marked.get(name, ())

    def sites(self, kind: str, name: str) -> list[int]:
        """Numbers of the marked elements of a kind, ascending."""
        marked = self._marked.get(name)
        if not marked:
            return []
        return [element.id for element in self._graph.elements(kind) if element in marked]
