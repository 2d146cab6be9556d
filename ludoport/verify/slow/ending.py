"""End rules: who gets what, and when."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Word
from ludoport.verify.slow.conditions import every_turn_passed
from ludoport.verify.slow.context import Context, number, truth
from ludoport.verify.slow.registry import NotCovered, means

means("end:end", "endRule endRules")(lambda node, cx: None)
means("end:if", "test sub subs result")(lambda node, cx: None)
means("end:forEach", "type if result")(lambda node, cx: None)
means("end:byScore", "finalScore misere")(lambda node, cx: None)
means("end:result", "who result")(lambda node, cx: None)
means("util:score", "role score")(lambda node, cx: None)


def end_rules(node: Any, cx: Context) -> bool:
    """Applies the rules of an ``(end ...)``; whether one of them applied."""
    if node is None:
        return False
    listed = node.get("endRules")
    fired = False
    for rule in listed if isinstance(listed, list) else [node.args["endRule"]]:
        fired |= _rule(rule, cx)
    return fired


def _rule(rule: Any, cx: Context) -> bool:
    if rule.key == "end:if":
        if not truth(rule.args["test"], cx):
            return False
        subs = rule.get("subs") if rule.get("subs") is not None else rule.get("sub")
        if subs is not None:
            for sub in subs if isinstance(subs, list) else [subs]:
                if _rule(sub, cx):
                    return True
            if rule.get("result") is None:
                return False
        return _give(rule.args["result"], cx)
    if rule.key == "end:forEach":
        fired = False
        for player in _everybody(rule.get("type"), cx):
            place = cx.at(player=player)
            if truth(rule.args["if"], place):
                fired |= _give(rule.args["result"], place)
        return fired
    if rule.key == "end:byScore":
        return _give(rule, cx)
    raise NotCovered(rule.key)


def _everybody(word: Any, cx: Context) -> list[int]:
    everybody = list(range(1, cx.game.n_players + 1))
    name = word.name if isinstance(word, Word) else "Player"
    if name in ("Player", "All", "Each"):
        return everybody
    if name in ("NonMover", "Enemy"):
        return [p for p in everybody if p != cx.position.mover]
    raise NotCovered(f"end:forEach {name}")


def _give(result: Any, cx: Context) -> bool:
    position = cx.position
    n = cx.game.n_players
    if result.key == "end:byScore":
        _by_score(result, cx)
        return True
    if result.key != "end:result":
        raise NotCovered(result.key)
    kind = str(result.args["result"])
    if kind in ("Draw", "Tie", "Abandon"):
        draw(cx)
        return True
    if kind not in ("Win", "Loss"):
        raise NotCovered(f"end:result {kind}")
    chosen = cx.players(result.args["who"])
    for who in chosen:
        if who not in position.active:
            continue
        if n == 1:
            position.ranks[who] = 1.0 if kind == "Win" else 0.0
            position.active.remove(who)
            continue
        taken = set(position.ranks.values())
        order = range(1, n + 1) if kind == "Win" else range(n, 0, -1)
        position.ranks[who] = float(next(rank for rank in order if rank not in taken))
        position.active.remove(who)
    if n > 1 and len(position.active) == 1:
        taken = set(position.ranks.values())
        position.ranks[position.active.pop()] = float(next(r for r in range(1, n + 1) if r not in taken))
    return True


def draw(cx: Context) -> None:
    """All who have no result yet share the mean of the ranks that are left."""
    position = cx.position
    taken = set(position.ranks.values())
    left = [rank for rank in range(1, cx.game.n_players + 1) if rank not in taken]
    for who in position.active:
        position.ranks[who] = sum(left) / len(left) if cx.game.n_players > 1 else 0.0
    position.active.clear()


def _by_score(node: Any, cx: Context) -> None:
    position = cx.position
    n = cx.game.n_players
    scores = list(position.scores)
    for entry in node.get("finalScore") or ():
        scores[cx.role(entry.args["role"])] = number(entry.args["score"], cx)
    position.scores = scores
    sign = -1 if truth(node.get("misere"), cx, False) else 1
    for who in range(1, n + 1):
        better = sum(sign * scores[o] > sign * scores[who] for o in range(1, n + 1))
        equal = sum(scores[o] == scores[who] for o in range(1, n + 1))
        position.ranks[who] = better + (1 + equal) / 2
    position.active.clear()


def automatic(cx: Context) -> None:
    """The end when all players passed, or after too many turns."""
    if not cx.position.over and not cx.game.uses_all_passed and every_turn_passed(cx):
        draw(cx)


def utilities(cx: Context) -> list[float]:
    """Utility of each player, 0 while the game runs."""
    n = cx.game.n_players
    if not cx.position.over:
        return [0.0] * n
    if n == 1:
        rank = cx.position.ranks.get(1, 0.0)
        return [2 * rank - 1]
    return [1 - 2 * (cx.position.ranks[p] - 1) / (n - 1) for p in range(1, n + 1)]
