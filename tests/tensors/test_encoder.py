"""Contents of planes and places of moves, in plain Python and machine code."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.entries import ENTRIES
from ludoport.tensors.kernels import kernel_text
from ludoport.tensors.layout import LAYOUTS, LayoutName
from tests.tensors import texts

GAMES: dict[str, tuple[str, list[str]]] = {
    "hex": ("Hex", ["Board Size/4x4"]),
    "breakthrough": ("Breakthrough", ["Board Size/4x4", "Board/Hexagon"]),
    "reversi": ("Reversi", ["Board Size/4x4"]),
    "stacks": ("Connect Four", []),
    "squares": ("Breakthrough", ["Board Size/6x6"]),
}
"""Placement, movement, neutral pieces with local states, and stacks."""


def load(key: str, jit: bool = False) -> Game:
    name, options = GAMES.get(key, (key, []))
    return lp.load(name, options=options, jit=jit)


def plane(encoder: TensorEncoder, planes: np.ndarray, kind: str, number: int = 0) -> np.ndarray:
    return np.asarray(planes[encoder.layout.first(kind) + number])


@pytest.mark.slow
@pytest.mark.parametrize("key", ["hex", "reversi", "stacks", "Amazons", "Kyoto Shogi"])
def test_planes_show_all_pieces(key: str) -> None:
    encoder = TensorEncoder(load(key))
    batch = encoder.wander(12, seed=3)
    for row, planes in zip(batch.rows, encoder.planes(*batch), strict=True):
        stand: Counter[str] = Counter()
        for piece in State(encoder.game, row).pieces().values():
            names = piece if isinstance(piece, list) else [piece]
            stand.update(name.split("*")[0].split("/")[0] for name in names)
        drawn = {
            channel.piece: sum(
                int(p.sum())
                for p, c in zip(planes, encoder.layout.state_channels, strict=True)
                if c.piece == channel.piece and c.kind in ("piece", "level-from-bottom")
            )
            for channel in encoder.layout.state_channels
            if channel.piece
        }
        assert drawn == {name: stand[name] for name in drawn}
        assert sum(drawn.values()) > 0 or encoder.game.name in ("Hex", "Connect Four")


@pytest.mark.parametrize("layout", ["paper", "ludii-1.3.14"])
def test_neutral_pieces_are_not_drawn_in_the_reference(layout: LayoutName) -> None:
    encoder = TensorEncoder(load("reversi"), layout)
    batch = encoder.wander(6)
    planes = encoder.planes(*batch)
    assert not planes[:, 0].any()
    states = planes[:, encoder.layout.first("state") :][:, :6]
    assert (states.sum(axis=1) == 1).all()
    assert states[0, 1:3].sum() == 4


def test_counts_in_hands(tmp_path: Path) -> None:
    encoder = TensorEncoder(texts.load("short hands", tmp_path))
    start, after = encoder.planes(*encoder.trial(["16-5"]))
    assert plane(encoder, start, "count")[4, :2].tolist() == [5, 5]
    assert plane(encoder, after, "count")[4, :2].tolist() == [4, 5]
    assert plane(encoder, after, "count")[1, 1] == 1
    assert plane(encoder, after, "last-from")[4, 0] == 1
    assert plane(encoder, after, "last-to")[1, 1] == 1
    assert plane(encoder, after, "container", 2).nonzero() == ([4], [1])


def test_a_higher_pile_than_a_byte_holds(tmp_path: Path) -> None:
    encoder = TensorEncoder(texts.load("short hands", tmp_path))
    row = encoder.game.start().row[None].copy()
    row[0, encoder.game.rules.fields["COUNT"] + 16] = 1000
    assert encoder.planes(row)[0, encoder.layout.first("count"), 4, 0] == 255


def test_stacks_from_both_ends() -> None:
    encoder = TensorEncoder(load("stacks"))
    planes = encoder.planes(*encoder.trial(["2"] * 6))[-1]
    assert plane(encoder, planes, "height")[:, 0].tolist() == [0, 0, 6, 0, 0, 0, 0]
    bottom, top = planes[:20, 2, 0].reshape(2, 2, 5).transpose(1, 0, 2).tolist()
    assert bottom == [[1, 0, 1, 0, 1], [0, 1, 0, 1, 0]]
    assert top == [[0, 1, 0, 1, 0], [1, 0, 1, 0, 1]]


def test_persons_after_a_swap() -> None:
    """The planes of the mover follow the person, who plays the other colour now."""
    encoder = TensorEncoder(load("hex"))
    batch = encoder.trial(["5", "swap", "6"])
    planes = encoder.planes(*batch)
    movers = [[int(plane(encoder, p, "to-move", n).mean()) for n in (0, 1)] for p in planes]
    assert movers == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert [State(encoder.game, row).mover for row in batch.rows] == [1, 2, 2, 1]
    assert [int(plane(encoder, p, "swapped").mean()) for p in planes] == [0, 0, 1, 1]
    assert batch.histories.tolist() == [[-1] * 4, [5, 5, -1, -1], [-1, -1, 5, 5], [6, 6, -1, -1]]


@pytest.mark.slow
def test_passes_draw_nothing() -> None:
    encoder = TensorEncoder(load("Go"))
    batch = encoder.trial(["40", "pass"])
    assert batch.histories.tolist() == [[-1] * 4, [40, 40, -1, -1], [-1, -1, 40, 40]]
    slots = encoder.move_slots(State(encoder.game, batch.rows[-1]))
    cells = int(np.prod(encoder.layout.shape[1:]))
    assert slots["pass"] == (len(encoder.layout.move_channels) - 2) * cells


@pytest.mark.parametrize(("key", "aliased"), [("squares", False), ("breakthrough", False), ("anywhere", True)])
def test_moves_lie_at_their_destinations(key: str, aliased: bool, tmp_path: Path) -> None:
    """Recomputed from the notation: clipped displacement, then the place of the destination; so some moves share."""
    encoder = TensorEncoder(load(key) if key in GAMES else texts.load(key, tmp_path))
    layout = encoder.layout
    shared = 0
    for row in encoder.wander(6, seed=5).rows:
        slots = encoder.move_slots(State(encoder.game, row))
        for text, slot in slots.items():
            origin, to = map(int, text.split("-"))
            dx, dy = (int(np.clip(axis[to] - axis[origin], -3, 3)) + 3 for axis in (layout.x, layout.y))
            assert slot == np.ravel_multi_index((dx * 7 + dy, layout.x[to], layout.y[to]), layout.move_shape)
        shared += len(slots) - len(set(slots.values()))
    assert (shared > 0) == aliased


def test_moves_that_share_a_slot(tmp_path: Path) -> None:
    """A1 and B1 are three and two columns left of D5; of F5 both are at least three."""
    encoder = TensorEncoder(texts.load("anywhere", tmp_path))
    slots = encoder.move_slots(encoder.game.start())
    assert slots["0-27"] != slots["1-27"]
    assert slots["0-29"] == slots["1-29"]


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32), key=st.sampled_from([*GAMES]), layout=st.sampled_from(LAYOUTS))
def test_slots_are_in_range_and_in_order(seed: int, key: str, layout: LayoutName) -> None:
    encoder = TensorEncoder(load(key), layout)
    batch = encoder.wander(5, seed)
    found = encoder.slots(batch.rows)
    assert found.slots.min() >= 0
    assert found.slots.max() < np.prod(encoder.layout.move_shape)
    for row, (begin, end) in zip(batch.rows, pairwise(found.first), strict=True):
        state = State(encoder.game, row)
        rows = np.stack([move.row for move in state.moves()])
        alone = encoder.slots_of(np.repeat(row[None], len(rows), axis=0), rows)
        assert found.slots[begin:end].tolist() == alone.tolist() == list(encoder.move_slots(state).values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "layout"),
    [("hex", "paper"), ("breakthrough", "compact"), ("reversi", "ludii-1.3.14"), ("stacks", "compact")],
)
def test_machine_code_and_plain_python_agree(key: str, layout: LayoutName) -> None:
    compiled, plain = TensorEncoder(load(key, jit=True), layout), TensorEncoder(load(key), layout)
    ours, theirs = compiled.wander(40, seed=9), plain.wander(40, seed=9)
    assert (ours.rows == theirs.rows).all()
    assert (ours.histories == theirs.histories).all()
    planes = plain.planes(*theirs)
    for dtype in (np.uint8, np.float32) if key == "hex" else (np.uint8,):
        assert (compiled.planes(*ours, dtype=dtype) == planes).all()
    for mine, other in zip(compiled.slots(ours.rows), plain.slots(theirs.rows), strict=True):
        assert mine.tolist() == other.tolist()


def test_a_batch_is_its_states_one_by_one() -> None:
    encoder = TensorEncoder(load("squares"))
    batch = encoder.wander(8)
    planes = encoder.planes(*batch)
    for i, (row, history) in enumerate(zip(*batch, strict=True)):
        assert (planes[i] == encoder.state_tensor(State(encoder.game, row), history)).all()


@pytest.mark.slow
@pytest.mark.parametrize("jit", [False, True])
def test_moves_are_played_in_batches(jit: bool) -> None:
    encoder = TensorEncoder(load("hex", jit))
    batch = encoder.trial(["5", "6", "9"])
    start = encoder.game.start()
    rows, histories = np.repeat(start.row[None], 2, axis=0), encoder.new_histories(2)
    for text in ("5", "6", "9"):
        move = start.find(text)
        encoder.play(rows, histories, np.stack([move.row, start.find("0" if text == "5" else text).row]))
    assert (rows[0] == batch.rows[-1]).all()
    assert histories.tolist() == [[9, 9, 6, 6]] * 2
    assert (encoder.planes(rows, histories)[0] == encoder.planes(*batch)[-1]).all()
    assert (encoder.planes(rows)[0] != encoder.planes(*batch)[-1]).any()


def test_planes_are_written_over_what_was_there() -> None:
    encoder = TensorEncoder(load("reversi"))
    batch = encoder.wander(4)
    used = np.full((4, *encoder.layout.shape), 77, dtype=np.uint8)
    assert encoder.planes(*batch, out=used) is used
    assert (used == encoder.planes(*batch)).all()


def test_memory_of_torch_tensors() -> None:
    torch = pytest.importorskip("torch")
    encoder = TensorEncoder(load("hex"))
    batch = encoder.wander(3)
    tensor = torch.zeros((3, *encoder.layout.shape))
    encoder.planes(*batch, out=tensor.numpy())
    assert tensor.sum().item() == encoder.planes(*batch).sum()


def test_more_moves_than_sites(tmp_path: Path) -> None:
    """The array of slots grows where there is no room left."""
    encoder = TensorEncoder(texts.load("anywhere", tmp_path))
    rows = np.repeat(encoder.game.start().row[None], 5, axis=0)
    found = encoder.slots(rows)
    assert found.first.tolist() == [0, 96, 192, 288, 384, 480]
    assert len({tuple(part) for part in found.slots.reshape(5, 96).tolist()}) == 1


def test_arrays_that_do_not_fit() -> None:
    encoder = TensorEncoder(load("hex"))
    rows = encoder.game.start().row[None]
    with pytest.raises(LudoportError, match="the states of Hex are contiguous arrays of int64 of shape"):
        encoder.planes(rows.astype(np.int16))
    with pytest.raises(LudoportError, match="the histories"):
        encoder.planes(rows, encoder.new_histories(2))
    with pytest.raises(LudoportError, match="the moves"):
        encoder.slots_of(rows, rows)
    with pytest.raises(LudoportError, match=r"contiguous array of shape \(1, 10, 4, 4\), not \(1, 4, 4, 10\)"):
        encoder.planes(rows, out=np.zeros((1, 4, 4, 10), dtype=np.uint8))


def test_names_of_kernels_are_their_own() -> None:
    """Texts added to a game's kernels define no name that these have already."""
    game = load("Quick Chess")
    known = {line.split("(")[0] for line in game.rules.source.splitlines() if line.startswith("def ")}
    known |= {line.split(" = ")[0] for line in game.rules.source.splitlines() if " = " in line and line[0].isupper()}
    added = (kernel_text(TensorEncoder(game).layout) + ENTRIES).splitlines()
    new = {line.split("(")[0] for line in added if line.startswith("def ")}
    new |= {line.split(" = ")[0] for line in added if " = " in line and line[0].isupper()}
    assert "def planes" in new
    assert "TENSOR_CELLS" in new
    assert not known & new
