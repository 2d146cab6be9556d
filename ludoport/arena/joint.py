"""Choosing in a step in which several seats choose: none of them knows what the others choose.

Seats choose one after another in a tree. A seat that is not the first to choose takes the move that is best on average
over what the others may choose.
"""

from __future__ import annotations

from ludoport.search.tree import LINK, VISITS, Tree


def best_unseen(tree: Tree, seat: int) -> str | None:
    """The text of the move of a seat that is best on average over what others choose before it; None if unknown."""
    worth: dict[str, float] = {}
    _add_values(tree, tree.pool.root, seat, 1.0, worth)
    return max(worth, key=lambda move: worth[move]) if worth else None


def _add_values(tree: Tree, head: int, seat: int, weight: float, worth: dict[str, float]) -> None:
    """Add the values of a seat's moves below a position, weighted by how likely others choose what leads there."""
    pool, edges = tree.pool, tree.edges(head)
    visits = pool.nodes[VISITS, edges]
    total = int(visits.sum())
    if not total:
        return
    if int(pool.sums[0, head]) == seat:
        texts = tree.state.game.rules.move_texts(tree.state.row, pool.moves[edges])
        for text, count, result in zip(texts, visits.tolist(), pool.sums[0, edges].tolist(), strict=True):
            worth[text] = worth.get(text, 0.0) + weight * (result / count if count else 0.5)
        return
    for count, link in zip(visits.tolist(), pool.nodes[LINK, edges].tolist(), strict=True):
        if link > 0:
            _add_values(tree, link, seat, weight * count / total, worth)
