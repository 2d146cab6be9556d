"""Maps of the equipment, from numbers to numbers, mostly sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Text, Value, Word
from ludoport.ludemes.core.components import names_something
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import number

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def map_entries(program: Program, name: str | None, node: Ludeme) -> dict[int, int]:
    """Contents of a map."""
    scratch = program.root(Function("unused", []))
    entries: dict[int, int] = {}
    for item in program.maps:
        own = item.get("name")
        if name is not None and str(own) != name:
            continue
        # A missing entry, or one that gives -1, leaves the key to the next map, or as it is.
        own_entries: dict[int, int] = {}
        for key, value in _pairs(item):
            own_entries[fixed_number(key, scratch, node)] = _landmark(value, scratch, node)
        for k, v in own_entries.items():
            if v != -1:
                entries.setdefault(k, v)
    return entries


def fixed_number(value: Value, cx: Cx, node: Ludeme) -> int:
    """A number that is known before play; -1 for a label that the board does not have."""
    if isinstance(value, Text) and not names_something(cx.program, value):
        return -1
    result = number(value, cx)
    if not isinstance(result, int):
        raise UnsupportedError("maps must not change during play", node.source)
    return result


def _landmark(value: Value, cx: Cx, node: Ludeme) -> int:
    """A number of a map, which may be written as a landmark of the board."""
    if isinstance(value, Word) and value.enum == "LandmarkType":
        sites = cx.program.sites
        first = {
            "FirstSite": [0],
            "LastSite": [sites.n - 1],
            "BottomSite": sites.bottom,
            "Topsite": sites.top,
            "LeftSite": sites.left,
            "RightSite": sites.right,
            "CentreSite": sites.centre,
        }
        return first[value.name][0]
    return fixed_number(value, cx, node)


def _pairs(item: Ludeme) -> list[tuple[Value, Value]]:
    listed = item.get("pairs")
    if isinstance(listed, list):
        pairs = []
        for pair in listed:
            assert isinstance(pair, Ludeme)
            value = pair.get("value") if pair.get("value") is not None else pair.get("landmark")
            assert value is not None
            pairs.append((pair.args["key"], value))
        return pairs
    keys, values = item.args["keys"], item.args["values"]
    assert isinstance(keys, list) and isinstance(values, list)
    return list(zip(keys, values, strict=False))
