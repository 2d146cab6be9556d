"""Ludemes that give a number: iterators, the state of the game, the board, arithmetic."""

from __future__ import annotations

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.region import Region, all_of
from ludoport.ludemes.registry import condition, int_ludeme, number, region, site_number


def binary(operator: str, a: Expr, b: Expr) -> Expr:
    """Two numbers joined by an operator, worked out if both are known."""
    if isinstance(a, int) and isinstance(b, int):
        return {"+": a + b, "-": a - b, "*": a * b}[operator]
    return f"({a} {operator} {b})"


# Iterators -----------------------------------------------------------------------------------------

for _slot, _keyword in {
    "to": "to",
    "btw": "between",
    "site": "site",
    "lvl": "level",
    "mover": "mover",
    "nxt": "next",
}.items():

    def _iterator(node: Ludeme, cx: Cx, slot: str = _slot) -> Expr:
        return cx.slots[slot]

    int_ludeme(_keyword)(_iterator)


@int_ludeme("from")
def from_(node: Ludeme, cx: Cx) -> Expr:
    """``(from)``, or where the turn started with ``at:StartOfTurn``."""
    at = node.get("at")
    if at is not None and str(at) == "StartOfTurn":
        cx.program.state.want("TURN_FROM")
        return "state[TURN_FROM]"
    return cx.slots["frm"]


@int_ludeme("prev")
def prev(node: Ludeme, cx: Cx) -> Expr:
    """The player of the last move, or the last player other than the mover; -1 if nobody else has moved."""
    if node.get("type") is not None and str(node.args["type"]) == "MoverLastTurn":
        cx.program.state.want("LAST_TURN_MOVER")
        return "state[LAST_TURN_MOVER]"
    return cx.slots["prv"]


@int_ludeme("player")
def player(node: Ludeme, cx: Cx) -> Expr:
    """The player being iterated over, or a player named by an index."""
    if node.get("index") is not None:
        return number(node.args["index"], cx)
    return cx.slots["plr"]


@int_ludeme("last To", "last From")
def last(node: Ludeme, cx: Cx) -> Expr:
    """Where the last move ended or started."""
    where = node.keyword.split()[1].upper()
    if condition(node.get("afterConsequence"), cx, False) is not False:
        cx.program.want_last_after()
        return f"state[LAST_{where}_AFTER]"
    return f"state[LAST_{where}]"


# The state -----------------------------------------------------------------------------------------


@int_ludeme("counter")
def counter(node: Ludeme, cx: Cx) -> Expr:
    """Moves since the counter was set."""
    cx.program.state.want("COUNTER")
    return "state[COUNTER]"


@int_ludeme("count Moves")
def count_moves(node: Ludeme, cx: Cx) -> Expr:
    """Moves made since the setup."""
    return "state[PLY]"


@int_ludeme("count Turns")
def count_turns(node: Ludeme, cx: Cx) -> Expr:
    """The number of the turn, from 1."""
    return "state[TURN]"


@int_ludeme("count Players")
def count_players(node: Ludeme, cx: Cx) -> Expr:
    """How many players there are."""
    return cx.program.n_players


@int_ludeme("score")
def score(node: Ludeme, cx: Cx) -> Expr:
    """A player's score."""
    who = number(node.get("player") or node.get("role"), cx)
    cx.program.want_scores()
    return f"state[SCORE + {who}]"


@int_ludeme("value Pending")
def value_pending(node: Ludeme, cx: Cx) -> Expr:
    """The pending value if there is exactly one, else 0."""
    cx.program.want_pending()
    return "(state[PENDING_VALUE] if state[N_PENDING] == 1 else 0)"


@int_ludeme("what")
def what(node: Ludeme, cx: Cx) -> Expr:
    """The component at a site."""
    return cx.program.what_at(cx, site_number(node.args["at"], cx), node.get("level"))


@int_ludeme("who")
def who(node: Ludeme, cx: Cx) -> Expr:
    """The owner of the component at a site."""
    return cx.program.who_at(cx, site_number(node.args["at"], cx), node.get("level"))


