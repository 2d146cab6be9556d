"""``forEach Piece`` where one list of a player's sites is not enough: stacks, several owners, hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.components import item_names, one_of
from ludoport.ludemes.core.context import Bool, Cx, Expr, divided
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import condition, generate, number
from ludoport.ludemes.core.sinks import HitsSink, Sink
from ludoport.ludemes.fields.entries import times_listed
from ludoport.ludemes.fields.stack_owned import owned_apart, owned_base, want_owned
from ludoport.ludemes.fields.stacks import max_height, want_stacks
from ludoport.ludemes.meanings.reach import may_reach

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _groups(
    cx: Cx, node: Ludeme, names: list[str] | None, owned: Callable[[int], bool]
) -> list[tuple[Ludeme, list[int]]]:
    """The components that take part, grouped by the moves they have."""
    specific = node.get("specificMoves")
    groups: dict[int, tuple[Ludeme, list[int]]] = {}
    for component in cx.program.components[1:]:
        if not owned(component.owner) or (names is not None and component.label not in names):
            continue
        moves = specific if isinstance(specific, Ludeme) else component.moves
        if moves is not None:
            groups.setdefault(id(moves), (moves, []))[1].append(component.index)
    return list(groups.values())


def _generate(cx: Cx, place: Cx, sink: Sink, groups: list[tuple[Ludeme, list[int]]], piece: str) -> None:
    """Write the moves of the piece that the loops are at."""
    reaches = may_reach(cx.program, groups, str(place.slots["frm"]), piece) if isinstance(sink, HitsSink) else True
    with cx.when(reaches):
        word = "if"
        for moves, components in groups:
            with cx.block(f"{word} {one_of(piece, components)}:"):
                sink.split(place, "piece", moves, lambda c, m=moves: generate(m, c, sink), id(moves))  # type: ignore[misc]
            word = "elif"
    if sink.lists:
        # Often only the first moves are asked for.
        with cx.block("if n >= cap:"):
            cx.line("break")


def for_each_entry(node: Ludeme, place: Cx, sink: Sink, player: Expr) -> None:
    """The moves of the pieces of a player, once for every time that a list names their site."""
    program = place.program
    refuse_picking(place)
    groups = _groups(place, node, item_names(node), lambda owner: 1 <= owner <= program.n_players)
    piece, frm = place.fresh("piece"), place.fresh("frm")
    with place.block(f"for {piece} in range(1, {len(program.components)}):"):
        with place.block(f"if {program.owner_of(piece)} == {player}:"):
            with place.block(f"for {frm} in range({program.n_board}):"):
                times = times_listed(program, frm, piece)
                with place.block(f"for {place.fresh('k')} in range({times}):"):
                    inner = replace(place.sure(frm).bind(frm=frm, lvl=0), owner=None)
                    _generate(place, inner, sink, groups, piece)


# Stacks ----------------------------------------------------------------------------------------------


def for_each_stacked_piece(node: Ludeme, place: Cx, sink: Sink, player: Expr, names: list[str] | None) -> None:
    """The moves of every piece of a player at any level of any stack of the board, or only on top."""
    groups = _groups(place, node, names, lambda owner: 1 <= owner <= place.program.n_players)
    with _stacked(node, place, player, (0, place.program.n_board)) as (inner, piece):
        _generate(place, inner, sink, groups, piece)


@contextmanager
def _stacked(node: Ludeme, place: Cx, player: Expr | None, sites: tuple[Expr, Expr]) -> Iterator[tuple[Cx, str]]:
    """Write loops over the pieces of one player (or of all) on some sites; yields the place and the piece's name."""
    refuse_picking(place)
    program = place.program
    want_stacks(program)
    height = max_height(program)
    top = condition(node.get("top"), place, False)
    frm, lvl, piece = place.fresh("frm"), place.fresh("lvl"), place.fresh("piece")
    if owned_apart(program) and player is not None:
        want_owned(program)
        first = place.name(owned_base(program, player), "base")
        index, entry = place.fresh("i"), place.fresh("at")
        with place.block(f"for {index} in range(state[N_OWNED + {player}]):"):
            place.line(f"{entry} = state[OWNED + {first} + {index}]")
            place.line(f"{frm} = {divided(entry, height)}")
            place.line(f"{lvl} = {entry} - {frm} * {height}")
            place.line(f"{piece} = state[OWNED_PIECE + {first} + {index}]")
            tests: list[str] = []
            if sites[0] != 0:
                tests.append(f"{frm} >= {sites[0]}")
            if sites[1] != program.n_sites:
                tests.append(f"{frm} < {sites[1]}")
            if top is not False:
                tests.append(f"state[HEIGHT + {frm}] == {lvl} + 1")
            with place.when(" and ".join(tests) or True):
                yield place.sure(frm).bind(frm=frm, lvl=lvl), piece
        return
    mine: Bool = True if player is None else f"{program.owner_of(piece)} == {player}"
    with place.block(f"for {frm} in range({sites[0]}, {sites[1]}):"):
        if top is True:
            place.line(f"{piece} = state[WHAT + {frm}]")
            with place.block(f"if {piece} != 0:"), place.when(mine):
                place.line(f"{lvl} = state[HEIGHT + {frm}] - 1")
                yield replace(place.sure(frm).bind(frm=frm, lvl=lvl), owner=player), piece
            return
        with place.block(f"for {lvl} in range(state[HEIGHT + {frm}]):"):
            place.line(f"{piece} = state[LEVELS + {frm} * {height} + {lvl}]")
            with place.block(f"if {piece} != 0:"), place.when(mine):
                if top is False:
                    yield place.sure(frm).bind(frm=frm, lvl=lvl), piece
                else:
                    with place.block(f"if not {top} or {lvl} == state[HEIGHT + {frm}] - 1:"):
                        yield place.sure(frm).bind(frm=frm, lvl=lvl), piece


