"""Positions and moves of chess and Chessplus as tensors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from ludoport.chess import ChessRules, chess_rules, named_rules
from ludoport.chess.layout import NAMES
from ludoport.chess.notation import unpack
from ludoport.game import Game, State, load
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from ludoport.tensors.symmetry import symmetries
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.sides import find_side
from tests.chess.common import random_game

FAMILY = ("chess", "chessplus", "gardner", "gardner-chessplus", "gardner-literal-chessplus", "chess960:17")


def encoder_of(rules: ChessRules) -> TensorEncoder:
    return TensorEncoder(Game(rules, jit=False))


def drawn(encoder: TensorEncoder, fen: str) -> dict[StateChannel, NDArray[np.float32]]:
    """The planes of a position, by their meaning."""
    rules = encoder.game.rules
    assert isinstance(rules, ChessRules)
    planes = encoder.state_tensor(State(encoder.game, rules.state_row(fen)))
    return dict(zip(encoder.layout.state_channels, planes, strict=True))


def squares(plane: NDArray[np.float32]) -> set[str]:
    """The names of the squares that are set; the first axis is the file."""
    return {f"{chr(ord('a') + x)}{y + 1}" for x, y in np.argwhere(plane).tolist()}


def test_planes_show_everything(rules: Callable[[str], ChessRules]) -> None:
    planes = drawn(encoder_of(rules("chessplus")), "r3k3/8/8/3pP3/8/8/(NP)(RR)5P/R3K2R b KQq - 41 30")
    assert squares(planes[StateChannel("piece", 1, "Knight1")]) == {"a2"}
    assert squares(planes[StateChannel("piece", 1, "Pawn1")]) == {"a2", "h2", "e5"}
    assert squares(planes[StateChannel("piece", 2, "Pawn2")]) == {"d5"}
    assert squares(planes[StateChannel("piece", 1, "Rook1")]) == {"b2", "a1", "h1"}
    assert squares(planes[StateChannel("merged")]) == {"a2", "b2"}
    assert squares(planes[StateChannel("castles")]) == {"a1", "h1", "a8"}
    assert squares(planes[StateChannel("passant")]) == set()
    assert [planes[StateChannel("clock", index=n)].mean() for n in (20, 40, 60, 80)] == [1, 1, 0, 0]
    assert planes[StateChannel("to-move", 1)].max() == 0
    assert planes[StateChannel("to-move", 2)].min() == 1
    assert planes[StateChannel("container")].min() == 1


def test_square_behind_a_double_step(rules: Callable[[str], ChessRules]) -> None:
    planes = drawn(encoder_of(rules("chess")), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
    assert squares(planes[StateChannel("passant")]) == {"d6"}


def test_only_what_a_game_knows_has_planes() -> None:
    kinds = {name: {c.kind for c in tensor_layout(load(name)).state_channels} for name in (*FAMILY[1:], "chess-8x8")}
    assert "merged" not in kinds["chess-8x8"]
    assert {"castles", "passant"} <= kinds["chess-8x8"]
    assert not {"castles", "passant", "merged"} & kinds["gardner"]
    assert "merged" in kinds["gardner-chessplus"]


def test_places_of_moves(rules: Callable[[str], ChessRules]) -> None:
    encoder = encoder_of(rules("chessplus"))
    game, layout = encoder.game, encoder.layout
    here = State(game, rules("chessplus").state_row("4k3/1P6/8/8/8/8/(RN)7/4K2R w K - 0 1"))
    found = {}
    for text, slot in encoder.move_slots(here).items():
        channel, x, y = np.unravel_index(slot, layout.move_shape)
        found[text.rstrip("+")] = layout.move_channels[channel], f"{chr(ord('a') + int(x))}{int(y) + 1}"
    assert found["O-O"] == (MoveChannel("displacement", 2, 0), "g1")
    assert found["(RN)a7"] == (MoveChannel("displacement", 0, 3), "a7")
    assert found["R/Na7"] == (MoveChannel("displacement", 0, 3, text="Rook leaves"), "a7")
    assert found["N/Rc3"] == (MoveChannel("displacement", 2, 1, text="Knight leaves"), "c3")
    assert found["b8=Q"] == (MoveChannel("displacement", 0, 1), "b8")
    assert found["b8=N"] == (MoveChannel("displacement", 0, 1, text="=Knight"), "b8")


def test_history_and_castling(rules: Callable[[str], ChessRules]) -> None:
    game = Game(rules("chess").with_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), jit=False)
    encoder = TensorEncoder(game)
    batch = encoder.trial(["O-O", "Kd8"])
    planes = dict(zip(encoder.layout.state_channels, encoder.planes(*batch)[2], strict=True))
    assert squares(planes[StateChannel("last-from")]) == {"e8"}
    assert squares(planes[StateChannel("last-to")]) == {"d8"}
    assert squares(planes[StateChannel("last-from", index=1)]) == {"e1"}
    assert squares(planes[StateChannel("last-to", index=1)]) == {"g1"}


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.sampled_from(FAMILY), st.integers(0, 10**6))
def test_moves_that_share_a_place_differ_in_what_they_promote_to_or_castle(name: str, seed: int) -> None:
    rules = named_rules(name)
    assert rules is not None
    encoder = encoder_of(rules)
    for state, moves in random_game(rules, seed, 30):
        if len(moves) == 0:
            continue
        by_slot = defaultdict(list)
        for slot, move in zip(encoder.slots_of(np.repeat(state[None], len(moves), 0), moves), moves, strict=True):
            assert 0 <= slot < int(np.prod(encoder.layout.move_shape))
            by_slot[int(slot)].append(unpack(int(move[0])))
        for steps in by_slot.values():
            alike = {(step.source, step.split, step.kind) for step in steps if not step.castling}
            assert len(steps) == 1 or any(step.castling for step in steps) or len(alike) == 1
            assert len(steps) == 1 or any(step.castling or step.promotion for step in steps)


@pytest.mark.slow
@settings(max_examples=6, deadline=None)
@given(st.sampled_from(("chess", "chessplus", "gardner-literal-chessplus")), st.integers(0, 10**6))
def test_both_representations_have_the_same_tensors(name: str, seed: int) -> None:
    small = named_rules(name)
    assert small is not None
    large = ChessRules(replace(small.variant, large=True))
    one, two = encoder_of(small), encoder_of(large)
    assert one.layout.state_channels == two.layout.state_channels
    assert one.layout.move_channels == two.layout.move_channels
    for state, moves in random_game(small, seed, 20):
        other = large.state_row(small.fen_of(state))
        assert (one.planes(state[None]) == two.planes(other[None])).all()
        there = large.moves_of(other)
        if len(moves):
            slots = sorted(one.slots_of(np.repeat(state[None], len(moves), 0), moves).tolist())
            assert slots == sorted(two.slots_of(np.repeat(other[None], len(there), 0), there).tolist())


@pytest.mark.slow
def test_machine_code_agrees_with_plain_python() -> None:
    here, there = (TensorEncoder(load("gardner-chessplus", jit=jit)) for jit in (False, True))
    batch, other = here.wander(80, seed=5), there.wander(80, seed=5)
    assert (here.planes(*batch) == there.planes(*other)).all()
    assert (here.slots(batch.rows).slots == there.slots(other.rows).slots).all()


def test_what_two_games_have_in_common_corresponds() -> None:
    mapping = map_channels(find_side("gardner"), find_side("gardner-chessplus"))
    without = [row.target for row in mapping.state if row.source is None]
    assert without == ["Merged pieces"]
    by_name = {row.target: row for row in mapping.moves}
    assert by_name["dx=1,dy=2"].source == "dx=1,dy=2"
    assert by_name["dx=0,dy=1,=Knight"].source == "dx=0,dy=1,=Knight"
    assert by_name["dx=1,dy=2,Knight leaves"].source == "dx=1,dy=2"
    back = map_channels(find_side("gardner-chessplus"), find_side("gardner"))
    assert all(row.source == row.target or row.target.startswith("Piece") for row in (*back.state, *back.moves))


def test_the_bundled_game_of_chess_corresponds_by_names() -> None:
    mapping = map_channels(find_side("Chess"), find_side("chessplus"))
    pieces = [row for row in mapping.state if row.target.startswith("Piece")]
    assert len(pieces) == 2 * len(NAMES)
    assert {row.reason for row in pieces} == {"same name"}
    assert all(row.source is not None for row in mapping.moves)


def test_games_are_found_by_the_names_in_files() -> None:
    for name in FAMILY[1:-1]:
        assert find_side(find_side(name).game).fingerprint == find_side(name).fingerprint
    assert find_side("Chess").fingerprint != find_side("Chess 8x8").fingerprint


@pytest.mark.slow
def test_pieces_of_other_games_are_compared_by_their_rules() -> None:
    rows = {row.target: row for row in map_channels(find_side("gardner"), find_side("Minishogi")).state}
    assert (rows["Piece Type 7 (Hisha1)"].source, rows["Piece Type 7 (Hisha1)"].reason) == (
        "Piece Type 7 (Rook1)",
        "edit distance",
    )


@pytest.mark.slow
@pytest.mark.parametrize("fen", ["rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1", "nbkbn/ppppp/5/PPPPP/NBKBN w - - 0 1"])
def test_mirror_is_found_where_it_holds(fen: str) -> None:
    game = Game(chess_rules("gardner", start=fen), jit=False)
    found = symmetries(game, tensor_layout(game))
    assert [symmetry.matrix for symmetry in found] == ([((-1, 0), (0, 1))] if fen.startswith("nbkbn") else [])
