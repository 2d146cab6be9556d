"""Loops over sites, players, pieces and directions that generate moves."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.components import item_names, one_of, piece_groups
from ludoport.ludemes.core.conditions import all_of, negation
from ludoport.ludemes.core.context import Bool, Cx, one_less
from ludoport.ludemes.core.picking import pick_piece
from ludoport.ludemes.core.region import looping, refuse_picking
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, number, optional, region
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import HitsSink, Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.core.trials import IN_TRIALS
from ludoport.ludemes.fields.arrivals import each_arrived
from ludoport.ludemes.fields.direction_choice import choose, chosen_in_play, variants
from ludoport.ludemes.fields.directions import rays
from ludoport.ludemes.fields.entries import keeps_entries
from ludoport.ludemes.fields.walks import rays_after_step
from ludoport.ludemes.meanings.arrays import int_array
from ludoport.ludemes.meanings.moves_parts import distance_range
from ludoport.ludemes.meanings.moves_pieces import (
    for_each_entry,
    for_each_piece_in_container,
    for_each_piece_of_many,
    for_each_piece_on,
    for_each_stacked_piece,
    kinds_moved_from,
)
from ludoport.ludemes.meanings.reach import may_reach, reach_table
from ludoport.ludemes.meanings.strikes import find_strikes, write_strikes


@moves_ludeme("forEach Site", order=Order.LOOP, draws=True, pieces="stay")
def for_each_site(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every site of a region."""
    place = cx.inside(optional(node.get("then")))
    otherwise = node.get("noMoveYet")

    def sites(here: Cx) -> None:
        with region(node.args["regionFn"], here).each(here) as site:
            generate(node.args["generator"], here.sure(site).bind(site=site, to=site), sink)

    if otherwise is None:
        sites(place)
        return
    refuse_picking(cx)
    if not sink.lists:
        raise UnsupportedError("`noMoveYet:` outside of lists of moves is not implemented yet", node.source)
    start = cx.name("n + 0", "before")
    sites(place)
    with cx.block(f"if n == {start}:"):
        # What follows the moves of sites does not follow these.
        generate(otherwise, cx, sink)