# Several owners, and hands ---------------------------------------------------------------------------


def for_each_piece_of_many(node: Ludeme, place: Cx, sink: Sink, who: Word) -> None:
    """The moves of the pieces of a role that is not one of the players."""
    program = place.program
    name = who.name
    if name in ("Enemy", "NonMover") and program.n_players == 2:
        mover = place.slots["mover"]
        other = place.name(f"3 - {mover}")
        place = place.bind(mover=other, nxt=mover, prv=mover)
        _in_sites(node, place, sink, lambda owner: 1 <= owner <= 2, other, (0, program.n_board))
        return
    if name == "Friend":
        mover = place.slots["mover"]
        _in_sites(node, place, sink, lambda owner: 1 <= owner <= program.n_players, mover, (0, program.n_board))
        return
    if name in ("All", "Each"):
        _in_sites(node, place, sink, lambda owner: True, None, (0, program.n_board))
        return
    if name in ("Neutral", "Shared"):
        wanted = 0 if name == "Neutral" else program.n_players + 1
        _in_sites(node, place, sink, lambda owner: owner == wanted, None, (0, program.n_board))
        return
    raise UnsupportedError(f"`forEach Piece {name}` is not implemented yet for this number of players", node.source)


def kinds_moved_from(program: Program, specific: Value | None) -> list[Word]:
    """The kinds of sites besides the board's own from which pieces say that they move."""
    moves = [specific] if isinstance(specific, Ludeme) else [c.moves for c in program.components if c.moves is not None]
    kinds = [part.peek("type") for each in moves for part in each.walk() if part.key == "util:from"]
    found = {kind.name: kind for kind in kinds if isinstance(kind, Word) and kind.name != program.board.kind}
    return [found[name] for name in sorted(found)]


def for_each_piece_on(node: Ludeme, place: Cx, sink: Sink, player: Expr, kind: Value | None) -> None:
    """The moves of the pieces of a player on the sites of one kind."""
    first, sites = place.program.kind_block(kind)
    n_players = place.program.n_players
    _in_sites(node, place, sink, lambda owner: 1 <= owner <= n_players, player, (first, first + sites.n))


def for_each_piece_in_container(node: Ludeme, place: Cx, sink: Sink, player: Expr) -> None:
    """The moves of the pieces of a player in one container."""
    program = place.program
    groups = lambda owner: 0 <= owner <= program.n_players + 1  # noqa: E731
    name = node.get("containerName")
    if name is not None:
        if str(name) == "Board":
            _in_sites(node, place, sink, groups, player, (0, program.n_board))
            return
        for hand in program.hands:
            if str(name) == f"Hand{hand.owner}":
                _in_sites(node, place, sink, groups, player, (hand.base, hand.base + hand.size))
                return
        if str(name) != "Hand":
            raise UnsupportedError(f"the container `{name}` is not implemented yet here", node.source)
        index: Expr = player
    else:
        index = number(node.args["container"], place)
    starts = [0, *(hand.base for hand in program.hands)]
    ends = [program.n_board, *(hand.base + hand.size for hand in program.hands)]
    if isinstance(index, int):
        if not 0 <= index < len(starts):
            return
        _in_sites(node, place, sink, groups, player, (starts[index], ends[index]))
        return
    first, last = program.module.table("CONTAINER_FIRST", starts), program.module.table("CONTAINER_END", ends)
    at = place.name(index)
    with place.block(f"if 0 <= {at} < {len(starts)}:"):
        _in_sites(node, place, sink, groups, player, (place.name(f"{first}[{at}]"), place.name(f"{last}[{at}]")))


def _in_sites(
    node: Ludeme, place: Cx, sink: Sink, owned: Callable[[int], bool], player: Expr | None, sites: tuple[Expr, Expr]
) -> None:
    """The moves of pieces found by looking at every site; all owners that take part, or one player."""
    program = place.program
    groups = _groups(place, node, item_names(node), owned)
    if not groups:
        return
    if program.stacking:
        with _stacked(node, place, player, sites) as (inner, name):
            _generate(place, inner, sink, groups, name)
        return
    refuse_picking(place)
    frm, piece = place.fresh("frm"), place.fresh("piece")
    with place.block(f"for {frm} in range({sites[0]}, {sites[1]}):"):
        place.line(f"{piece} = state[WHAT + {frm}]")
        with place.block(f"if {piece} != 0:"):
            mine: Bool = True if player is None else f"{program.owner_of(piece)} == {player}"
            with place.when(mine):
                inner = replace(place.sure(frm).bind(frm=frm, lvl=0), owner=player)
                _generate(place, inner, sink, groups, piece)
