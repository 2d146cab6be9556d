"""Settings of a GGP player and its clocks."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoport.ggp.http import ServerLimits


@dataclass(frozen=True)
class PlayerSettings:
    """Settings of a player.

    Attributes:
        player: the text of the player that chooses its moves.
        name: name of the player.
        matches: most matches at once; it is busy for further ones.
        games: most rulesheets at once, each with a process and a share of the memory; it is busy for further ones.
        expire: seconds without a message, beyond those that the clocks allow, after which a match is given up.
        idle: seconds for which a game is kept after its last match.
        compile_seconds: time limit of compiling a game.
        jit: compile games to machine code; None as everywhere else.
        seed: random seed.
        limits: limits of messages.
    """

    player: str = "uct"
    name: str = ""
    matches: int = 64
    games: int = 8
    expire: float = 120.0
    idle: float = 60.0
    compile_seconds: float = 600.0
    jit: bool | None = None
    seed: int = 1
    limits: ServerLimits = field(default_factory=ServerLimits)


def margin(clock: float, lag: float = 0.0) -> float:
    """Seconds before the end of a clock at which thinking ends, so that the answer arrives in time.

    Args:
        clock: the clock.
        lag: by how much answers have been later than they were meant to be; a busy machine needs a wider margin.

    Example:
        >>> margin(1.0), margin(10.0), margin(100.0), margin(1.0, lag=0.1)
        (0.5, 1.0, 2.0, 0.6)
    """
    return min(0.7 * clock, min(0.5 * clock, max(0.5, min(2.0, 0.1 * clock))) + lag)
