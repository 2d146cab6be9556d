"""Sites next to what was played: where a game without a board continues, and what the last move touched."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.region import Filtered, Region, ScratchRegion
from ludoport.ludemes.core.registry import region_ludeme
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.named_regions import whole_board
from ludoport.ludemes.fields.position import empty_at
from ludoport.ludemes.meanings.flooding import direction_word


@region_ludeme("sites Playable", reads=["board"])
def playable(node: Ludeme, cx: Cx) -> Region:
    """The empty sites next to pieces, or the middle of the board when nothing is there."""
    program = cx.program
    # On a given board the first move goes to the centre, and corners count as touching.
    boardless = program.board.options.boardless

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        table = steps_table(direction_word("Orthogonal" if boardless else "Adjacent"), inner)
        start = "state[N_EMPTY] == N_BOARD" if boardless else "state[PLY] == 0"
        with inner.block(f"if {start}:"):
            for site in program.sites.centre[:1] if boardless else program.sites.centre:
                add(str(site))
        with inner.block("else:"), inner.block(f"for s in range({program.n_board}):"):
            with inner.block(f"if {negation(empty_at(program, 's'))}:"):
                with table.each(inner.sure("s"), "s") as near, inner.block(f"if {empty_at(program, near)}:"):
                    add(near)

    if boardless:
        program.want_empty_list()
    return ScratchRegion(gather)


@region_ludeme("sites LastTo", reads=["board"])
def last_to(node: Ludeme, cx: Cx) -> Region:
    """The board sites that the last move changed, its consequents included."""
    return changed_by_move(cx.program)


def changed_by_move(program: Program) -> Region:
    """The board sites that the last move changed, its consequents included."""
    program.state.want("TOUCHED", program.n_sites)
    return Filtered(
        whole_board(program), lambda place, site: f"(state[TOUCHED + {site}] != 0 or {site} == state[LAST_TO])"
    )
