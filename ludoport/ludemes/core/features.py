"""What a text needs of positions, found by looking through all of it before any code is written."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.traits import pieces, traits


def tests_moves(root: Ludeme) -> bool:
    """Whether moves are tried on a copy of the position before they are legal."""
    return any(node.peek("ifAfterwards") is not None or node.keyword == "satisfy" for node in root.walk())


def moves_others(root: Ludeme, deep: bool = True) -> bool:
    """Whether pieces of players other than the mover may move; without `deep`, by the ludeme itself."""
    return any(
        node.keyword == "forEach Piece"
        and any(node.peek(k) is not None and str(node.peek(k)) != "Mover" for k in ("role", "player"))
        for node in (root.walk() if deep else [root])
    )


def stacks_pieces(root: Ludeme) -> bool:
    """Whether pieces stand on pieces."""
    return any(
        node.peek("stack") is True
        or node.peek("byLevel") not in (None, False)
        or traits(node).get("stacks")
        or (node.keyword in ("from", "to") and node.peek("level") is not None)
        for node in root.walk()
    )


def asks_counts(root: Ludeme) -> bool:
    """Whether the text asks how many equal pieces stand on a site, or puts several there."""
    return any(
        traits(node).get("counts")
        or (node.kind in ("start", "moves") and (node.peek("count") is not None or node.peek("counts") is not None))
        for node in root.walk()
    )


def other_kinds(root: Ludeme, kind: str) -> list[str]:
    """The kinds of sites that the text names besides the one that is played on."""
    named = {
        str(value)
        for node in root.walk()
        for value in node.parts()
        if isinstance(value, Word) and value.enum in ("SiteType", "PuzzleElementType") and value.name != "Hint"
    }
    meant = {name for node in root.walk() for name in traits(node).get("kinds", ())}
    return sorted((named | meant) - {kind})


def only_adds(root: Ludeme) -> bool:
    """Whether every piece stays where it arrived."""
    return all(pieces(node) in ("stay", "arrive") for node in root.walk() if node.kind == "moves")


def plays_together(root: Ludeme) -> bool:
    """Whether all players choose in the same step."""
    mode = root.peek("mode")
    return isinstance(mode, Ludeme) and any(str(value) == "Simultaneous" for value in mode.parts())


def uses_chance(root: Ludeme) -> bool:
    """Whether anything is drawn at random."""
    return any(traits(node).get("chance") for node in root.walk())
