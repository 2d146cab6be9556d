"""Numbers: arithmetic, iterators, pieces on sites, fields of the position."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme, Text, Word
from ludoport.verify.slow import directions
from ludoport.verify.slow.context import Context, kind, number, numbers, player, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.registry import NotCovered, evaluate, means

for _name in ("from", "to", "between", "site", "level", "player", "value"):
    means(f"int:{_name}")(lambda node, cx, name=_name: cx.slot(name))
means("int:mover")(lambda node, cx: cx.position.mover)
means("int:next")(lambda node, cx: cx.position.next)
means("int:prev")(lambda node, cx: cx.position.prev)
means("int:counter")(lambda node, cx: cx.position.counter)
means("int:pot")(lambda node, cx: cx.position.pot)
means("int:if", "cond valueA valueB")(
    lambda node, cx: number(node.args["valueA" if truth(node.args["cond"], cx) else "valueB"], cx)
)
means("int:abs", "value")(lambda node, cx: abs(number(node.args["value"], cx)))


def _terms(node: Ludeme, cx: Context) -> list[int]:
    if "a" in node.args:
        return [number(node.args["a"], cx), number(node.args["b"], cx)]
    if "valueA" in node.args and "valueB" in node.args:
        return [number(node.args["valueA"], cx), number(node.args["valueB"], cx)]
    return numbers(node.args["list" if "list" in node.args else "array"], cx)


@means("int:+", "a b list array")
def add(node: Ludeme, cx: Context) -> int:
    """The sum."""
    return sum(_terms(node, cx))


@means("int:*", "a b list array")
def multiply(node: Ludeme, cx: Context) -> int:
    """The product."""
    product = 1
    for term in _terms(node, cx):
        product *= term
    return product


@means("int:-", "valueA valueB")
def subtract(node: Ludeme, cx: Context) -> int:
    """The difference, or the negative of one number."""
    return number(node.get("valueA"), cx, 0) - number(node.args["valueB"], cx)


@means("int:/", "a b")
def divide(node: Ludeme, cx: Context) -> int:
    """The quotient without its fraction."""
    a, b = _terms(node, cx)
    return int(a / b) if b else _no_quotient()


def _no_quotient() -> int:
    raise NotCovered("a division by zero")


@means("int:%", "value modulo")
def modulo(node: Ludeme, cx: Context) -> int:
    """The remainder, with the sign of the first number."""
    a, b = number(node.args["value"], cx), number(node.args["modulo"], cx)
    return a - int(a / b) * b if b else _no_quotient()


means("int:^", "a b")(lambda node, cx: number(node.args["a"], cx) ** number(node.args["b"], cx))


@means("int:min,int:max", "valueA valueB array")
def extreme(node: Ludeme, cx: Context) -> int:
    """The least or the greatest number."""
    terms = _terms(node, cx)
    if not terms:
        raise NotCovered(f"{node.key} of no numbers")
    return min(terms) if node.keyword == "min" else max(terms)


# What stands on a site


def _piece_value(node: Ludeme, cx: Context, name: str) -> int:
    site = number(node.args["at"], cx)
    if site < 0:
        return 0
    level = number(node.get("level"), cx)
    piece = cx.piece(site, kind(node, cx), level)
    return getattr(piece, name) if piece else 0


means("int:what", "type at level")(lambda node, cx: _piece_value(node, cx, "what"))
means("int:state", "type at level")(lambda node, cx: _piece_value(node, cx, "state"))
means("int:value Piece", "type at level")(lambda node, cx: _piece_value(node, cx, "value"))


@means("int:who", "type at level")
def who(node: Ludeme, cx: Context) -> int:
    """The owner of the piece on a site."""
    site = number(node.args["at"], cx)
    return cx.who(site, kind(node, cx), number(node.get("level"), cx)) if site >= 0 else 0


@means("int:size Stack", "type in at")
def size_stack(node: Ludeme, cx: Context) -> int:
    """Number of pieces on sites."""
    if node.get("in") is not None:
        return sum(len(cx.pieces(site, kind(node, cx))) for site in region(node.args["in"], cx))
    site = _at(node, cx)
    return len(cx.pieces(site, kind(node, cx))) if site >= 0 else 0


@means("int:topLevel", "type at")
def top_level(node: Ludeme, cx: Context) -> int:
    """The level of the top piece."""
    site = number(node.args["at"], cx)
    return max(len(cx.pieces(site, kind(node, cx))) - 1, 0)


def _at(node: Ludeme, cx: Context) -> int:
    if node.get("at") is not None:
        return number(node.args["at"], cx)
    last = cx.position.last
    return last.to if last else -1


# The last move


@means("int:last To", "afterConsequence")
def last_to(node: Ludeme, cx: Context) -> int:
    """Last site of the last move, or of its last consequence; -1 if there is none."""
    if truth(node.get("afterConsequence"), cx, False):
        return cx.position.touched
    last = cx.position.last
    return last.to if last else -1


@means("int:last From", "")
def last_from(node: Ludeme, cx: Context) -> int:
    """First site of the last move, -1 if there is none."""
    last = cx.position.last
    return last.from_ if last else -1


# What the position keeps

means("int:count Moves")(lambda node, cx: cx.position.moves)
means("int:count Turns")(lambda node, cx: cx.position.turn)
means("int:count MovesThisTurn")(lambda node, cx: cx.position.moves_this_turn)
means("int:count Players")(lambda node, cx: cx.game.n_players)
means("int:count Active")(lambda node, cx: len(cx.position.active))
means("int:count Rows", "type")(lambda node, cx: _lines_of_ground(cx, kind(node, cx), "row"))
means("int:count Columns", "type")(lambda node, cx: _lines_of_ground(cx, kind(node, cx), "col"))


def _lines_of_ground(cx: Context, of: str, name: str) -> int:
    """Number of rows or columns of the ground sites; upper layers lie between them."""
    sites = cx.game.sites(of)
    return len({getattr(sites, name)[site] for site in range(sites.n) if sites.layer[site] == 0})


@means("int:score", "player role")
def score(node: Ludeme, cx: Context) -> int:
    """The score of a player."""
    return cx.position.scores[player(node, cx) or 0]


@means("util:player", "index")
def one_player(node: Ludeme, cx: Context) -> int:
    """A player by number."""
    return number(node.args["index"], cx)


@means("int:var", "key")
def variable(node: Ludeme, cx: Context) -> int:
    """A named number that the position keeps, or the one without a name."""
    if node.get("key") is None:
        return cx.position.temp
    return cx.position.variables.get(text_of(node.args["key"]), -1)


@means("int:value Pending")
def value_pending(node: Ludeme, cx: Context) -> int:
    """The pending value if there is exactly one."""
    return cx.position.pending[0] if len(cx.position.pending) == 1 else 0


@means("int:value Player", "indexPlayer role")
def value_player(node: Ludeme, cx: Context) -> int:
    """The value of a player."""
    return cx.position.player_values[player(node, cx, "indexPlayer") or 0]


# The board


@means("int:ahead", "type site steps directions")
def ahead(node: Ludeme, cx: Context) -> int:
    """The site some steps ahead, or the site itself if there is none."""
    site = number(node.args["site"], cx)
    count = number(node.get("steps"), cx, 1)
    of = kind(node, cx)
    names = directions.named(node.get("directions"), cx, site, of, "") if node.get("directions") is not None else None
    if names is None:
        names = directions._relative(["Forward"], cx, site, of, "Adjacent", False)
    if not names or site < 0:
        return site
    for line in directions.lines(cx, site, names[:1], of):
        if count < len(line):
            return line[count]
    return site


@means("int:centrePoint", "type")
def centre_point(node: Ludeme, cx: Context) -> int:
    """The first site of the middle."""
    return cx.game.sites(kind(node, cx)).centre[0]


@means("int:column", "type of")
def column(node: Ludeme, cx: Context) -> int:
    """The column of a site."""
    return _of(cx.game.sites(kind(node, cx)).col, node, cx)


@means("int:row", "type of")
def row(node: Ludeme, cx: Context) -> int:
    """The row of a site."""
    return _of(cx.game.sites(kind(node, cx)).row, node, cx)


@means("int:layer", "type of")
def layer(node: Ludeme, cx: Context) -> int:
    """The layer of a site."""
    return _of(cx.game.sites(kind(node, cx)).layer, node, cx)


@means("int:phase", "type of")
def phase(node: Ludeme, cx: Context) -> int:
    """The phase of a site."""
    return _of(cx.game.sites(kind(node, cx)).phase, node, cx)


def _of(table: Any, node: Ludeme, cx: Context) -> int:
    site = number(node.args["of"], cx)
    return int(table[site]) if 0 <= site < len(table) else -1


@means("int:coord", "type coordinate row column")
def coord(node: Ludeme, cx: Context) -> int:
    """The site with a label, or in a row and column."""
    sites = cx.game.sites(kind(node, cx))
    if node.get("coordinate") is not None:
        found = sites.site_of(text_of(node.args["coordinate"]))
        return -1 if found is None else found
    r, c = number(node.args["row"], cx), number(node.args["column"], cx)
    return next((s for s in range(sites.n) if sites.row[s] == r and sites.col[s] == c), -1)


@means("int:handSite", "indexPlayer role site")
def hand_site(node: Ludeme, cx: Context) -> int:
    """A site of a player's hand."""
    owner = player(node, cx, "indexPlayer")
    sites = cx.game.hands.get(owner if owner is not None else -1)
    place = number(node.get("site"), cx, 0)
    return sites[0] + place if sites else -1


