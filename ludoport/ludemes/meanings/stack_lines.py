"""``is Line`` in games with stacks: lines of top pieces, of pieces at any level, or through the levels."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import condition, number
from ludoport.ludemes.core.tables import LineTable
from ludoport.ludemes.fields.stacks import max_height, want_columns, want_stacks

Test = Callable[[str], Bool]


def is_line_in_stacks(node: Ludeme, cx: Cx) -> Bool:
    """Whether a line of pieces runs through a site.

    As in the reference, some arguments have no effect in games with stacks, and a condition is only asked of the other
    sites of a line of sites.
    """
    settle(*map(node.get, ("throughAny", "throughHowMuch", "isVisible", "contiguous", "useOpposites")))
    want_stacks(cx.program)
    through = number(node.get("through"), cx, "state[LAST_TO]")
    place = cx.bind(val=cx.name(through))
    return place.call("line", node, lambda inner: _body(node, inner), key=("stack line", id(node)))


def _body(node: Ludeme, cx: Cx) -> None:
    program = cx.program
    length = number(node.args["length"], cx)
    exact = condition(node.get("exact"), cx, False) is True
    levels = condition(node.get("byLevel"), cx, False)
    if not isinstance(levels, bool):
        raise UnsupportedError("`byLevel:` must be known before the game", node.source)
    reach = (length if exact else length - 1) if isinstance(length, int) else None
    table = program.line_table(str(node.get("dirn") or "Adjacent"), reach)
    cx.line(f"s = {cx.slots['val']}")
    with cx.block(f"if s < 0 or s >= {program.n_board}:"):
        cx.line("return False")
    if levels:
        settle(node.get("if"))
    if length == 1:
        cx.line("return True")
        return
    cx.line(f"length = {length}")
    named = any(node.get(name) is not None for name in ("who", "what", "whats"))
    runs = not named and not exact and table.opposites <= 1
    if levels and runs and isinstance(length, int) and length >= 2 and want_columns(program, length):
        _through_columns(cx, table, length)
    elif levels:
        _through_levels(node, cx, table, exact)
    else:
        _through_sites(node, cx, table, exact)


def _same(node: Ludeme, cx: Cx) -> Test:
    """A function that gives the test whether a piece belongs to the line; ``piece`` is the first site's top."""
    whats = node.get("whats")
    if whats is None and node.get("what") is not None:
        whats = [node.args["what"]]
    if isinstance(whats, list):
        wanted: list[Expr] = [cx.name(number(w, cx)) for w in whats]
        return lambda piece: "(" + " or ".join(f"{piece} == {w}" for w in wanted) + ")"
    if node.get("who") is not None:
        owner = cx.name(number(node.args["who"], cx))
        return lambda piece: f"({piece} != 0 and {cx.program.owner_of(piece)} == {owner})"
    cx.line("piece = state[WHAT + s]")
    return lambda piece: f"{piece} == piece"


# Columns of bits -------------------------------------------------------------------------------------


