"""Ludemes that combine moves: or, and, if, priority, do, append, loops over sites, pieces and directions."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.components import item_names, one_of, piece_groups
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.picking import alternatives, pick_piece
from ludoport.ludemes.core.region import all_of, looping, negation, refuse_picking
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, number, optional, region
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, HitsSink, ListSink, Sink, Spec
from ludoport.ludemes.core.traits import Order, writes
from ludoport.ludemes.core.trials import IN_TRIALS
from ludoport.ludemes.fields.direction_choice import choose, chosen_in_play, variants
from ludoport.ludemes.fields.directions import rays
from ludoport.ludemes.fields.walks import rays_after_step
from ludoport.ludemes.meanings.first_tried import has_first, list_first, parts_of, tested
from ludoport.ludemes.meanings.moves_parts import distance_range
from ludoport.ludemes.meanings.moves_pieces import (
    for_each_piece_in_container,
    for_each_piece_of_many,
    for_each_piece_on,
    for_each_stacked_piece,
    kinds_moved_from,
)
from ludoport.ludemes.meanings.moves_sequence import do_next, do_tested
from ludoport.ludemes.meanings.reach import may_reach


@moves_ludeme("or", "and", order=Order.FRAME, draws=True, pieces="stay")
def union(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All moves of all parts."""
    place = cx.inside(optional(node.get("then")))
    if cx.picking is not None:
        alternatives([lambda p=part: generate(p, place, sink) for part in parts_of(node)], place)  # type: ignore[misc]
        return
    for part in parts_of(node):
        generate(part, place, sink)


