"""Conditions about moves: threats, whether something can move, whether a player has moves."""

from __future__ import annotations

from dataclasses import replace

from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import boolean_ludeme, generate, number, region
from ludoport.ludemes.core.sinks import HitsSink
from ludoport.ludemes.core.traits import Order, order
from ludoport.ludemes.core.trials import IN_TRIALS
from ludoport.ludemes.fields.named_regions import whole_board
from ludoport.ludemes.fields.position import what_at
from ludoport.ludemes.fields.spots import SEVERAL, followed
from ludoport.ludemes.meanings.moves_exist import effects_exist, exists
from ludoport.ludemes.meanings.stack_pieces import write_first_site
from ludoport.ludemes.meanings.visits import as_visited


@boolean_ludeme("can Move", reads=["board"])
def can_move(node: Ludeme, cx: Cx) -> Bool:
    """Whether there is at least one such move."""
    moves = node.args["moves"]
    assert isinstance(moves, Ludeme)
    place = replace(cx, chain=(), filters=())
    # Moves that are only looked for have no consequences, unless they are tried.
    settle(*(part.peek("then") for part in moves.walk()))
    if any(part.keyword == "is Visited" for part in moves.walk()):
        return as_visited(node, place, lambda inner: exists(moves, inner))
    if order(moves) is Order.LOOK:
        # These are never decisions; only whether they would do anything is asked.
        return effects_exist(moves, place)
    return exists(moves, place, attacked=True)


@boolean_ludeme("no Moves", reads=["board"])
def no_moves(node: Ludeme, cx: Cx) -> Bool:
    """Whether a player has no move: the next one is tested, others are known to have been stuck."""
    role = node.args["playerFn"]
    program = cx.program
    if isinstance(role, Word) and role.name == "Next":
        if cx.stuck:
            return False
        program.want_can_play()

        def body(inner: Cx) -> None:
            inner.line("was_mover = state[MOVER]")
            inner.line("was_prev = state[PREV]")
            inner.line("was_next = state[NEXT]")
            inner.line("state[PREV] = was_mover")
            inner.line("state[MOVER] = was_next")
            if program.n_players == 2:
                inner.line("state[NEXT] = 3 - was_next")
            elif program.n_players > 2:
                inner.line("upcoming = was_next % N_PLAYERS + 1")
                with inner.block("while state[RANK + upcoming] != 0 and upcoming != was_next:"):
                    inner.line("upcoming = upcoming % N_PLAYERS + 1")
                inner.line("state[NEXT] = upcoming")
            inner.line("found = can_play(state, work)")
            inner.line("state[MOVER] = was_mover")
            inner.line("state[PREV] = was_prev")
            inner.line("state[NEXT] = was_next")
            inner.line("return not found")

        return cx.call("no_moves_next", node, body, key="no moves next")
    program.want_stuck()
    return f"state[STUCK + {number(role, cx)}] != 0"


@boolean_ludeme("is Threatened", reads=["board"], lists=True)
def is_threatened(node: Ludeme, cx: Cx) -> Bool:
    """Whether an enemy has a move that ends on the site of a piece, or on a given site."""
    if cx.threat:
        return False
    program = cx.program
    if node.get("what") is None:
        return _some_threatened(node, cx)
    piece = number(node.args["what"], cx)
    place = cx.bind(val=piece if isinstance(piece, int) else cx.name(piece))

    alone = node.get("at") is None and node.get("in") is None
    spot = alone and followed(program, node.args["what"])

    def body(inner: Cx) -> None:
        what = inner.slots["val"]
        with inner.block(f"if {what} < 1:"):
            inner.line("return False")
        inner.line(f"owner = {program.owner_of(str(what))}")
        if node.get("at") is not None:
            target = inner.name(number(node.args["at"], inner))
            with inner.block(f"if {target} < 0:"):
                inner.line("return False")
            _test_site(node, inner, target, what)
        elif node.get("in") is not None:
            with region(node.args["in"], inner).each(inner) as site:
                _test_site(node, inner, site, what)
        elif program.stacking:
            write_first_site(inner, what, "found")
            with inner.block("if found < 0:"):
                inner.line("return False")
            _test_enemies(node, inner, "found")
        else:
            if spot:
                inner.line(f"found = state[SPOT + {what}]")
                with inner.block(f"if found == {SEVERAL}:"):
                    _first_owned(inner, str(what))
            else:
                _first_owned(inner, str(what))
            with inner.block("if found < 0:"):
                inner.line("return False")
            _test_enemies(node, inner, "found")
        inner.line("return False")

    # Which role the piece belongs to does not matter inside.
    key = ("threatened", spot) if set(node.args) == {"what"} else ("threatened", id(node))
    return place.call("threatened", node, body, key=key)


