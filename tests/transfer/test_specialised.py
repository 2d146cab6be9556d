"""``transfer`` specialises networks for many games."""

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.descriptions.game import describe
from ludoport.nets.files import load_network
from ludoport.nets.finding import search_settings
from ludoport.nets.universal.config import UniversalConfig
from ludoport.nets.universal.files import save_universal
from ludoport.nets.universal.network import build_universal
from ludoport.transfer.api import TransferSettings, carry
from ludoport.transfer.options import TransferOptions


@pytest.fixture
def run(tmp_path: Path) -> Path:
    net = build_universal(UniversalConfig(blocks=1, width=4), [describe(lp.load("Tic-Tac-Toe", jit=False))])
    save_universal(tmp_path / "network.safetensors", net, ["Tic-Tac-Toe"], {"search": {"simulations": 7}})
    return tmp_path


def test_a_network_for_a_game(run: Path) -> None:
    hexes = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    file = lp.transfer(run, hexes, run / "hex")
    saved = load_network(file, game="Hex", fingerprint=hexes.rules.fingerprint)
    assert saved.header.config.family == "residual"
    assert search_settings(run / "hex") == {"simulations": 7}


def test_the_report_names_what_is_unknown(run: Path) -> None:
    loaded = ("", (), None)
    known = carry(run, lp.load("Tic-Tac-Toe", jit=False), run / "one", TransferSettings(), loaded)
    assert "knows all" in str(known)
    report = carry(run, lp.load("Hex", options=["Board Size/3x3"], jit=False), run / "two", TransferSettings(), loaded)
    assert "enemy region +0" in str(report)
    assert "enemy region +0" in report.as_json()["unknown"]


def test_no_mapping_is_needed(run: Path) -> None:
    settings = TransferSettings(network=TransferOptions(unmapped="fresh"))
    with pytest.raises(lp.LudoportError, match="many games"):
        carry(run, lp.load("Tic-Tac-Toe", jit=False), run / "one", settings, ("", (), None))
