"""No game text reads or writes outside of its rows, its scratch space and its tables."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

import ludoport as lp
from ludoport.kernels import guards
from ludoport.kernels.checked import CHECKED_INDEX
from ludoport.kernels.ranges import Ranges
from ludoport.ludemes import bounds
from ludoport.ludemic import read_rules
from tests.ludemes.hostile import hostile_texts, text
from tests.ludemes.mutants import mutant

GAMES = sorted((Path(__file__).parent / "games").glob("*.lud"))

SHARE = 40
"""Every 40th hostile text is part of each run; all of them run with ``python -m tests.ludemes.test_bounds``."""


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels in plain Python that refuse every index outside of its field."""
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    monkeypatch.setenv("LUDOPORT_JIT", "0")


def play(path: Path, seed: int, plies: int = 20) -> None:
    """Play random moves by listing and by drawing; nothing may leave its array."""
    game = lp.load(path)
    state, rng = game.start(), random.Random(seed)
    for _ in range(plies):
        state = game.start() if state.over else state.play(rng.choice(state.moves()))
        state.pieces()
    game.playouts(count=2, limit=60)


def written(folder: Path, game: str) -> Path:
    path = folder / "hostile.lud"
    path.write_text(game)
    return path


def attempt(path: Path, seed: int) -> bool:
    """Whether a text compiles; it is played then."""
    try:
        lp.load(path).start()
    except lp.LudoportError:
        return False
    play(path, seed)
    return True


@pytest.mark.slow
@pytest.mark.parametrize("share", range(4))
def test_hostile_texts_stay_inside(share: int, tmp_path: Path, checks: None) -> None:
    chosen = [t for i, (_, t) in enumerate(hostile_texts()) if i % SHARE == 0][share::4]
    compiled = sum(attempt(written(tmp_path, t), seed) for seed, t in enumerate(chosen))
    assert compiled > len(chosen) // 2


FAR = text("(move Add (to (sites Empty)) (then (set State at:(+ 900000000 (last To)) 7)))")
AROUND = text("(or (move Add (to (sites Around (+ 900000000 (last To))))) (move Add (to (sites Empty))))")
LISTED = text("(move Add (to (sites {0 1 30000})))")

NAMED = {
    "set State": "set State at:{x}",
    "set Value": "set Value at:{x}",
    "set Count": "set Count at:{x}",
    "swap Pieces": "swap Pieces {x}",
    "trigger": "trigger",
    "addScore": "addScore",
    "sites Around": "to (sites Around",
    "listed sites": "to (sites {{0 1",
    "sites Direction": "to (sites Direction",
    "handSite": "to (handSite",
}
"""Ludemes that once took a number for an index, each with a part of its names in ``hostile_texts``."""


@pytest.mark.slow
@pytest.mark.parametrize("part", NAMED.values(), ids=NAMED)
def test_ludemes_that_once_left_their_arrays(part: str, tmp_path: Path, checks: None) -> None:
    """Far away, just past the board and listed; also the parts that no number reaches have to compile."""
    ends = ("(+ 900000000 (last To))", " 30000", " 9")
    chosen = [game for name, game in hostile_texts() if part in name and name.endswith(ends)]
    assert len(chosen) >= 3
    for seed, game in enumerate(chosen):
        path = written(tmp_path, game)
        assert attempt(path, seed), game
        assert "on_board(" not in lp.load(path).rules.source


@pytest.mark.slow
def test_machine_code_stays_inside(tmp_path: Path) -> None:
    for rules in (FAR, AROUND):
        far = lp.load(written(tmp_path, rules))
        assert far.playouts(count=2000).moves > 2000
    listed = lp.load(written(tmp_path, LISTED))
    assert sorted(str(m) for m in listed.start().moves()) == sorted(
        str(m) for m in lp.load(written(tmp_path, LISTED.replace(" 30000", ""))).start().moves()
    )
    listed.playouts(count=2, limit=50)


def test_a_site_off_the_board_changes_nothing(tmp_path: Path, checks: None) -> None:
    state = lp.load(written(tmp_path, FAR)).start()
    fields = state.game.rules.fields
    for _ in range(3):
        state = state.play(state.moves()[0])
    assert not state.row[fields["STATE"] : fields["STATE"] + 9].any()


SLIDES = """(game "Slides" (players 2)
    (equipment {(board (square 4)) (piece "Rook" Each (move Slide Orthogonal))})
    (rules (start {(place "Rook1" {0 5}) (place "Rook2" {10 15})}) (play (forEach Piece))
        (end (if (no Moves Next) (result Mover Win)))))"""


