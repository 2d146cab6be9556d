"""The GDL bench: random playouts of rulesheets beside the figures of other reasoners.

The figures were measured on a machine of the same kind, per CPU-second on one thread: the prover of ggp-base and the
network of Sancho 1.61c.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules


@dataclass(frozen=True, slots=True)
class SheetCase:
    """One game: its name in the record, a bundled rulesheet of the same game if there is one, and others' figures.

    Attributes:
        names: further names under which its rulesheet is known.
    """

    name: str
    bundled: str | None = None
    prover: float | None = None
    sancho: float | None = None
    mean_moves: float | None = None
    names: tuple[str, ...] = ()


CASES = (
    SheetCase("ticTacToe", "tic-tac-toe.kif", 674, 144_000, 7.6),
    SheetCase("connectFour", "connect-four-8x6.kif", 62, 62_800, 22.3),
    SheetCase("connect-3-5x5", "connect-three-5x5.kif", 348, 165_000, 10.0),
    SheetCase("maze", None, 3249, None, 8.8),
    SheetCase("breakthrough", "breakthrough.kif", 9.8, 15_450, 64),
    SheetCase("breakthroughSmall", None, 35, 35_200, 28),
    SheetCase("knightThrough", None, 36, 29_500, 33.5),
    SheetCase("dotsAndBoxes", None, 16.5, 18_800, 60),
    SheetCase("speedChess", None, 1.4, 3_560, 110),
    SheetCase("cephalopodMicro", None, 0.84, 7_870, 44),
    SheetCase("hex", "hex-9x9.kif", 3.1, None, 72),
    SheetCase("checkers", None, 2.0, None, 100),
    SheetCase("checkersTiny", None, 9.1, None, 64),
    SheetCase("atariGo_7x7", None, 14, None, 28),
    SheetCase("reversi", None, 0.42, 1_390, 60),
    SheetCase("othello-comp2007", None, 0.07, None, 60),
    SheetCase("amazons_10x10", None, 0.05, None, 70),
    SheetCase("chess", None, 0.09, None, 200, ("chess_200",)),
    SheetCase("eightPuzzle", None, 92, None, 60, ("8puzzle",)),
    SheetCase("nim1", None, 2085, None, 7),
    SheetCase("pentago", None, 10.8, None, 55),
)
"""The games of the record."""


@dataclass(slots=True)
class RulesheetRow:
    """Measurements of one game.

    Attributes:
        name: the game.
        sheet: the rulesheet that was measured.
        engine: engine that plays it.
        load_seconds: CPU time of reading, grounding, compiling and the first playout.
        prover_ratio: our figure divided by the prover's; ``sancho_ratio`` likewise.
    """

    name: str
    sheet: str = ""
    engine: str = ""
    playouts_per_second: float = 0.0
    moves_per_second: float = 0.0
    mean_moves: float = 0.0
    load_seconds: float = 0.0
    prover: float | None = None
    prover_ratio: float | None = None
    sancho: float | None = None
    sancho_ratio: float | None = None
    failure: str | None = None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        return {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()}


HEAD = (
    "| game | rulesheet | engine | playouts/s | moves | load s | prover | x | Sancho | x |\n"
    "|---|---|---|--:|--:|--:|--:|--:|--:|--:|"
)


def line(row: RulesheetRow) -> str:
    """One line of the table."""
    if row.failure is not None:
        return f"| {row.name} | {row.failure} | | | | | | | | |"
    return (
        f"| {row.name} | {row.sheet} | {row.engine} | {row.playouts_per_second:,.1f} | {row.mean_moves:.1f} | "
        f"{row.load_seconds:.1f} | {_number(row.prover)} | {_number(row.prover_ratio)} | {_number(row.sancho)} | "
        f"{_number(row.sancho_ratio)} |"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def chosen(only: Sequence[str]) -> list[SheetCase]:
    """The cases to measure: all, or those named."""
    names = {case.name.lower(): case for case in CASES}
    unknown = [name for name in only if name.lower() not in names]
    if unknown:
        raise LudoportError(f"`{unknown[0]}` is not in the record, which has {', '.join(case.name for case in CASES)}")
    return [names[name.lower()] for name in only] if only else list(CASES)


def rows(cases: Sequence[SheetCase], seconds: float, sheets: Path | None = None) -> Iterator[RulesheetRow]:
    """Measures games one after the other.

    Args:
        cases: which.
        seconds: time for each.
        sheets: a folder of rulesheets, where games are looked for by their names first.
    """
    for case in cases:
        row = RulesheetRow(case.name, prover=case.prover, sancho=case.sancho)
        path = _sheet(case, sheets)
        if path is None:
            row.failure = "no rulesheet of this game is bundled" + (f" or in {sheets.name}" if sheets else "")
        else:
            _measure(row, path, seconds)
        yield row


def _sheet(case: SheetCase, sheets: Path | None) -> Path | None:
    wanted = [_plain(name) for name in (case.name, *case.names)]
    if sheets is not None:
        found = [path for path in sheets.rglob("*") if path.suffix in (".kif", ".gdl") and _plain(path.stem) in wanted]
        if found:
            return min(found, key=_preference)
    return bundled_rulesheets().get(case.bundled) if case.bundled else None


def _plain(name: str) -> str:
    """A name without what people write differently."""
    return "".join(c for c in name.lower() if c.isalnum())


def _preference(path: Path) -> tuple[bool, int, str]:
    """The repository of the record first, then the shortest path."""
    return "ggp-org" not in str(path), len(path.parts), str(path)


def _measure(row: RulesheetRow, path: Path, seconds: float) -> None:
    row.sheet = path.name
    begin = time.process_time()
    try:
        rules = load_rules(path)
        row.engine = rules.engine
        if rules.engine == "interpreter":
            # One playout can take it hours.
            row.failure = f"left to the interpreter: {rules.why}"
            return
        game = Game(rules)
        game.playouts(count=1)
        row.load_seconds = time.process_time() - begin
        stats = game.playouts(seconds=seconds)
    except LudoportError as error:
        row.failure = str(error).splitlines()[0]
        return
    row.playouts_per_second, row.moves_per_second = stats.playouts_per_second, stats.moves_per_second
    row.mean_moves = stats.mean_moves
    row.prover_ratio = stats.playouts_per_second / row.prover if row.prover else None
    row.sancho_ratio = stats.playouts_per_second / row.sancho if row.sancho else None
