"""Directions that only the position decides: those of the last move, from one site to another, and sets of such."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import condition, number
from ludoport.ludemes.core.tables import BoardTables
from ludoport.ludemes.fields.direction_choice import DYNAMIC, choose, facing_groups, facing_index
from ludoport.ludemes.fields.rays import Lines, Steps

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_GROUPS = ("Adjacent", "Orthogonal", "Diagonal", "OffDiagonal", "All")

Test = Callable[[Cx, Expr, str], Bool]
"""Writes whether a ray of an origin, given by its number, is one of the directions."""


@dataclass
class Fan:
    """All rays of every site, numbered so that a ray's number tells its direction."""

    names: list[str]
    of_ray: list[int]
    """For each ray number, the index of its direction's name."""
    rows: list[list[tuple[int, ...]]]
    """For each site, its rays by number; empty where it has none."""


def fan(program: Program) -> Fan:
    """The rays of the board."""
    names = program.sites.supported_directions("All")
    found = [[program.radials(site, [name]) for name in names] for site in range(program.n_board)]
    most = [max((len(row[k]) for row in found), default=0) for k in range(len(names))]
    of_ray = [k for k, count in enumerate(most) for _ in range(count)]
    rows = [
        [row[k][j] if j < len(row[k]) else () for k, count in enumerate(most) for j in range(count)] for row in found
    ]
    return Fan(names, of_ray, rows)


def chosen_rays(value: Value | None, cx: Cx, longest: int | None) -> Lines:
    """The rays of the directions that hold now."""
    program = cx.program
    every = program.memo(fan)
    rows = [[ray[:longest] for ray in row] for row in every.rows] if longest is not None else every.rows
    length = max((len(ray) for row in rows for ray in row), default=0) or 1
    flat = [site for row in rows for ray in row for site in [*ray, *([-1] * (length - len(ray)))]]
    table = program.module.table("FAN", flat)
    return Lines(table, len(every.of_ray), length, False, program.n_board, test=_test(value, cx, every))


def chosen_steps(value: Value | None, cx: Cx, distance: int) -> Steps:
    """The sites some steps away in the directions that hold now."""
    program = cx.program
    every = program.memo(fan)
    flat = [ray[distance - 1] if len(ray) >= distance else -1 for row in every.rows for ray in row]
    table = program.module.table("FAN_STEPS", flat)
    return Steps(table, len(every.of_ray), False, program.n_board, test=_test(value, cx, every))


def _test(value: Value | None, cx: Cx, every: Fan) -> Test:
    if isinstance(value, list):
        return _any([_test(item, cx, every) for item in value])
    if isinstance(value, Word):
        return _last(value.name, cx, every) if value.name in DYNAMIC else _known(value, cx, every)
    if isinstance(value, Ludeme):
        if value.keyword == "union":
            return _any([_test(part, cx, every) for part in value.args.values()])
        if value.keyword == "difference":
            first, less = (_test(part, cx, every) for part in value.args.values())
            return lambda place, origin, ray: all_of(first(place, origin, ray), negation(less(place, origin, ray)))
        if value.keyword == "if":
            return _either(value, cx, every)
        if value.keyword == "directions":
            return _directions(value, cx, every)
    raise UnsupportedError("these directions are not implemented yet", getattr(value, "source", None))


def _any(tests: list[Test]) -> Test:
    return lambda place, origin, ray: any_of(*[test(place, origin, ray) for test in tests])


def _either(node: Ludeme, cx: Cx, every: Fan) -> Test:
    chosen = cx.name(str(condition(node.args["condition"], cx)), "chosen")
    yes, no = (_test(node.args[key], cx, every) for key in ("directionsOk", "directionsNotOk"))
    return lambda place, origin, ray: any_of(
        all_of(chosen, yes(place, origin, ray)), all_of(negation(chosen), no(place, origin, ray))
    )


def _directions(node: Ludeme, cx: Cx, every: Fan) -> Test:
    if node.get("from") is not None:
        start = cx.name(number(node.args["from"], cx))
        end = cx.name(number(node.args["to"], cx))
        return _between(start, end, cx, every, opposite=False)
    one, many = node.get("relativeDirection"), node.get("relativeDirections")
    if one is not None and str(one) in DYNAMIC:
        return _last(str(one), cx, every)
    if isinstance(many, list) and any(str(word) in DYNAMIC for word in many):
        of = node.get("of")
        if of is not None:
            raise UnsupportedError("`of:` with the direction of the last move is not implemented yet", node.source)
        return _any([_test(word, cx, every) for word in many])
    return _known(node, cx, every)


def _last(name: str, cx: Cx, every: Fan) -> Test:
    """The direction of the last move, or the opposite one."""
    return _between("state[LAST_FROM]", "state[LAST_TO]", cx, every, opposite=name == "OppositeDirection")


def _between(start: str, end: str, cx: Cx, every: Fan, opposite: bool) -> Test:
    program = cx.program
    table = program.memo(BoardTables.direction_between, tuple(every.names), opposite)
    names = program.module.table("RAY_NAME", every.of_ray)
    found = cx.fresh("d")
    size = program.n_board
    cx.line(f"{found} = -1")
    with cx.block(f"if 0 <= {start} and {start} < {size} and 0 <= {end} and {end} < {size}:"):
        cx.line(f"{found} = {table}[{start} * {size} + {end}]")
    return lambda place, origin, ray: f"{names}[{ray}] == {found}"


def _known(value: Value, cx: Cx, every: Fan) -> Test:
    """Directions that the facing of the piece decides, as a mask over rays."""
    program = cx.program
    groups = facing_groups(choose(value, "Adjacent"), program)
    width = len(every.of_ray)
    flat = []
    for group in groups:
        for site in range(program.n_board):
            meant: set[str] = set()
            for word in group:
                meant.update(program.sites.supported_at(site, word) if word in _GROUPS else [word])
            flat += [1 if every.names[name] in meant else 0 for name in every.of_ray]
    mask = program.module.table("MEANT", flat)

    def test(place: Cx, origin: Expr, ray: str) -> Bool:
        row = origin if len(groups) == 1 else f"({facing_index(place, origin)} * {program.n_board} + {origin})"
        return f"{mask}[{row} * {width} + {ray}] != 0"

    return test
