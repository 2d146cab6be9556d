"""What lay between the ends of the last move."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.region import Filtered, Region
from ludoport.ludemes.core.registry import region_ludeme
from ludoport.ludemes.fields.jumped import keeps_jumped
from ludoport.ludemes.fields.named_regions import whole_board


@region_ludeme("last Between", reads=["board"])
def last_between(node: Ludeme, cx: Cx) -> Region:
    """The sites that the last move jumped or slid over."""
    keeps_jumped(cx.program)
    return Filtered(whole_board(cx.program), lambda place, site: f"(state[LAST_BETWEEN + {site}] != 0)")
