"""Conditions about players, sites, numbers and the game; logic."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.components import one_of
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number, region, site_number
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.fields.position import empty_at, height_at, holds_piece, what_at
from ludoport.ludemes.fields.stack_levels import what_at_level
from ludoport.ludemes.fields.teams import enemy, friend
from ludoport.ludemes.meanings.arrays import array_contains
from ludoport.ludemes.meanings.counts_pieces import count_pieces
from ludoport.ludemes.meanings.puzzles import compare_sites

# Logic ---------------------------------------------------------------------------------------------


def _parts(node: Ludeme) -> list[Value]:
    values = node.get("list")
    return list(values) if isinstance(values, list) else list(node.args.values())


def _joined(parts: list[Value], cx: Cx, word: str) -> Bool:
    """Join conditions; a part that needs statements of its own runs only if the parts before it leave it open."""
    stop = word == "or"
    done: list[Bool] = []
    for index, part in enumerate(parts):
        mark = len(cx.fn.lines)
        test = condition(part, cx)
        if test is stop:
            del cx.fn.lines[mark:]
            settle(*parts[index + 1 :])
            return stop
        if len(cx.fn.lines) > mark and any(isinstance(d, str) for d in done):
            # Statements were written for this part: put them under an `if` so that they run only when needed.
            del cx.fn.lines[mark:]
            result = cx.fresh("both" if word == "and" else "either")
            before = all_of(*done) if word == "and" else any_of(*done)
            cx.line(f"{result} = {before}")
            with cx.block(f"if {result}:" if word == "and" else f"if not {result}:"):
                rest = _joined(parts[index:], cx, word)
                cx.line(f"{result} = {rest}")
            return result
        done.append(test)
    return all_of(*done) if word == "and" else any_of(*done)


@boolean_ludeme("and", reads=[], known=True)
def and_(node: Ludeme, cx: Cx) -> Bool:
    """All parts hold."""
    return _joined(_parts(node), cx, "and")


@boolean_ludeme("or", reads=[], known=True)
def or_(node: Ludeme, cx: Cx) -> Bool:
    """Some part holds."""
    return _joined(_parts(node), cx, "or")


@boolean_ludeme("not", reads=[], known=True)
def not_(node: Ludeme, cx: Cx) -> Bool:
    """The opposite."""
    return negation(condition(node.args["a"], cx))


@boolean_ludeme("xor", reads=[], known=True)
def xor(node: Ludeme, cx: Cx) -> Bool:
    """Exactly one of two."""
    a, b = (condition(v, cx) for v in node.args.values())
    if isinstance(a, bool) and isinstance(b, bool):
        return a != b
    # Without brackets of their own, two comparisons would become a chain.
    return f"(({a}) != ({b}))"


@boolean_ludeme("if", reads=[], known=True)
def if_(node: Ludeme, cx: Cx) -> Bool:
    """One of two conditions, depending on a third."""
    test = condition(node.args["cond"], cx)
    if isinstance(test, bool):
        settle(node.get("notOk") if test else node.args["ok"])
        return condition(node.args["ok"], cx) if test else condition(node.get("notOk"), cx, False)
    result = cx.fresh("chosen")
    with cx.block(f"if {test}:"):
        cx.line(f"{result} = {condition(node.args['ok'], cx)}")
    with cx.block("else:"):
        cx.line(f"{result} = {condition(node.get('notOk'), cx, False)}")
    return result


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@boolean_ludeme("=", "!=", "<", "<=", ">", ">=", reads=[], known=True)
def compare(node: Ludeme, cx: Cx) -> Bool:
    """Two numbers compared, or two regions for equality."""
    if node.get("regionA") is not None:
        equal = _same_region(node, cx)
        return equal if node.keyword == "=" else negation(equal)
    values = list(node.args.values())
    a, b = number(values[0], cx), number(values[1], cx)
    if node.keyword not in ("=", "!=") and "moves:satisfy" in cx.program.keys:
        return compare_sites(node.keyword, a, b, cx)
    if isinstance(a, int) and isinstance(b, int):
        return _COMPARE[node.keyword](a, b)
    return f"{a} {'==' if node.keyword == '=' else node.keyword} {b}"


def _same_region(node: Ludeme, cx: Cx) -> Bool:
    a, b = region(node.args["regionA"], cx), region(node.args["regionB"], cx)
    if a.static is not None and b.static is not None:
        return set(a.static) == set(b.static)

    def body(inner: Cx) -> None:
        for one, other in ((node.args["regionA"], node.args["regionB"]), (node.args["regionB"], node.args["regionA"])):
            with region(one, inner).each(inner) as site:
                place = inner.sure(site)
                with inner.when(negation(region(other, place).contains(place, site))):
                    inner.line("return False")
        inner.line("return True")

    return cx.call("same_region", node, body, key=id(node))


@boolean_ludeme("toBool", reads=[])
def to_bool(node: Ludeme, cx: Cx) -> Bool:
    """Whether a number is not 0."""
    value = number(node.args["intFn"] if node.get("intFn") is not None else node.args["floatFn"], cx)
    return value != 0 if isinstance(value, int) else f"{value} != 0"


@boolean_ludeme("is Even", "is Odd", reads=[], known=True)
def parity(node: Ludeme, cx: Cx) -> Bool:
    """Whether a number is even or odd."""
    value = number(node.get("value"), cx, 0)
    wanted = 0 if node.keyword == "is Even" else 1
    return value % 2 == wanted if isinstance(value, int) else f"{value} % 2 == {wanted}"


# Players -------------------------------------------------------------------------------------------


def _who(node: Ludeme) -> Value:
    value = node.get("index") if node.get("index") is not None else node.get("role")
    if value is None:
        raise LudError(f"`{node.keyword}` needs a player", node.source)
    return value


@boolean_ludeme("is Mover", "is Prev", reads=[])
@boolean_ludeme("is Next", reads=["next"])
def is_player(node: Ludeme, cx: Cx) -> Bool:
    """Whether a player is the mover, the next or the previous one."""
    slot = {"is Mover": "mover", "is Next": "nxt", "is Prev": "prv"}[node.keyword]
    other = number(_who(node), cx)
    if other == cx.slots[slot]:
        return True
    if cx.threat and (cx.slots[slot], other) == ("prv", "mover") and taken("prev"):
        # The owner of the piece in question counts as having moved before its enemy.
        return False
    return f"{cx.slots[slot]} == {other}"


@boolean_ludeme("is Enemy", reads=[])
def is_enemy(node: Ludeme, cx: Cx) -> Bool:
    """Whether a player number is that of a player other than the mover."""
    value = number(_who(node), cx)
    return enemy(cx, value)


@boolean_ludeme("is Friend", reads=[])
def is_friend(node: Ludeme, cx: Cx) -> Bool:
    """Whether a player number is the mover's."""
    return friend(cx, number(_who(node), cx))


