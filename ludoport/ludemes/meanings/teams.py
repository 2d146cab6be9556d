"""Loops over teams, and the players of the team that a loop has come to."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.region import Region, ScratchRegion, refuse_picking
from ludoport.ludemes.core.registry import generate, moves_ludeme, optional, region, region_ludeme
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.teams import team_numbers
from ludoport.ludemes.meanings.arrays import IntArray, Written, array_ludeme


def _members(program: Program) -> dict[int, list[int]]:
    """The players of each team that has some; numbers of teams go up to the number of players."""
    numbers = team_numbers(program)
    players = range(1, program.n_players + 1)
    found = {team: [player for player in players if numbers[player] == team] for team in players}
    return {team: members for team, members in found.items() if members}


def _need_teams(node: Ludeme, program: Program) -> None:
    if not _members(program):
        raise LudError("no player belongs to a team: add `(set Team ...)` to the start rules", node.source)


@moves_ludeme("forEach Team", order=Order.LOOP, draws=False, pieces="stay")
def for_each_team(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every team, which is ``(team)`` meanwhile."""
    refuse_picking(cx)
    _need_teams(node, cx.program)
    place = cx.inside(optional(node.get("then")))
    for team in _members(cx.program):
        generate(node.args["moves"], place.bind(team=team), sink)


@region_ludeme("forEach Team", reads=[])
def sites_of_each_team(node: Ludeme, cx: Cx) -> Region:
    """The sites of a region for every team, which is ``(team)`` meanwhile."""
    _need_teams(node, cx.program)

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        for team in _members(inner.program):
            place = inner.bind(team=team)
            with region(node.args["region"], place).each(place) as site:
                add(site)

    return ScratchRegion(gather)


@array_ludeme("team", reads=[])
def team_members(node: Ludeme, cx: Cx) -> IntArray:
    """The players of the team that a loop over teams has come to."""
    team = cx.slots["team"]
    if not isinstance(team, int) or team not in _members(cx.program):
        raise UnsupportedError("`team` is implemented only within `forEach Team`", node.source)
    return Written(list(_members(cx.program)[team]))