def _first_owned(cx: Cx, what: str) -> None:
    """Write code that looks for a kind of piece among the pieces of its owner."""
    program = cx.program
    program.want_own_list()
    cx.line("found = -1")
    with cx.block("if owner >= 1 and owner <= N_PLAYERS:"):
        with cx.block(f"for i in range(state[N_OWN + owner]):{IN_TRIALS}"):
            cx.line(f"s = wide(state[OWN + (owner - 1) * {program.n_board} + i]){IN_TRIALS}")
            with cx.block(f"if state[WHAT + s] == {what}:"):
                cx.line("found = s")
                cx.line("break")


def _some_threatened(node: Ludeme, cx: Cx) -> Bool:
    """Whether the piece on a site, on some site of a region, or anywhere is threatened."""
    program = cx.program

    def body(inner: Cx) -> None:
        sites = whole_board(program)
        if node.get("at") is not None:
            sites = region([node.args["at"]], inner)
        elif node.get("in") is not None:
            sites = region(node.args["in"], inner)
        with sites.each(inner) as site:
            inner.line(f"what = {what_at(inner.sure(site), site)}")
            with inner.block("if what > 0:"):
                inner.line(f"owner = {program.owner_of('what')}")
                # Here the owner also moves next after the enemy.
                inner.line("was_next = state[NEXT]")
                inner.line("state[NEXT] = owner")
                inner.line("hit = False")
                _collect_enemies(node, inner.bind(nxt="owner"), site, "hit = True")
                inner.line("state[NEXT] = was_next")
                with inner.block("if hit:"):
                    inner.line("return True")
        inner.line("return False")

    return cx.call("threatened", node, body, key=("threatened", id(node)))


def _test_site(node: Ludeme, cx: Cx, site: str, what: object) -> None:
    """Put the piece on the site, look for threats, and put everything back."""
    program = cx.program
    if program.stacking:
        # On stacks the piece is not put on the site for the trial.
        cx.line("hit = False")
        _collect_enemies(node, cx, site, "hit = True")
        with cx.block("if hit:"):
            cx.line("return True")
        return
    old = cx.fresh("old")
    cx.line(f"{old} = state[WHAT + {site}]")
    cx.line(f"hit = {_enemy_call(node, cx, site, old, what)}")
    with cx.block("if hit:"):
        cx.line("return True")


def _enemy_call(node: Ludeme, cx: Cx, site: str, old: str, what: object) -> str:
    """A call that places the piece on trial where it is not there already."""
    program = cx.program
    place = cx.bind(site=site)
    program.primitives |= {"place", "put_back"}

    def body(inner: Cx) -> None:
        target = inner.slots["site"]
        inner.line(f"was = state[WHAT + {target}]")
        trial = inner.slots["val"]
        keep_state = program.state.has("STATE")
        if keep_state:
            inner.line(f"was_state = state[STATE + {target}]")
        with inner.block(f"if was != {trial}:"):
            inner.line(f"entry = entry_of(state, {target})")
            inner.line(f"place(state, {target}, {trial})")
        inner.line("hit = False")
        inner.line(f"owner = {program.owner_of(str(trial))}")
        _collect_enemies(node, inner, str(target), "hit = True")
        with inner.block(f"if was != {trial}:"):
            inner.line(f"put_back(state, {target}, was, entry)")
            if keep_state:
                inner.line(f"state[STATE + {target}] = was_state")
        inner.line("return hit")

    return place.call("threat_at", node, body, key=("threat_at", id(node)))


def _test_enemies(node: Ludeme, cx: Cx, site: str) -> None:
    _collect_enemies(node, cx, site, "return True")


def _collect_enemies(node: Ludeme, cx: Cx, site: str, answer: str) -> None:
    """Try the moves of each enemy of ``owner`` with that enemy as the mover."""
    program = cx.program
    specific = node.get("specificMoves")
    if not isinstance(specific, Ludeme):
        with cx.block(f"if {program.want_hits(cx.stuck)}(state, work, {site}, owner):"):
            cx.line(answer)
        return
    cx.line("was_mover = state[MOVER]")
    cx.line("was_prev = state[PREV]")
    cx.line("state[PREV] = owner")
    cx.line("answer = False")
    with cx.block("for enemy in range(1, N_PLAYERS + 1):"):
        with cx.block("if enemy != owner and not answer:"):
            cx.line("state[MOVER] = enemy")
            place = replace(cx.bind(mover="enemy", prv="owner"), threat=True, chain=(), filters=(), owner=None)

            def body(inner: Cx) -> None:
                generate(specific, inner, HitsSink())
                inner.line("return False")

            call = place.call("hits", node, body, ("target",), (site,), key=("hits", id(specific)))
            cx.line(f"answer = {call}")
    cx.line("state[MOVER] = was_mover")
    cx.line("state[PREV] = was_prev")
    with cx.block("if answer:"):
        cx.line(answer)