@boolean_ludeme("is Active", reads=[])
def is_active(node: Ludeme, cx: Cx) -> Bool:
    """Whether a player is still in the game."""
    return f"state[RANK + {number(_who(node), cx)}] == 0"


# Sites ---------------------------------------------------------------------------------------------


@boolean_ludeme("is Empty", reads=["board"], given_sites=True)
def is_empty(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is empty; false off the board."""
    site = cx.name(site_number(node.args["at"], cx))
    if site.lstrip("-").isdigit() and int(site) < 0:
        return False
    if cx.program.standing is not None and site.isdigit():
        return int(site) not in cx.program.standing
    test = empty_at(cx.program, site)
    return test if site in cx.safe or site.isdigit() else f"(on_board({site}) and {test})"


@boolean_ludeme("is Occupied", reads=["board"], given_sites=True)
def is_occupied(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site is occupied; false off the board."""
    site = cx.name(site_number(node.args["at"], cx))
    if cx.program.standing is not None and site.isdigit():
        return int(site) in cx.program.standing
    test = holds_piece(cx, site)
    return test if site in cx.safe or site.isdigit() else f"(on_board({site}) and {test})"


@boolean_ludeme("is In", reads=[], known=True)
def is_in(node: Ludeme, cx: Cx) -> Bool:
    """Whether a site, or all of several, are in a region."""
    if node.get("array") is not None:
        return array_contains(node.args["array"], cx, number(node.get("site"), cx, cx.slots["to"]))
    where = region(node.args["region"], cx)
    sites = node.get("sites")
    if isinstance(sites, list):
        if not sites:
            return False
        return all_of(*[where.contains(cx, cx.name(number(s, cx))) for s in sites])
    site = number(node.get("site"), cx, cx.slots["to"])
    asked = node.get("site")
    if isinstance(asked, Ludeme) and asked.keyword in _NUMBERS and isinstance(site, str):
        # Such a number need not be a site at all.
        name = cx.name(site)
        if where.static is not None:
            return one_of(name, sorted(set(where.static)))
        return all_of(f"0 <= {name} < {cx.program.n_sites}", where.contains(cx, name))
    return where.contains(cx, site if isinstance(site, int) else cx.name(site))


_NUMBERS = {
    *(
        "count",
        "count Pieces",
        "count Sites",
        "count Moves",
        "count Turns",
        "count Groups",
        "size Stack",
        "size Group",
        "score",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "abs",
        "min",
        "max",
        "if",
        "var",
        "value",
        "value Player",
        "counter",
        "state",
        "row",
        "column",
    ),
}
"""Ludemes whose numbers are not always sites."""


@boolean_ludeme("is Within", reads=["board"], lists=True)
def is_within(node: Ludeme, cx: Cx) -> Bool:
    """Whether some piece of a kind is in a region, at any level of a stack."""
    program = cx.program
    piece = number(node.get("what"), cx, -1)

    def body(inner: Cx) -> None:
        wanted = piece if isinstance(piece, int) else inner.slots["val"]

        def look(place: Cx, site: str) -> None:
            if not program.stacking:
                with place.block(f"if {what_at(place, site)} == {wanted}:"):
                    place.line("return True")
                return
            level = place.fresh("level")
            with place.block(f"for {level} in range({height_at(place, site)}):"):
                with place.block(f"if {what_at_level(place, site, level)} == {wanted}:"):
                    place.line("return True")

        if node.get("in") is None:
            look(inner, inner.name(number(node.get("at"), inner, "state[LAST_TO]")))
        else:
            with region(node.args["in"], inner).each(inner) as site:
                look(inner.sure(site), site)
        inner.line("return False")

    place = cx if isinstance(piece, int) else cx.bind(val=cx.name(piece))
    return place.call("within", node, body, key=(id(node), piece if isinstance(piece, int) else None))


@boolean_ludeme("is Full", reads=["board"])
def is_full(node: Ludeme, cx: Cx) -> Bool:
    """Whether no site of the board is empty."""
    cx.program.want_empty_list()
    return "state[N_EMPTY] == 0"


@boolean_ludeme("all Sites", reads=["board"])
def all_sites(node: Ludeme, cx: Cx) -> Bool:
    """Whether every site of a region fulfils a condition."""

    def body(inner: Cx) -> None:
        with region(node.args["region"], inner).each(inner) as site:
            place = inner.sure(site).bind(site=site)
            with inner.when(negation(condition(node.args["if"], place))):
                inner.line("return False")
        inner.line("return True")

    return cx.call("all_sites", node, body, key=id(node))


# The game ------------------------------------------------------------------------------------------


@boolean_ludeme("is Pending", reads=["pending"])
def is_pending(node: Ludeme, cx: Cx) -> Bool:
    """Whether a value is pending."""
    cx.program.want_pending()
    return "state[N_PENDING] != 0"


@boolean_ludeme("all Passed", reads=[])
def all_passed(node: Ludeme, cx: Cx) -> Bool:
    """Whether every player's last turn was a pass."""
    cx.program.want_passes()
    return "state[PASSES] >= N_PLAYERS"


@boolean_ludeme("no Pieces", reads=["board"], lists=True)
def no_pieces(node: Ludeme, cx: Cx) -> Bool:
    """Whether a role has no pieces left."""
    value: Expr = count_pieces(node, cx)
    return f"{value} == 0"
