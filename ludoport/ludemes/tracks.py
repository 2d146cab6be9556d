"""Tracks: paths around the board along which pieces are sown or moved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Text, Value, Word
from ludoport.ludemes.context import Cx, Expr
from ludoport.ludemes.equipment import role_number
from ludoport.ludemes.region import PerPlayer, Region, Scratch, Static
from ludoport.ludemes.registry import condition, int_ludeme, number, region_ludeme

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

END = -2
"""The word `End` on a track: the place behind the last site."""


@dataclass(frozen=True)
class Track:
    """One track.

    Attributes:
        index: its place among the tracks of the board.
        name: its name.
        owner: the player who uses it, 0 for everybody.
        sites: in order of travel, repetitions in a row dropped.
        looped: whether the first site follows the last.
        directed: whether it can only be followed forwards.
        turns: for each site, how often it was repeated, which marks a turn around a loop.
    """

    index: int
    name: str
    owner: int
    sites: tuple[int, ...]
    looped: bool
    directed: bool
    turns: tuple[int, ...] = ()


@dataclass(frozen=True)
class TrackTables:
    """Tables about all tracks; a position on a track is an index into the sites of all tracks, one after another.

    Attributes:
        site: the site at a position.
        after: the position that follows, or -1.
        before: the position before, or -1.
        at: for each track and site, the first position with that site, or -1.
        size: the number of positions of each track.
        base: the first position of each track.
    """

    site: str
    after: str
    before: str
    at: str
    size: str
    base: str


def tracks(program: Program) -> list[Track]:
    """The tracks of the board, in text order."""
    known: list[Track] | None = program.__dict__.get("_tracks")
    if known is None:
        known = [_read(program, node, index) for index, node in enumerate(program.board.options.tracks)]
        for loop in program.board.options.loops:
            known.append(
                Track(len(known), loop.name, 0, _plain(list(loop.sites)), True, False, _turns(list(loop.sites)))
            )
        program.__dict__["_tracks"] = known
    return known


def _plain(sites: list[int]) -> tuple[int, ...]:
    return tuple(s for k, s in enumerate(sites) if k + 1 == len(sites) or sites[k + 1] != s)


def _turns(sites: list[int]) -> tuple[int, ...]:
    turns: list[int] = []
    count = 0
    for k, site in enumerate(sites):
        if k + 1 < len(sites) and sites[k + 1] == site:
            count += 1
        else:
            turns.append(count)
            count = 0
    return tuple(turns)


def _read(program: Program, node: Value, index: int) -> Track:
    assert isinstance(node, Ludeme)
    role = node.get("role")
    given = node.get("owner")
    owner = given if isinstance(given, int) else 0
    if isinstance(role, Word):
        owner = role_number(role.name, program.n_players) or 0
    listed = node.get("track")
    if isinstance(listed, list):
        sites = [item for item in listed if isinstance(item, int)]
    elif node.get("trackDirection") is not None:
        sites = _walk(program, str(node.args["trackDirection"]), node)
    else:
        raise UnsupportedError("tracks written as steps are not implemented yet", node.source)
    name = node.get("name")
    return Track(
        index,
        str(name) if name is not None else "Track",
        owner,
        _plain(sites),
        node.get("loop") is True,
        node.get("directed") is True,
        _turns(sites),
    )


def _walk(program: Program, text: str, node: Ludeme) -> list[int]:
    """Follow a description such as ``1,E,N2,W``: a site, then directions as far as they go or some steps."""
    sites: list[int] = []
    for step in text.split(","):
        if step.isdigit():
            sites.append(int(step))
            continue
        if step == "End":
            sites.append(END)
            continue
        match = re.fullmatch(r"([A-Z]+)(\d*)", step)
        if match is None or not sites:
            raise LudError(f"the step `{step}` of the track is wrong", node.source)
        direction, count = match[1], match[2]
        for radial in program.sites.radials(sites[-1], direction):
            steps = list(radial[1:])
            sites += steps[: int(count)] if count else steps
    return sites


def track_tables(program: Program) -> TrackTables:
    """Tables for walking along the tracks."""
    known: TrackTables | None = program.__dict__.get("_track_tables")
    if known is not None:
        return known
    site: list[int] = []
    after: list[int] = []
    before: list[int] = []
    base: list[int] = []
    at: list[int] = []
    for track in tracks(program):
        first, size = len(site), len(track.sites)
        base.append(first)
        here = [-1] * program.n_sites
        for k, s in enumerate(track.sites):
            site.append(s)
            last = k + 1 == size
            after.append(first if last and track.looped else -1 if last else first + k + 1)
            inner = 0 < k < size - 1
            before.append(
                -1 if inner and track.directed else first + k - 1 if k else first + size - 1 if track.looped else -1
            )
            if 0 <= s < program.n_sites and here[s] < 0:
                here[s] = first + k
        at += here
    table = program.module.table
    known = TrackTables(
        table("TRACK_SITE", site),
        table("TRACK_AFTER", after),
        table("TRACK_BEFORE", before),
        table("TRACK_AT", at),
        table("TRACK_SIZE", [len(t.sites) for t in tracks(program)]),
        table("TRACK_BASE", base),
    )
    program.__dict__["_track_tables"] = known
    return known


def chosen_track(cx: Cx, owner: Expr | None, choose: object) -> Expr:
    """The index of a track that may depend on a player; ``choose`` gives it for each player number, or -1."""
    if owner is None or isinstance(owner, int):
        found: int = choose(owner)  # type: ignore[operator]
        return found
    table = cx.program.module.table("TRACK_OF", [choose(p) for p in range(cx.program.n_players + 2)])  # type: ignore[operator]
    return f"{table}[{owner}]"


def _first(found: list[Track]) -> int:
    return found[0].index if found else -1


def _owner(node: Ludeme, cx: Cx) -> Expr | None:
    for name in ("role", "player", "pid", "owner"):
        if node.get(name) is not None:
            value = number(node.args[name], cx)
            return value if isinstance(value, int) else cx.name(value)
    return None


def _name(node: Ludeme) -> str | None:
    name = node.get("name")
    return name.text if isinstance(name, Text) else str(name) if name is not None else None


@int_ludeme("trackSite Move")
def track_site_move(node: Ludeme, cx: Cx) -> Expr:
    """The site some steps further along a track."""
    program = cx.program
    name = _name(node)
    owner = _owner(node, cx)
    every = tracks(program)
    if any(not t.looped and len(set(t.sites)) < len(t.sites) for t in every):
        raise UnsupportedError("tracks that cross themselves are not implemented yet", node.source)

    def choose(player: int | None) -> int:
        if name is not None:
            named = [t for t in every if name in t.name]
            return _first([t for t in named if t.owner == player] or named)
        return _first([t for t in every if t.owner == player] or [t for t in every if t.owner == 0])

    track = chosen_track(cx, cx.slots["mover"] if owner is None else owner, choose)
    if track == -1:
        return -1
    tables = track_tables(program)
    program.library.add("track_step")
    start = number(node.get("from"), cx, cx.slots["frm"])
    steps = number(node.args["steps"], cx)
    table_at, which = tables.at, cx.name(track, "track")
    site = cx.name(start)
    position = cx.name(f"({table_at}[{which} * {program.n_sites} + {site}] if {site} >= 0 else -1)", "at")
    base, size = cx.name(f"{tables.base}[{which}]", "base"), cx.name(f"{tables.size}[{which}]", "size")
    count = cx.name(steps, "steps")
    loops = cx.name(f"{tables.after}[{base} + {size} - 1] >= 0", "loops")
    index = f"track_step({position} - {base} if {position} >= 0 else {size}, {count}, {size}, {loops})"
    place = cx.name(index, "at")
    return f"({tables.site}[{base} + {place}] if {place} >= 0 else -1)"


@int_ludeme("trackSite FirstSite")
def track_site_first(node: Ludeme, cx: Cx) -> Expr:
    """The first site of a track, from some site on and around it, that fulfils a condition."""
    program = cx.program
    name = _name(node)
    owner = _owner(node, cx)
    every = tracks(program)

    def choose(player: int | None) -> int:
        who = player or 0
        if name is not None:
            found = [t for t in every if name in t.name and (who == 0 or t.owner == who)]
        else:
            found = [t for t in every if t.owner in (who, 0)]
        return _first(found or every)

    track = chosen_track(cx, owner, choose)
    if track == -1:
        return -1

    def body(inner: Cx) -> None:
        tables = track_tables(program)
        which = track if isinstance(track, int) else "track"
        inner.line(f"base = {tables.base}[{which}]")
        inner.line(f"size = {tables.size}[{which}]")
        inner.line("begin = base")
        if node.get("from") is not None:
            start = inner.name(number(node.args["from"], inner))
            # A start that is undefined means the whole track.
            with inner.block(f"if {start} >= 0:"):
                inner.line(f"begin = {tables.at}[{which} * {program.n_sites} + {start}]")
                with inner.block("if begin < 0:"):
                    inner.line("return -1")
        with inner.block("for k in range(size):"):
            inner.line("place = begin + k")
            with inner.block("if place >= base + size:"):
                inner.line("place -= size")
            inner.line(f"found = {tables.site}[place]")
            with inner.when(condition(node.get("if"), inner.bind(to="found"))):
                inner.line("return found")
        inner.line("return -1")

    if isinstance(track, int):
        return cx.call("first_on_track", node, body, key=id(node))
    return cx.call("first_on_track", node, body, ("track",), (cx.name(track, "track"),), key=id(node))


@int_ludeme("trackSite EndSite")
def track_site_end(node: Ludeme, cx: Cx) -> Expr:
    """The last site of a track."""
    name, every = _name(node), tracks(cx.program)

    def choose(player: int | None) -> int:
        who = player or 0
        if name is not None:
            return _first([t for t in every if name in t.name and (who == 0 or t.owner == who)])
        return _first([t for t in every if t.owner in (who, 0)])

    track = chosen_track(cx, _owner(node, cx), choose)
    if isinstance(track, int):
        return every[track].sites[-1] if track >= 0 else -1
    ends = cx.program.module.table("TRACK_END", [t.sites[-1] for t in every])
    return f"{ends}[{track}]"


@region_ludeme("sites Track")
def sites_track(node: Ludeme, cx: Cx) -> Region:
    """The sites of a track, or those between two of its sites."""
    program = cx.program
    name = _name(node) or ""
    every = tracks(program)
    current = cx.slots["trk"]
    if current != -1:
        if isinstance(current, int) and node.get("from") is None and node.get("to") is None:
            return Static(_board_sites(every[current]), program)
        raise UnsupportedError("`sites Track` inside `forEach Track` is not implemented yet", node.source)

    def choose(player: int | None) -> int:
        who = player or 0
        return _first([t for t in every if t.name == name or (name in t.name and t.owner in (who, 0))])

    track = chosen_track(cx, _owner(node, cx), choose)
    if node.get("from") is None and node.get("to") is None:
        if isinstance(track, int):
            return Static(_board_sites(every[track]) if track >= 0 else (), program)
        owner = cx.name(_owner(node, cx) or 0)
        picks = [choose(p) for p in range(program.n_players + 2)]
        return PerPlayer(owner, tuple(_board_sites(every[k]) if k >= 0 else () for k in picks), program)
    if track == -1:
        return Static((), program)
    which = cx.name(track, "track")

    def gather(inner: Cx, add: object) -> None:
        tables = track_tables(program)
        begin, goal = inner.fresh("begin"), inner.fresh("goal")
        base, size = inner.name(f"{tables.base}[{which}]", "base"), inner.name(f"{tables.size}[{which}]", "size")
        inner.line(f"{begin} = {base}")
        if node.get("from") is not None:
            start = inner.name(number(node.args["from"], inner))
            with inner.block(f"if {start} >= 0:"):
                inner.line(f"{begin} = {tables.at}[{which} * {program.n_sites} + {start}]")
        inner.line(f"{goal} = {number(node.get('to'), inner, -1)}")
        with inner.block(f"if {begin} >= 0:"):
            k, place, site = inner.fresh("k"), inner.fresh("place"), inner.fresh("s")
            with inner.block(f"for {k} in range({size}):"):
                inner.line(f"{place} = {begin} + {k}")
                with inner.block(f"if {place} >= {base} + {size}:"):
                    inner.line(f"{place} -= {size}")
                inner.line(f"{site} = {tables.site}[{place}]")
                with inner.block(f"if {site} >= 0:"):
                    add(site)  # type: ignore[operator]
                with inner.block(f"if {site} == {goal}:"):
                    inner.line("break")

    return Scratch(gather)


def _board_sites(track: Track) -> tuple[int, ...]:
    return tuple(dict.fromkeys(s for s in track.sites if s >= 0))
