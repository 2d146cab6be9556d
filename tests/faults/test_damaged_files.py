"""Damaged files end in one sentence that names the file and says what to do, never in a traceback."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open
from safetensors.torch import load_file, save_file

import ludoport as lp
from ludoport.arena.storage import MatchStore
from ludoport.errors import LudoportError
from ludoport.files import read_json
from ludoport.nets.files import NetworkOrigin, load_network, save_network
from ludoport.nets.registry import preset as network_preset
from ludoport.search.graph import about_game
from ludoport.search.graph_files import graph_bytes, read_graph
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.run import Run
from ludoport.studies.soemers.custom import read_grid
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.overrides import override
from ludoport.transfer.sides import side_of
from tests.nets.lively import lively

CONFIG = TrainConfig(game="Tic-Tac-Toe")
MANY = 100_000


@pytest.fixture
def run(tmp_path: Path) -> Run:
    made = Run(tmp_path / "run", CONFIG)
    made.create()
    made.keep_metrics([{"epoch": 1, "loss": 1.0}, {"epoch": 2, "loss": 0.5}])
    return made


@pytest.mark.parametrize("name", ["config.toml", "metrics.jsonl"])
@pytest.mark.parametrize("place", [0, 10, -1])
def test_a_run_with_a_byte_that_is_no_text(run: Run, name: str, place: int) -> None:
    path = run.folder / name
    data = bytearray(path.read_bytes())
    data[place] = 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(LudoportError, match=rf"{name}: damaged \(byte 0xff at position \d+ is not UTF-8\); \w+"):
        Run(run.folder, CONFIG).metrics()


@pytest.mark.parametrize(
    "text", ["a." * 500_000 + "b = 1", "a = {" + "'a'." * 200_000 + "b = 1}", "a = " + "[" * 100_000]
)
def test_settings_that_would_take_hours_to_read(tmp_path: Path, text: str) -> None:
    for read in (lambda: TrainConfig.from_toml(text, "config.toml"), lambda: read_grid(tmp_path / "grid.toml")):
        (tmp_path / "grid.toml").write_text(text)
        with pytest.raises(LudoportError, match=r"\.toml: (more than 5,000 dots|brackets are nested)"):
            read()


@pytest.mark.parametrize(
    ("text", "problem"),
    [("[1, 2]\n", "line 1 is not a record"), ("{}\n", "record 1 has no epoch"), ('{"epoch": "1"}\n', "has no epoch")],
)
def test_metrics_that_are_none(run: Run, text: str, problem: str) -> None:
    (run.folder / "metrics.jsonl").write_text(text)
    with pytest.raises(LudoportError, match=problem):
        run.metrics()


def test_lines_that_were_cut_short_are_left_out(run: Run) -> None:
    path = run.folder / "metrics.jsonl"
    path.write_text(path.read_text() + '{"epoch": 3, "lo\n' + "[" * MANY + "\n" + '{"epoch": 4}\n{"epo')
    assert [record["epoch"] for record in run.metrics()] == [1, 2, 4]


@pytest.mark.parametrize("content", [b"\xff", b"", b"two", b"1" * 5000, "²".encode()])
def test_the_note_beside_tensorboard(run: Run, content: bytes) -> None:
    note = run.folder / "tensorboard" / "epochs.txt"
    note.parent.mkdir()
    note.write_bytes(content)
    with pytest.raises(LudoportError, match=r"epochs.txt: damaged \(.*\); remove the folder"):
        run.export_metrics()


def test_a_configuration_of_brackets(run: Run) -> None:
    (run.folder / "config.toml").write_text("game = " + "[" * MANY)
    with pytest.raises(LudoportError, match=r"config.toml: .*nested too deeply"):
        Run(run.folder, CONFIG)


def archive(**parts: Any) -> bytes:
    buffer = io.BytesIO()
    np.savez(buffer, **parts)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"PK", archive(), archive(header=np.arange(3)), archive(header=np.frombuffer(b"[1]", np.uint8)),
     archive(header=np.frombuffer(b'{"version": "3"}', np.uint8)),
     archive(header=np.frombuffer(b"[" * MANY, np.uint8))],
)  # fmt: skip
def test_a_state_that_is_none(run: Run, content: bytes) -> None:
    (run.folder / "state.npz").write_bytes(content)  # as earlier versions kept it
    with pytest.raises(LudoportError, match=r"state.npz: damaged \(.*\); restore it from a copy, or begin a new run"):
        run.checkpoints.load()


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff", b"[]", b"[" * MANY, b"1" * 5000, b'{"version": 4}', b'{"version": "4"}',
     b'{"version": 4, "segments": [{"first": 1}], "number": 1}',
     b'{"version": 4, "segments": [], "number": 1, "rest": "../config.toml", "facts": {}}',
     b'{"version": 4, "segments": [], "number": 1, "rest": "\\u0000", "facts": {}}'],
    ids=range(10),
)  # fmt: skip
def test_a_manifest_that_is_none(run: Run, content: bytes) -> None:
    folder = run.folder / "state"
    folder.mkdir()
    (folder / "manifest.json").write_bytes(content)
    with pytest.raises(LudoportError, match=r"manifest.json: damaged \(.*\); restore it from a copy, or begin a new"):
        run.checkpoints.load()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("match") / "match.sqlite"
    lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), games=4, store=path, workers=1)
    return path


CHANGES = {
    "broken JSON": "UPDATE games SET moves = '[\"1'",
    "brackets": f"UPDATE games SET moves = '{'[' * MANY}'",
    "no list": "UPDATE games SET moves = '{}'",
    "no texts": "UPDATE games SET moves = '[1, 2]'",
    "bytes": "UPDATE games SET moves = x'ff00'",
    "no number": "UPDATE games SET utility_a = 'x'",
    "no time": "UPDATE games SET seconds = x'00'",
    "no seed": "UPDATE games SET start_seed = 'one'",
    "other tables": "ALTER TABLE games RENAME COLUMN moves TO steps",
    "no tables": "DROP TABLE games",
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_file_of_matches(played: Path, tmp_path: Path, change: str) -> None:
    path = tmp_path / "match.sqlite"
    shutil.copy(played, path)
    with sqlite3.connect(path) as base:
        base.execute(change)
    with (
        pytest.raises(LudoportError, match=r"cannot use .*match.sqlite for the results of matches: "),
        MatchStore(path) as it,
    ):
        list(it.games(1))


EVER = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS match, x AS number FROM c"
COMPUTED = {
    "a view without end": ["ALTER TABLE games RENAME TO kept", f"CREATE VIEW games AS {EVER}"],
    "a trigger": ["CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM matches; END"],
    "a generated column": ["ALTER TABLE games ADD COLUMN x GENERATED ALWAYS AS (zeroblob(900000000))"],
    "a virtual table": ["CREATE VIRTUAL TABLE x USING rtree(a, b, c)"],
}


@pytest.mark.parametrize("changes", COMPUTED.values(), ids=COMPUTED)
def test_a_file_of_matches_that_computes(played: Path, tmp_path: Path, changes: list[str]) -> None:
    path = tmp_path / "match.sqlite"
    shutil.copy(played, path)
    with sqlite3.connect(path) as base:
        for change in changes:
            base.execute(change)
    with pytest.raises(LudoportError, match=r"match.sqlite holds views or triggers, as no file of matches does"):
        MatchStore(path)


def test_a_file_of_matches_that_makes_long_values(played: Path, tmp_path: Path) -> None:
    path = tmp_path / "match.sqlite"
    shutil.copy(played, path)
    with sqlite3.connect(path) as base:
        base.execute("CREATE INDEX i ON games (hex(zeroblob(90000000 + number))) WHERE number = 99")
    with MatchStore(path) as it:
        (game,) = (game for game in it.games(1) if game.pairing.number == 0)
        late = replace(game, pairing=replace(game.pairing, number=99))
        with pytest.raises(LudoportError, match="string or blob too big"):
            it.add(1, late)


@pytest.fixture(scope="module")
def tree() -> dict[str, bytes]:
    game = lp.load("Tic-Tac-Toe", jit=False)
    about = about_game(game, source="Tic-Tac-Toe", moves=(), simulations=50, seeds=(1,))
    grown = Tree(about.root(game), 5_000, seed=1)
    grown.run(50)
    with zipfile.ZipFile(io.BytesIO(graph_bytes(graph_of(grown, about=about)))) as parts:
        return {name: parts.read(name) for name in parts.namelist()}


def head(text: str, data: bytes = b"") -> bytes:
    """An array whose header says something."""
    body = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body + data


HEADS = {
    "too large": "{'descr': '<i8', 'fortran_order': False, 'shape': (1000000000000,)}",
    "overflow": "{'descr': '<i8', 'fortran_order': False, 'shape': (4611686018427387904, 4)}",
    "negative": "{'descr': '<i8', 'fortran_order': False, 'shape': (-1,)}",
    "objects": "{'descr': '|O', 'fortran_order': False, 'shape': (1,)}",
    "unknown": "{'descr': '<q9', 'fortran_order': False, 'shape': (1,)}",
    "old": "{'descr': '<i8', 'fortran_order': False, 'shape': (1L,)",
    "nested": "(" * 9000,
    "code": "__import__('os')",
    "empty": "",
}


@pytest.mark.parametrize("name", ["keys", "moves", "worth"])
@pytest.mark.parametrize("text", HEADS.values(), ids=HEADS)
def test_a_tree_with_a_damaged_head_of_an_array(tree: dict[str, bytes], tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / "a.tree"
    with zipfile.ZipFile(path, "w") as parts:
        for part, content in {**tree, f"{name}.npy": head(text)}.items():
            parts.writestr(part, content)
    with pytest.raises(LudoportError, match=r"a.tree is damaged \(.*\); use a copy of it or build it again"):
        read_graph(path)


def test_a_tree_with_a_header_of_brackets(tree: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    with zipfile.ZipFile(path, "w") as parts:
        for part, content in {**tree, "header.json": b"[" * MANY}.items():
            parts.writestr(part, content)
    with pytest.raises(LudoportError, match=r"a\.tree is damaged"):
        read_graph(path)


def huge(name: str) -> Callable[[dict[str, Any]], None]:
    def change(record: dict[str, Any]) -> None:
        record["network"][name] = 1_000_000 if name in ("blocks", "layers") else 2**40

    return change


@pytest.mark.slow
@pytest.mark.parametrize("name", ["blocks", "layers", "width", "policy_width", "value_width", "ownership"])
def test_a_network_that_claims_to_be_huge(tmp_path: Path, name: str) -> None:
    """Refused before any memory is asked for."""
    path = tmp_path / "net.safetensors"
    states = (StateChannel("piece", 1, "Marker1"), StateChannel("to-move", 1), StateChannel("container"))
    origin = NetworkOrigin("Hex", "abc", "compact", states, (MoveChannel("displacement"), MoveChannel("pass")))
    save_network(path, lively(network_preset("tiny", 3, 2)), origin)
    with safe_open(path, framework="pt") as file:
        record = json.loads(file.metadata()["ludoport"])
    huge(name)(record)
    save_file(load_file(path), path, metadata={"ludoport": json.dumps(record)})
    with pytest.raises(LudoportError, match=r"net\.safetensors: "):
        load_network(path)


@pytest.mark.parametrize(
    "record",
    [{"state": {"²": 0}}, {"state": {"9" * 5000: 0}}, {"state": {"": None}}, {"moves": {"0": {"a": []}}},
     {"state": [[]]}, {"state": 3}, {"state": {"0": 1.5}}, {"state": {"0": True}}, {"source": [1], "state": {}},
     {"state": {"0": 10**400}}, {"state": {}, "\udcff": 1}],
    ids=lambda record: str(record)[:30],
)  # fmt: skip
def test_odd_keys_of_a_map(record: dict[str, Any]) -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    side = side_of(game)
    with pytest.raises(LudoportError) as error:
        override(map_channels(side, side), record, side, side)
    assert len(str(error.value)) < 1000


def test_a_map_of_brackets(tmp_path: Path) -> None:
    path = tmp_path / "map.json"
    path.write_text("[" * MANY)
    with pytest.raises(LudoportError, match=r"map.json: damaged \(not JSON: brackets are nested too deeply"):
        read_json(path)
    path.write_bytes(b'{"a": \xff}')
    with pytest.raises(LudoportError, match=r"map.json: damaged \(byte 0xff"):
        read_json(path)
    path.write_text("1" * 5000)
    with pytest.raises(LudoportError, match=r"map.json: damaged \(not JSON: Exceeds"):
        read_json(path)
