"""Pieces on tracks that pass a site more than once: a row remembers how often pieces have passed.

The field ``ON_TRACK`` counts, for each track and each piece that may travel on it, the pieces at every place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.fields.actions import primitives, state_function
from ludoport.ludemes.fields.stacks import max_height
from ludoport.ludemes.meanings.track_tables import track_tables, tracks

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _lay_out(program: Program) -> tuple[str, str]:
    program.wants.add("laps")
    size, first = 0, []
    for track in tracks(program):
        for component in program.components:
            here = component.index > 0 and track.owner in (0, component.owner) and not component.faces
            first.append(size if here else -1)
            size += len(track.sites) if here else 0
    program.state.want("ON_TRACK", size)
    program.state.want("FOLLOWED")
    again: list[int] = []
    for track in tracks(program):
        base = len(again)
        for k, site in enumerate(track.sites):
            # Around a loop, the first place of a site stands for all.
            later = [] if track.looped else range(k + 1, len(track.sites))
            again.append(next((base + j for j in later if track.sites[j] == site), -1))
    return program.module.table("PLACES_OF", first), program.module.table("AGAIN", again)


def place_on_track(cx: Cx, track: str, site: str) -> str:
    """A call that finds where on a track a site is: the first place where one of its pieces is counted, or -1."""
    program = cx.program
    first, again = program.memo(_lay_out)
    tables = track_tables(program)

    def body(inner: Cx) -> None:
        inner.line(f"at = {tables.at}[track * {program.n_sites} + spot]")
        inner.line(f"base = {tables.base}[track]")
        inner.line(f"looped = {tables.after}[base + {tables.size}[track] - 1] >= 0")
        with inner.block("if state[WHAT + spot] == 0 or looped:"):
            inner.line("return at")
        if not program.stacking:
            inner.line(f"places = {first}[track * {len(program.components)} + state[WHAT + spot]]")
            with inner.block("if places < 0:"):
                inner.line("return at")
        with inner.block("while at >= 0:"):
            if program.stacking:
                height = max_height(program)
                with inner.block("for i in range(state[HEIGHT + spot]):"):
                    piece = f"state[LEVELS + spot * {height} + i]"
                    inner.line(f"places = {first}[track * {len(program.components)} + {piece}]")
                    with inner.block("if places >= 0 and state[ON_TRACK + places + at - base] > 0:"):
                        inner.line("return at")
            else:
                with inner.block("if state[ON_TRACK + places + at - base] > 0:"):
                    inner.line("return at")
            inner.line(f"at = {again}[at]")
        inner.line("return at")

    return cx.call("place_on_track", None, body, ("track", "spot"), (track, site), key="place on track")


@primitives
def write_laps(program: Program) -> None:
    """Write the functions that follow pieces along their tracks."""
    if "laps" not in program.wants:
        return
    first, again = program.memo(_lay_out)
    tables = track_tables(program)

    for name, params, comment in (
        ("enter_tracks", "s piece", "a piece arrives on its tracks"),
        ("leave_tracks", "s piece", "a piece leaves its tracks"),
        ("follow_tracks", "start end piece", "a piece moves along its tracks"),
    ):
        f = state_function(program, name, params, comment)
        with f.block(f"for track in range({len(tracks(program))}):"):
            f.line(f"places = {first}[track * {len(program.components)} + piece]")
            with f.block("if places >= 0:"):
                f.line(f"base = {tables.base}[track]")
                if name == "enter_tracks":
                    f.line(f"at = {tables.at}[track * {program.n_sites} + s]")
                    with f.block("if at >= 0:"):
                        f.line("state[ON_TRACK + places + at - base] += 1")
                    continue
                if name == "leave_tracks":
                    # Every place of the site loses a piece, wherever the piece is; the reference does so.
                    f.line(f"at = {tables.at}[track * {program.n_sites} + s]")
                    with f.block("while at >= 0:"):
                        f.line("state[ON_TRACK + places + at - base] -= 1")
                        f.line(f"at = {again}[at]")
                    continue
                f.line(f"at = {tables.at}[track * {program.n_sites} + start]")
                f.line(f"goal = {tables.at}[track * {program.n_sites} + end]")
                with f.block("if at < 0 and goal >= 0:"):
                    f.line("state[ON_TRACK + places + goal - base] += 1")
                with f.block("while at >= 0:"):
                    with f.block("if state[ON_TRACK + places + at - base] > 0:"):
                        f.line("state[ON_TRACK + places + at - base] -= 1")
                        f.line("ahead = goal")
                        with f.block("while 0 <= ahead <= at:"):
                            f.line(f"ahead = {again}[ahead]")
                        with f.block("if ahead < 0:"):
                            f.line("ahead = goal")
                        with f.block("if ahead >= 0:"):
                            f.line("state[ON_TRACK + places + ahead - base] += 1")
                        f.line("break")
                    f.line(f"at = {again}[at]")
        f.line("return 0")
