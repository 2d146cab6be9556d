"""Recorded counts, lists of moves and examples of the rules."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from ludoport.chess import ChessVariant
from ludoport.errors import LudoportError
from ludoport.verify import chess
from ludoport.verify.chess import Comparison, verify_chess

FAST = ("chess8", "gardner", "chessplus8", "gardner_chessplus")
MOST = {True: 6_000_000, False: 550}
"""Machine code counts as far as a second goes; many small variants are counted in plain Python instead of compiled."""


def _part(data: Path, *names: str) -> dict[str, object]:
    record = json.loads((data / "chess" / "record.json").read_text())
    return {name: part for name, part in record.items() if name in names}


@pytest.mark.slow
@pytest.mark.parametrize("name", FAST)
def test_counts_by_machine_code(data: Path, name: str) -> None:
    (section,) = Comparison(_part(data, name), MOST[True]).sections()
    assert section.first is None, str(section.first)
    assert section.agreeing == section.checks >= 3 * section.positions
    assert section.nodes > 3_000_000


@pytest.mark.slow
def test_counts_by_plain_python(data: Path) -> None:
    parts = _part(data, *FAST, "gardner_literal", "examples", "alternatives")
    sections = list(Comparison(parts, MOST[False], jit=False).sections())
    assert [section.id for section in sections] == [*FAST, "gardner_literal", "examples", "alternatives"]
    for section in sections:
        assert section.first is None, str(section.first)
        assert section.agreeing == section.checks > 0


def test_counts_square_by_square(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of large boards on the same positions."""
    monkeypatch.setattr(chess, "ChessVariant", partial(ChessVariant, large=True))
    for section in Comparison(
        _part(data, *FAST, "gardner_literal", "examples", "alternatives"), 300, jit=False
    ).sections():
        assert section.first is None, str(section.first)
        assert section.agreeing == section.checks > 0


def test_a_wrong_number_is_found(data: Path, tmp_path: Path) -> None:
    record = json.loads((data / "chess" / "record.json").read_text())
    record["chess8"]["positions"] = record["chess8"]["positions"][:1]
    record["chess8"]["positions"][0]["perft"] = [20, 401]
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps({"format": 1, "chess8": record["chess8"]}))
    (section,) = verify_chess(path, jit=False)
    assert section.first is not None
    assert "perft(2): reference 401, game 400" in str(section.first)
    assert section.agreeing == section.checks - 1


def test_a_part_that_is_not_known_is_named() -> None:
    parts = {"format": 1, "meta": {}, "fairy_variants": [{"variant": "shogi", "perft": [30, 900]}, {"perft": [14]}]}
    (section,) = Comparison(parts, 100, jit=False).sections()
    assert (section.id, section.known, section.checks, section.skipped) == ("fairy_variants", False, 0, 3)
    assert section.line().startswith("skip fairy_variants       not compared")
    assert section.record()["known"] is False


def test_files_that_are_no_records(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    with pytest.raises(LudoportError, match="cannot read"):
        list(verify_chess(path))
    path.write_text("{")
    with pytest.raises(LudoportError, match="is not JSON"):
        list(verify_chess(path))
    path.write_text("[]")
    with pytest.raises(LudoportError, match="format 1"):
        list(verify_chess(path))


@pytest.mark.slow
def test_the_whole_reference_where_it_is_at_hand() -> None:
    path = Path(__file__).parents[3] / "shared" / "oracle" / "chess" / "oracle.json"
    if not path.is_file():
        pytest.skip("the reference data is not beside the checkout")
    wanted = json.loads(path.read_text())
    parts = {name: wanted[name] for name in FAST}
    for section in Comparison(parts, 130_000_000).sections():
        assert section.first is None, str(section.first)
