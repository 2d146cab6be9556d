"""Mapping of channels: recorded pairs, Table 1 of the paper, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.lud.reading import read_text
from ludoport.transfer.mapping import Mapping, map_channels
from ludoport.transfer.overrides import override, read_overrides
from ludoport.transfer.sides import Side, find_side, read_side
from ludoport.verify.mapping import compare_mappings

RECORDED = Path(__file__).parents[1] / "data" / "mapping" / "mapping.jsonl.gz"
REFERENCE = Path(__file__).parents[3] / "shared"

TABLE_1 = {
    **{name: name for name in ("Osho", "Fuhyo", "Ginsho", "Hisha", "Kakugyo")},
    "Keima": "Hisha",
    "Kyosha": "Hisha",
    **{name: name for name in ("Kinsho", "Tokin", "Narigin", "Ryuo", "Ryuma")},
    "Narikei": "Kinsho",
    "Narikyo": "Kinsho",
}
"""The pieces of Table 1 in their order: of Shogi, and of Minishogi. Each player has one of each kind."""

DUEL = '(game "{name}" (players {players}) (equipment {{{board} {pieces}}}) (rules {start} (play {play}) (end (if (is Line 3) (result Mover Win)))))'  # noqa: E501


def tiny(name: str, pieces: str, play: str = "(forEach Piece)", players: int = 2, start: str = "") -> Side:
    """The side of a small game."""
    text = DUEL.format(name=name, board="(board (square 3))", pieces=pieces, play=play, players=players, start=start)
    return read_side(read_text(text))


@pytest.fixture(scope="module")
def shogi() -> tuple[Side, Side]:
    return find_side("Minishogi"), find_side("Shogi")


@pytest.mark.slow
def test_all_recorded_pairs() -> None:
    results = list(compare_mappings([RECORDED]))
    assert [result.line() for result in results if not result.agrees] == []
    assert sum(result.trials for result in results) == sum(result.agreeing_trials for result in results) == 329
    assert sum(result.checks for result in results) == sum(result.agreeing for result in results) == 9799


@pytest.mark.slow
@pytest.mark.skipif(not (REFERENCE / "ludii" / "lud").is_dir(), reason="the reference collection is not there")
def test_all_recorded_pairs_with_the_texts_of_the_reference() -> None:
    results = list(compare_mappings([RECORDED], lud_root=REFERENCE / "ludii" / "lud"))
    assert [result.line() for result in results if not result.agrees] == []


def test_table_1(shogi: tuple[Side, Side]) -> None:
    mapping = map_channels(*shogi)
    pairs = [(f"{mini}{owner}", f"{full}{owner}") for full, mini in TABLE_1.items() for owner in (1, 2)]
    rows = [(row.source.split("(")[1][:-1], row.target.split("(")[1][:-1]) for row in mapping.state[: len(pairs)]]
    assert rows == pairs
    assert list(mapping.state_sources[len(pairs) :]) == list(range(20, 30))
    assert list(mapping.move_sources) == list(range(51))
    reasons = {row.target: row.reason for row in mapping.state}
    assert reasons["Piece Type 1 (Osho1)"] == "same name"
    assert reasons["Piece Type 11 (Keima1)"] == "edit distance"
    assert reasons["Does position exist in container 1 (Hand1)?"] == "container by order"
    assert reasons["Is Player 1 the current mover?"] == "same meaning"
    assert mapping.state[24].distance == 0, "Narikei moves as Kinsho does"


def test_what_has_no_partner() -> None:
    mapping = map_channels(find_side("Gomoku"), find_side("Yavalath"))
    assert [row.target for row in mapping.state if row.reason == "none"] == ["Did Swap Occur?"]


def test_placement_and_movement() -> None:
    placement, movement = find_side("Gomoku"), find_side("Breakthrough")
    there, back = map_channels(placement, movement), map_channels(movement, placement)
    assert there.move_sources == (*[0] * 49, 1, 2)
    assert back.move_sources == (24, 49, 50)
    assert {row.reason for row in there.moves[:49]} == {"placement to movement"}
    assert back.moves[0].reason == "movement to placement"


def test_a_piece_goes_to_the_nearest_piece_of_its_owner() -> None:
    step, slide = "(move Step Orthogonal (to if:(is Empty (to))))", "(move Slide Orthogonal)"
    one = tiny("One", f'(piece "Walker" Each {step}) (piece "Rider" Each {slide}) (piece "Rock" Neutral)')
    other = tiny("Other", f'(piece "Horse" Each {slide}) (piece "Tree" Neutral) (piece "Man" P2 {step})')
    mapping = map_channels(one, other)
    pieces = {row.target: row.source for row in mapping.state[:4]}
    assert pieces == {
        "Piece Type 1 (Horse1)": "Piece Type 3 (Rider1)",
        "Piece Type 2 (Horse2)": "Piece Type 4 (Rider2)",
        "Piece Type 3 (Tree0)": "Piece Type 5 (Rock0)",
        "Piece Type 4 (Man2)": "Piece Type 2 (Walker2)",
    }


def test_an_owner_without_pieces_gives_nothing() -> None:
    one, other = tiny("One", '(piece "A" Each)'), tiny("Other", '(piece "A" Each) (piece "Stone" Neutral)')
    row = map_channels(one, other).state[2]
    assert (row.target, row.source, row.index, row.reason) == ("Piece Type 3 (Stone0)", None, -1, "none")


def test_stacks_correspond_level_by_level() -> None:
    side = find_side("Connect Four")
    assert side.stacking
    mapping = map_channels(side, side)
    assert mapping.state_sources == tuple(range(28))
    assert mapping.move_sources == tuple(range(11))


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("Connect Four", "Gomoku", "Connect Four has stacks"),
        ("Gomoku", "Connect Four", "two games with stacks or two without"),
    ],
)
def test_stacks_in_one_game_only(source: str, target: str, words: str) -> None:
    with pytest.raises(LudoportError, match=words):
        map_channels(find_side(source), find_side(target))


def test_other_numbers_of_players() -> None:
    with pytest.raises(LudoportError, match=r"One has 2 players and Other 3"):
        map_channels(tiny("One", '(piece "A" Each)'), tiny("Other", '(piece "A" Each)', players=3))


def test_files_hold_all_of_it(shogi: tuple[Side, Side]) -> None:
    mapping = map_channels(*shogi)
    assert Mapping.from_dict(json.loads(mapping.to_json())) == mapping
    assert Mapping.from_dict(mapping.to_dict()) == mapping


@pytest.mark.parametrize("record", [None, {}, {"source": "A", "target": "B", "state": [{}], "moves": []}])
def test_what_is_no_mapping(record: object) -> None:
    with pytest.raises(LudoportError, match="not a mapping"):
        Mapping.from_dict(record)


def test_a_person_decides_otherwise(shogi: tuple[Side, Side], tmp_path: Path) -> None:
    mapping = map_channels(*shogi)
    file = tmp_path / "map.json"
    file.write_text(json.dumps({"state": {"Keima1": "Fuhyo1", "11": 3, "Counts (non-binary channel!)": None}}))
    changed = read_overrides(file, mapping, *shogi)
    assert changed.state_sources[10:12] == (2, 3)
    assert changed.state[28].source is None
    assert [row.reason for row in changed.state].count("given") == 3
    assert changed.moves == mapping.moves
    whole = override(mapping, json.loads(changed.to_json()), *shogi)
    assert whole == changed


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"state": {"Kiema1": "Fuhyo1"}}, "Shogi has no channel 'Kiema1'; did you mean 'Keima1'"),
        ({"state": {"Keima1": "Keima1"}}, "Minishogi has no channel 'Keima1'"),
        ({"moves": {"999": None}}, "Shogi has no channel '999'"),
        ({"state": [{"target": "Keima1"}]}, 'needs "target" and "source"'),
        ({"source": "Hex", "state": {}}, "the source 'Hex', not 'Minishogi'"),
        ({"states": {}}, 'an object with "state" or "moves"'),
        ({"state": {}, "move": {}}, "no part 'move'"),
        ([], 'an object with "state" or "moves"'),
    ],
)
def test_a_file_that_is_wrong(record: object, words: str, shogi: tuple[Side, Side], tmp_path: Path) -> None:
    file = tmp_path / "map.json"
    file.write_text(json.dumps(record))
    with pytest.raises(LudoportError, match=words) as error:
        read_overrides(file, map_channels(*shogi), *shogi)
    assert str(file) in str(error.value)


def test_a_file_that_cannot_be_read(shogi: tuple[Side, Side], tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text("{")
    for name in ("map.json", "absent.json"):
        with pytest.raises(LudoportError, match=name):
            read_overrides(tmp_path / name, map_channels(*shogi), *shogi)


def test_wrong_records_are_found(tmp_path: Path) -> None:
    file = tmp_path / "mapping.jsonl"
    right = {"source": "tic_tac_toe", "target": "tic_tac_toe", "state": list(range(9)), "move": [0, 1, 2]}
    file.write_text("\n".join(json.dumps({**right, **change}) for change in ({}, {"move": [0, 2, 1]}, {"state": [0]})))
    (result,) = compare_mappings([file])
    assert not result.agrees
    assert (result.trials, result.agreeing_trials) == (3, 1)
    assert result.first is not None
    assert str(result.first).endswith("pass: reference 2, game 1 (same meaning)")
    assert "1/3 pairs" in result.line()
    file.write_text('{"source": 1}')
    with pytest.raises(LudoportError, match="not a recorded mapping"):
        list(compare_mappings([file]))
    with pytest.raises(LudoportError, match="no such file"):
        list(compare_mappings([tmp_path / "absent.jsonl"]))