@moves_ludeme("seq", order=Order.STEPS, draws=True, pieces="stay")
def sequence(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Effects evaluated and done one after another."""
    if not isinstance(sink, EffectSink):
        raise UnsupportedError("`seq` outside of consequents is not implemented yet", node.source)
    place = replace(cx.inside(optional(node.get("then"))), buffer=None)
    listed = node.args["moves"]
    for k, part in enumerate(listed if isinstance(listed, list) else [listed]):
        assert isinstance(part, Ludeme)
        late = next((inner for inner in part.walk() if inner.key in ("int:last To", "int:last From")), None)
        if k > 0 and late is not None:
            # To the later parts, an earlier one is the last move.
            raise UnsupportedError(f"`{late.keyword}` in a later part of `seq` is not implemented yet", late.source)
        cx.program.rules.effect(place, part)
        place = after_turns(place, part)


def after_turns(cx: Cx, done: Ludeme) -> Cx:
    """The same place after an effect, which may have changed who moves next."""
    if cx.slots["nxt"] == cx.slots["mover"] or not any("next" in writes(part) for part in done.walk()):
        return cx
    name = cx.fresh("nxt")
    cx.line(f"{name} = wide(state[NEXT])")
    return cx.bind(nxt=name)


ROUNDS = 10_000
"""Most rounds of a ``while``."""


@moves_ludeme("while", order=Order.STEPS, draws=True, pieces="stay")
def while_(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Effects evaluated and done again and again as long as a condition holds."""
    if isinstance(sink, ExistsSink):
        with cx.when(condition(node.args["condition"], cx)):
            generate(node.args["moves"], cx, sink)
        return
    if not isinstance(sink, EffectSink):
        raise UnsupportedError("`while` outside of effects is not implemented yet", node.source)
    place = replace(cx.inside(optional(node.get("then"))), buffer=None)
    rounds = cx.fresh("rounds")
    with cx.block(f"for {rounds} in range({ROUNDS}):"):
        with cx.when(negation(condition(node.args["condition"], replace(cx, buffer=None)))):
            cx.line("break")
        part = node.args["moves"]
        assert isinstance(part, Ludeme)
        cx.program.rules.effect(after_turns(place, part), part)


@moves_ludeme("if", order=Order.BRANCH, draws=True, pieces="stay")
def if_(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves of one part or the other."""
    place = cx.inside(optional(node.get("then")))
    test = condition(node.args["cond"], place)
    if isinstance(test, bool):
        settle(node.get("elseList") if test else node.args["list"])
    with cx.when(test):
        if test is not False:
            generate(node.args["list"], place, sink)
    if node.get("elseList") is not None and test is not True:
        if test is False:
            generate(node.args["elseList"], place, sink)
        else:
            with cx.block("else:"):
                generate(node.args["elseList"], place, sink)


@moves_ludeme("priority", order=Order.FRAME, draws=False, pieces="stay", chooses=True)
def priority(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves of the first part that has any."""
    place = cx.inside(optional(node.get("then")))
    parts = parts_of(node)
    if isinstance(sink, ListSink):
        start = cx.fresh("n")
        cx.line(f"{start} = n")
        depth = cx.fn.depth
        for part in parts:
            mark = len(cx.fn.lines)
            generate(part, place, sink)
            if part is not parts[-1]:
                assert isinstance(part, Ludeme)
                cx.program.rules.sieve(place, part, start)
            elif len(cx.fn.lines) == mark:
                cx.line("pass")
            if part is not parts[-1]:
                cx.line(f"if n == {start}:")
                cx.fn.depth += 1
        cx.fn.depth = depth
    elif isinstance(sink, ExistsSink):
        for part in parts:
            generate(part, place, sink)
    else:
        depth = cx.fn.depth
        for part in parts[:-1]:
            assert isinstance(part, Ludeme)
            test = effects_exist(part, place) if isinstance(sink, EffectSink) else exists(part, place)
            with cx.block(f"if {test}:"):
                generate(part, place, sink)
            cx.line("else:")
            cx.fn.depth += 1
        mark = len(cx.fn.lines)
        generate(parts[-1], place, sink)
        if len(cx.fn.lines) == mark:
            cx.line("pass")
        cx.fn.depth = depth


def effects_exist(node: Ludeme, cx: Cx) -> str:
    """A call that tests whether a generator of effects has anything to do."""

    def body(inner: Cx) -> None:
        generate(node, inner, ExistsSink())
        inner.line("return False")

    return cx.call("any", node, body, key=("any", id(node), cx.chain_key()))


FEW = 3
"""Moves that are tried before all moves are listed, when only one is looked for."""


def exists(node: Ludeme, cx: Cx, further: str = "", attacked: bool = False, listed: str = "") -> str:
    """A call that tests whether a generator has a move that passes its tests.

    Args:
        node: the generator.
        cx: the place.
        further: one more test that a move must pass, with ``{}`` for its row.
        attacked: whether this is likely asked of a player under attack.
        listed: the function that lists just these moves, if there is one.
    """
    program = cx.program

    # Whether there is a longest move needs no measuring.
    sink = ListSink(longest=not {"moves:max Moves", "moves:max Distance"} & program.keys)

    def listing(place: Cx, moves: str, cap: str) -> str:
        if listed:
            return f"{listed}(state, work, {moves}, wide(0), wide({cap}))"
        return sink.function(
            place,
            "moves",
            node,
            lambda inner: generate(node, inner, sink),
            ("moves", id(node)),
            moves,
            "wide(0)",
            f"wide({cap})",
        )

    def first(inner: Cx, test: str) -> None:
        """Try the moves of followed pieces."""
        call = sink.function(
            inner,
            "first",
            node,
            lambda place: list_first(node, place, sink),
            ("first", id(node)),
            "found",
            "wide(0)",
            "wide(MAX_MOVES)",
        )
        inner.line(f"n = {call}")
        with inner.block("for i in range(n):"), inner.block(f"if {test}:"):
            inner.line("return True")

    def body(inner: Cx) -> None:
        testing = program.rules.has_tests(inner, node) or bool(further)
        size = "MAX_MOVES * MOVE_SIZE" if testing else "MOVE_SIZE"
        offset = program.scratch(size, "LISTED")
        inner.line(f"found = work[{offset} : {offset} + {size}]")
        if not testing:
            inner.line(f"return {listing(inner, 'found', '1')} > 0")
            return
        row = "found[i * MOVE_SIZE : (i + 1) * MOVE_SIZE]"
        tests = [further.format(row)] if further else []
        if program.rules.has_tests(inner, node):
            tests.insert(0, program.rules.accept_call(inner, node, row))
        test = " and ".join(tests)
        order = has_first(node, inner) and taken("first")
        if order and attacked:
            first(inner, test)
        inner.line(f"n = {listing(inner, 'found', str(FEW))}")
        with inner.block("for i in range(n):"), inner.block(f"if {test}:"):
            inner.line("return True")
        with inner.block(f"if n < {FEW}:"):
            inner.line("return False")
        if order and not attacked:
            first(inner, test)
        inner.line(f"n = {listing(inner, 'found', 'MAX_MOVES')}")
        inner.fn.when_full("n >= MAX_MOVES")
        with inner.block(f"for i in range({FEW}, n):"), inner.block(f"if {test}:"):
            inner.line("return True")
        inner.line("return False")

    return cx.call("can", node, body, key=("can", id(node), further, attacked, cx.chain_key()))


def _in_order(node: Ludeme) -> Order:
    """Moves that follow each other see what was done before them."""
    return Order.ACT if node.get("next") is None else Order.OWN


@moves_ludeme("do", order=_in_order, draws=True, pieces="stay")
def do(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves tested by what holds after them, or moves followed by others."""
    place = cx.inside(optional(node.get("then")))
    if node.get("next") is not None:
        do_next(node, place, sink)
        return
    if isinstance(sink, EffectSink) and isinstance(node.get("ifAfterwards"), Ludeme):
        do_tested(node, place, sink)
        return
    generate(node.args["prior"], tested(node, place), sink)


@moves_ludeme("append", order=Order.FRAME, draws=True, pieces="stay")
def append(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All moves of an effect merged into one decision; nothing if there are none."""
    inner_node = node.args["list"]
    assert isinstance(inner_node, Ludeme)
    if isinstance(sink, EffectSink):
        generate(inner_node, cx.inside(optional(node.get("then"))), sink)
        return
    site = cx.slots["site"] if cx.slots["site"] != -1 else cx.slots["to"]
    with cx.block(f"if {effects_exist(inner_node, replace(cx, chain=(), filters=()))}:"):
        spec = Spec(
            node,
            "add",
            site,
            site,
            act=lambda place: cx.program.rules.effect(place, inner_node),
            then=optional(node.get("then")),
        )
        sink.move(cx, spec)


@moves_ludeme("allCombinations", order=Order.FRAME, draws=True, pieces="stay")
def all_combinations(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Every pair of a move of one list and a move of the other; done as effects, both happen."""
    if not isinstance(sink, (EffectSink, ExistsSink)):
        raise UnsupportedError("`allCombinations` of decisions is not implemented yet", node.source)
    if isinstance(sink, ExistsSink):
        a, b = node.args["listA"], node.args["listB"]
        assert isinstance(a, Ludeme) and isinstance(b, Ludeme)
        with cx.block(f"if {effects_exist(a, cx)}:"), cx.block(f"if {effects_exist(b, cx)}:"):
            cx.line("return True")
        return
    place = cx.inside(optional(node.get("then")))
    generate(node.args["listA"], place, sink)
    generate(node.args["listB"], place, sink)


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
        generate(otherwise, place, sink)


@moves_ludeme("forEach Player", order=Order.LOOP, draws=False, pieces="stay")
def for_each_player(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every player, who is ``(player)`` meanwhile."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    player = cx.fresh("player")
    with cx.block(f"for {player} in range(1, N_PLAYERS + 1):"):
        generate(node.args["moves"], place.bind(plr=player), sink)


@moves_ludeme("forEach Piece", order=Order.LOOP, draws=True, pieces="stay")
def for_each_piece(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of every piece of a player."""
    program = cx.program
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
    program.want_own_list()
    groups = piece_groups(program, names, specific if isinstance(specific, Ludeme) else None)
    if not groups:
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
            sink.split(inner, "piece", groups[0][0], lambda c: generate(groups[0][0], c, sink), id(groups[0][0]))
            return
        piece = cx.fresh("piece")
        cx.line(f"{piece} = state[WHAT + {frm}]")
        owned: Bool = f"{program.owner_of(piece)} == {player}" if checked else True
        reaches = may_reach(program, groups, frm, piece) if isinstance(sink, HitsSink) else True
        with cx.when(all_of(owned, reaches)):
            word = "if"
            for moves, components in groups:
                with cx.block(f"{word} {one_of(piece, components)}:"):
                    sink.split(inner, "piece", moves, lambda c, m=moves: generate(m, c, sink), id(moves))  # type: ignore[misc]
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
            with lines.each(looking, origin) as ray, lines.walk(branch, ray) as (site, position):
                with cx.block(f"if {position} >= {high}:"):
                    cx.line("break")
                here = branch.sure(site).bind(to=site)
                if between is not None and between.get("if") is not None and not (isinstance(low, int) and low <= 1):
                    # Only sites before the nearest allowed one are looked at as sites between.
                    with cx.block(f"if {position} < {low} - 1:"):
                        with cx.when(negation(condition(between.get("if"), branch.sure(site).bind(btw=site)))):
                            cx.line("break")
                if to is not None:
                    with cx.when(negation(condition(to.get("if"), here))):
                        cx.line("break")
                with cx.when(f"{position} >= {low} - 1" if not isinstance(low, int) or low > 1 else True):
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
