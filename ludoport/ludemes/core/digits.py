"""Digits of candidate numbers, which replace loops when a move is drawn."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ludoport.ludemes.core.site_widths import SiteWidth

if TYPE_CHECKING:
    from ludoport.ludemes.core.context import Cx, Expr


MOST = 4_000_000
"""Widest candidate numbers; wider ones would mostly be rejected."""


class NotPickable(Exception):  # noqa: N818  (no mistake, but a way that does not lead on)
    """The moves of a generator cannot be drawn this way; they are listed instead."""


@dataclass
class Digits:
    """What is known about the digits of a candidate number while code is written.

    Attributes:
        name: the variable that holds what is left of the number.
        top: no number is too large, because the first digit fills what is drawn from.
        widths: for each open loop, how many candidates its body has so far.
        guards: conditions under which the code being written belongs to the candidate.
        site: the variable with the site of the piece, where widths may depend on it.
        owner: the variable with its owner.
        by_site: whether what is written next may have a width for each site.
    """

    name: str = "c"
    top: bool = False
    widths: list[Expr | SiteWidth] = field(default_factory=lambda: [0])
    guards: list[str] = field(default_factory=list)
    site: str | None = None
    owner: str | None = None
    by_site: bool = False

    def leaf(self) -> None:
        """The code being written is for one candidate."""
        if self.widths[-1] == 0:
            self.widths[-1] = 1
        elif isinstance(self.widths[-1], SiteWidth):
            self.widths[-1] = self.widths[-1].atleast(1)

    def atleast(self, width: Expr | SiteWidth) -> None:
        """The code being written is for as many candidates, sharing their numbers with what was written before."""
        known = self.widths[-1]
        if isinstance(known, int) and isinstance(width, int):
            self.widths[-1] = max(known, width)
        elif isinstance(known, SiteWidth) and isinstance(width, (int, SiteWidth)):
            self.widths[-1] = known.atleast(width)
        elif isinstance(width, SiteWidth) and isinstance(known, int):
            self.widths[-1] = width.atleast(known)
        elif known == 0:
            self.widths[-1] = width
        elif known != width:
            raise NotPickable("two widths that are only known during play")


@contextmanager
def digit(cx: Cx, bound: Expr, most: int, by_site: SiteWidth | None = None) -> Iterator[str]:
    """Write code that reads one digit in place of a loop.

    Args:
        cx: the place.
        bound: how often the loop would run.
        most: the most it could ever run; used for all but the outermost loop.
        by_site: how often it would run for a piece on each site, where that is known.
    """
    digits = cx.picking
    assert digits is not None
    outermost = len(digits.widths) == 1
    inner = f"PICK_{cx.program.module.number()}"
    name = cx.fresh("k")
    start, depth = len(cx.fn.lines), cx.fn.depth
    cx.line(f"{name} = {digits.name} // {inner}")
    rest = digits.name
    cx.line(f"{rest} = {rest} % {inner}")
    digits.widths.append(0)
    if outermost and digits.top:
        yield name
    else:
        # Something beside this code may have more candidates.
        with cx.block(f"if {name} < {bound}:"):
            yield name
    width = digits.widths.pop()
    if isinstance(width, SiteWidth):
        width = width.most
    if isinstance(width, int):
        width = max(width, 1)
        if width == 1:
            # Nothing is left of the number behind the last digit.
            cx.fn.lines[start : start + 2] = ["    " * depth + text for text in (f"{name} = {rest}", f"{rest} = 0")]
        else:
            cx.program.module.constant(inner, width)
    elif from_state(width):
        cx.fn.lines.insert(start, "    " * depth + f"{inner} = {width}")
    else:
        raise NotPickable("an inner width that is only known inside of a loop")
    if isinstance(bound, str) and not from_state(bound):
        bound = most
    if by_site is not None and isinstance(width, int):
        digits.atleast(by_site.times(width))
    else:
        digits.atleast(bound * width if isinstance(bound, int) and isinstance(width, int) else f"{bound} * {width}")
    total = digits.widths[-1]
    if isinstance(total, int) and total > MOST:
        raise NotPickable("too many candidates")


_NAMES = re.compile(r"[A-Za-z_]\w*")


def from_state(text: str) -> bool:
    """Whether code depends on the state alone, at any place."""
    known = {"state", "work", "mover", "nxt", "prv", "wide"}
    return all(
        name in known or name.isupper() or name.startswith(("total_", "count_")) for name in _NAMES.findall(text)
    )
