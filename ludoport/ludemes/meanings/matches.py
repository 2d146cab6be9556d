"""What the rules of a match, and of its games, know about the match."""

from __future__ import annotations

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.part import Part
from ludoport.ludemes.core.registry import int_ludeme, number


@int_ludeme("matchScore", reads=[])
def match_score(node: Ludeme, cx: Cx) -> Expr:
    """What a player got for the games of the match that are over."""
    return f"state[{_part(node, cx).own('SCORE')} + {number(node.args['role'], cx)}]"


@int_ludeme("count Trials", reads=[])
def count_trials(node: Ludeme, cx: Cx) -> Expr:
    """Number of games of the match that are over."""
    _part(node, cx)
    return "state[TRIALS]"


def _part(node: Ludeme, cx: Cx) -> Part:
    if cx.program.part is None:
        raise LudError(f"`{node.keyword}` is only known in a match of several games", node.source)
    return cx.program.part
