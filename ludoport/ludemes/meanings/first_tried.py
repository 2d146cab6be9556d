"""Which moves are tried first where only one is looked for: those of the pieces that rules ask for threats to.

Whether there is a move does not depend on the order in which moves are tried. A player whose king is attacked has a
move with it more often than with any other piece.
"""

from __future__ import annotations

from dataclasses import replace

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.components import item_names, piece_groups
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import condition, generate, number, optional
from ludoport.ludemes.core.sinks import Sink


def parts_of(node: Ludeme) -> list[Value]:
    """The generators that a union combines."""
    values = node.get("list")
    if isinstance(values, list):
        return list(values)
    return [v for k, v in node.args.items() if k != "then"]


def tested(node: Ludeme, cx: Cx) -> Cx:
    """The place inside a ``do``, where moves have one more test to pass."""
    test, scope = node.get("ifAfterwards"), node.args["prior"]
    if not isinstance(test, Ludeme):
        return cx
    assert isinstance(scope, Ludeme)
    each = cx.program.rules.filter(test, scope, len(cx.chain), cx.slots["frm"] != -1)
    return replace(cx, filters=(*cx.filters, each))


def has_first(node: Ludeme, cx: Cx) -> bool:
    """Whether some moves of a generator are those of pieces that are followed."""
    return bool(cx.program.spots) and any(map(_of_pieces, _framed(node)))


def has_others(node: Ludeme) -> bool:
    """Whether some moves of a generator are not those of all pieces on the board."""
    return not all(map(_of_pieces, _framed(node)))


def of_mover(node: Ludeme) -> bool:
    """Whether the moves of all pieces that a generator gives are those of the mover."""
    roles = [each.peek("role") for each in _framed(node) if _of_pieces(each)]
    return all(role is None or (isinstance(role, Word) and role.name == "Mover") for role in roles)


def _framed(node: Ludeme) -> list[Ludeme]:
    """The generators below frames, conditions and tests only."""
    if node.keyword in ("or", "and", "if") or (node.keyword == "do" and node.peek("next") is None):
        inner = [v for value in dict.values(node.args) for v in (value if isinstance(value, list) else [value])]
        return [found for v in inner if isinstance(v, Ludeme) and v.kind == "moves" for found in _framed(v)]
    return [node]


def _of_pieces(node: Ludeme) -> bool:
    """Whether a generator gives the moves of all pieces of one player on the board."""
    if node.keyword != "forEach Piece":
        return False
    who = node.peek("role") if node.peek("role") is not None else node.peek("player")
    return set(node.args) <= {"role", "then"} and (
        who is None or (isinstance(who, Word) and who.name in ("Mover", "Next"))
    )


def list_first(node: Ludeme, cx: Cx, sink: Sink, every: bool = False) -> None:
    """Write code that lists the moves of followed pieces, or of every piece, among those of a generator."""
    place = cx.inside(optional(node.get("then")))
    if node.keyword in ("or", "and"):
        for part in parts_of(node):
            if isinstance(part, Ludeme):
                list_first(part, place, sink, every)
    elif node.keyword == "do" and node.get("next") is None:
        prior = node.args["prior"]
        assert isinstance(prior, Ludeme)
        list_first(prior, tested(node, place), sink, every)
    elif node.keyword == "if":
        test = condition(node.args["cond"], place)
        for name, word in (("list", f"if {test}:"), ("elseList", "else:")):
            branch = node.get(name)
            if isinstance(branch, Ludeme):
                with cx.block(word):
                    list_first(branch, place, sink, every)
    elif _of_pieces(node) and every:
        generate(node, cx, sink)
    elif _of_pieces(node):
        _list_pieces(node, place, sink)


def _list_pieces(node: Ludeme, place: Cx, sink: Sink) -> None:
    program = place.program
    player = number(node.get("role"), place, place.slots["mover"])
    if player != place.slots["mover"]:
        name = place.name(player)
        place = place.bind(mover=name, nxt=place.slots["mover"], prv=place.slots["mover"])
        player = name
    for moves, components in piece_groups(program, item_names(node), None):
        for kind in sorted(program.spots & set(components)):
            frm = place.fresh("frm")
            place.line(f"{frm} = state[SPOT + {kind}]")
            with place.block(f"if {player} == {program.owner_of(kind)} and {frm} >= 0:"):
                inner = replace(place.sure(frm).bind(frm=frm), owner=player)
                sink.split(inner, "piece", moves, lambda c, m=moves: generate(m, c, sink), id(moves))  # type: ignore[misc]