@means("int:id", "name who")
def component_id(node: Ludeme, cx: Context) -> int:
    """The number of a component."""
    name = text_of(node.get("name"))
    if node.get("who") is None:
        return cx.game.component(name)
    owner = cx.role(node.args["who"])
    if not name:
        return owner
    found = cx.game.components_named(name, owner)
    return found[0] if found else -1


@means("int:where", "namePiece indexPlayer role state type what")
def where(node: Ludeme, cx: Context) -> int:
    """The first site of a component."""
    if node.get("what") is not None:
        wanted = [number(node.args["what"], cx)]
    else:
        owner = player(node, cx, "indexPlayer")
        wanted = cx.game.components_named(text_of(node.args["namePiece"]), owner)[:1]
    state = node.get("state")
    for site in range(cx.game.n_sites):
        for piece in cx.pieces(site, kind(node, cx)):
            if piece.what in wanted and (state is None or piece.state == number(state, cx)):
                return site
    return -1


@means("int:mapEntry", "name key keyRole")
def map_entry(node: Ludeme, cx: Context) -> int:
    """Value of a key in a map; the key itself if it is not in the map."""
    key = cx.role(node.args["keyRole"]) if node.get("keyRole") is not None else number(node.args["key"], cx)
    name = text_of(node.get("name"))
    for title, pairs in cx.game.maps:
        if node.get("name") is not None and title != name:
            continue
        for pair in pairs:
            if _map_value(pair.args["key"], cx) == key:
                found = _map_value(pair.args["value" if "value" in pair.args else "landmark"], cx)
                if found != -1:
                    return found
    return key


