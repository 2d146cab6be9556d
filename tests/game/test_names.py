"""One name for every game, in every command and call."""

from collections import Counter
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.catalogue import games
from ludoport.languages import find_game, known_games, plain


def test_names_are_unique_whatever_the_spelling() -> None:
    counts = Counter(plain(game.name) for game in known_games())
    assert max(counts.values()) == 1


@pytest.mark.slow
def test_every_name_loads_its_game_and_is_its_name() -> None:
    for record in games():
        if record.language != "ludemic":
            assert lp.load(record.name, jit=False).name == record.name
    assert {record.language for record in games()} == {"ludemic", "chess", "GDL"}


@pytest.mark.parametrize("name", ["Hex", "hex", "HEX", "Hex.lud", "hex.lud"])
def test_letter_case_does_not_matter(name: str) -> None:
    assert find_game(name).name == "Hex"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("connect four.kif", "connect-four.kif"),
        ("nim", "nim.kif"),
        ("NIM.KIF", "nim.kif"),
        ("los-alamos-chess", "Los Alamos Chess"),
        ("chess8x8", "Chess 8x8"),
        ("gardner", "Gardner chess"),
        ("Gardner Chess", "Gardner chess"),
        ("gardner-chessplus", "Gardner Chessplus"),
        ("Chess960:518", "Chess 960:518"),
        ("Chess 960:518", "Chess 960:518"),
        ("Chess", "Chess"),
        ("Tic-Tac-Toe", "Tic-Tac-Toe"),
        ("tic-tac-toe.kif", "tic-tac-toe.kif"),
    ],
)
def test_other_spellings(name: str, meant: str) -> None:
    assert find_game(name).name == meant


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("chess", r"Chess \(ludemic\) or Chess 8x8 \(chess\)"),
        ("CHESS", r"Chess \(ludemic\) or Chess 8x8 \(chess\)"),
        ("tic-tac-toe", r"Tic-Tac-Toe \(ludemic\) or tic-tac-toe.kif \(GDL\)"),
        ("BREAKTHROUGH", r"Breakthrough \(ludemic\) or breakthrough.kif \(GDL\)"),
    ],
)
def test_names_that_could_mean_two_games_are_refused(name: str, choices: str) -> None:
    with pytest.raises(lp.LudoportError, match=f"`{name}` may be {choices}"):
        lp.load(name)


def test_within_one_language_they_are_clear() -> None:
    assert find_game("tic-tac-toe", "GDL").name == "tic-tac-toe.kif"
    assert find_game("tic-tac-toe.kif", "GDL").name == "tic-tac-toe.kif"
    assert find_game("chess", "chess").name == "Chess 8x8"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Hexx", "unknown game `Hexx`; did you mean Hex"),
        ("zzzzzz", "unknown game `zzzzzz`; `ludoport games` lists all"),
        ("no/such/Hex.lud", "no/such/Hex.lud: no such file; did you mean Hex"),
        ("nimm.kif", "nimm.kif: no such file; did you mean nim.kif"),
        ("chess960:1000", "write chess960:N with N from 0 to 959"),
    ],
)
def test_unknown_names(name: str, message: str) -> None:
    with pytest.raises(lp.LudoportError, match=message):
        lp.load(name)


def test_a_file_is_found_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (Path(lp.__file__).parent / "games" / "Hex.lud").read_text()
    for name in ("Hex.lud", "mine"):
        (tmp_path / name).write_text(text.replace('"Hex"', '"Mine"'))
    monkeypatch.chdir(tmp_path)
    assert lp.load("Hex.lud", jit=False).name == "Mine"
    assert lp.load("Hex", jit=False).name == "Hex"
    assert lp.load("mine", jit=False).name == "Mine"
    assert lp.load(tmp_path / "mine", jit=False).name == "Mine"


@pytest.mark.slow
def test_records() -> None:
    known = {record.name: record for record in lp.games()}
    assert known["Hex"].board == "121 hexagonal cells"
    assert known["Hex"].options["Board Size"][0] == "11x11"
    assert known["Go"].board == "19x19 points"
    assert known["three-in-a-row-for-three.kif"].players == 3
    assert known["Gardner chess"].board == "5x5 squares"


@pytest.mark.slow
def test_networks_of_the_zoo() -> None:
    known = {record.name: record for record in lp.games()}
    assert ("Board Size/7x7",) in [network.options for network in known["Hex"].networks]
