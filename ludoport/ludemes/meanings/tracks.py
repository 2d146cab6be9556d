"""Tracks: paths around the board along which pieces are sown or moved."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Text
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import Ascending, PerPlayer, Region, Static, refuse_picking
from ludoport.ludemes.core.registry import (
    condition,
    generate,
    int_ludeme,
    moves_ludeme,
    number,
    region_ludeme,
)
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.meanings.laps import place_on_track
from ludoport.ludemes.meanings.moves_parts import refuse_then
from ludoport.ludemes.meanings.track_tables import Track, crosses, track_tables, tracks


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


@int_ludeme("trackSite Move", reads=[])
def track_site_move(node: Ludeme, cx: Cx) -> Expr:
    """The site some steps further along a track."""
    program = cx.program
    name = _name(node)
    owner = _owner(node, cx)
    every = tracks(program)

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
    laps = any(map(crosses, every))
    where = place_on_track(cx, which, site) if laps else f"{table_at}[{which} * {program.n_sites} + {site}]"
    position = cx.name(f"({where} if on_board({site}) else -1)", "at")
    base, size = cx.name(f"{tables.base}[{which}]", "base"), cx.name(f"{tables.size}[{which}]", "size")
    count = cx.name(steps, "steps")
    loops = cx.name(f"{tables.after}[{base} + {size} - 1] >= 0", "loops")
    index = f"track_step({position} - {base} if {position} >= 0 else {size}, {count}, {size}, {loops})"
    place = cx.name(index, "at")
    return f"({tables.site}[{base} + {place}] if {place} >= 0 else -1)"


@int_ludeme("trackSite FirstSite", reads=[])
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


@int_ludeme("trackSite EndSite", reads=[])
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


@int_ludeme("count StepsOnTrack", reads=[])
def steps_on_track(node: Ludeme, cx: Cx) -> Expr:
    """Steps from one site to another along a track, which continues at its start; -1 if it does not pass the second."""
    program = cx.program
    name, owner, every = _name(node), _owner(node, cx), tracks(program)
    if any(map(crosses, every)):
        raise UnsupportedError(
            "`count StepsOnTrack` on tracks that pass a site twice is not implemented yet", node.source
        )

    def choose(player: int | None) -> int:
        own = [t for t in every if t.owner == player]
        named = [t for t in own if name is not None and name in t.name]
        return _first(named or own or [t for t in every if t.owner == 0])

    track = chosen_track(cx, cx.slots["mover"] if owner is None else owner, choose)
    sites = [node.get("site1"), node.get("site2")]
    if None in sites:
        raise UnsupportedError("`count StepsOnTrack` without two sites is not implemented", node.source)
    start, end = (cx.name(number(site, cx)) for site in sites)
    place = cx.bind(trk=cx.name(track, "track"), frm=start, to=end)

    def body(inner: Cx) -> None:
        tables, which = track_tables(program), inner.slots["trk"]
        with inner.block(f"if {which} < 0:"):
            inner.line("return -1")
        inner.line(f"base = {tables.base}[{which}]")
        inner.line(f"size = {tables.size}[{which}]")
        inner.line("begin = 0")
        with inner.block(f"while begin < size and {tables.site}[base + begin] != {inner.slots['frm']}:"):
            inner.line("begin += 1")
        with inner.block("for k in range(size):"):
            with inner.block(f"if {tables.site}[base + (begin + k) % size] == {inner.slots['to']}:"):
                inner.line("return k")
        inner.line("return -1")

    return place.call("steps_on_track", node, body, key="steps on track")


@moves_ludeme("firstMoveOnTrack", order=Order.LOOP, draws=False, pieces="stay", chooses=True)
def first_move_on_track(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves from the first site of a track that has any."""
    refuse_picking(cx)
    if not sink.lists:
        raise UnsupportedError("`firstMoveOnTrack` outside of lists of moves is not implemented yet", node.source)
    refuse_then(node)
    place, every = cx.inside(None), tracks(cx.program)
    name = str(node.args["trackName"]) if node.get("trackName") is not None else None

    def choose(player: int | None) -> int:
        if name is None:
            return _first(every)
        if player is None:
            return _first([t for t in every if t.name == name])
        return _first([t for t in every if t.owner == player and name in t.name])

    which = cx.name(chosen_track(cx, _owner(node, cx), choose), "track")
    tables = track_tables(cx.program)
    start = cx.name("n + 0", "before")
    k, site = cx.fresh("k"), cx.fresh("s")
    with cx.block(f"for {k} in range({tables.size}[{which}] if {which} >= 0 else 0):"):
        cx.line(f"{site} = {tables.site}[{tables.base}[{which}] + {k}]")
        with cx.block(f"if on_board({site}):"):
            generate(node.args["moves"], place.sure(site).bind(site=site), sink)
        inner = node.args["moves"]
        assert isinstance(inner, Ludeme)
        cx.program.rules.sieve(place, inner, start)
        with cx.block(f"if n > {start}:"):
            cx.line("break")


@region_ludeme("sites Track", reads=[])
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
        settle(node.get("from"))
        settle(node.get("to"))
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

    return Ascending(gather)


def _board_sites(track: Track) -> tuple[int, ...]:
    return tuple(dict.fromkeys(s for s in track.sites if s >= 0))
