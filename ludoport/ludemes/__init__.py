"""The meaning of ludemes: each emits the kernel code for what it says."""

from ludoport.ludemes import (  # noqa: F401  (imported for their registrations)
    booleans,
    captures,
    groups,
    ints,
    lines,
    moves_effects,
    moves_logic,
    moves_piece,
    moves_site,
    regions_board,
    regions_state,
    threats,
)
from ludoport.ludemes.compile import Compiled, compile_description

__all__ = ["Compiled", "compile_description"]
