"""Games with many kinds of pieces: time to check them, and their first load."""

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.commands.examining import examine_all, seconds_for
from ludoport.kernels import lean
from tools.large_game import large_game


def test_long_texts_get_more_time(tmp_path: Path) -> None:
    sizes = {0: 16.0, 999: 16.0, 5_000: 21.0, 60_000: 76.0, 10_000_000: 90.0}
    for size, seconds in sizes.items():
        path = tmp_path / f"{size}.lud"
        path.write_text("x" * size)
        assert seconds_for(path) == seconds
    assert seconds_for(tmp_path / "missing.lud") == 16.0


@pytest.mark.slow
@pytest.mark.parametrize("checked", [False, True])
def test_large_games_play(tmp_path: Path, checked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.lud"
    path.write_text(large_game(kinds=24, size=12, checked=checked))
    (finding,) = examine_all([path], compiled=True)
    assert finding.playable, finding.message
    monkeypatch.setattr(lean, "MANY_LOOPS", 0)  # as for the largest games: loops stay loops
    check_game(lp.load(path), playouts=1, plies=40)


@pytest.mark.slow
def test_the_largest_chess_can_be_checked(tmp_path: Path) -> None:
    path = tmp_path / "large.lud"
    path.write_text(large_game(checked=True))
    (finding,) = examine_all([path], compiled=True)
    assert finding.playable, finding.message
