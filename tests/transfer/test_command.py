"""``ludoport transfer``, from file to file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch
import typer
from typer.testing import CliRunner

from ludoport.commands.transfer import transfer
from ludoport.errors import LudoportError
from ludoport.nets.files import NetworkOrigin, load_network, read_header, save_network
from ludoport.nets.registry import preset
from ludoport.transfer.network_files import source_side
from ludoport.transfer.sides import Side, find_side
from tests.nets.lively import lively

app = typer.Typer()
app.command()(transfer)


def run(*arguments: str) -> str:
    """Output of the command; its errors are raised."""
    answer = CliRunner().invoke(app, list(arguments), catch_exceptions=True)
    if isinstance(answer.exception, LudoportError):
        raise answer.exception
    assert answer.exit_code == 0, answer.output
    return answer.output


def saved(folder: Path, side: Side, name: str = "run.safetensors", fingerprint: str | None = None) -> Path:
    """A network for a game, in a file."""
    net = lively(preset("tiny", len(side.state), len(side.moves)))
    origin = NetworkOrigin(side.game, fingerprint or side.fingerprint, "paper", side.state, side.moves, side.options)
    save_network(folder / name, net, origin, {"steps": 12})
    return folder / name


@pytest.mark.slow
def test_from_file_to_file(tmp_path: Path) -> None:
    source = saved(tmp_path, find_side("Gomoku", ["Board Size/9x9"]))
    out = tmp_path / "moved.safetensors"
    text = run(str(source), "Yavalath", "-o", "Board Size/4x4", "--out", str(out))
    assert "network for Yavalath, transferred from Gomoku" in text
    assert "channels without a source (zero weights): Did Swap Occur?" in text
    moved, target = load_network(out), find_side("Yavalath", ["Board Size/4x4"])
    origin = moved.header.origin
    assert (origin.game, origin.options, origin.fingerprint) == ("Yavalath", ("Board Size/4x4",), target.fingerprint)
    assert (origin.layout, origin.state_channels) == ("paper", target.state)
    facts = moved.header.training["transfer"]
    assert facts["source"]["name"] == "Gomoku"
    assert facts["source_training"] == {"steps": 12}
    assert facts["state_sources"] == [0, 1, 2, 3, -1, 4, 5, 6, 7, 8]
    old = load_network(source).net.state_dict()["stem.conv.weight"]
    new = moved.net.state_dict()["stem.conv.weight"]
    assert torch.equal(new[:, 5:], old[:, 4:])
    assert not new[:, 4].any()


def test_from_folder_to_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    saved(folder, find_side("Gomoku"), "network.safetensors")
    answer = json.loads(run(str(folder), "Squava", "--out", str(tmp_path / "a" / "b"), "--layout", "compact", "--json"))
    assert answer == {
        "knowledge": "network",
        "file": str(tmp_path / "a" / "b" / "network.safetensors"),
        "source": "Gomoku",
        "target": "Squava",
        "unmapped": ["Did Swap Occur?"],
    }
    assert read_header(Path(answer["file"])).origin.layout == "compact"
    assert json.loads((tmp_path / "a" / "b" / "mapping.json").read_text())["target"] == "Squava"


def test_a_map_is_followed(tmp_path: Path) -> None:
    source = saved(tmp_path, find_side("Gomoku"))
    (tmp_path / "map.json").write_text('{"state": {"Marker1": "Marker2"}}')
    out = tmp_path / "moved.safetensors"
    run(str(source), "Squava", "--out", str(out), "--map", str(tmp_path / "map.json"))
    assert read_header(out).training["transfer"]["state_sources"][:2] == [1, 1]
    (tmp_path / "map.json").write_text('{"state": {"Marker3": "Marker2"}}')
    with pytest.raises(LudoportError, match=r"map\.json: Squava has no channel 'Marker3'"):
        run(str(source), "Squava", "--out", str(out), "--map", str(tmp_path / "map.json"))


def test_explaining_two_games() -> None:
    lines = run("--explain", "Minishogi", "Shogi").splitlines()
    assert lines[0] == "Minishogi -> Shogi"
    (row,) = [line for line in lines if "(Keima1)" in line]
    assert row.split() == "10 Piece Type 11 (Keima1) 6 Piece Type 7 (Hisha1) edit distance 89".split()  # noqa: SIM905
    answer = json.loads(run("--explain", "Hex", "Gomoku", "--source-option", "Board Size/7x7", "--json"))
    assert [row["index"] for row in answer["state"]] == [0, 1, 2, 3, 5, 6, 7, 8, 9]


def test_explaining_a_network(tmp_path: Path) -> None:
    text = run("--explain", str(saved(tmp_path, find_side("Gomoku"))), "Squava")
    assert text.startswith("Gomoku -> Squava\n")


@pytest.mark.slow
def test_both_mappings_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.transfer.test_behaviour import SHORT, SLIDE, STEP, game

    monkeypatch.setenv("LUDOPORT_JIT", "0")
    game(tmp_path, "Source", "Walker", STEP, "Rider", SLIDE)
    game(tmp_path, "Target", "Horse", SLIDE, "Foot", SHORT)
    names = [str(tmp_path / name) for name in ("Source.lud", "Target.lud")]
    lines = run("--explain", "--behaviour", *names).splitlines()
    (row,) = [line for line in lines if "(Foot1)" in line]
    assert "edit distance" in row
    assert row.endswith("Piece Type 1 (Walker1)")
    assert "Piece Type 3 (Rider1)" in row
    answer = json.loads(run("--explain", "--behaviour", "--json", *names))
    assert answer["state"][2]["index"] == 2
    assert answer["behaviour"]["state"][2]["index"] == 0


@pytest.mark.slow
def test_a_game_whose_text_is_not_there(tmp_path: Path) -> None:
    """Names are enough as long as all pieces have a namesake; otherwise rules must be compared."""
    side = find_side("Minishogi")
    path = saved(tmp_path, side, fingerprint="0" * 32)
    known = source_side(read_header(path))
    assert known.rules == {}
    assert known.pieces() == side.pieces()
    run(str(path), "Minishogi", "--out", str(tmp_path / "same.safetensors"))
    with pytest.raises(LudoportError, match="the text of Minishogi is needed"):
        run(str(path), "Shogi", "--out", str(tmp_path / "other.safetensors"))
    run(str(path), "Shogi", "--source", "Minishogi", "--out", str(tmp_path / "other.safetensors"))
    with pytest.raises(LudoportError, match="other channels than those of Hex"):
        run(str(path), "Shogi", "--source", "Hex", "--out", str(tmp_path / "other.safetensors"))


def test_bad_input(tmp_path: Path) -> None:
    path = str(saved(tmp_path, find_side("Gomoku")))
    for arguments, words in (
        ((str(tmp_path / "absent.safetensors"), "Hex", "--out", str(tmp_path)), "no such file or folder"),
        ((str(tmp_path), "Hex", "--out", str(tmp_path)), r"no network here \(missing network\.safetensors\)"),
        ((path, "Hexx", "--out", str(tmp_path)), "unknown game `Hexx`"),
        ((path, "Hex"), "--out is missing"),
        ((path, "Hex", "--out", str(tmp_path / "x"), "--layout", "fancy"), "unknown tensor layout `fancy`"),
        ((path, "Connect Four", "--out", str(tmp_path / "x")), "Connect Four has stacks"),
    ):
        with pytest.raises(LudoportError, match=words):
            run(*arguments)
