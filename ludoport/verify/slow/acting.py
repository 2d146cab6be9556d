"""Actions: the smallest changes of a position, and how a move with its consequents is done."""

from __future__ import annotations

from dataclasses import replace

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.context import Action, Context, TreeMove, moves
from ludoport.verify.slow.position import PastMove, Standing


def put(cx: Context, site: int, kind: str, piece: Standing) -> None:
    """Put a piece on a site: on top of a stack, or added to equal pieces, or in place of what stood there."""
    spot = cx.spot(site, kind)
    there = cx.position.stacks.setdefault(spot, [])
    if cx.game.stacking:
        there.append(piece)
    elif there and there[0].what == piece.what:
        if cx.game.counting:
            there[0].count += piece.count
        else:
            there[0] = piece
    else:
        there[:] = [piece]


def add_piece(site: int, kind: str, piece: Standing) -> Action:
    """Adds a piece; a site that is occupied keeps its piece in games without stacks."""

    def act(cx: Context) -> None:
        cx.position.touched = site
        there = cx.pieces(site, kind)
        if there and not cx.game.stacking:
            old = there[0]
            old.count = old.count + piece.count if cx.game.counting else 1
            old.state = piece.state
            return
        for _ in range(piece.count if cx.game.stacking else 1):
            put(cx, site, kind, replace(piece, count=1) if cx.game.stacking else replace(piece))

    return act


def remove_piece(site: int, kind: str, level: int = -1) -> Action:
    """Removes the piece on a site, of a stack only the top or one level."""

    def act(cx: Context) -> None:
        cx.position.touched = site
        there = cx.pieces(site, kind)
        if there and level < len(there):
            del there[level if cx.game.stacking and level >= 0 else -1]

    return act


def move_piece(
    from_: int, from_kind: str, to: int, to_kind: str, level: int = -1, stack: bool = False, count: int | None = None
) -> Action:
    """Moves a piece, some of many equal ones, or a whole stack from a level upwards."""

    def act(cx: Context) -> None:
        there = cx.pieces(from_, from_kind)
        if to >= 0:
            cx.position.touched = to
        if not there or to < 0:
            return
        if stack:
            cut = max(level, 0)
            moved = there[cut:]
            del there[cut:]
            for piece in moved:
                put(cx, to, to_kind, piece)
            return
        if cx.game.stacking:
            for _ in range(1 if count is None else count):
                if there:
                    put(cx, to, to_kind, there.pop(level if 0 <= level < len(there) else -1))
            return
        piece = there[0]
        taken = min(1 if count is None else count, piece.count)
        piece.count -= taken
        if piece.count <= 0:
            there.clear()
        # Pieces that move by number leave their state behind.
        put(cx, to, to_kind, replace(piece, count=taken) if count is None else Standing(piece.what, taken))

    return act


def apply(move: TreeMove, cx: Context, store: bool) -> None:
    """Does a move and its consequents.

    Args:
        move: the move.
        cx: context of the action; iterators play no part.
        store: whether it becomes the last move, as decisions do.
    """
    position = cx.position
    place = cx.fresh()
    if store:
        position.touched = move.to
    for action in move.actions:
        action(place)
    if store:
        position.history.append(
            PastMove(
                move.mover,
                move.from_,
                move.to,
                move.passed,
                move.word == "swap",
                move.between,
                move.from_kind,
                move.to_kind,
            )
        )
        position.moves += 1
        position.visited |= {site for site in (move.from_, move.to) if site >= 0}
    for then in move.thens:
        for effect in moves(then, place):
            apply(effect, place, False)


def nested(move: TreeMove) -> Action:
    """Does a move of an effect, with its consequents, as one action of a larger move."""
    return lambda cx: apply(move, cx, False)


def ended(found: list[TreeMove], node: Ludeme) -> list[TreeMove]:
    """Moves with the consequent that is written at the ludeme that made them."""
    then = node.get("then")
    if isinstance(then, Ludeme):
        effects = then.args["moves"]
        assert isinstance(effects, Ludeme)
        for move in found:
            move.thens.append(effects)
    return found
