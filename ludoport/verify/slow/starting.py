"""Start rules: pieces before the first move."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.context import Context, kind, number, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.position import PastMove, Standing
from ludoport.verify.slow.registry import NotCovered, evaluate, means

means("start:start", "rules rule")(lambda node, cx: None)


def start_rules(node: Any, cx: Context) -> None:
    """Does all start rules."""
    if node is None:
        return
    listed = node.get("rules")
    for rule in listed if isinstance(listed, list) else [node.args["rule"]]:
        evaluate(rule, cx)


def _place(cx: Context, what: int, site: int, of: str, count: int, state: int, value: int) -> None:
    pieces = cx.position.stacks.setdefault(cx.spot(site, of), [])
    if cx.game.stacking:
        pieces += [Standing(what, 1, state, 0, value) for _ in range(count)]
    elif pieces and pieces[0].what == what:
        pieces[0].count += count if cx.game.counting else 0
    else:
        pieces[:] = [Standing(what, count, state, 0, value)]
    cx.position.history.append(PastMove(0, site, site, from_kind=of, to_kind=of))
    cx.game.start_sites.setdefault(what, []).append(site)


def _sites(node: Ludeme, cx: Context, of: str) -> list[int] | None:
    found: list[int] | None = None
    board = cx.game.sites(of)
    if node.get("coord") is not None:
        found = [s for s in [board.site_of(text_of(node.args["coord"]))] if s is not None]
    if node.get("coords") is not None:
        labels = [text_of(c) for c in node.args["coords"]]  # type: ignore[union-attr]
        found = [s for s in map(board.site_of, labels) if s is not None]
    if node.get("locs") is not None:
        found = [number(s, cx) for s in node.args["locs"]]  # type: ignore[union-attr]
    if node.get("loc") is not None:
        found = [number(node.args["loc"], cx)]
    if node.get("region") is not None:
        found = region(node.args["region"], cx)
    return found


@means("start:place", "item container type loc coord count state value locs region coords counts")
def place(node: Ludeme, cx: Context) -> None:
    """Puts a piece on sites or into hands."""
    of = kind(node, cx)
    name = text_of(node.args["item"])
    count = number(node.get("count"), cx, 1)
    state, value = number(node.get("state"), cx, 0), number(node.get("value"), cx, 0)
    container = text_of(node.get("container"))
    if container:
        place = number(node.get("loc"), cx, 0)
        owners = cx.game.hands if container == "Hand" else {int(container[4:]): cx.game.hand_of(container)}
        for owner, sites in owners.items():
            exact = cx.game.component(name)
            what = exact if exact else next(iter(cx.game.components_named(name, owner)), 0)
            if what:
                _place(cx, what, sites[place], of, count, state, value)
        return
    what = cx.game.component(name) or next((n for n, c in enumerate(cx.game.components) if n and c.plain == name), 0)
    if not what:
        raise NotCovered(f"start:place of {name}")
    chosen = _sites(node, cx, of)
    if chosen is None:
        raise NotCovered("start:place without sites")
    counts = node.get("counts")
    for index, site in enumerate(chosen):
        amount = number(counts[index], cx) if isinstance(counts, list) else count
        _place(cx, what, site, of, amount, state, value)


@means("start:place Stack", "item items type loc locs region coord coords count counts state value")
def place_stack(node: Ludeme, cx: Context) -> None:
    """Puts stacks on sites."""
    of = kind(node, cx)
    state, value = number(node.get("state"), cx, 0), number(node.get("value"), cx, 0)
    listed = node.get("items")
    names = [text_of(t) for t in listed] if isinstance(listed, list) else [text_of(node.args["item"])]
    sites = _sites(node, cx, of)
    if sites is None:
        raise NotCovered("start:place Stack without sites")
    counts = node.get("counts")
    for index, site in enumerate(sites):
        for number_, name in enumerate(names):
            what = cx.game.component(name)
            if not what:
                raise NotCovered(f"start:place Stack of {name}")
            if isinstance(counts, list):
                amount = number(counts[number_ if isinstance(listed, list) else index], cx)
            else:
                amount = number(node.get("count"), cx, 1)
            _place(cx, what, site, of, amount, state, value)


@means("start:set Count", "value type at to")
def set_count(node: Ludeme, cx: Context) -> None:
    """Puts a number of pieces on sites."""
    of = kind(node, cx)
    value = number(node.args["value"], cx)
    sites = [number(node.args["at"], cx)] if node.get("at") is not None else region(node.args["to"], cx)
    what = len(cx.game.components) - 1
    for site in sites:
        if value > 0:
            cx.position.stacks[cx.spot(site, of)] = []
            _place(cx, what, site, of, value, 0, 0)


@means("start:set Score", "role value")
def set_score(node: Ludeme, cx: Context) -> None:
    """Sets the scores of players."""
    value = number(node.args["value"], cx)
    role = node.get("role")
    owners = range(1, cx.game.n_players + 1) if role is None or str(role) in ("Each", "All") else cx.players(role)
    for who in owners:
        cx.position.scores[who] = value


@means("start:set RememberValue", "name value regionValue unique")
def set_remember(node: Ludeme, cx: Context) -> None:
    """Remembers numbers."""
    values = (
        region(node.args["regionValue"], cx)
        if node.get("regionValue") is not None
        else [number(node.args["value"], cx)]
    )
    kept = cx.position.remembered.setdefault(text_of(node.get("name")), [])
    for value in values:
        if not truth(node.get("unique"), cx, False) or value not in kept:
            kept.append(value)


@means("start:set Team", "index roles")
def set_team(node: Ludeme, cx: Context) -> None:
    """Puts players into a team."""
    if not cx.position.teams:
        cx.position.teams = list(range(100, 101 + cx.game.n_players))
    for role in node.args["roles"]:  # type: ignore[union-attr]
        cx.position.teams[cx.role(role)] = number(node.args["index"], cx)
