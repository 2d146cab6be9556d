"""Whether a piece threatens an enemy on a site, from two tables: where it steps or leaps to, and where it slides to.

A threat is looked for where an enemy stands, so conditions about who stands on the destination are settled when the
tables are made. Kinds of pieces about which a table cannot say all are left to the code of their moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.fields.direction_choice import choose
from ludoport.ludemes.fields.facings import faces_by_piece, piece_facings, rotates
from ludoport.ludemes.fields.walks import destinations, walks_of
from ludoport.ludemes.meanings.sight_lines import CLEAR, write_clear

if TYPE_CHECKING:
    from ludoport.ludemes.core.context import Bool, Cx
    from ludoport.ludemes.core.program import Program

MOST_KINDS = 31
"""Bits of the numbers in tables."""

_OCCUPIED = {"is Enemy": True, "is Friend": False, "is Empty": False}
_EMPTY = {"is Enemy": False, "is Friend": False, "is Empty": True}
"""What conditions about a destination say where an enemy stands, and where nothing does."""


class _Unknown(Exception):  # noqa: N818  (no mistake, but a way that does not lead on)
    """A table cannot say whether a kind of piece threatens a site."""


@dataclass
class Strikes:
    """Names of the tables, and the kinds that need code of their own.

    Attributes:
        steps: a bit for each kind, set where it steps or leaps from one site (row) to another (column).
        slides: the same for slides, if the sites between are empty.
        others: kinds that no table describes.
        pending: kinds with further moves as long as something is pending.
    """

    steps: list[int]
    slides: list[int]
    others: set[int] = field(default_factory=set)
    pending: set[int] = field(default_factory=set)


def find_strikes(program: Program, groups: list[tuple[Ludeme, list[int]]]) -> Strikes | None:
    """Tables of what pieces threaten; None where they would say nothing."""
    n = program.n_board
    if program.stacking or rotates(program) or len(program.components) > MOST_KINDS or n * n > 10_000:
        return None
    if program.n_players != 2 or not all(1 <= c.owner <= 2 for c in program.components[1:]):
        # Whoever does not threaten a piece might be no enemy of it.
        return None
    found = Strikes([0] * (n * n), [0] * (n * n))
    known = piece_facings(program)
    for moves, kinds in groups:
        for kind in kinds:
            owner = program.components[kind].owner
            facing = known[kind if faces_by_piece(program) else owner]
            pairs: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
            try:
                if not 1 <= owner <= program.n_players:
                    raise _Unknown
                if _collect(program, moves, owner, facing, pairs):
                    found.pending.add(kind)
            except (_Unknown, LudoportError, AssertionError, KeyError, ValueError):
                found.others.add(kind)
                continue
            for table, reached in zip((found.steps, found.slides), pairs, strict=True):
                for site, there in reached:
                    table[site * n + there] |= 1 << kind
    if len(found.others) == sum(len(kinds) for _, kinds in groups):
        return None
    if any(found.slides):
        lines = write_clear(program)
        if lines is None:
            return None
        line_of = program.module.tables[lines].reshape(n, n).T.reshape(-1)
        if any(bits and line_of[k] < 0 for k, bits in enumerate(found.slides)):
            return None
    return found


def write_strikes(known: Strikes, cx: Cx, frm: str, piece: str, owned: Bool) -> None:
    """Write code that returns True if a piece threatens the site ``target``, as far as tables tell.

    Args:
        known: the tables.
        cx: the place.
        frm: the site of the piece.
        piece: its kind.
        owned: a test that it is one of the mover's; asked last, because it rarely fails.
    """
    program, at = cx.program, f"{frm} * {cx.program.n_board} + target"
    if any(known.steps):
        table = program.module.table("STRIKES", known.steps)
        with cx.when(all_of(f"({table}[{at}] >> {piece}) & 1 != 0", owned)):
            cx.line("return True")
    if any(known.slides):
        table = program.module.table("SLIDES", known.slides)
        with cx.when(all_of(f"({table}[{at}] >> {piece}) & 1 != 0", owned, f"{CLEAR}(state, target, {frm})")):
            cx.line("return True")


def _collect(
    program: Program, node: Ludeme, owner: int, facing: str, pairs: tuple[set[tuple[int, int]], set[tuple[int, int]]]
) -> bool:
    """Add the pairs of sites of a generator; returns whether there are more while something is pending."""
    if node.keyword in ("or", "and"):
        return _collect_all(program, _moves_in(node), owner, facing, pairs)
    if node.keyword == "if":
        chosen = _branch(node, owner)
        if chosen is not None:
            return _collect_all(program, chosen, owner, facing, pairs)
        # A condition that is not settled does not matter for moves that threaten nothing.
        inside: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        if _collect_all(program, _moves_in(node), owner, facing, inside) or any(inside):
            raise _Unknown
        return False
    if node.keyword == "move Pass":
        return False
    if set(node.args) - {"to", "directions", "between", "walk", "then", "forward", "rotations"}:
        raise _Unknown
    to, between = node.peek("to"), node.peek("between")
    cond = to.peek("if") if isinstance(to, Ludeme) else None
    if isinstance(to, Ludeme):
        effect = to.peek("effect")
        if to.peek("region") is not None or (isinstance(effect, Ludeme) and effect.peek("if") is not None):
            raise _Unknown
    if _needs_pending(cond):
        return True
    holds = True if cond is None else _holds(cond)
    steps, slides = pairs
    sites = range(program.n_board)
    if node.keyword == "move Leap":
        if node.peek("forward") is not None or node.peek("rotations") is not None:
            raise _Unknown
        supported = program.sites.supported_directions("Orthogonal")
        walks = walks_of(node, "walk")
        steps |= {(s, t) for s in sites if holds for t in destinations(program, s, walks, supported)}
    elif node.keyword == "move Step":
        steps |= {(s, t) for s in sites if holds for t in program.steps(s, _directions(program, node, facing))}
    elif node.keyword == "move Slide":
        if cond is not None and (isinstance(between, Ludeme) or _holds(cond, _EMPTY)):
            # A slide ends where the condition holds, even on an empty site.
            raise _Unknown
        # Without a condition of its own a slide ends on empty sites.
        if cond is not None and holds:
            names = _directions(program, node, facing)
            slides |= {(s, t) for s in sites for ray in program.radials(s, names) for t in ray}
        elif isinstance(between, Ludeme) and set(between.args) - {"range"}:
            raise _Unknown
    else:
        raise _Unknown
    return False


def _collect_all(
    program: Program,
    nodes: list[Ludeme],
    owner: int,
    facing: str,
    pairs: tuple[set[tuple[int, int]], set[tuple[int, int]]],
) -> bool:
    """The same for several generators."""
    more = [_collect(program, node, owner, facing, pairs) for node in nodes]
    return any(more)


def _directions(program: Program, node: Ludeme, facing: str) -> list[str]:
    choice = choose(node.peek("directions"), "Adjacent")
    if choice.dynamic is not None or (choice.relative and not facing):
        raise _Unknown
    return choice.absolute(program, facing or "N")


def _moves_in(node: Ludeme) -> list[Ludeme]:
    values = [v for k, x in dict.items(node.args) if k != "then" for v in (x if isinstance(x, list) else [x])]
    return [v for v in values if isinstance(v, Ludeme) and v.kind == "moves"]


def _branch(node: Ludeme, owner: int) -> list[Ludeme] | None:
    """The part of a conditional generator that counts for a player, where that is known."""
    cond = node.peek("cond")
    role = cond.peek("role") if isinstance(cond, Ludeme) and cond.keyword == "is Mover" else None
    if not isinstance(role, Word) or role.name not in ("P1", "P2"):
        return None
    part = node.peek("list" if role.name == f"P{owner}" else "elseList")
    return [part] if isinstance(part, Ludeme) else []


def _needs_pending(cond: Value | None) -> bool:
    if not isinstance(cond, Ludeme) or cond.keyword != "and":
        return False
    parts = [v for x in dict.values(cond.args) for v in (x if isinstance(x, list) else [x])]
    return any(isinstance(p, Ludeme) and p.keyword == "is Pending" and not p.args for p in parts)


def _holds(cond: Value, settled: dict[str, bool] = _OCCUPIED) -> bool:
    """Whether a condition about a destination holds."""
    if isinstance(cond, bool):
        return cond
    if not isinstance(cond, Ludeme):
        raise _Unknown
    if cond.keyword in settled:
        words = {part.keyword for part in cond.walk()} - {cond.keyword}
        asked = [v for v in dict.values(cond.args) if isinstance(v, Ludeme)]
        if not words <= {"who", "to"} or "to" not in words or len(asked) != 1:
            raise _Unknown
        return settled[cond.keyword]
    parts = [v for x in dict.values(cond.args) for v in (x if isinstance(x, list) else [x])]
    if cond.keyword == "not" and len(parts) == 1:
        return not _holds(parts[0], settled)
    if cond.keyword in ("and", "or"):
        answers = [_holds(part, settled) for part in parts]
        return all(answers) if cond.keyword == "and" else any(answers)
    raise _Unknown