@int_ludeme("state")
def state(node: Ludeme, cx: Cx) -> Expr:
    """The local state at a site."""
    return cx.program.state_at(cx, site_number(node.args["at"], cx), node.get("level"))


@int_ludeme("where")
def where(node: Ludeme, cx: Cx) -> Expr:
    """The first site on which a component stands, or -1."""
    program = cx.program
    if node.get("namePiece") is not None:
        name = str(node.args["namePiece"])
        owner = number(node.get("indexPlayer") or node.get("role"), cx)
        component: Expr = program.component_by_name(name, owner, cx, node)
    else:
        component = number(node.args["what"], cx)
    wanted_state = node.get("state")

    def body(inner: Cx) -> None:
        test = f"state[WHAT + s] == {inner.slots['val'] if not isinstance(component, int) else component}"
        if wanted_state is not None:
            test += f" and state[STATE + s] == {number(wanted_state, inner)}"
        owners = {program.components[component].owner} if isinstance(component, int) else set()
        if len(owners) == 1 and 1 <= min(owners) <= program.n_players and program.want_own_list():
            owner = min(owners)
            with inner.block(f"for i in range(state[N_OWN + {owner}]):"):
                inner.line(f"s = state[OWN + {(owner - 1) * program.n_board} + i]")
                with inner.block(f"if {test}:"):
                    inner.line("return s")
        elif program.want_own_list() and not isinstance(component, int):
            inner.line(f"owner = {program.owner_of(inner.slots['val'])}")
            with inner.block("if owner >= 1 and owner <= N_PLAYERS:"):
                with inner.block("for i in range(state[N_OWN + owner]):"):
                    inner.line(f"s = state[OWN + (owner - 1) * {program.n_board} + i]")
                    with inner.block(f"if {test}:"):
                        inner.line("return s")
                inner.line("return -1")
        else:
            with inner.block(f"for s in range({program.n_board}):"):
                with inner.block(f"if {test}:"):
                    inner.line("return s")
        inner.line("return -1")

    if wanted_state is not None:
        program.want_state()
    place = cx if isinstance(component, int) else cx.bind(val=cx.name(component))
    return place.call("where", node, body, key=("where", id(node), component if isinstance(component, int) else None))


@int_ludeme("id")
def id_(node: Ludeme, cx: Cx) -> Expr:
    """The number of a component."""
    if node.get("who") is None:
        return cx.program.component_by_full_name(str(node.args["name"]), node)
    owner = number(node.args["who"], cx)
    name = node.get("name")
    if name is None:
        return owner
    return cx.program.component_by_name(str(name), owner, cx, node)


@int_ludeme("mapEntry")
def map_entry(node: Ludeme, cx: Cx) -> Expr:
    """What a map gives for a key; the key itself if the map does not know it."""
    key = number(node.get("key") if node.get("key") is not None else node.get("keyRole"), cx)
    name = node.get("name")
    entries = cx.program.map_entries(str(name) if name is not None else None, node)
    if isinstance(key, int):
        return entries.get(key, key)
    high = max(entries, default=0)
    table = cx.program.module.table("MAP", [entries.get(k, k) for k in range(high + 1)])
    name_ = cx.name(key)
    return f"({table}[{name_}] if 0 <= {name_} <= {high} else {name_})"


# The board -----------------------------------------------------------------------------------------


@int_ludeme("handSite")
def hand_site(node: Ludeme, cx: Cx) -> Expr:
    """A site of a player's hand."""
    owner = number(node.get("indexPlayer") if node.get("indexPlayer") is not None else node.get("role"), cx)
    offset = number(node.get("site"), cx, 0)
    bases = cx.program.hand_bases()
    if isinstance(owner, int):
        return binary("+", bases[owner], offset)
    table = cx.program.module.table("HAND", bases)
    return binary("+", f"{table}[{owner}]", offset)


