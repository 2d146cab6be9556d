"""Tensors of rulesheets, read from the names of facts and actions."""

from __future__ import annotations

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.game import Game, load
from ludoport.gdl import load_rules
from ludoport.gdl.tensors import find_board, parts, plan_tensors
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.encoder import TensorEncoder
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.sides import find_side

SHEETS = ("breakthrough", "connect-four", "draughts-6x6", "nim", "othello-4x4", "tic-tac-toe")


def test_words_of_terms() -> None:
    assert parts("noop") == ("noop",)
    assert parts("(move (pos 1 2) a)") == ("move", "(pos 1 2)", "a")


def test_boards_are_found_by_their_coordinates() -> None:
    squares = [("cell", file, rank, "b") for file in "abc" for rank in ("1", "2")]
    board = find_board([*squares, ("control", "white"), ("step", "7")])
    assert (board.columns, board.rows) == (("a", "b", "c"), ("1", "2"))
    assert board.cell("c", "2") == (2, 1)
    assert board.cell("d", "1") is None
    assert not find_board([("step", str(number)) for number in range(9)]).real
    assert find_board([("at", "x", str(x), str(y)) for x in range(9, 12) for y in range(2)]).columns == (
        "9",
        "10",
        "11",
    )


@pytest.mark.parametrize("name", SHEETS)
def test_no_two_moves_share_a_place(name: str) -> None:
    encoder = TensorEncoder(load(f"{name}.kif", jit=False))
    batch = encoder.wander(25, seed=1)
    planes, found = encoder.planes(*batch), encoder.slots(batch.rows)
    assert planes.max() == 1
    for first, last in zip(found.first[:-1], found.first[1:], strict=True):
        slots = found.slots[first:last].tolist()
        assert len(set(slots)) == len(slots)
        assert all(0 <= slot < np.prod(encoder.layout.move_shape) for slot in slots)


def test_planes_show_the_facts() -> None:
    encoder = TensorEncoder(load("tic-tac-toe.kif", jit=False))
    batch = encoder.trial(["(claim 2 2)", "(claim 1 3)"])
    planes = dict(zip(encoder.layout.state_channels, encoder.planes(*batch)[-1], strict=True))
    assert np.argwhere(planes[StateChannel("piece", 1, "Owns1")]).tolist() == [[1, 1]]
    assert np.argwhere(planes[StateChannel("piece", 2, "Owns2")]).tolist() == [[0, 2]]
    assert np.argwhere(planes[StateChannel("last-to")]).tolist() == [[0, 2]]
    assert np.argwhere(planes[StateChannel("last-to", index=1)]).tolist() == [[1, 1]]
    assert planes[StateChannel("to-move", 1)].min() == 1
    assert planes[StateChannel("fact", piece="(control cross)")].min() == 1
    assert planes[StateChannel("fact", piece="(control circle)")].max() == 0


def test_places_of_moves() -> None:
    encoder = TensorEncoder(load("breakthrough.kif", jit=False))
    channels = encoder.layout.move_channels
    slots = encoder.move_slots(encoder.game.start())
    channel, x, y = np.unravel_index(slots["(go 3 2 4 3)"], encoder.layout.move_shape)
    assert (channels[channel], x, y) == (MoveChannel("displacement", 1, 1), 3, 2)
    falling = TensorEncoder(load("connect-four.kif", jit=False))
    channel, x, y = np.unravel_index(falling.move_slots(falling.game.start())["(drop 3)"], falling.layout.move_shape)
    assert (falling.layout.move_channels[channel].text, x, y) == ("drop", 2, 0)


@pytest.mark.slow
def test_machine_code_agrees_with_plain_python() -> None:
    here, there = (TensorEncoder(load("tic-tac-toe.kif", jit=jit)) for jit in (False, True))
    batch, other = here.wander(40, seed=5), there.wander(40, seed=5)
    assert (here.planes(*batch) == there.planes(*other)).all()
    assert (here.slots(batch.rows).slots == there.slots(other.rows).slots).all()


def test_languages_correspond_by_owners_names_and_ways() -> None:
    rows = {row.target: row for row in map_channels(find_side("breakthrough.kif"), find_side("Breakthrough")).state}
    assert rows["Piece Type 1 (Pawn1)"].reason == "same name"
    hexes = map_channels(find_side("Hex", ["Board Size/9x9"]), find_side("hex-9x9.kif"))
    by_name = {row.target: row for row in hexes.state}
    assert (by_name["Piece Type 2 (Stone2)"].source, by_name["Piece Type 2 (Stone2)"].reason) == (
        "Piece Type 2 (Marker2)",
        "only piece",
    )
    assert {row.target: row.source for row in hexes.moves} == {"to": "to", "pass": "pass"}
    chess = map_channels(find_side("gardner"), find_side("draughts-6x6.kif"))
    assert [row.source for row in chess.state if row.target == "Piece Type 1 (Man1)"] == [None]


def test_too_many_planes_are_refused() -> None:
    facts = [f"(step {number})" for number in range(600)]
    with pytest.raises(LudoportError, match="more than 512 are not supported"):
        plan_tensors(facts, [[(0, "noop")]], ["a"], "long")


def test_without_a_network_there_are_no_tensors() -> None:
    text = "(role a) (legal a wait) (init p) (<= terminal (true q)) (next q) (goal a 100)"
    with pytest.raises(LudoportError, match="has no tensors, because it has no network"):
        TensorEncoder(Game(load_rules(text, network=False), jit=False))
