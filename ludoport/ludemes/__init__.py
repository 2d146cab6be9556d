"""The meaning of ludemes: each emits the kernel code for what it says."""

from ludoport.ludemes import (  # noqa: F401  (imported for their registrations)
    arrays,
    blocked,
    booleans,
    captures,
    counts_board,
    grouping,
    groups,
    incidence,
    ints,
    lines,
    memory,
    moves_effects,
    moves_logic,
    moves_longest,
    moves_piece,
    moves_site,
    moves_values,
    patterns,
    playable,
    puzzles,
    regions_board,
    regions_moves,
    regions_state,
    relations,
    shoving,
    sowing,
    stack_pieces,
    threats,
    tracks,
    triggers,
    visits,
    voting,
)
from ludoport.ludemes.compile import Compiled, compile_description

__all__ = ["Compiled", "compile_description"]
