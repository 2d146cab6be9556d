"""Lists of players: a team, or the friends and enemies of the mover."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.fields.teams import owned_by
from ludoport.ludemes.meanings.arrays import Chosen, IntArray, Written, array_ludeme

TEAMS = [f"players Team{k}" for k in range(1, 17)]
ROLES = [f"players {role}" for role in ("All", "NonMover", "Enemy", "Friend", "Ally")]


@array_ludeme(*TEAMS, *ROLES, reads=[])
def players(node: Ludeme, cx: Cx) -> IntArray:
    """The players of a role, in their order."""
    role = node.keyword.split()[1]
    if node.get("of") is not None:
        raise UnsupportedError(f"`of:` of `{node.keyword}` is not implemented yet", node.source)

    def test(place: Cx, player: str) -> Bool:
        asked = condition(node.get("if"), place.bind(plr=player))
        if role in ("Friend", "Ally"):
            own: Bool = owned_by(place, player, Word("TeamMover", "RoleType", node.source))
            if role == "Ally":
                own = all_of(own, f"{player} != {place.slots['mover']}")
            return all_of(own, asked)
        return all_of(owned_by(place, player, Word(role, "RoleType", node.source)), asked)

    return Chosen(Written(list(range(1, cx.program.n_players + 1))), test)