@int_ludeme("centrePoint")
def centre_point(node: Ludeme, cx: Cx) -> Expr:
    """The first site of the centre."""
    base, sites = cx.program.kind_block(node.get("type"))
    return base + sites.centre[0]


@int_ludeme("column", "row", "phase", "layer")
def coordinate(node: Ludeme, cx: Cx) -> Expr:
    """Column, row, phase or layer of a site."""
    site = number(node.args["of"], cx)
    table = cx.program.coordinate_table(node.keyword)
    name = cx.name(site)
    if isinstance(site, int):
        return int(cx.program.module.tables[table][site]) if site >= 0 else -1
    return f"{table}[{name}]" if name in cx.safe else f"({table}[{name}] if {name} >= 0 else -1)"


@int_ludeme("ahead")
def ahead(node: Ludeme, cx: Cx) -> Expr:
    """The site some steps away in a direction, or the same site if that leaves the board."""
    from ludoport.ludemes.directions import FarSteps, dynamic_word, steps_table, walked

    origin = number(node.args["site"], cx)
    steps = number(node.get("steps"), cx, 1)
    direction = node.get("directions")
    dynamic = dynamic_word(direction)
    if dynamic is not None:
        return FarSteps(walked(dynamic, cx), cx.name(steps)).first(cx, cx.name(origin))
    if (
        isinstance(origin, int)
        and isinstance(steps, int)
        and isinstance(direction, Word)
        and direction.enum == "AbsoluteDirection"
    ):
        reached = [ray[steps - 1] for ray in cx.program.radials(origin, [direction.name]) if len(ray) >= steps]
        return reached[0] if reached else origin
    site = cx.name(origin)
    place = cx.bind(frm=site)
    # Only the facing is that of the site; other iterators stay as they are.
    table = steps_table(node.get("directions"), cx, default="Forward", node=node, distance=steps)
    return table.first(place, site)


@int_ludeme("edge")
def edge(node: Ludeme, cx: Cx) -> Expr:
    """The edge between two vertices, or the current edge of a puzzle."""
    program = cx.program
    if node.get("vA") is None:
        raise UnsupportedError("`(edge)` without vertices is not implemented yet", node.source)
    base, edges = program.kind_block(Word("Edge", "SiteType", node.source))
    first, vertices = program.kind_block(Word("Vertex", "SiteType", node.source))
    size = vertices.n
    table = [-1] * (size * size)
    for number_ in range(edges.n):
        a, b = program.board.incident(number_, "Edge", "Vertex")
        table[a * size + b] = table[b * size + a] = base + number_
    name = program.module.table("EDGE_BETWEEN", table)
    a_, b_ = (cx.name(number(node.args[key], cx)) for key in ("vA", "vB"))
    inside = " and ".join(f"{first} <= {v} and {v} < {first + size}" for v in (a_, b_))
    return cx.name(f"({name}[({a_} - {first}) * {size} + {b_} - {first}] if {inside} else -1)", "edge")


@int_ludeme("toInt")
def to_int(node: Ludeme, cx: Cx) -> Expr:
    """1 for a condition that holds, 0 otherwise."""
    if node.get("boolFn") is None:
        raise UnsupportedError("`toInt` of a fraction is not implemented yet", node.source)
    test = condition(node.args["boolFn"], cx)
    return int(test) if isinstance(test, bool) else f"(1 if {test} else 0)"


@int_ludeme("count Phases")
def count_phases(node: Ludeme, cx: Cx) -> Expr:
    """How many phases the game has."""
    del node
    parts = cx.program.description.root.walk()
    return max(1, sum(1 for part in parts if part.keyword == "phase" and part.get("play") is not None))


# Counting ------------------------------------------------------------------------------------------


