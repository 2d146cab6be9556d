"""Actions that are kept: those of several moves that are played as one.

The reference inserts the actions of each such move, with those of its consequents, into the list of all: not behind
those of the moves before, but at the place that is the number of actions of the move before alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

KEPT = 100
"""From this level of the buffer on, actions that are done are kept as well."""


ONE_EACH = {"shift", "lift", "set_score", "add_score", "set_next", "set_var", "set_state", "set_counter"}
"""Changes of a position that are one action of the reference each, and change nothing where there is no piece."""


def write_kept(program: Program, cases: Callable[[Function, str], None]) -> None:
    """Write the functions that keep actions, bring them into order and do them.

    Args:
        program: the game.
        cases: writes the call of the action that stands at a place in scratch space.
    """
    room = 16 * program.n_sites + 64
    program.module.constant("KEPT_ROOM", room)
    program.reserve("N_KEPT", 1)
    program.reserve("KEPT_PLACE", 1)
    program.reserve("KEPT", 5 * room)
    program.reserve("KEPT_ORDER", room)

    keep = Function("keep_action", ["work", "at"], "keep an action that is done")
    keep.line("n = work[N_KEPT]")
    with keep.block("if n < KEPT_ROOM:"):
        with keep.block("for k in range(5):"):
            keep.line("work[KEPT + 5 * n + k] = work[BUFFER + at + k]")
        keep.line("work[N_KEPT] = n + 1")
    with keep.block("else:"):
        keep.line("work[FULL] = MARK")
    keep.line("return 0")

    insert = Function("insert_kept", ["work", "first"], "insert the actions that are kept since first into the order")
    insert.line("place = work[KEPT_PLACE]")
    insert.line("added = work[N_KEPT] - first")
    with insert.block("for i in range(first - 1, place - 1, -1):"):
        insert.line("work[KEPT_ORDER + i + added] = work[KEPT_ORDER + i]")
    with insert.block("for i in range(added):"):
        insert.line("work[KEPT_ORDER + place + i] = first + i")
    insert.line("work[KEPT_PLACE] = added")
    insert.line("return 0")

    do = Function("do_kept", ["state", "work"], "do the kept actions in their order")
    with do.block("for j in range(work[N_KEPT]):"):
        do.line("i = 5 * work[KEPT_ORDER + j]")
        do.line("code = work[KEPT + i]")
        cases(do, "KEPT + i")
    do.line("return 0")
    program.module.functions += [keep, insert, do]
