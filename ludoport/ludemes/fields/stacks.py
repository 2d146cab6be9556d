"""Stacks: several pieces on one site, with level 0 at the bottom.

A site keeps its height and the pieces of its levels; ``WHAT`` always holds the piece on top, so that everything that
only looks at the top works as in other games. Levels above the top hold 0. A level may hold 0 below the top as well:
the language lets a piece be moved that has left, and what arrives is a level without a piece.

This file says what positions keep of stacks, and how high they grow. ``stack_levels.py`` writes code that looks at
levels, ``stack_changes.py`` code that changes stacks by calling the functions of ``stack_primitives.py`` and
``stack_shifts.py``, and ``stack_owned.py`` keeps lists of a player's pieces; ``stacks_low.py`` proves that stacks do
not grow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.features import only_adds
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.traits import pieces, traits
from ludoport.ludemes.fields.stacks_low import never_grow, piles_up
from ludoport.ludemes.fields.starting import placements

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

HIGHEST = 32
"""No stack is kept higher than this, unless the board says that it has large stacks; a higher one is an error."""

HIGHEST_LARGE = 128
"""The same for boards with large stacks."""


def max_height(program: Program) -> int:
    """Maximum number of levels on a site."""
    return program.memo(_note_height)


def _note_height(program: Program) -> int:
    height = _find_height(program)
    program.module.constant("MAX_HEIGHT", height)
    return height


def _find_height(program: Program) -> int:
    """A bound for the height: from the text's own limit, or from the number of pieces in play."""
    root = program.description.root
    ceiling = HIGHEST_LARGE if program.board.options.large_stack else HIGHEST
    heights = [0] * program.n_sites
    total = 0
    for placed in placements(program):
        heights[placed.site] += placed.count
        total += placed.count
    highest = max(heights, default=0)
    if limit := height_limit(program):
        return max(highest, limit)
    if any(pieces(node) == "arrive" for node in root.walk()) or any(
        node.peek("copy") not in (None, False) for node in root.walk()
    ):
        return max(highest, ceiling)
    if taken("low") and never_grow(program):
        return max(highest, 1)
    wide = program.hands or any(
        node.peek("stack") is True
        or traits(node).get("heights")
        or node.peek("byLevel") not in (None, False)
        or node.peek("level") is not None
        for node in root.walk()
    )
    if not wide and not piles_up(program):
        # Stacks come from the setup; levels without a piece may come on top.
        return highest + 2
    return max(highest, min(ceiling, total), 1)


def height_limit(program: Program) -> int:
    """The height that the text itself allows where pieces are only added, as in Connect Four; 0 for none."""
    root = program.description.root
    adders = [node for node in root.walk() if pieces(node) == "arrive"]
    if any(pieces(node) == "move" for node in root.walk()):
        return 0
    limits = [_limit(node) for node in adders]
    return max(limits) if limits and all(limits) else 0


def _limit(node: Ludeme) -> int:
    """The height that an addition never exceeds because its condition asks for less, or 0."""
    for part in node.walk():
        if part.kind == "boolean" and part.keyword in ("<", "<="):
            size, bound = [*part.parts(), None, None][:2]
            if isinstance(size, Ludeme) and size.keyword == "size Stack" and isinstance(bound, int):
                return bound + (1 if part.keyword == "<=" else 0)
    return 0


def want_stacks(program: Program) -> None:
    """Positions keep stacks."""
    program.state.want("HEIGHT", program.n_sites)
    program.state.want("LEVELS", program.n_sites * max_height(program))


def want_level_states(program: Program) -> None:
    """Positions keep a local state for every level."""
    program.want_state()
    program.state.want("STATES", program.n_sites * max_height(program))


def level_values(program: Program) -> list[tuple[str, str]]:
    """The further values of a level: the field of the top and the block for all levels."""
    return [pair for pair in (("STATE", "STATES"), ("VALUE", "VALUES")) if program.state.has(pair[0])]


def want_columns(program: Program, spare: int) -> bool:
    """Positions keep one number per component and site with a bit for each level; only where stacks just grow.

    Args:
        program: the game.
        spare: how many bits a number must have left, so that it can be shifted within 15 bits.
    """
    if (
        not only_adds(program.description.root)
        or max_height(program) + spare > 15
        or len(program.components) * program.n_board > 2000
    ):
        return False
    program.state.want("COLUMNS", (len(program.components) - 1) * (program.n_board + 1))
    return True
