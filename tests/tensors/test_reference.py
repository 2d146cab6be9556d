"""Tensors of all measured variants beside recorded ones; plain Python, which needs no compiling."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from ludoport.verify import tensor
from ludoport.verify.compact import run_compact
from ludoport.verify.report import FileComparison
from ludoport.verify.variants import BUNDLED, Variant, read_variants

VARIANTS = list(read_variants(BUNDLED).values())


def _compare(variant: Variant, data: Path, plies: tuple[int, ...], jit: bool = False) -> FileComparison:
    result = FileComparison(variant.id, unit="positions")
    game = lp.load(variant.game, options=list(variant.options), jit=jit)
    tensor.compare_file(game, data / "tensors" / f"{variant.id}.json.gz", result, plies)
    return result


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_layout_states_and_slots(variant: Variant, data: Path) -> None:
    result = _compare(variant, data, (2, 10))
    assert result.agrees, str(result.first)
    assert result.agreeing == result.checks >= result.trials > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breakthrough_4x4_hexagon", "connect_four"])
def test_machine_code(name: str, data: Path) -> None:
    (variant,) = (v for v in VARIANTS if v.id == name)
    result = _compare(variant, data, (0, 1, 2, 5, 10), jit=True)
    assert result.agrees, str(result.first)


def test_every_variant_has_data(data: Path) -> None:
    assert {path.name.removesuffix(".json.gz") for path in (data / "tensors").iterdir()} == {v.id for v in VARIANTS}


@pytest.fixture(scope="module")
def chess() -> TensorEncoder:
    return TensorEncoder(lp.load("Los Alamos Chess", jit=False), tensor.LAYOUT)


@pytest.fixture
def record(data: Path) -> dict[str, Any]:
    return tensor.read_tensors(data / "tensors" / "los_alamos_chess.json.gz")


def test_another_channel_is_noticed(chess: TensorEncoder, record: dict[str, Any]) -> None:
    assert tensor.compare_layout(chess.layout, record) is None
    for key, what in (("stateShape", "shape of states"), ("moveTensorChannelNames", "names of move channels")):
        changed = copy.deepcopy(record)
        changed[key][0] = 1
        found = tensor.compare_layout(chess.layout, changed)
        assert found is not None
        assert found.what == what
    record["sites"][7]["tx"] += 1
    found = tensor.compare_layout(chess.layout, record)
    assert found is not None
    assert found.what == "place of site 7"


def test_another_number_is_noticed(chess: TensorEncoder, record: dict[str, Any]) -> None:
    position = next(tensor._positions(record["trials"][0]))
    assert tensor.compare_position(chess, position) is None
    position.values[3, 0, 0] = 1.0
    found = tensor.compare_position(chess, position)
    assert found is not None
    assert "first at (3, 0, 0)" in found.what


def test_another_slot_is_noticed(chess: TensorEncoder, record: dict[str, Any]) -> None:
    position = next(tensor._positions(record["trials"][0]))
    text, (place, flat) = next(iter(position.slots.items()))
    position.slots[text] = (place, flat + 1)
    found = tensor.compare_position(chess, position)
    assert found is not None
    assert found.what == f"slot of {text}"
    del position.slots[text]
    found = tensor.compare_position(chess, position)
    assert found is not None
    assert found.extra == [text]


def test_files_of_something_else(tmp_path: Path) -> None:
    path = tmp_path / "chess.json"
    path.write_text(json.dumps({"perft": [1, 2]}))
    with pytest.raises(LudoportError, match="not a record of tensors"):
        tensor.read_tensors(path)


def test_copies_hold_what_is_compared(data: Path, tmp_path: Path) -> None:
    """A full record keeps names and places in another file; a copy has them all."""
    record = tensor.read_tensors(data / "tensors" / "tic_tac_toe.json.gz")
    (tmp_path / "tensor").mkdir()
    (tmp_path / "info").mkdir()
    known = {key: record.pop(key) for key in ("stateTensorChannelNames", "moveTensorChannelNames", "sites")}
    (tmp_path / "info" / "tic_tac_toe.json").write_text(json.dumps(known))
    (tmp_path / "tensor" / "tic_tac_toe.json").write_text(json.dumps(record | {"board": {}}))
    assert run_compact("tensor", tensor.compact, [str(tmp_path / "tensor"), str(tmp_path / "copy")]) == 0
    copied = tensor.read_tensors(tmp_path / "copy" / "tic_tac_toe.json.gz")
    assert copied == record | known
    assert run_compact("tensor", tensor.compact, []) == 2


@pytest.mark.slow
def test_repeated_hands() -> None:
    """The recorded version lays all hands but the first at (0, 0); `paper` has them where they belong."""
    game = lp.load("Minishogi", jit=False)
    recorded, intended = tensor_layout(game, "ludii-1.3.14"), tensor_layout(game, "paper")
    assert recorded.shape == intended.shape
    assert (recorded.x[25:30] == 7).all()
    assert not recorded.x[30:].any()
    assert not recorded.y[30:].any()
    assert intended.x[25:].tolist() == [6] * 5 + [7] * 5
    assert intended.y[25:].tolist() == [0, 1, 2, 3, 4] * 2
    assert recorded.shared_cells
    assert not intended.shared_cells