@int_ludeme("count Sites")
def count_sites(node: Ludeme, cx: Cx) -> Expr:
    """How many sites a region has."""
    if node.get("in") is not None:
        if node.get("who") is not None or node.get("what") is not None or node.get("whats") is not None:
            return _count_sites_with(node, cx)
        return region(node.args["in"], cx).count(cx)
    if node.get("at") is not None:
        return 1
    if node.get("name") is not None:
        return cx.program.named_region(cx, str(node.args["name"]), None, node).count(cx)
    raise LudError("`count Sites` needs `in:` here", node.source)


def _count_sites_with(node: Ludeme, cx: Cx) -> Expr:
    total = cx.fresh("total")
    cx.line(f"{total} = 0")
    with region(node.args["in"], cx).each(cx) as site:
        inner = cx.sure(site)
        tests: list[Bool] = []
        if node.get("who") is not None:
            tests.append(f"{cx.program.who_at(inner, site)} == {number(node.args['who'], inner)}")
        wanted = (
            node.get("whats")
            if node.get("whats") is not None
            else [node.args["what"]]
            if node.get("what") is not None
            else []
        )
        if wanted:
            assert isinstance(wanted, list)
            piece = cx.program.what_at(inner, site)
            tests.append("(" + " or ".join(f"{piece} == {number(w, inner)}" for w in wanted) + ")")
        with cx.when(all_of(*tests)):
            cx.line(f"{total} += 1")
    return total


@int_ludeme("count Pieces")
def count_pieces(node: Ludeme, cx: Cx) -> Expr:
    """How many pieces a role has, on the board and in hands; perhaps of one name, in one region, with a condition."""
    program = cx.program
    if program.stacking:
        from ludoport.ludemes.stack_pieces import count_stacked

        return count_stacked(node, cx)
    of = node.get("of") if node.get("of") is not None else node.get("role")
    role = str(of) if isinstance(of, Word) else None
    name = str(node.args["name"]) if node.get("name") is not None else None
    everyone = of is None or role in ("All", "Each", "Shared")
    if (
        not everyone
        and name is None
        and node.get("in") is None
        and node.get("if") is None
        and not program.counts_matter
        and role not in ("Enemy", "NonMover", "Neutral", "Friend")
        and program.want_own_list()
    ):
        return f"state[N_OWN + {number(of, cx)}]"

    def body(inner: Cx) -> None:
        inner.line("total = 0")
        # Whose pieces are counted does not depend on the sites looked at.
        given = inner.name(number(of, inner)) if isinstance(of, Ludeme) else None
        where: Region = region(node.args["in"], inner) if node.get("in") is not None else program.everywhere()
        with where.each(inner) as site:
            place = inner.sure(site).bind(site=site)
            piece = inner.name(program.what_at(place, site))
            tests: list[Bool] = [f"{piece} != 0"]
            if given is not None:
                tests.append(f"{program.owner_of(piece)} == {given}")
            elif not everyone:
                tests.append(program.owned_by(place, program.owner_of(piece), of))
            if name is not None:
                tests.append(program.is_named(piece, name))
            with inner.when(all_of(*tests)), inner.when(condition(node.get("if"), place)):
                inner.line(f"total += {program.count_at(place, site)}")
        inner.line("return total")

    return cx.call("count_pieces", node, body, key=id(node))


def _counts_hands(node: Ludeme, cx: Cx) -> bool:
    """Whether a count looks into hands: their sites are cells, which other boards count only when asked to."""
    program = cx.program
    kind = str(node.get("type") or program.board.kind)
    return not program.hands or kind == "Cell"


@int_ludeme("count")
def count(node: Ludeme, cx: Cx) -> Expr:
    """How many pieces lie on a site or in a region."""
    program = cx.program
    if node.get("at") is not None:
        site = cx.name(site_number(node.args["at"], cx))
        if not _counts_hands(node, cx) and not (site.lstrip("-").isdigit() and int(site) < program.n_board):
            return f"({program.count_at(cx, site)} if {site} < {program.n_board} else 0)"
        return program.count_at(cx, site)
    if node.get("in") is not None:
        total = cx.fresh("total")
        cx.line(f"{total} = 0")
        with region(node.args["in"], cx).each(cx) as s:
            with cx.when(True if _counts_hands(node, cx) else f"{s} < {program.n_board}"):
                cx.line(f"{total} += {program.count_at(cx.sure(s), s)}")
        return total
    return program.count_at(cx, cx.slots["to"])


