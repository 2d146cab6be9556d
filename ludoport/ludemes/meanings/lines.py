"""``is Line``: enough equal pieces in a row through a site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Static, ascending
from ludoport.ludemes.core.registry import boolean_ludeme, condition, number, region
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.tables import LineTable
from ludoport.ludemes.fields.layers import covered, parted
from ludoport.ludemes.meanings.puzzles import resolved
from ludoport.ludemes.meanings.stack_lines import is_line_in_stacks

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_TINY = 16
"""Sites of a board on which the rows through a site are counted without branches: they are mixed at once."""


@boolean_ludeme("is Line", reads=["board"])
def is_line(node: Ludeme, cx: Cx) -> Bool:
    """Whether a line of pieces runs through a site."""
    program = cx.program
    if program.stacking:
        return is_line_in_stacks(node, cx)
    if node.get("throughAny") is not None:
        return _through_any(node, cx)
    through = number(node.get("through"), cx, "state[LAST_TO]")
    quick = _longest(node, cx, through)
    if quick is not None:
        return quick
    place = cx.bind(val=cx.name(through))
    return place.call("line", node, lambda inner: _body(node, inner, inner.slots["val"]), key=("line", id(node)))


def _longest(node: Ludeme, cx: Cx, through: Expr) -> Bool | None:
    """The common case, equal pieces without conditions: compare the longest row through a site with the length."""
    program = cx.program
    length = number(node.args["length"], cx)
    plain = ("who", "what", "whats", "contiguous", "if", "useOpposites", "type", "byLevel", "top")
    layered = ("throughHowMuch", "isVisible")
    if (
        not isinstance(length, int)
        or any(node.get(k) is not None for k in plain + layered)
        or "moves:satisfy" in program.keys
    ):
        return None
    exact = condition(node.get("exact"), cx, False)
    if not isinstance(exact, bool):
        return None
    direction = str(node.get("dirn") or "Adjacent")
    if length == 1 and _lone(program, direction):
        return None
    longest = max(
        (
            n
            for n in (other.peek("length") for other in program.description.root.walk() if other.keyword == "is Line")
            if isinstance(n, int)
        ),
        default=length,
    )
    reach = length if exact else max(longest, length) - 1
    table = program.walled_lines(direction, reach)
    if table is None:
        return None

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['val']}")
        with inner.block(f"if s < 0 or s >= {program.n_board}:"):
            inner.line("return 0")
        inner.line("piece = state[WHAT + s]")
        inner.line("best = 1")
        with inner.block(f"for r in range({table.rays}):"):
            inner.line(f"base = (s * {table.rays} + r) * {2 * table.length}")
            if program.n_board <= _TINY and taken("row"):
                _count_row(inner, table)
            else:
                _walk_row(inner, table)
            if exact:
                with inner.block(f"if count == {length}:"):
                    inner.line(f"return {length}")
            else:
                with inner.block("if count > best:"):
                    inner.line("best = count")
        inner.line("return best")

    place = cx.bind(val=cx.name(through))
    call = place.call("longest_line", node, body, key=("longest", direction, reach, exact))
    if cx.fn.name == "check_end" and cx.fn.depth == 1:
        # Several end rules may ask for the same row.
        known = cx.fn.values.get(f"{through}:{call.split('(')[0]}")
        if known is None:
            known = cx.name(call, "row")
            cx.fn.values[f"{through}:{call.split('(')[0]}"] = known
        return f"{known} >= {length}"
    return f"{call} >= {length}"


def _walk_row(cx: Cx, table: LineTable) -> None:
    """Write code that counts the pieces of a row from a site outwards, as long as they are equal."""
    cx.line("count = 1")
    # Rays end at a wall that equals no piece, so only one test is needed per site.
    for start in (0, table.length):
        with cx.block(f"for k in range({start}, {start + table.length}):"):
            with cx.block(f"if state[WHAT + {table.name}[base + k]] != piece:"):
                cx.line("break")
            cx.line("count += 1")


def _count_row(cx: Cx, table: LineTable) -> None:
    """Write the same without branches, which a processor could not foresee."""
    for k in range(2 * table.length):
        same = f"wide(state[WHAT + {table.name}[base + {k}]] == piece)"
        cx.line(f"like{k} = {same}" if k % table.length == 0 else f"like{k} = like{k - 1} & {same}")
    cx.line(f"count = 1 + {' + '.join(f'like{k}' for k in range(2 * table.length))}")


def _through_any(node: Ludeme, cx: Cx) -> Bool:
    """Whether a line runs through some site of a region.

    As in the reference, no line is looked for beyond the first site that fails the condition on all sites of a line.
    Sites with other pieces than those that are asked for by number do not count as such.
    """
    test = node.get("if")
    told = node.get("what") is not None or node.get("whats") is not None

    def body(inner: Cx) -> None:
        where = region(node.args["throughAny"], inner)
        with (where if test is None else ascending(where)).each(inner) as site:
            place = inner.sure(site).bind(val=site)
            if test is not None:
                asked = _same(node, place)(f"state[WHAT + {site}]") if told else True
                failed = negation(condition(test, place.bind(to=site)))
                with inner.when(asked), inner.when(failed):
                    inner.line("return False")
            call = place.call("line", node, lambda c: _body(node, c, c.slots["val"]), key=("line", id(node)))
            with inner.block(f"if {call}:"):
                inner.line("return True")
        inner.line("return False")

    return cx.call("line_through_any", node, body, key=("any", id(node)))


def _lone(program: Program, direction: str) -> tuple[int, ...]:
    """The sites through which no line runs, not even one of a single piece."""
    return tuple(site for site in range(program.n_board) if not program.sites.lines(site, direction))


@dataclass
class _Line:
    """Requirements on a line."""

    node: Ludeme
    same: Callable[[str], Bool]
    """The test whether a piece belongs to the line."""
    exact: bool
    contiguous: bool
    seen: bool
    """Whether all pieces and their contacts must be visible from above."""
    kinds: str | None
    """Scratch space that marks the pieces met, where there must be several different ones."""
    enough: Bool = True

    def meet(self, cx: Cx, piece: str) -> None:
        """Write that a piece belongs to the line."""
        if self.kinds is not None:
            with cx.block(f"if work[{self.kinds} + {piece}] == 0:"):
                cx.line(f"work[{self.kinds} + {piece}] = 1")
                cx.line("kinds += 1")

    def done(self, cx: Cx, count: str) -> None:
        """Write the return from a line that is long enough."""
        with cx.block(f"if {all_of(f'{count} == length', self.enough)}:"):
            cx.line("return True")


def _asked(node: Ludeme, cx: Cx) -> _Line:
    exact = condition(node.get("exact"), cx, False)
    contiguous = condition(node.get("contiguous"), cx, True)
    seen = condition(node.get("isVisible"), cx, False)
    if not (isinstance(exact, bool) and isinstance(contiguous, bool) and isinstance(seen, bool)):
        raise UnsupportedError("`exact:`, `contiguous:` and `isVisible:` must be known before the game", node.source)
    line = _Line(node, _same(node, cx), exact, contiguous, seen, None)
    if node.get("throughHowMuch") is not None:
        line.kinds = cx.program.scratch(len(cx.program.components), "KINDS")
        line.enough = f"kinds >= {cx.name(number(node.args['throughHowMuch'], cx))}"
        cx.line("kinds = 0")
        with cx.block(f"for k in range({len(cx.program.components)}):"):
            cx.line(f"work[{line.kinds} + k] = 0")
    return line


def _body(node: Ludeme, cx: Cx, through: Expr) -> None:
    program = cx.program
    length = number(node.args["length"], cx)
    opposites = condition(node.get("useOpposites"), cx, True) is not False
    test = node.get("if")
    cx.line(f"s = {through}")
    with cx.block(f"if s < 0 or s >= {program.n_board}:"):
        cx.line("return False")
    here = cx.sure("s")
    if test is not None:
        with cx.when(negation(condition(test, here.bind(to="s")))):
            cx.line("return False")
    cx.line("piece = state[WHAT + s]")
    line = _asked(node, cx)
    lone = () if isinstance(length, int) and length > 1 else _lone(program, str(node.get("dirn") or "Adjacent"))
    reach = (length if line.exact else length - 1) if isinstance(length, int) else None
    table = program.line_table(
        str(node.get("dirn") or "Adjacent"), reach if line.contiguous and line.kinds is None else None
    )
    with cx.when(negation(line.same("piece"))):
        cx.line("return False")
    if line.seen:
        with cx.when(covered(here, "s")):
            cx.line("return False")
    line.meet(cx, "piece")
    cx.line(f"length = {length}")
    if lone:
        with cx.block(f"if {Static(lone, program).contains(here, 's')}:"):
            cx.line("return False")
        if not line.exact:
            line.done(cx, "1")
    with cx.block(f"for r in range({table.rays}):"):
        cx.line("count = 1")
        cx.line(f"base = (s * {table.rays} + r) * {table.stride}")
        # Along the ray itself, then for each opposite ray from where the first one got to.
        _count_along(line, cx, f"{table.name}[base + {{}}]", table.length, "count")
        if not opposites or table.opposites == 0:
            line.done(cx, "count")
        else:
            with cx.block(f"for o in range({table.opposites}):"):
                cx.line(f"back = base + (o + 1) * {table.length}")
                if table.opposites > 1 or table.some_missing:
                    # A ray without an opposite stands for itself.
                    with cx.block(f"if {table.name}[back] == -2:"):
                        with cx.block("if o == 0:"):
                            line.done(cx, "count")
                        cx.line("break")
                cx.line("more = count")
                _count_along(line, cx, f"{table.name}[back + {{}}]", table.length, "more")
                if line.exact or line.kinds is not None:
                    line.done(cx, "more")
    cx.line("return False")


def _count_along(line: _Line, cx: Cx, entry: str, length: int, counter: str) -> None:
    """Write the counting of pieces along a ray, whose sites an entry of a table gives."""
    site, k = cx.fresh("t"), cx.fresh("k")
    with cx.block(f"for {k} in range({length}):"):
        cx.line(f"{site} = {entry.format(k)}")
        with cx.block(f"if {site} < 0:"):
            cx.line("break")
        here = cx.sure(site)
        if line.seen:
            with cx.when(covered(here, site)):
                cx.line("break")
        tests: list[Bool] = [line.same(f"state[WHAT + {site}]")]
        if "moves:satisfy" in cx.program.keys:
            tests.append(resolved(site))
        if line.node.get("if") is not None:
            tests.append(condition(line.node.args["if"], here.bind(to=site)))
        if line.seen:
            # The contact with the site through which the line runs is not looked at.
            last = cx.fresh("last")
            cx.line(f"{last} = {entry.format(f'max({k} - 1, 0)')}")
            tests.append(any_of(f"{k} == 0", negation(parted(here.sure(last), last, site))))
        with cx.block(f"if {all_of(*tests)}:"):
            line.meet(cx, f"state[WHAT + {site}]")
            cx.line(f"{counter} += 1")
            if not line.exact:
                line.done(cx, counter)
        if line.contiguous:
            with cx.block("else:"):
                cx.line("break")


def _same(node: Ludeme, cx: Cx) -> Callable[[str], Bool]:
    """A function that gives the test whether a piece belongs to the line."""
    whats = node.get("whats")
    if whats is None and node.get("what") is not None:
        whats = [node.args["what"]]
    if isinstance(whats, list):
        wanted = [cx.name(number(w, cx)) for w in whats]
        return lambda piece: "(" + " or ".join(f"{piece} == {w}" for w in wanted) + ")"
    who = node.get("who")
    if who is not None:
        if str(who) in ("All", "Each", "Shared", "Neutral"):
            owner: Expr = number(who, cx)
        else:
            owner = cx.name(number(who, cx))
        return lambda piece: f"({piece} != 0 and {cx.program.owner_of(piece)} == {owner})"
    # As in the reference, empty sites line up with an empty site.
    return lambda piece: True if piece == "piece" else f"({piece} == piece)"