def _through_columns(cx: Cx, table: LineTable, length: int) -> None:
    """Lines found without a branch, from one number per component and site that has a bit for each level.

    What stands around the top piece cannot be predicted, so comparing everything is faster than stopping early.
    """
    program = cx.program
    reach, width = length - 1, program.n_board + 1
    flat = [int(t) if t >= 0 else program.n_board for t in program.module.tables[table.name]]
    name = program.module.table("AROUND", flat)
    cx.line("top = state[HEIGHT + s] - 1")
    with cx.block("if top < 0:"):
        cx.line("return False")
    # Stacks only grow here, so that something stands on top.
    cx.fn.facts["kind"] = (1, len(program.components) - 1)
    cx.line("kind = state[WHAT + s]")
    cx.line(f"columns = COLUMNS + (kind - 1) * {width}")
    # Bits are moved up first, so that no distance to shift by is negative.
    cx.line(f"down = (state[columns + s] << {length}) >> (top + 1)")
    cx.line(f"found = (down & {(1 << length) - 1}) == {(1 << length) - 1}")
    with cx.block(f"for r in range({table.rays}):") if table.rays > 1 else nullcontext():
        cx.line(f"base = (s * {table.rays} + r) * {table.stride}" if table.rays > 1 else f"base = s * {table.stride}")
        near = range(1, min(reach, table.length) + 1)
        around = [(d, d - 1) for d in near]
        if table.opposites:
            around += [(-d, table.length + d - 1) for d in near]
        for d, k in around:
            cx.line(f"{_near(d)} = state[columns + {name}[base + {k}]] << {length}")
        for slope in (0, -1, 1):
            bits = [f"{1 << reach}"]
            bits += [f"((({_near(d)} >> (top + {slope * d + length})) & 1) << {reach + d})" for d, _ in around]
            cx.line(f"line = {' | '.join(bits)}")
            done = 1
            while done < length:
                step = min(done, length - done)
                cx.line(f"line &= line >> {step}")
                done += step
            cx.line("found |= line != 0")
    cx.line("return found")


def _near(distance: int) -> str:
    return f"ahead{distance}" if distance > 0 else f"back{-distance}"


# Through the levels ----------------------------------------------------------------------------------


def _through_levels(node: Ludeme, cx: Cx, table: LineTable, exact: bool) -> None:
    """Straight down, then along each line at the same level, falling and rising."""
    height = max_height(cx.program)
    cx.line("top = state[HEIGHT + s] - 1")
    with cx.block("if top < 0:"):
        cx.line("return False")
    same = _same(node, cx)
    cx.line(f"column = LEVELS + s * {height} + top")
    with cx.block("if top >= length - 1:"):
        cx.line("count = 1")
        with cx.block("while count < length:"):
            value = "state[column - count]"
            if str(same("")).count(" or ") or node.get("who") is not None:
                cx.line(f"below = {value}")
                value = "below"
            with cx.block(f"if not ({same(value)}):"):
                cx.line("break")
            cx.line("count += 1")
        with cx.block("if count == length:"):
            cx.line("return True")
    if node.get("who") is not None or node.get("what") is not None or node.get("whats") is not None:
        cx.line("first = state[WHAT + s]")
        cx.line(f"start = 1 if {same('first')} else 0")
    else:
        cx.line("start = 1")
    rays = cx.block(f"for r in range({table.rays}):") if table.rays > 1 else None
    base = f"(s * {table.rays} + r) * {table.stride}" if rays is not None else f"s * {table.stride}"
    if rays is None:
        _slopes(cx, table, base, same, exact)
    else:
        with rays:
            _slopes(cx, table, base, same, exact)
    cx.line("return False")


def _slopes(cx: Cx, table: LineTable, base: str, same: Test, exact: bool) -> None:
    cx.line(f"base = {base}")
    for slope in (0, -1, 1):
        cx.line("count = start")
        with cx.block("if start != 0:"):
            _along(cx, table, "base", slope, "count", None, same, exact)
        if table.opposites == 0:
            with cx.block("if count == length:"):
                cx.line("return True")
            continue
        if slope != 0 and table.opposites > 1:
            cx.line("rise = 1")
        for index in range(table.opposites):
            cx.line(f"back = base + {(index + 1) * table.length}")
            if table.opposites > 1 or table.some_missing:
                with cx.block(f"if {table.name}[back] == -2 and count == length and {index} == 0:"):
                    cx.line("return True")
            # With several opposites the language continues from the level that the previous one reached.
            _along(cx, table, "back", -slope, "more", "rise" if slope != 0 and table.opposites > 1 else "", same, exact)
            if exact:
                with cx.block(f"if {'count' if slope == -1 else 'more'} == length:"):
                    cx.line("return True")


