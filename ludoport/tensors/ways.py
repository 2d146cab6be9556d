"""Kinds of moves for tensors, by rule: to a site, from one site to another, or without a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.rule import Rule
from ludoport.tensors.channels import MoveChannel


@dataclass(frozen=True)
class Way:
    """Places of the moves of a rule in the tensor of moves.

    Attributes:
        kind: ``to`` a site, ``between`` two sites, or ``apart`` from all sites.
        channel: the channel of moves apart from sites, which lie at (0, 0).
        level: whether the row of a move holds the lowest level that moves.
        whole: whether all levels from there to the top move.
    """

    kind: Literal["to", "between", "apart"]
    channel: int
    level: bool = False
    whole: bool = False


def read_ways(program: Program, channels: Sequence[MoveChannel]) -> tuple[Way, ...]:
    """The way of every rule, by its number; number 0 is the forced pass."""
    numbers = {(channel.kind, channel.text): number for number, channel in enumerate(channels)}
    stays = numbers["pass", ""]

    def way(rule: Rule) -> Way:
        kind, _, text = rule.spec.kind.partition(":")
        if kind in ("swap", "propose", "vote"):
            return Way("apart", numbers[kind, text])  # type: ignore[index]
        if kind in ("pass", "next player"):
            return Way("apart", stays)
        if kind not in ("move", "select2"):
            return Way("to", stays)
        return Way("between", stays, "lvl" in rule.needed, rule.spec.node.get("stack") is True)

    return (Way("apart", stays), *map(way, program.rules.rules))
