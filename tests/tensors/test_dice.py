"""Planes of dice: what the player to move sees."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import refuse_hidden_dice, tensor_layout
from ludoport.transfer.sides import side_of

TEXT = """
(game "Sticks"
    (players 2)
    (equipment {
        (board (rectangle 1 8))
        (dice facesByDie:{ {0 2} {0 2} {0 5} } num:3)
        (piece "Disc" Each (forEach Die if:(!= (pips) 0) (move (from) (to (+ (from) (pips)) if:(is Empty (to))))))
    })
    (rules
        (start { (place "Disc1" 0) (place "Disc2" 1) })
        (play ROLL)
        (end (if (>= (count Moves) 12) (result Mover Win)))))
"""


def sticks(tmp_path: Path, play: str) -> lp.Game:
    file = tmp_path / "sticks.lud"
    file.write_text(TEXT.replace("ROLL", play))
    return lp.load(file, jit=False)


def shown(game: lp.Game, state: lp.State, kind: str) -> dict[int, int]:
    """Numbers of dice by value, as planes of a kind show them; every plane is the same everywhere."""
    encoder = TensorEncoder(game)
    tensor = encoder.state_tensor(state)
    found = {}
    for plane, channel in zip(tensor, encoder.layout.state_channels, strict=True):
        if channel.kind == kind:
            assert len(np.unique(plane)) == 1
            found[channel.index] = int(plane[0, 0])
    return found


def values(state: lp.State) -> list[int]:
    """The dice left in a row."""
    at = state.game.rules.fields["DICE"]
    return [int(value) for value in state.row[at : at + 3]]


def test_a_roll_in_every_list(tmp_path: Path) -> None:
    game = sticks(tmp_path, "(do (roll) next:(forEach Piece))")
    for seed in range(6):
        state = game.start(seed)
        pips = {int(move.text.split("-")[1].split("/")[0]) for move in state.moves() if "-" in move.text}
        dice = shown(game, state, "die")
        # Player 1 has a disc on site 0, and every die with a value can move it.
        assert pips == {value for value, number in dice.items() if number}
        assert set(dice) == {2, 5}
        assert dice[2] <= 2
        assert dice[5] <= 1


def test_a_roll_in_new_turns(tmp_path: Path) -> None:
    again = "(then (if (not (all DiceUsed)) (moveAgain)))"
    game = sticks(tmp_path, f"(do (if (not (is Prev Mover)) (roll)) next:(forEach Piece {again}))")
    state = next(found for found in map(game.start, range(50)) if sum(shown(game, found, "die").values()) == 3)
    after = state.play(next(move for move in state.moves() if "-" in move.text))
    assert after.mover == state.mover
    assert sum(shown(game, after, "die").values()) == 2
    assert sorted(values(after)) in ([0, 2, 2], [0, 2, 5])


def test_where_rules_ask_for_more(tmp_path: Path) -> None:
    """Planes show both the dice in the row and what a roll shows now."""
    game = sticks(tmp_path, "(do (if (is Odd (count Moves)) (roll)) next:(forEach Piece))")
    state = game.start(1).play(game.start(1).moves()[0])
    before, rolled = shown(game, state, "die"), shown(game, state, "roll")
    after = state.play(state.moves()[-1])
    left = values(state)
    assert before == {2: left.count(2), 5: left.count(5)}
    faces = after.row[game.rules.fields["FACES"] :][:3]
    assert rolled == {2: int(faces[0] + faces[1]), 5: int(faces[2])}


def test_channels_have_meanings(tmp_path: Path) -> None:
    game = sticks(tmp_path, "(do (roll) next:(forEach Piece))")
    layout = tensor_layout(game)
    pieces = [channel.piece for channel in layout.state_channels if channel.kind == "piece"]
    assert pieces == ["Disc1", "Disc2"]
    assert layout.names[-2:] == ("Dice with 2 left (non-binary channel!)", "Dice with 5 left (non-binary channel!)")
    assert side_of(game).state == layout.state_channels


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["paper", "ludii-1.3.14"])
def test_layouts_of_the_reference_stay_as_they_are(tmp_path: Path, layout: lp.tensors.layout.LayoutName) -> None:
    game = sticks(tmp_path, "(do (roll) next:(forEach Piece))")
    made = tensor_layout(game, layout)
    assert [c.piece for c in made.state_channels if c.kind == "piece"] == ["Die1", "Die2", "Die3", "Disc1", "Disc2"]
    assert not {"die", "roll"} & {channel.kind for channel in made.state_channels}
    with pytest.raises(LudoportError, match=f"the layout `{layout}` does not show dice; use `compact`"):
        refuse_hidden_dice(made)
