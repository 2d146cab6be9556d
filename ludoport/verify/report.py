"""The result of a comparison, as text and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

SHOWN = 40
"""Maximum number of moves printed of a list."""


@dataclass(slots=True)
class Disagreement:
    """The first place where a game and the reference differ.

    Attributes:
        where: trial and ply, or depth.
        what: the quantity that differs, such as ``legal moves`` or ``winner``.
        expected: its value in the reference.
        found: its value in the game.
        missing: moves that the reference has and the game has not.
        extra: moves that the game has and the reference has not.
        reference_moves: the reference's whole list, where it was recorded.
        game_moves: the game's whole list.
        picture: the board.
    """

    where: str
    what: str
    expected: str
    found: str
    missing: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    reference_moves: list[str] | None = None
    game_moves: list[str] | None = None
    picture: str = ""

    def __str__(self) -> str:
        lines = [f"{self.where}: {self.what}: reference {self.expected}, game {self.found}"]
        for label, moves in (("missing", self.missing), ("extra", self.extra)):
            if moves:
                lines.append(f"  {label}: {shorten(moves)}")
        for label, listed in (("reference", self.reference_moves), ("game", self.game_moves)):
            if listed is not None:
                lines.append(f"  {label} moves: {shorten(listed)}")
        lines += [f"  | {row}" for row in self.picture.rstrip().splitlines()]
        return "\n".join(lines)


@dataclass(slots=True)
class FileComparison:
    """The comparison of one variant with one file.

    Attributes:
        id: the variant.
        unit: the unit of checks, ``plies`` or ``depths``.
        trials: number of trials in the file (1 for perft).
        agreeing_trials: number of trials that agree from start to end.
        checks: number of plies or depths in the file.
        agreeing: number of them that agree.
        seconds: wall-clock time, loading included.
        failure: why nothing could be compared, if so.
        first: the first disagreement, if there is one.
    """

    id: str
    unit: str = "plies"
    trials: int = 0
    agreeing_trials: int = 0
    checks: int = 0
    agreeing: int = 0
    seconds: float = 0.0
    failure: str | None = None
    first: Disagreement | None = None

    @property
    def agrees(self) -> bool:
        """True when everything was compared and nothing differs."""
        return self.failure is None and self.first is None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        counted = {self.unit: self.checks, f"agreeing_{self.unit}": self.agreeing}
        return {
            "id": self.id,
            "agrees": self.agrees,
            "trials": self.trials,
            "agreeing_trials": self.agreeing_trials,
            **counted,
            "seconds": round(self.seconds, 3),
            "failure": self.failure,
            "first_disagreement": None if self.first is None else asdict(self.first),
        }

    def line(self) -> str:
        """One line for people."""
        mark = "ok  " if self.agrees else "FAIL"
        if self.failure is not None:
            return f"{mark} {self.id:<28} {self.failure}"
        return (
            f"{mark} {self.id:<28} {self.agreeing_trials}/{self.trials} trials, "
            f"{self.agreeing}/{self.checks} {self.unit}, {self.seconds:.1f} s"
        )


def summary(results: Sequence[FileComparison]) -> dict[str, int]:
    """Totals over all variants."""
    return {
        "variants": len(results),
        "agreeing_variants": sum(result.agrees for result in results),
        "failed_variants": sum(result.failure is not None for result in results),
        "trials": sum(result.trials for result in results),
        "agreeing_trials": sum(result.agreeing_trials for result in results),
        "checks": sum(result.checks for result in results),
        "agreeing_checks": sum(result.agreeing for result in results),
    }


def shorten(moves: Sequence[str]) -> str:
    """A list of moves on one line, cut where it is long."""
    text = " ".join(moves[:SHOWN])
    return f"{text} ... ({len(moves)} in all)" if len(moves) > SHOWN else text
