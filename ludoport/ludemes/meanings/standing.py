"""Conditions on the site of a piece alone: elsewhere it has no candidates for a random move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.region import PerPlayer
from ludoport.ludemes.core.registry import region
from ludoport.ludemes.core.site_widths import SiteWidth


@contextmanager
def on_sites(condition: Value, cx: Cx) -> Iterator[None]:
    """Write what is generated under a condition, with candidates only where the condition can hold."""
    digits = cx.picking
    sites = None if digits is None else _where(condition, cx)
    if digits is None or digits.site is None or digits.owner is None or sites is None:
        yield
        return
    digits.widths.append(0)
    yield
    width = digits.widths.pop()
    if isinstance(width, int):
        width = SiteWidth(np.full((1, cx.program.n_board), width), digits.site, digits.owner)
    digits.atleast(width.where(sites) if isinstance(width, SiteWidth) else width)


def _where(condition: Value, cx: Cx) -> NDArray[np.bool_] | None:
    """The board sites on which ``(is In (from) ...)`` holds, by owner of the piece; None where that is not known."""
    digits, program = cx.picking, cx.program
    if digits is None or cx.slots["frm"] != digits.site or not isinstance(condition, Ludeme):
        return None
    asked = condition.peek("site")
    if condition.keyword != "is In" or not isinstance(asked, Ludeme) or asked.keyword != "from" or asked.args:
        return None
    if condition.peek("region") is None:
        return None
    mark = len(cx.fn.lines)
    found = region(condition.args["region"], cx.plain())
    if len(cx.fn.lines) != mark:
        del cx.fn.lines[mark:]
        return None
    if found.static is not None:
        choices: tuple[tuple[int, ...], ...] = (found.static,)
    elif isinstance(found, PerPlayer) and found.player == cx.owner == digits.owner:
        choices = found.choices
    else:
        return None
    rows = np.zeros((len(choices), program.n_board), dtype=bool)
    for row, sites in zip(rows, choices, strict=True):
        row[[site for site in sites if site < program.n_board]] = True
    return rows
