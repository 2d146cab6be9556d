"""Hidden information: a mask for every player and site, which moves with the piece.

A mask has the bits of ``HIDDEN``. Positions of games with stacks keep none; ``UNKNOWN`` notes what is not kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, number, region
from ludoport.ludemes.fields.actions import primitives, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

HIDDEN = {"": 1, "What": 2, "Who": 4, "Count": 8, "State": 16, "Rotation": 32, "Value": 64}
"""What may be hidden of a site: everything, or one thing."""


UNKNOWN = "hidden sites unknown"
"""Noted where rules hide what positions cannot keep."""


def hides(program: Program) -> bool:
    """Whether rules hide something from players."""
    return bool(program.keys & {"moves:set Hidden", "start:set Hidden"})


def want_hidden(program: Program) -> bool:
    """Positions keep what is hidden; False if they cannot."""
    if program.stacking:
        program.wants.add(UNKNOWN)
        return False
    program.state.want("HIDDEN", program.n_sites * program.n_players)
    program.primitives.add("set_hidden")
    return True


def mask_of(node: Ludeme) -> int:
    """The bits of what a ludeme hides."""
    several = node.get("dataTypes")
    words = several if isinstance(several, list) else [node.get("dataType")]
    return sum({HIDDEN[word.name if isinstance(word, Word) else ""] for word in words})


def players_of(to: Value | None, cx: Cx) -> list[Expr]:
    """The players that a role means."""
    if isinstance(to, Word) and to.name in ("All", "Each", "Shared"):
        return list(range(1, cx.program.n_players + 1))
    return [cx.name(number(to, cx))]


def hide_at_start(program: Program, f: Function) -> None:
    """Write what start rules hide, after all pieces are placed.

    Sites that the compiler cannot name there are not kept, and ``UNKNOWN`` notes it.
    """
    for node in program.description.root.walk():
        if node.key == "start:set Hidden" and not program.state.has("HIDDEN"):
            settle(node)
        elif node.key == "start:set Hidden":
            own = Function(f.name, f.params, depth=f.depth)
            try:
                _hide_now(node, program.root(own))
            except UnsupportedError:
                if program.keys & {"boolean:is Hidden", "region:sites Hidden"}:
                    raise
                program.wants.add(UNKNOWN)
                settle(node)
            else:
                for slot, name in (("mover", "MOVER"), ("nxt", "NEXT"), ("prv", "PREV")):
                    if own.uses(slot):
                        f.line(f"{slot} = state[{name}]")
                f.lines += own.lines


def _hide_now(node: Ludeme, cx: Cx) -> None:
    given, at, mask = node.get("region"), node.get("at"), mask_of(node)
    value = condition(node.get("value"), cx, True)
    if not isinstance(value, bool):
        raise UnsupportedError("a start rule that hides on a condition is not implemented yet", node.source)
    for player in players_of(node.get("to"), cx):
        if given is None:
            cx.line(f"set_hidden(state, {cx.name(number(at, cx))}, {player}, {mask}, {int(value)})")
            continue
        with region(given, cx).each(cx) as site:
            cx.line(f"set_hidden(state, {site}, {player}, {mask}, {int(value)})")
    if cx.fn.uses("work"):  # start rules have no scratch space
        text = "a start rule that hides sites which have to be collected is not implemented yet"
        raise UnsupportedError(text, node.source)


def clear_hidden(program: Program, f: Function, site: str) -> None:
    """Write code by which all players see a site again."""
    for base in _bases(program):
        f.line(f"state[{base} + {site}] = 0")


def carried_masks(program: Program) -> list[tuple[str, str]]:
    """Names of variables for the masks of a moving piece, and where the masks of each player begin."""
    return [(f"kept_hidden{k}", base) for k, base in enumerate(_bases(program), 1)]


def _bases(program: Program) -> list[str]:
    if not program.state.has("HIDDEN"):
        return []
    return [f"HIDDEN + {k * program.n_sites}" for k in range(program.n_players)]


@primitives
def write_hidden(program: Program) -> None:
    """Write the primitive that hides a site from a player, or shows it."""
    if "set_hidden" not in program.primitives:
        return
    f = state_function(
        program, "set_hidden", "s player mask value", "hide something of a site from a player, or show it"
    )
    with f.block("if player < 1 or player > N_PLAYERS:"):
        f.line("return 0")
    f.facts["at"] = (0, program.n_sites * program.n_players - 1)
    f.line(f"at = (player - 1) * {program.n_sites} + s")
    with f.block("if value != 0:"):
        f.line("state[HIDDEN + at] = state[HIDDEN + at] | mask")
    with f.block("else:"):
        f.line("state[HIDDEN + at] = state[HIDDEN + at] & (127 - mask)")
    f.line("return 0")