@int_ludeme("size Stack")
def size_stack(node: Ludeme, cx: Cx) -> Expr:
    """The height of a stack."""
    if node.get("at") is not None:
        return cx.program.height_at(cx, number(node.args["at"], cx))
    total = cx.fresh("total")
    cx.line(f"{total} = 0")
    with region(node.args["in"], cx).each(cx) as s:
        cx.line(f"{total} += {cx.program.height_at(cx.sure(s), s)}")
    return total


# Arithmetic ----------------------------------------------------------------------------------------


@int_ludeme("+", "*", "-")
def arithmetic(node: Ludeme, cx: Cx) -> Expr:
    """Sum, product and difference."""
    if node.get("array") is not None:
        return _of_array(node, cx)
    values = node.get("list")
    if values is None:
        parts = [number(v, cx) for v in node.args.values()]
        if node.keyword == "-" and len(parts) == 1:
            return binary("-", 0, parts[0])
    else:
        assert isinstance(values, list)
        parts = [number(v, cx) for v in values]
    result = parts[0]
    for part in parts[1:]:
        result = binary(node.keyword, result, part)
    return result


def _of_array(node: Ludeme, cx: Cx) -> Expr:
    """All numbers of a list added up or multiplied."""
    from ludoport.ludemes.arrays import int_array

    result = cx.fresh("result")
    numbers = int_array(node.args["array"], cx)
    cx.line(f"{result} = {0 if node.keyword == '+' else 1}")
    with numbers.each(cx) as item:
        cx.line(f"{result} {node.keyword}= {item}")
    return result


@int_ludeme("/", "%")
def division(node: Ludeme, cx: Cx) -> Expr:
    """Division and remainder of integers, rounding towards zero."""
    a, b = [number(v, cx) for v in node.args.values()]
    if isinstance(a, int) and isinstance(b, int):
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1) if b else 0
        return quotient if node.keyword == "/" else a - b * quotient
    cx.program.library.add("divide")
    x, y = cx.name(a), cx.name(b)
    return f"divide({x}, {y})" if node.keyword == "/" else f"({x} - {y} * divide({x}, {y}))"


@int_ludeme("^")
def power(node: Ludeme, cx: Cx) -> Expr:
    """A power."""
    a, b = [number(v, cx) for v in node.args.values()]
    if isinstance(a, int) and isinstance(b, int):
        return int(a**b)
    return f"({a} ** {b})"


@int_ludeme("abs")
def absolute(node: Ludeme, cx: Cx) -> Expr:
    """The absolute value."""
    value = number(next(iter(node.args.values())), cx)
    return abs(value) if isinstance(value, int) else f"abs({value})"


@int_ludeme("min", "max")
def extreme(node: Ludeme, cx: Cx) -> Expr:
    """The smaller or the larger of two numbers."""
    if node.get("array") is not None:
        from ludoport.ludemes.arrays import reduce_array

        return reduce_array(node.keyword, node.args["array"], cx)
    a, b = number(node.args["valueA"], cx), number(node.args["valueB"], cx)
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b) if node.keyword == "min" else max(a, b)
    return f"{node.keyword}({a}, {b})"


@int_ludeme("if")
def choice(node: Ludeme, cx: Cx) -> Expr:
    """One of two numbers, depending on a condition."""
    test = condition(node.args["cond"], cx)
    if isinstance(test, bool):
        return number(node.args["valueA"] if test else node.args["valueB"], cx)
    result = cx.fresh("chosen")
    with cx.block(f"if {test}:"):
        cx.line(f"{result} = {number(node.args['valueA'], cx)}")
    with cx.block("else:"):
        cx.line(f"{result} = {number(node.args['valueB'], cx)}")
    return result
