"""Sowing: pieces spread one by one along a track; and other questions about tracks."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.acting import apply, ended, move_piece, nested
from ludoport.verify.slow.context import Context, TreeMove, kind, moves, number, player, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.registry import NotCovered, means
from ludoport.verify.slow.tracks import SiteTrack


def _track(cx: Context, name: str, owner: int | None, site: int | None = None) -> SiteTrack | None:
    """The first track with a name and an owner, if one of them is given, that leads over a site."""
    for track in cx.game.tracks:
        fits = (not name or name in track.name) and (owner is None or track.owner == owner)
        if fits and (site is None or site in track.sites):
            return track
    return None


@means(
    "moves:sow",
    "type start count numPerHole trackName owner if apply includeSelf origin skipIf backtracking forward then",
)
def sow(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Spreads the pieces of a site along a track and captures where the last one fell."""
    of = kind(node, cx)
    last = cx.position.last
    start = number(node.get("start"), cx, last.to if last else -1)
    if start < 0:
        return []
    count = number(node.get("count"), cx, sum(p.count for p in cx.pieces(start, of)))
    per_hole = number(node.get("numPerHole"), cx, 1)
    owner = number(node.args["owner"], cx) if node.get("owner") is not None else None
    track = _track(cx, text_of(node.get("trackName")), owner)
    if track is None or start not in track.sites:
        return []
    index = track.sites.index(start)
    cx = cx.at(**{"from": start})
    move = TreeMove(cx.position.mover, start, start, from_kind=of, to_kind=of)
    if truth(node.get("origin"), cx, False):
        count -= 1
    to, final = start, -1
    for _ in range(count // per_hole):
        tries, final = 0, -1
        while True:
            index = track.after(index)
            if index < 0:
                raise NotCovered("moves:sow past the end of a track")
            to = track.sites[index]
            tries += 1
            if to == start and node.get("includeSelf") is False:
                # The reference asks for captures at the origin if the last piece goes past it.
                final = index
                continue
            if not truth(node.get("skipIf"), cx.at(to=to), False):
                break
            if tries > 2 * len(track.sites):
                raise NotCovered("moves:sow that skips everything")
        move.actions.append(move_piece(start, of, to, of, count=per_hole))
    move.to = to
    if node.get("apply") is not None:
        _capture(node, cx, move, track, index if final < 0 else final)
    return ended([move], node)


def _capture(node: Ludeme, cx: Context, move: TreeMove, track: SiteTrack, index: int) -> None:
    copy = cx.copied()
    apply(move, copy, False)
    on = "backtracking" if node.get("backtracking") is not None else "forward"
    for hole in range(len(track.sites)):
        here = copy.at(to=track.sites[index])
        goes_on = truth(node.get(on), here, False)
        if not truth(node.get("if"), here) or (hole and not goes_on):
            return
        captured = moves(node.args["apply"], here)
        move.actions += [nested(m) for m in captured]
        for effect in captured:
            apply(effect, copy, False)
        index = track.after(index) if on == "forward" else track.before(index)
        if index < 0 or not goes_on:
            return


@means("region:sites Track", "pid role name from to")
def sites_track(node: Ludeme, cx: Context) -> list[int]:
    """The sites of a track."""
    owner = player(node, cx, "pid")
    track = _track(cx, text_of(node.get("name")), owner)
    if track is None:
        return []
    sites = [s for s in track.sites if s >= 0]
    if node.get("from") is None and node.get("to") is None:
        return sites
    first = number(node.get("from"), cx, sites[0])
    final = number(node.get("to"), cx, sites[-1])
    if first not in sites or final not in sites:
        return []
    a, b = sites.index(first), sites.index(final)
    return sites[a : b + 1] if a <= b else sites[a:] + sites[: b + 1]


@means("int:trackSite Move", "from role player name steps")
def track_site_move(node: Ludeme, cx: Context) -> int:
    """The site some steps along a track."""
    owner = player(node, cx)
    site = number(node.get("from"), cx, cx.slot("from"))
    count = number(node.args["steps"], cx)
    track = _track(cx, text_of(node.get("name")), owner, site)
    if track is None or count < 0:
        return -1
    place = track.sites.index(site) + count
    if track.loop:
        return track.sites[place % len(track.sites)]
    return track.sites[place] if place < len(track.sites) else -1


@means("int:trackSite FirstSite", "player role name from if")
def track_site_first(node: Ludeme, cx: Context) -> int:
    """The first site of a track that meets a condition."""
    track = _track(cx, text_of(node.get("name")), player(node, cx))
    if track is None:
        return -1
    first = number(node.get("from"), cx, track.sites[0])
    if first not in track.sites:
        return -1
    index = track.sites.index(first)
    for _ in range(len(track.sites)):
        site = track.sites[index]
        if truth(node.get("if"), cx.at(to=site, site=site)):
            return site
        index = track.after(index)
        if index < 0:
            break
    return -1