@pytest.fixture
def proofs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Ranges]:
    """The analyses that are made; the cache is empty at first."""
    made: list[Ranges] = []

    def analysed(*arguments: Any) -> Ranges:
        made.append(guards.analysed(*arguments))
        return made[-1]

    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(bounds, "analysed", analysed)
    return made


def test_slides_drawn_at_random_need_no_test(tmp_path: Path, proofs: list[Ranges]) -> None:
    assert read_rules(written(tmp_path, SLIDES)).source
    assert not proofs[-1].entries
    assert not [each for each in proofs[-1].findings() if each.kind != "on_board"]


@pytest.mark.parametrize("rules", [FAR, SLIDES])
def test_what_was_proved_is_kept(tmp_path: Path, proofs: list[Ranges], rules: str) -> None:
    """The source is the same from the cache, without a proof, and anew where a file is damaged."""
    path = written(tmp_path, rules)
    source = read_rules(path).source
    made = len(proofs)
    assert made
    assert read_rules(path).source == source
    assert len(proofs) == made
    for file in (tmp_path / "cache").rglob("*.json"):
        file.write_bytes(file.read_bytes()[:-1])
    assert read_rules(path).source == source
    assert len(proofs) == 2 * made


def test_other_tables_are_proved_anew(tmp_path: Path, proofs: list[Ranges]) -> None:
    assert read_rules(written(tmp_path, SLIDES)).source
    made = len(proofs)
    assert read_rules(written(tmp_path, SLIDES.replace("{0 5}", "{0 6}"))).source
    assert len(proofs) > made


def test_slides_drawn_from_off_the_board_stay_inside(tmp_path: Path, checks: None) -> None:
    """On a board where every site has as many ways, so that no row of the tables is padded."""
    slide = "(forEach Site (sites {0 15 16 900000000}) (move Slide (from (site)) Orthogonal))"
    game = lp.load(written(tmp_path, SLIDES.replace("(play (forEach Piece))", f"(play (or {slide} (forEach Piece)))")))
    assert game.playouts(count=20, limit=60).moves > 20


def test_checks_find_a_wrong_index(tmp_path: Path, checks: None) -> None:
    state = lp.load(written(tmp_path, FAR)).start()
    game, move = state.game, state.moves()[0].row
    for site in (-1, 900):
        move[game.rules.compiled.columns["TO"]] = site
        with pytest.raises(IndexError):
            game.kernels.call("play", state.row.copy(), move, game.work)


def test_machine_code_with_checks_finds_a_wrong_index() -> None:
    compiled: dict[str, Any] = {"kernel": numba.njit}
    exec(CHECKED_INDEX, compiled)
    checked_index = compiled["checked_index"]

    @numba.njit(boundscheck=True)
    def read(array: Any, index: int) -> Any:
        return array[checked_index(index, 1, 3)]

    cells = np.arange(9)
    assert read(cells, 3) == 3
    for index in (-1, 0, 4, 9, 1 << 40):  # 0 and 4 are inside of the array, but not of the field
        with pytest.raises(IndexError):
            read(cells, index)


@pytest.mark.slow
@pytest.mark.parametrize("share", range(3))
def test_mutated_texts_stay_inside(share: int, tmp_path: Path, checks: None) -> None:
    for seed in range(8 * share, 8 * share + 8):
        path = GAMES[seed % len(GAMES)]
        attempt(written(tmp_path, mutant(path.read_text(), seed)), seed)


def main() -> None:
    """Play all hostile texts and many mutated ones, and print those that leave their arrays."""
    os.environ.update(LUDOPORT_BOUNDS="1", LUDOPORT_JIT="0")
    counts = {True: 0, False: 0}
    first, last = (int(each) for each in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 2000)
    mutants = ((f"mutant {seed}", mutant(GAMES[seed % len(GAMES)].read_text(), seed)) for seed in range(first, last))
    with tempfile.TemporaryDirectory() as folder:
        for seed, (name, game) in enumerate(chain(hostile_texts() if first == 0 else (), mutants)):
            try:
                counts[attempt(written(Path(folder), game), seed)] += 1
            except Exception as error:
                print(name, repr(error), flush=True)
    print(f"{counts[True]} texts played, {counts[False]} refused")


if __name__ == "__main__":
    main()
