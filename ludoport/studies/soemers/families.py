"""The games of the first paper and their variants, named as in its tables (Soemers et al., appendix F)."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.studies.engine.plan import GameVariant


@dataclass(frozen=True)
class Family:
    """Variants that belong together.

    Attributes:
        table: name of the family in tables.
        variants: those of the paper, in its order.
        tiny: those with which a CPU is done in minutes; some are smaller than any in the paper.
    """

    table: str
    variants: tuple[GameVariant, ...]
    tiny: tuple[GameVariant, ...]


def _sized(game: str, sizes: tuple[int, ...]) -> tuple[GameVariant, ...]:
    return tuple(GameVariant(f"{n}×{n}", game, (f"Board Size/{n}x{n}",)) for n in sizes)


def _breakthrough(shape: str, size: int) -> GameVariant:
    return GameVariant(f"{shape}{size}", "Breakthrough", (f"Board Size/{size}x{size}", f"Board/{shape}"))


def _broken_line(length: int, shape: str, size: int) -> GameVariant:
    options = (f"Line Size/{length}", f"Board Size/{size}x{size}", f"Board/{'hex' if shape == 'Hex' else shape}")
    return GameVariant(f"LineSize{length}{shape}", "Broken Line", options)


def _misere(size: int) -> GameVariant:
    return GameVariant(f"{size}×{size} Misere", "Hex", (f"Board Size/{size}x{size}", "End Rules/Misere"))


BREAKTHROUGH = Family(
    "Breakthrough",
    tuple(_breakthrough(*which) for which in (
        ("Square", 6), ("Square", 8), ("Square", 10), ("Hexagon", 4), ("Hexagon", 6), ("Hexagon", 8),
    )),
    (_breakthrough("Square", 5), _breakthrough("Square", 6), _breakthrough("Hexagon", 4)),
)  # fmt: skip
_LINES = (_broken_line(3, "Hex", 5), _broken_line(4, "Hex", 5))
BROKEN_LINE = Family("Broken Line", (*_LINES, _broken_line(5, "Square", 9), _broken_line(6, "Square", 9)), _LINES)
DIAGONAL_HEX = Family("Diagonal Hex", _sized("Diagonal Hex", (7, 9, 11, 13, 19)), _sized("Diagonal Hex", (5, 7)))
GOMOKU = Family("Gomoku", _sized("Gomoku", (9, 13, 15, 19)), _sized("Gomoku", (9, 13)))
HEX = Family("Hex", (*_sized("Hex", (7, 9, 11, 13, 19)), _misere(11)), (*_sized("Hex", (5, 7)), _misere(5)))
HEXENTAFL = Family("HeXentafl", _sized("HeXentafl", (4, 5)), _sized("HeXentafl", (4, 5)))
KONANE = Family("Konane", _sized("Konane", (6, 8, 10, 12)), _sized("Konane", (6, 8)))
_PENTALATH = tuple(GameVariant(name, "Pentalath", (f"Board/{name}",)) for name in ("HexHexBoard", "HalfHexHexBoard"))
PENTALATH = Family("Pentalath", _PENTALATH, _PENTALATH)
YAVALATH = Family("Yavalath", _sized("Yavalath", (3, 4, 5, 6, 7, 8)), _sized("Yavalath", (3, 4, 5)))

LINE = Family(
    "line completion",
    (
        GameVariant("Connect6", "Connect6"),
        GameVariant("Dai Hasami Shogi", "Dai Hasami Shogi"),
        GameVariant("Gomoku", "Gomoku", ("Board Size/9x9",)),
        GameVariant("Pentalath", "Pentalath", ("Board/HexHexBoard",)),
        GameVariant("Squava", "Squava"),
        GameVariant("Yavalath", "Yavalath", ("Board Size/5x5",)),
    ),
    (
        GameVariant("Pentalath", "Pentalath", ("Board/HexHexBoard",)),
        GameVariant("Squava", "Squava"),
        GameVariant("Yavalath", "Yavalath", ("Board Size/5x5",)),
    ),
)
_SHOGI = {name: GameVariant(name, name) for name in ("Hasami Shogi", "Kyoto Shogi", "Minishogi", "Shogi")}
SHOGI = Family("shogi", tuple(_SHOGI.values()), (_SHOGI["Kyoto Shogi"], _SHOGI["Minishogi"]))

# Table 12 gives the sizes of the line games; Tables 44, 48 and 52 order Hex's columns differently from 18 and 27.
HEX_COLUMNS = ("7×7", "9×9", "11×11", "11×11 Misere", "13×13", "19×19")