def _along(
    cx: Cx, table: LineTable, start: str, slope: int, counter: str, rise: str | None, same: Test, exact: bool
) -> None:
    """Count equal pieces along a ray, one level up or down with each step."""
    height = max_height(cx.program)
    if counter == "more":
        cx.line("more = count")
    with cx.block(f"for k in range({table.length}):"):
        cx.line(f"t = {table.name}[{start} + k]")
        with cx.block("if t < 0:"):
            cx.line("break")
        step = rise or "k + 1"
        if slope == 0:
            cx.line(f"there = state[LEVELS + t * {height} + top]")
        else:
            cx.line(f"level = top {'+' if slope > 0 else '-'} {step if rise else f'({step})'}")
            with cx.block(f"if level >= {height}:" if slope > 0 else "if level < 0:"):
                cx.line("break")
            cx.line(f"there = state[LEVELS + t * {height} + level]")
        with cx.block(f"if there == 0 or not ({same('there')}):"):
            cx.line("break")
        cx.line(f"{counter} += 1")
        if rise:
            cx.line(f"{rise} += 1")
        if not exact:
            with cx.block(f"if {counter} == length:"):
                cx.line("return True")


# Along the sites -------------------------------------------------------------------------------------


def _through_sites(node: Ludeme, cx: Cx, table: LineTable, exact: bool) -> None:
    """Lines of top pieces, or of sites that hold such a piece at any level."""
    top = condition(node.get("top"), cx, False)
    if not isinstance(top, bool):
        raise UnsupportedError("`top:` must be known before the game", node.source)
    same = _same(node, cx)
    _found(cx, "s", same, top)
    with cx.block("if not found:"):
        cx.line("return False")
    with cx.block(f"for r in range({table.rays}):"):
        cx.line("count = 1")
        cx.line(f"base = (s * {table.rays} + r) * {table.stride}")
        _count_sites(node, cx, table, "base", "count", same, top, exact)
        if table.opposites == 0:
            with cx.block("if count == length:"):
                cx.line("return True")
        else:
            with cx.block(f"for o in range({table.opposites}):"):
                cx.line(f"back = base + (o + 1) * {table.length}")
                if table.opposites > 1 or table.some_missing:
                    with cx.block(f"if {table.name}[back] == -2:"):
                        with cx.block("if o == 0 and count == length:"):
                            cx.line("return True")
                        cx.line("break")
                cx.line("more = count")
                _count_sites(node, cx, table, "back", "more", same, top, exact)
                with cx.block("if more == length:"):
                    cx.line("return True")
    cx.line("return False")


def _found(cx: Cx, site: str, same: Test, top: bool) -> None:
    """Write code that sets ``found`` to whether a site holds a piece of the line."""
    if top:
        cx.line(f"there = state[WHAT + {site}]")
        cx.line(f"found = {same('there')}")
        return
    height = max_height(cx.program)
    cx.line("found = False")
    with cx.block(f"for level in range(state[HEIGHT + {site}]):"):
        cx.line(f"there = state[LEVELS + {site} * {height} + level]")
        with cx.block(f"if {same('there')}:"):
            cx.line("found = True")


def _count_sites(
    node: Ludeme, cx: Cx, table: LineTable, start: str, counter: str, same: Test, top: bool, exact: bool
) -> None:
    """Count sites with a piece of the line along a ray."""
    with cx.block(f"for k in range({table.length}):"):
        cx.line(f"t = {table.name}[{start} + k]")
        with cx.block("if t < 0:"):
            cx.line("break")
        _found(cx, "t", same, top)
        test: Bool = "found"
        if node.get("if") is not None:
            test = all_of(test, condition(node.args["if"], cx.sure("t").bind(to="t")))
        with cx.block(f"if not {test}:"):
            cx.line("break")
        cx.line(f"{counter} += 1")
        if not exact:
            with cx.block(f"if {counter} == length:"):
                cx.line("return True")
