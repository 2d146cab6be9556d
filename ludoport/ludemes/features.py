"""What a text needs of positions, found by looking through all of it before any code is written."""

from __future__ import annotations

from collections.abc import Set

from ludoport.lud.tree import Ludeme, Word

_COUNTING = {"moves:sow", "int:count", "moves:set Count", "int:count Stack"}


def tests_moves(root: Ludeme) -> bool:
    """Whether moves are tried on a copy of the position before they are legal."""
    return any(node.get("ifAfterwards") is not None or node.keyword == "satisfy" for node in root.walk())


def moves_others(root: Ludeme) -> bool:
    """Whether moves are those of pieces that may belong to somebody else than the mover."""
    return any(
        node.keyword == "forEach Piece"
        and any(node.get(k) is not None and str(node.get(k)) != "Mover" for k in ("role", "player"))
        for node in root.walk()
    )


def stacks_pieces(root: Ludeme) -> bool:
    """Whether pieces stand on pieces."""
    return any(
        node.get("stack") is True
        or node.get("byLevel") not in (None, False)
        or node.keyword in ("place Stack", "size Stack", "topLevel")
        for node in root.walk()
    )


def asks_counts(root: Ludeme, keys: Set[str]) -> bool:
    """Whether the text asks how many equal pieces stand on a site, or puts several there."""
    return bool(keys & _COUNTING) or any(
        node.get("count") is not None or node.get("counts") is not None
        for node in root.walk()
        if node.kind in ("start", "moves")
    )


def other_kinds(root: Ludeme, kind: str) -> list[str]:
    """The kinds of sites that the text names besides the one that is played on."""
    return sorted(
        {
            str(value)
            for node in root.walk()
            for value in node.args.values()
            if isinstance(value, Word) and value.enum == "SiteType" and value.name != kind
        }
    )
