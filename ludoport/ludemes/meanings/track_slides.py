"""Slides along tracks, as on Surakarta boards: pieces capture after they went around a loop."""

from __future__ import annotations

from dataclasses import replace

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import condition, optional
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.fields.position import empty_at
from ludoport.ludemes.meanings.moves_parts import distance_range, moving, origin_of
from ludoport.ludemes.meanings.track_tables import Track, track_tables, tracks

ALL = "AllTracks"
"""The word for all tracks; on them, a piece must pass a turn before it may land."""


def slide_on_tracks(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Any distance along every track through the origin until something stops it."""
    refuse_picking(cx)
    program = cx.program
    name = str(node.args["track"])
    chosen = [t for t in tracks(program) if name == ALL or name in t.name]
    place, frm = origin_of(node, cx)
    to, between = optional(node.get("to")), optional(node.get("between"))
    low, high = distance_range(between, place, 1, 1000)
    if not chosen:
        return
    tables = track_tables(program)
    width, starts = _starts(program.n_sites, tracks(program), chosen)
    start = program.module.table("TRACK_STARTS", starts)
    turns = program.module.table("TRACK_TURNS", [b for t in tracks(program) for b in t.turns])
    sizes = program.module.table("TRACK_LENGTHS", [len(t.sites) for t in tracks(program) for _ in t.sites])
    k, at, turned, steps, after, site, passed = (
        cx.fresh(stem) for stem in ("k", "at", "turned", "steps", "after", "s", "passed")
    )
    source = optional(node.get("from"))
    may_leave = condition(source.get("if") if source is not None else None, place.sure(frm))
    effect = optional(to.get("effect")) if to is not None else None
    with cx.when(True if frm in place.safe else f"on_board({frm})"), cx.when(may_leave):
        with cx.block(f"for {k} in range({width}):"):
            cx.line(f"{at} = {start}[{frm} * {width} + {k}]")
            with cx.block(f"if {at} < 0:"):
                cx.line("break")
            cx.line(f"{turned} = {turns}[{at}]")
            cx.line(f"{steps} = 1")
            cx.line(f"{passed} = {place.slots['btw']}")
            with cx.block(f"while {tables.after}[{at}] >= 0 and {steps} < {sizes}[{at}] and {steps} <= {high}:"):
                cx.line(f"{after} = {tables.after}[{at}]")
                cx.line(f"{site} = {tables.site}[{after}]")
                with cx.block(f"if {site} < 0:"):
                    cx.line("break")
                here = place.sure(frm, site).bind(to=site, btw=passed)
                landing: Bool = f"{turned} > 0" if name == ALL else True
                with cx.when(landing):
                    halt = condition(to.get("if"), here) if to is not None and to.get("if") is not None else False
                    held = cx.fresh("held")
                    cx.line(f"{held} = {halt}")
                    with cx.block(f"if {held}:"), cx.block(f"if {steps} >= {low}:"):
                        sink.move(here, moving(here, node, frm, site, (to,)))
                        cx.line("break")
                    with cx.block(f"if not {held} and {steps} >= {low}:"):
                        with cx.when(condition(effect.get("if") if effect is not None else None, here)):
                            # Only where the slide is stopped does the effect of `(to ...)` belong to it.
                            sink.move(here, replace(moving(here, node, frm, site), variant="passing"))
                cx.line(f"{steps} += 1")
                cx.line(f"{passed} = {site}")
                over = place.sure(frm, site).bind(to=site, btw=site)
                given = between.get("if") if between is not None else None
                go_on = condition(given, over) if given is not None else empty_at(program, site)
                with cx.when(negation(go_on)):
                    cx.line("break")
                cx.line(f"{at} = {after}")
                cx.line(f"{turned} += {turns}[{at}]")


def _starts(n_sites: int, every: list[Track], chosen: list[Track]) -> tuple[int, list[int]]:
    """For each site, its positions on the chosen tracks, padded with -1."""
    rows: list[list[int]] = [[] for _ in range(n_sites)]
    base = 0
    for track in every:
        if track in chosen:
            for k, site in enumerate(track.sites):
                if 0 <= site < n_sites:
                    rows[site].append(base + k)
        base += len(track.sites)
    width = max(map(len, rows)) or 1
    return width, [p for row in rows for p in [*row, *([-1] * (width - len(row)))]]