@moves_ludeme("forEach Player", order=Order.LOOP, draws=False, pieces="stay")
def for_each_player(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every player, who is ``(player)`` meanwhile."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    player = cx.fresh("player")
    with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
        generate(node.args["moves"], place.bind(plr=player), sink)


@moves_ludeme("forEach", order=Order.LOOP, draws=False, pieces="stay")
def for_each_listed_player(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every player of a list, who is ``(player)`` meanwhile."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    with int_array(node.args["players"], place).each(place) as player:
        generate(node.args["moves"], place.bind(plr=player), sink)


@moves_ludeme("forEach Piece", order=Order.LOOP, draws=True, pieces="stay")
def for_each_piece(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of every piece of a player."""
    program = cx.program
    if not program.stacking:
        settle(node.get("top"))
    place = cx.inside(optional(node.get("then")))
    who = node.get("role") if node.get("role") is not None else node.get("player")
    names = item_names(node)
    specific = node.get("specificMoves")
    if isinstance(who, Word) and who.name in ("All", "Each", "Shared", "Neutral", "NonMover", "Enemy", "Friend"):
        for_each_piece_of_many(node, place, sink, who)
        return
    player = number(who, place, place.slots["mover"])
    if player != place.slots["mover"]:
        name = cx.name(player)
        place = place.bind(mover=name, nxt=cx.slots["mover"], prv=cx.slots["mover"])
        player = name
    if node.get("container") is not None or node.get("containerName") is not None:
        for_each_piece_in_container(node, place, sink, player)
        return
    if node.get("on") is not None and str(node.get("on")) != program.board.kind:
        for_each_piece_on(node, place, sink, player, node.get("on"))
        return
    if node.get("on") is None:
        for kind in kinds_moved_from(program, specific):
            for_each_piece_on(node, place, sink, player, kind)
    if program.stacking:
        for_each_stacked_piece(node, place, sink, player, names)
        return
    if keeps_entries(program):
        for_each_entry(node, place, sink, player)
        return
    program.want_own_list()
    groups = piece_groups(program, names, specific if isinstance(specific, Ludeme) else None)
    if not groups:
        return
    if sink.ordered:
        with each_arrived(cx, player) as site:
            _each_kind(replace(place.sure(site).bind(frm=site), owner=player), sink, groups, False)
        return
    if cx.picking is not None and len(groups) > 1:
        pick_piece(cx, sink, str(player), groups, place)
        return
    index, frm = cx.fresh("i"), cx.fresh("frm")
    # A piece that was just taken on trial is still listed, though its site has another.
    checked = isinstance(sink, HitsSink) and taken("trial")
    note = IN_TRIALS if checked else ""
    with looping(cx, index, f"state[N_OWN + {player}]", program.n_board, note) as index:
        cx.line(f"{frm} = wide(state[OWN + ({player} - 1) * {program.n_board} + {index}]){note}")
        inner = replace(place.sure(frm).bind(frm=frm), owner=player)
        everything = [c.index for c in program.components[1:] if 1 <= c.owner <= program.n_players]
        if len(groups) == 1 and groups[0][1] == everything and not checked:
            with cx.when(sink.leaves(inner, frm)):
                sink.split(inner, "piece", groups[0][0], lambda c: generate(groups[0][0], c, sink), id(groups[0][0]))
        elif isinstance(sink, HitsSink) and taken("safe"):
            _strike_one_by_one(node, inner, sink, groups, checked)
        else:
            _each_kind(inner, sink, groups, checked)
        if sink.lists and taken("first"):
            # Where few moves are wanted, the other pieces need not be looked at.
            with cx.block("if n >= cap:"):
                cx.line("return n")


def _strike_one_by_one(
    node: Ludeme, cx: Cx, sink: HitsSink, groups: list[tuple[Ludeme, list[int]]], checked: bool
) -> None:
    """Write a function that tests whether one piece hits the target; it has other uses too."""

    def body(inner: Cx) -> None:
        _each_kind(inner, sink, groups, checked)
        inner.line("return False")

    call = cx.call("strikes", node, body, ("target",), ("target",), ("strikes", id(node), cx.chain_key()))
    with cx.block(f"if {call}:"):
        cx.line("return True")
    name = call.split("(")[0]
    function = next(f for f in cx.program.module.functions if isinstance(f, Function) and f.name == name)
    if function.params == ["state", "work", "target", "mover", "frm"] and not set(node.args) - {"then"}:
        table = reach_table(cx.program, groups)
        cx.program.strikes = f"{name}(state, work, {{target}}, {{mover}}, {{frm}})", table


def _each_kind(cx: Cx, sink: Sink, groups: list[tuple[Ludeme, list[int]]], checked: bool) -> None:
    """Write the moves of the current piece, by its kind."""
    program, frm, piece = cx.program, str(cx.slots["frm"]), cx.fresh("piece")
    cx.line(f"{piece} = state[WHAT + {frm}]")
    owned: Bool = f"{program.owner_of(piece)} == {cx.owner}" if checked else True
    known = None
    if isinstance(sink, HitsSink) and taken("aim"):
        tested = any(program.rules.keep(cx, each, "move") for each in cx.filters)
        known = None if tested else find_strikes(program, groups)
    pending: Bool = True
    if known is not None:
        with cx.when(True if program.n_board == program.n_sites else f"target < {program.n_board}"):
            write_strikes(known, cx, frm, piece, owned)
        left = known.others | known.pending
        groups = [(m, [k for k in kinds if k in left]) for m, kinds in groups if left & set(kinds)]
        pending = True if known.others or not known.pending else "state[N_PENDING] != 0"
    if known is not None and not groups:
        # Tables tell all.
        return
    reaches = may_reach(program, groups, frm, piece) if isinstance(sink, HitsSink) and groups else True
    with cx.when(all_of(owned, pending, reaches, sink.leaves(cx, frm))):
        word = "if"
        for moves, components in groups:
            with cx.block(f"{word} {one_of(piece, components)}:"):
                sink.split(cx, "piece", moves, lambda c, m=moves: generate(m, c, sink), id(moves))  # type: ignore[misc]
            word = "elif"


@moves_ludeme("forEach Direction", order=Order.LOOP, draws=True, pieces="stay")
def for_each_direction(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves for each site along some directions within a range."""
    place = cx.inside(optional(node.get("then")))
    source = optional(node.get("from"))
    origin = cx.name(
        number(source.get("loc"), place) if source is not None and source.get("loc") is not None else place.slots["frm"]
    )
    low, high = distance_range(optional(node.get("between")), place, 1, 1)
    between = optional(node.get("between"))
    to = optional(node.get("to"))
    facing_from = place if origin == place.slots["frm"] else replace(place, owner=None)
    # Inside a walk, the facing is the direction of the step that led here.
    walking = place.slots["to"] != -1
    for directions, branch in variants(node.get("directions"), facing_from):
        walked = walking and not chosen_in_play(directions) and choose(directions, "Adjacent").relative
        lines = _walking_rays(directions, branch, place) if walked else rays(directions, branch)
        looking = replace(branch.bind(frm=origin), owner=branch.owner) if not walked else branch
        with cx.when(_on_board(branch, origin)):
            with lines.paths(looking, origin, low, high) as (_, site, position):
                if not isinstance(high, int) or high <= 0 or not taken("width"):
                    with cx.block(f"if {position} >= {high}:"):
                        cx.line("break")
                here = branch.sure(site).bind(to=site)
                if between is not None and between.get("if") is not None and not (isinstance(low, int) and low <= 1):
                    # Only sites before the nearest allowed one are looked at as sites between.
                    with cx.block(f"if {position} < {one_less(low)}:"):
                        with cx.when(negation(condition(between.get("if"), branch.sure(site).bind(btw=site)))):
                            cx.line("break")
                if to is not None:
                    with cx.when(negation(condition(to.get("if"), here))):
                        cx.line("break")
                with cx.when(f"{position} >= {one_less(low)}" if not isinstance(low, int) or low > 1 else True):
                    effect = optional(to.get("effect")) if to is not None else None
                    if effect is not None and effect.get("effect") is not None:
                        generate(effect.get("effect"), here, sink)
                    elif node.get("moves") is not None:
                        generate(node.args["moves"], here, sink)
                    else:
                        raise LudError("`forEach Direction` needs moves in `(to (apply ...))`", node.source)


def _on_board(cx: Cx, site: str) -> Bool:
    """Whether a site is one of the board, where that is not known."""
    tests = [] if site in cx.safe else [f"on_board({site})"]
    if cx.program.n_board < cx.program.n_sites:
        tests.append(f"{site} < {cx.program.n_board}")
    return " and ".join(tests) or True


def _walking_rays(directions: Value | None, cx: Cx, outer: Cx):  # type: ignore[no-untyped-def]
    """Rays relative to the direction of the step from ``(from)`` to ``(to)`` that led here."""
    return rays_after_step(directions, cx, outer.slots["frm"], outer.slots["to"])
