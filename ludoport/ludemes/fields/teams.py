"""Who belongs together: the mover's friends and enemies, teams, and the owners that a role means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Value, Word
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.maps import fixed_number
from ludoport.ludemes.fields.starting import start_nodes

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def enemy(cx: Cx, who: Expr) -> Bool:
    """Code that tests whether a player number is an enemy of the mover."""
    program = cx.program
    mover = cx.slots["mover"]
    if program.n_players == 2 and isinstance(who, str) and all(c.owner <= 2 for c in program.components):
        return f"{who} == 3 - {mover}"
    name = who if isinstance(who, int) else cx.name(who)
    if _has_teams(program):
        table = team_table(program)
        return f"({name} != 0 and {table}[{name}] != {table}[{mover}])"
    return f"({name} != 0 and {name} != {mover})"


def friend(cx: Cx, who: Expr) -> Bool:
    """Code that tests whether a player number is the mover's, or that of a team mate."""
    if _has_teams(cx.program):
        table, name = team_table(cx.program), cx.name(who)
        return f"{table}[{name}] == {table}[{cx.slots['mover']}]"
    return f"{who} == {cx.slots['mover']}"


def owned_by(cx: Cx, owner: Expr, role: Value | None) -> Bool:
    """Code that tests whether an owner belongs to a role."""
    if isinstance(role, Word):
        if role.name in ("All", "Each"):
            return True
        if role.name == "Shared":
            return f"{owner} == {cx.program.n_players + 1}"
        if role.name in ("Enemy", "NonMover"):
            return enemy(cx, owner)
        if role.name == "TeamMover":
            return friend(cx, owner)
        if role.name.startswith("Team"):
            return f"{team_table(cx.program)}[{owner}] == {role.name[4:]}"
    return f"{owner} == {number(role, cx)}"


def team_table(program: Program) -> str:
    """A table of the team of every owner number."""
    return program.module.table("TEAM", team_numbers(program))


def team_numbers(program: Program) -> list[int]:
    """The team of every owner number; a player without a team is a team alone."""
    teams = [100 + player for player in range(program.n_players + 2)]
    scratch = program.root(Function("unused", []))
    for node in start_nodes(program):
        if node.keyword == "set Team":
            roles = node.args["roles"]
            assert isinstance(roles, list)
            for role in roles:
                player = number(role, scratch)
                if isinstance(player, int) and player <= program.n_players:
                    teams[player] = fixed_number(node.args["index"], scratch, node)
    return teams


def _has_teams(program: Program) -> bool:
    return "start:set Team" in program.keys
