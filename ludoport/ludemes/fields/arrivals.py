"""The occupied sites in the order in which their pieces arrived: the order in which the reference goes through them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.context import Cx, Expr

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def keep_arrivals(program: Program) -> None:
    """Positions keep the order in which pieces arrived."""
    program.state.want("ARRIVALS", program.n_sites)
    program.state.want("N_ARRIVALS")


def arrive(program: Program, f: Function, site: str) -> None:
    """Write that a piece arrives on an empty site."""
    if program.state.has("ARRIVALS"):
        f.line(f"state[ARRIVALS + state[N_ARRIVALS]] = {site}")
        f.line("state[N_ARRIVALS] += 1")


def depart(program: Program, f: Function, site: str) -> None:
    """Write that a piece leaves a site."""
    if not program.state.has("ARRIVALS"):
        return
    f.line("n = 0")
    with f.block("for i in range(state[N_ARRIVALS]):"):
        f.line("other = wide(state[ARRIVALS + i])")
        with f.block(f"if other != {site}:"):
            f.line("state[ARRIVALS + n] = other")
            f.line("n += 1")
    f.line("state[N_ARRIVALS] = n")


@contextmanager
def each_arrived(cx: Cx, player: Expr) -> Iterator[str]:
    """Write a loop over the sites of a player's pieces: kind by kind, each in the order of arrival."""
    program = cx.program
    kind, index, site = cx.fresh("kind"), cx.fresh("i"), cx.fresh("frm")
    with (
        cx.block(f"for {kind} in range(1, {len(program.components)}):"),
        cx.block(f"if {program.owner_of(kind)} == {player}:"),
        cx.block(f"for {index} in range(state[N_ARRIVALS]):"),
    ):
        cx.line(f"{site} = wide(state[ARRIVALS + {index}])")
        with cx.block(f"if state[WHAT + {site}] == {kind}:"):
            yield site