def _map_value(value: Any, cx: Context) -> int:
    if isinstance(value, Word):
        if value.enum == "LandmarkType":
            return _landmark(value.name, cx)
        return cx.role(value)
    if isinstance(value, Text):
        site = cx.game.board.site_of(value.text)
        return site if site is not None else cx.game.component(value.text)
    return number(value, cx)


def _landmark(name: str, cx: Context) -> int:
    sites = cx.game.default
    found = {"FirstSite": [0], "LastSite": [sites.n - 1], "CentreSite": sites.centre, "Topsite": sites.top}
    found |= {"LeftSite": sites.left, "RightSite": sites.right, "BottomSite": sites.bottom}
    return found[name][0]


@means("int:regionSite", "region index")
def region_site(node: Ludeme, cx: Context) -> int:
    """A site of a region by its place in it."""
    sites, index = region(node.args["region"], cx), number(node.args["index"], cx)
    return sites[index] if 0 <= index < len(sites) else -1


# Arrays


@means("intarray:array", "region ints")
def array(node: Ludeme, cx: Context) -> list[int]:
    """The sites of a region, or numbers."""
    if node.get("region") is not None:
        return region(node.args["region"], cx)
    return numbers(node.args["ints"], cx)


@means("intarray:values Remembered", "name")
def values_remembered(node: Ludeme, cx: Context) -> list[int]:
    """The remembered values."""
    return list(cx.position.remembered.get(text_of(node.get("name")), ()))


