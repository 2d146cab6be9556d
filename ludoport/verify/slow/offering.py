"""Moves that the rules offer to the mover, and the passing of the turn."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow.acting import apply
from ludoport.verify.slow.context import Context, TreeMove, moves
from ludoport.verify.slow.registry import NotCovered


def rules(cx: Context) -> Ludeme:
    """The rules of the game."""
    found = cx.game.root.args["rules"]
    assert isinstance(found, Ludeme)
    return found


def phases(cx: Context) -> list[Any]:
    """The phases of the game."""
    listed = rules(cx).get("phases")
    return listed if isinstance(listed, list) else []


def play_moves(cx: Context, longest: bool = True) -> list[TreeMove]:
    """Moves of the play rules of the mover's phase."""
    found: list[TreeMove] = []
    listed = phases(cx)
    plays = [listed[cx.position.phases[cx.position.mover]].args["play"]] if listed else []
    own = rules(cx).get("play")
    if own is not None:
        plays.append(own)
    for play in plays:
        rule = play.args["moves"]
        if not longest and rule.key == "moves:max Moves":
            rule = rule.args["moves"]
        found += moves(rule, cx)
    return found


def meta_rules(cx: Context) -> list[Ludeme]:
    """The meta rules of the game."""
    meta = rules(cx).get("meta")
    if not isinstance(meta, Ludeme):
        return []
    listed = meta.get("rules") if meta.get("rules") is not None else [meta.args["rule"]]
    return [rule for rule in listed if isinstance(rule, Ludeme)]  # type: ignore[union-attr]


def offered(cx: Context) -> list[TreeMove]:
    """All legal moves but the forced pass."""
    found = play_moves(cx.fresh())
    position = cx.position
    if any(rule.keyword == "swap" for rule in meta_rules(cx)) and (
        position.moves == cx.game.n_players - 1 and position.prev != position.mover
    ):
        found.append(TreeMove(position.mover, word="swap"))
    return [move for move in found if permitted(move, cx)]


def permitted(move: TreeMove, cx: Context) -> bool:
    """Whether no rule against repetition forbids a move."""
    for rule in meta_rules(cx):
        if rule.keyword == "no Repeat" and not move.passed and move.word != "swap":
            type_ = str(rule.get("repetitionType") or "Positional")
            copy = cx.copied().fresh()
            apply(move, copy, True)
            clear_captured(copy)
            seen = copy.position.seen_this_turn if type_.endswith("InTurn") else copy.position.seen
            if type_.startswith("Positional"):
                if shape(copy) in seen:
                    return False
            else:
                raise NotCovered(f"meta:no Repeat {type_}")
    return True


def shape(cx: Context) -> object:
    """The part of a position that rules against repetition compare."""
    return cx.position.contents(), tuple(cx.position.seats)


def clear_captured(cx: Context) -> None:
    """Removes at the end of a turn what was captured in it."""
    position = cx.position
    if cx.game.captures_later and position.next != position.mover:
        for site in position.to_clear:
            pieces = cx.pieces(site)
            if pieces:
                del pieces[-1]
        position.to_clear.clear()


def after(cx: Context, mover: int) -> None:
    """The turn passes to the next player."""
    position = cx.position
    position.prev = mover
    swapped = position.last is not None and position.last.swapped
    if position.next == mover and not swapped:
        position.moves_this_turn += 1
    else:
        position.turn += 1
        position.moves_this_turn = 0
        position.visited = set()
        position.seen_this_turn = []
    position.mover = position.next
    n = cx.game.n_players
    following = position.mover % n + 1
    while position.active and following not in position.active:
        following = following % n + 1
    position.next = following
