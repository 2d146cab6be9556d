"""A game of our own for every family of ludemes, and every ludeme in some game.

``python -m ludoport.playthrough tests/ludemes/games/*.lud --write tests/ludemes/playthroughs`` writes the files anew.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.games import bundled
from ludoport.ludemes import meanings
from ludoport.ludemes.core.registry import BOOLEANS, INTS, MOVES, REGIONS
from ludoport.ludemes.meanings.arrays import ARRAYS
from ludoport.playthrough import file_name, playthrough

HERE = Path(__file__).parent
GAMES = sorted((HERE / "games").glob("*.lud"))
LONG = {
    "arrays",
    "blocked",
    "dice",
    "grouping",
    "laps",
    "layers",
    "moves_longest",
    "patterns",
    "puzzles",
    "regions_state",
    "tiles",
}
"""Families whose games take half a second or more."""
READ_BY_OTHERS = {"moves:apply"}
"""Ludemes that the ludeme around them reads, so that they are only seen in texts."""
TABLES: tuple[dict[str, Any], ...] = (INTS, BOOLEANS, REGIONS, MOVES, ARRAYS)


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in LONG else ()) for path in GAMES]
)
def test_playthrough(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = (HERE / "playthroughs" / file_name(path.name)).read_text(encoding="utf-8")
    # Every index is checked on the way.
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    assert playthrough(lp.load(path, jit=False)) == expected


def test_games_and_playthroughs_belong_together() -> None:
    assert {path.name for path in (HERE / "playthroughs").iterdir()} == {file_name(path.name) for path in GAMES}
    families = {module.name for module in pkgutil.iter_modules(meanings.__path__)}
    assert {path.stem for path in GAMES} <= families


@pytest.mark.slow
def test_every_ludeme_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A ludeme that no game here uses is named; add it to the game of its family."""
    compiled: set[tuple[int, str]] = set()

    def noting(number: int, key: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            compiled.add((number, key))
            return function(*arguments, **named)

        return call

    registered = {(number, key) for number, table in enumerate(TABLES) for key in table}
    for number, key in registered:
        monkeypatch.setitem(TABLES[number], key, noting(number, key, TABLES[number][key]))
    for name in [*GAMES, *bundled()]:
        rules: Any = lp.load(name).rules
        _ = rules.compiled
        compiled |= {(3, node.key) for node in rules.description.root.walk() if node.key in READ_BY_OTHERS}
        if registered <= compiled:
            break
    assert sorted(key for _, key in registered - compiled) == []