@means("intarray:results", "from to function")
def results(node: Ludeme, cx: Context) -> list[int]:
    """The values of a function for all pairs of sites."""
    found = []
    for a in _sites_or_site(node.args["from"], cx):
        for b in _sites_or_site(node.args["to"], cx.at(**{"from": a})):
            found.append(number(node.args["function"], cx.at(**{"from": a, "to": b})))
    return found


def _sites_or_site(node: Any, cx: Context) -> list[int]:
    if isinstance(node, Ludeme) and node.kind == "region":
        return region(node, cx)
    return [number(node, cx)]


@means("intarray:difference", "source subtraction intToRemove")
def array_difference(node: Ludeme, cx: Context) -> list[int]:
    """An array without some numbers."""
    less = (
        numbers(node.args["subtraction"], cx)
        if node.get("subtraction") is not None
        else [number(node.args["intToRemove"], cx)]
    )
    return [n for n in numbers(node.args["source"], cx) if n not in less]


@means("intarray:union", "array1 array2 arrays")
def array_union(node: Ludeme, cx: Context) -> list[int]:
    """The numbers of all arrays, each once."""
    listed = node.get("arrays")
    parts = listed if isinstance(listed, list) else [node.args["array1"], node.args["array2"]]
    return list(dict.fromkeys(n for part in parts for n in numbers(part, cx)))


@means("intarray:intersection", "array1 array2 arrays")
def array_intersection(node: Ludeme, cx: Context) -> list[int]:
    """The numbers that all arrays have."""
    listed = node.get("arrays")
    parts = listed if isinstance(listed, list) else [node.args["array1"], node.args["array2"]]
    first, *others = [numbers(part, cx) for part in parts]
    return [n for n in first if all(n in other for other in others)]


@means("intarray:if", "cond ok notOk")
def array_if(node: Ludeme, cx: Context) -> list[int]:
    """One array or the other."""
    chosen = node.get("ok" if truth(node.args["cond"], cx) else "notOk")
    return [] if chosen is None else numbers(chosen, cx)


means("int:size Array", "array")(lambda node, cx: len(evaluate(node.args["array"], cx)))


@means("int:arrayValue", "array index")
def array_value(node: Ludeme, cx: Context) -> int:
    """A number of an array."""
    found, index = numbers(node.args["array"], cx), number(node.args["index"], cx)
    return found[index] if 0 <= index < len(found) else -1


@means("int:count Value", "of in")
def count_value(node: Ludeme, cx: Context) -> int:
    """Number of times that a number occurs in an array."""
    return numbers(node.args["in"], cx).count(number(node.args["of"], cx))


# Ranges are pairs of the least and the greatest number.

means("range:exact", "value")(lambda node, cx: (number(node.args["value"], cx),) * 2)
means("range:range", "min max")(lambda node, cx: (number(node.args["min"], cx), number(node.get("max"), cx, 10**9)))
means("range:min", "min")(lambda node, cx: (number(node.args["min"], cx), 10**9))
means("range:max", "max")(lambda node, cx: (-1, number(node.args["max"], cx)))
