"""Direction arguments: which directions are meant, for which facing, and when only the position decides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.boards import facing_directions
from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.core.traits import declare
from ludoport.ludemes.fields.facings import TURNS, faces_by_piece, piece_facings, rotates, want_rotations
from ludoport.ludemes.fields.position import what_at, who_at

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

declare("direction:directions", "direction:union", "direction:difference", "direction:if", reads=[], known=True)

DYNAMIC = ("SameDirection", "OppositeDirection")


@dataclass(frozen=True)
class Choice:
    """A direction argument that is fixed once the facing of the piece is known.

    Attributes:
        words: absolute or relative direction names, in order.
        relation: which directions of the board relative names choose from.
        dynamic: ``SameDirection`` or ``OppositeDirection`` if the last move decides.
    """

    words: tuple[tuple[str, bool], ...]
    relation: str = "Adjacent"
    dynamic: str | None = None

    def absolute(self, program: Program, facing: str) -> list[str]:
        """The absolute directions for a facing."""
        found: list[str] = []
        for word, relative in self.words:
            names = facing_directions(program.sites, facing, word, self.relation) if relative else [word]
            found += [name for name in names if name not in found]
        return found

    @property
    def relative(self) -> bool:
        """Whether the facing matters."""
        return any(flag for _, flag in self.words)


def choose(value: Value | None, default: str) -> Choice:
    """Read a direction argument that does not depend on a condition."""
    if value is None:
        return Choice(((default, default in ("Forward", "Backward")),))
    if isinstance(value, Word):
        if value.name in DYNAMIC:
            return Choice((), dynamic=value.name)
        return Choice(((value.name, value.enum == "RelativeDirection"),))
    if isinstance(value, list):
        return _joined([choose(item, default) for item in value], value[0] if value else None)
    if isinstance(value, Ludeme) and value.keyword == "directions":
        return _directions(value)
    if isinstance(value, Ludeme) and value.keyword == "union":
        return _joined([choose(v, default) for v in value.args.values()], value)
    where = getattr(value, "source", None)
    raise UnsupportedError(f"the directions `{getattr(value, 'keyword', value)}` are not implemented yet", where)


def _joined(parts: list[Choice], where: Value | None) -> Choice:
    """Several directions as one choice; those seen from the facing need one relation."""
    relations = {part.relation for part in parts if part.relative}
    if len(relations) > 1:
        words = " and ".join(sorted(relations))
        raise UnsupportedError(
            f"directions of {words} neighbours together are not implemented", getattr(where, "source", None)
        )
    return Choice(tuple(word for part in parts for word in part.words), *relations)


def _directions(node: Ludeme) -> Choice:
    relation = str(node.get("of") or "Adjacent")
    for name, relative in (("absoluteDirection", False), ("relativeDirection", True)):
        one, many = node.get(name), node.get(name + "s")
        if one is not None:
            if str(one) in DYNAMIC:
                return Choice((), dynamic=str(one))
            return Choice(((str(one), relative),), relation)
        if isinstance(many, list):
            return Choice(tuple((str(word), relative) for word in many), relation)
    if node.get("from") is not None or node.get("directions") is not None:
        raise UnsupportedError("this form of `directions` is not implemented yet", node.source)
    return Choice((("Forward", True),), relation)


def chosen_in_play(value: Value | None) -> bool:
    """Whether a direction argument joins or removes directions in a way that only the position decides."""
    if isinstance(value, list):
        return any(isinstance(item, Word) and item.name in DYNAMIC for item in value) or any(map(chosen_in_play, value))
    if not isinstance(value, Ludeme):
        return False
    if value.keyword == "directions":
        many = value.get("relativeDirections")
        named = isinstance(many, list) and any(str(word) in DYNAMIC for word in many)
        return named or value.get("from") is not None
    if value.keyword == "union":
        parts = list(value.args.values())
        return any((isinstance(p, Word) and p.name in DYNAMIC) or chosen_in_play(p) or _one_dynamic(p) for p in parts)
    # Where code can branch, `variants` has taken conditions apart before.
    return value.keyword in ("difference", "if")


def _one_dynamic(value: Value) -> bool:
    return (
        isinstance(value, Ludeme) and value.keyword == "directions" and str(value.get("relativeDirection")) in DYNAMIC
    )


def variants(value: Value | None, cx: Cx) -> Iterator[tuple[Value | None, Cx]]:
    """Write one block of code for each branch of a conditional direction; usually there is only one."""
    if isinstance(value, Ludeme) and value.kind == "direction" and value.keyword == "if":
        test = condition(value.args["condition"], cx)
        if isinstance(test, bool):
            yield from variants(value.args["directionsOk" if test else "directionsNotOk"], cx)
            return
        with cx.block(f"if {test}:"):
            yield from variants(value.args["directionsOk"], cx)
        with cx.block("else:"):
            yield from variants(value.args["directionsNotOk"], cx)
        return
    yield value, cx


def facing_index(cx: Cx, site: Expr) -> Expr:
    """Code for the row of a table with one part per facing: the owner of the piece at a site, or the piece itself."""
    index = _unturned_index(cx, site)
    if not rotates(cx.program):
        return index
    want_rotations(cx.program)
    return f"({index} * {TURNS} + state[ROTATION + {site}])"


def _unturned_index(cx: Cx, site: Expr) -> Expr:
    if faces_by_piece(cx.program):
        return what_at(cx, site)
    if cx.owner is not None and site == cx.slots["frm"]:
        return cx.owner
    return who_at(cx, site)


def facing_groups(choice: Choice, program: Program) -> list[list[str]]:
    """The directions for each row of a table by facing; one row where the facing does not matter."""
    if not choice.relative:
        return [choice.absolute(program, "N")]
    # A relative direction needs a piece that faces somewhere.
    facings = piece_facings(program, choice.relation)
    groups = [choice.absolute(program, facing) if facing else [] for facing in facings]
    told = [group for group, facing in zip(groups, facings, strict=True) if facing]
    return groups[:1] if told and all(group == told[0] for group in groups) else groups


def dynamic_word(value: Value | None) -> str | None:
    """``SameDirection`` or ``OppositeDirection``, where a direction is just that."""
    if isinstance(value, Word):
        return value.name if value.name in DYNAMIC else None
    if isinstance(value, Ludeme) and value.keyword == "directions":
        many = value.get("relativeDirections")
        first = many[0] if isinstance(many, list) and many else value.get("relativeDirection")
        return str(first) if str(first) in DYNAMIC else None
    return None
