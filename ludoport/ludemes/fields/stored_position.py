"""One position that a game stores, by its hash, to keep moves from leading there again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.ludemes.fields.actions import primitives, state_function
from ludoport.ludemes.fields.repetition import WORDS

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_SIZE = WORDS + 1
"""The hash, and whether there is one."""


def want_stored(program: Program) -> None:
    """Prepare the fields where the text stores positions or asks for the stored one."""
    if not {"moves:remember State", "boolean:leads elsewhere"} & program.keys:
        return
    if program.repetition == "Situational":
        raise UnsupportedError("stored positions with `no Repeat Situational` are not implemented yet")
    program.repetition = "Positional"
    for name, size in (("HASH", WORDS), ("STORED", _SIZE), ("STORED_BEFORE", _SIZE)):
        program.state.want(name, size)


@primitives
def write_stored(program: Program) -> None:
    """Write the function that stores a position."""
    if "store_position" in program.primitives:
        f = state_function(program, "store_position", "", "store the position")
        f.line("position_hash(state)")
        with f.block(f"for k in range({WORDS}):"):
            f.line("state[STORED + k] = state[HASH + k]")
        f.line(f"state[STORED + {WORDS}] = 1")
        f.line("return 0")
