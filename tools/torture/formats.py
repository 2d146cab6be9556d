"""Every input format: good files to begin with, and what reads them.

A reader answers or raises ``LudoportError``; everything else that it raises is a finding.
"""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError

Reader = Callable[[bytes, Path], object]
"""Reads bytes; may write into an empty folder."""


@dataclass(frozen=True)
class Format:
    """An input format.

    Attributes:
        name: how the command line calls it.
        samples: makes good files.
        read: reads one.
        words: pieces of the format.
        make: makes input number so much; default: a damaged sample.
        seconds: CPU time after which reading is a finding.
    """

    name: str
    samples: Callable[[], Sequence[bytes]]
    read: Reader
    words: tuple[bytes, ...] = ()
    make: Callable[[int], bytes] | None = None
    seconds: float = 20


def text_of(data: bytes) -> str:
    """Bytes as a reader of files would get them."""
    return data.decode("utf-8", "surrogateescape")


def _game_files() -> list[bytes]:
    from ludoport.games import bundled

    names = ("Tic-Tac-Toe", "Hex", "Breakthrough", "Reversi", "Yavalath", "Konane", "Gomoku")
    return [bundled()[name].read_bytes() for name in names]


def _read_game_file(data: bytes, folder: Path) -> object:
    from ludoport.lud import read_file
    from ludoport.ludemic import LudemicRules

    path = folder / "game.lud"
    path.write_bytes(data)
    rules = LudemicRules(read_file(path))
    return len(rules.source)


def _rulesheets() -> list[bytes]:
    from ludoport.games import bundled_rulesheets

    return sorted((path.read_bytes() for path in bundled_rulesheets().values()), key=len)[:6]


def _read_rulesheet(data: bytes, folder: Path) -> object:
    from ludoport.game import Game
    from ludoport.gdl import load_rules

    path = folder / "game.kif"
    path.write_bytes(data)
    return len(Game(load_rules(path, engine="interpreter"), jit=False).start().moves())


def _fens() -> list[bytes]:
    return [
        b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    ]


def _read_fen(data: bytes, folder: Path) -> object:
    del folder
    from ludoport.chess import read_fen
    from ludoport.chess.variant import NAMED

    return read_fen(text_of(data), NAMED["chess"])


def _configs() -> list[bytes]:
    from ludoport.selfplay.config import PRESETS, preset

    return [preset(name, game="Hex").to_toml().encode() for name in PRESETS]


def _read_config(data: bytes, folder: Path) -> object:
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.run import Run

    (folder / "config.toml").write_bytes(data)
    return Run(folder, TrainConfig(game="Hex"))


def _metrics() -> list[bytes]:
    return [b"".join(json.dumps({"epoch": k, "loss": 1 / k, "games": 3}).encode() + b"\n" for k in range(1, 6))]


def _read_metrics(data: bytes, folder: Path) -> object:
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.run import Run

    (folder / "run").mkdir()
    run = Run(folder / "run", TrainConfig(game="Hex"))
    run.create()
    (run.folder / "metrics.jsonl").write_bytes(data)
    return run.metrics()


def _manifests() -> list[bytes]:
    record = {
        "version": 4, "number": 1, "rest": "rest-1.npz", "replay": {"written": 10, "places": 20, "slots": 4},
        "facts": {"epoch": 1}, "segments": [{"first": 0, "last": 10, "positions": "positions.npz", "ends": ""}],
    }  # fmt: skip
    return [json.dumps(record).encode()]


def _read_manifest(data: bytes, folder: Path) -> object:
    from ludoport.selfplay.checkpoints import Checkpoints

    (folder / "state").mkdir()
    (folder / "state" / "manifest.json").write_bytes(data)
    np.savez(folder / "state" / "rest-1.npz", x=np.zeros(3))
    np.savez(folder / "state" / "positions.npz", x=np.zeros(3))
    return Checkpoints(folder).load()


@cache
def _match_files() -> list[bytes]:
    import tempfile

    import ludoport as lp

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.sqlite"
        lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), games=4, workers=1, store=path)
        base = sqlite3.connect(path)
        base.execute("PRAGMA journal_mode = DELETE")
        base.close()
        return [path.read_bytes()]


def _read_match(data: bytes, folder: Path) -> object:
    from ludoport.arena.storage import MatchStore

    path = folder / "match.sqlite"
    path.write_bytes(data)
    with MatchStore(path) as store:
        return [list(store.games(int(match["id"]))) for match in store.matches()]


@cache
def _trees() -> list[bytes]:
    import ludoport as lp
    from ludoport.search.graph import about_game
    from ludoport.search.graph_files import graph_bytes
    from ludoport.search.graph_trees import graph_of
    from ludoport.search.tree import Tree

    game = lp.load("Tic-Tac-Toe", jit=False)
    tree = Tree(game.start(), 5_000, seed=1)
    tree.run(40)
    return [graph_bytes(graph_of(tree, about=about_game(game, source="Tic-Tac-Toe")))]


def _read_tree(data: bytes, folder: Path) -> object:
    from ludoport.search.graph_files import read_graph
    from ludoport.search.graph_merge import merge_files

    path = folder / "a.tree"
    path.write_bytes(data)
    read_graph(path)
    merge_files([path, path], folder / "b.tree", memory=1)
    return None


@cache
def _networks() -> list[bytes]:
    import tempfile

    import torch

    from ludoport.nets.build import build_network
    from ludoport.nets.files import NetworkOrigin, save_network
    from ludoport.nets.registry import preset
    from ludoport.tensors.channels import MoveChannel, StateChannel

    torch.set_num_threads(1)  # threads do not survive a fork
    states = (StateChannel("piece", 1, "Marker1"), StateChannel("to-move", 1), StateChannel("container"))
    origin = NetworkOrigin("Hex", "abc", "compact", states, (MoveChannel("displacement"), MoveChannel("pass")))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.safetensors"
        save_network(path, build_network(preset("tiny", 3, 2), seed=1), origin)
        return [path.read_bytes()]


def _read_network(data: bytes, folder: Path) -> object:
    from ludoport.nets.files import load_network

    path = folder / "net.safetensors"
    path.write_bytes(data)
    return load_network(path)


@cache
def _sides() -> Any:
    import ludoport as lp
    from ludoport.transfer.mapping import map_channels
    from ludoport.transfer.sides import side_of

    a, b = (side_of(lp.load(name, jit=False)) for name in ("Hex", "Yavalath"))
    return map_channels(a, b), a, b


def _maps() -> list[bytes]:
    return [b'{"state": {"Marker1": "Ball1", "0": null, "1": 2}, "moves": {"swap": null, "0": 0}}',
            b'{"state": [{"target": 0, "source": 1}], "source": "Hex", "target": "Yavalath"}']  # fmt: skip


def _read_map(data: bytes, folder: Path) -> object:
    from ludoport.transfer.overrides import read_overrides

    path = folder / "map.json"
    path.write_bytes(data)
    return read_overrides(path, *_sides())


def _features() -> list[bytes]:
    record = {
        "format": "ludoport value features", "version": 1, "ludoport": "0", "depth": 1,
        "rewards": {"loss": 0, "win": 1}, "sources": [], "features": [],
    }  # fmt: skip
    return [json.dumps(record).encode()]


def _read_features(data: bytes, folder: Path) -> object:
    from ludoport.transfer.features_file import load_features

    path = folder / "features.json"
    path.write_bytes(data)
    return load_features(path)


def _memories() -> list[bytes]:
    buffer = io.BytesIO()
    header = json.dumps({"format": "ludoport learner memory", "version": 1}).encode()
    np.savez(
        buffer, header=np.frombuffer(header, np.uint8), book=np.zeros((4, 3)), q=np.zeros(3), kept=np.zeros((3, 5))
    )
    return [buffer.getvalue()]


def _read_memory(data: bytes, folder: Path) -> object:
    from types import SimpleNamespace

    from ludoport.td.memory_file import load_memory

    path = folder / "memory.npz"
    path.write_bytes(data)
    memory: Any = SimpleNamespace(book=np.zeros((4, 0)), kept=np.zeros((0, 5)), fill=lambda *arrays: None)
    return load_memory(memory, path, {})


def _messages() -> list[bytes]:
    sheet = b"(role a) (role b) (init (p 1)) (legal a go)"
    return [b"( INFO )", b"( START m a (" + sheet + b") 10 5 )", b"( PLAY m (( mark 1 1 ) noop ) )", b"( STOP m NIL )"]


def _read_message(data: bytes, folder: Path) -> object:
    del folder
    from ludoport.ggp.http import decoded, parse_head
    from ludoport.ggp.messages import digest, read_info, read_message

    parse_head(data)
    text = decoded(data)
    with suppress(LudoportError):
        read_info(text)
    return digest(text), read_message(text)


def _records() -> list[bytes]:
    return [b'{"format": 1, "match": "m", "steps": [], "start_mistakes": [], "roles": ["a"], "players": [null]}']


def _read_record(data: bytes, folder: Path) -> object:
    from ludoport.ggp.record import read_record

    path = folder / "record.json"
    path.write_bytes(data)
    return read_record(path)


def _players() -> list[bytes]:
    return [b"uct:800,rollouts=10", b"minimax:3", b"net:run,simulations=50", b"random", b"uct:100,seconds=0.5"]


def _read_player(data: bytes, folder: Path) -> object:
    del folder
    from ludoport.arena.specification import read

    return read(text_of(data))


def _grids() -> list[bytes]:
    return [b'name = "x"\ngames = ["Hex", "Yavalath"]\n[train]\nsimulations = 8\n']


def _read_grid(data: bytes, folder: Path) -> object:
    from ludoport.studies.soemers.custom import read_grid

    path = folder / "grid.toml"
    path.write_bytes(data)
    return read_grid(path)


_LUD = tuple(
    b'(game |(players 2)|(define "A" |(move Add |(to (sites Empty))|(sites {0 1 30000})|(is Line 3)|(piece "X" Each)'
    b"|(board (square 3))|(hex 5)|(subdivide |(rotate 30 |(then |(addScore Mover 1)|(set State at:(last To) 7)|(or {"
    b"|(count Pieces)|(+ 900000000 (last To))|Mover|P1|All|(forEach Piece)|(end |(option |<S:n>|#1|(+ 1 2)".split(b"|")
)
_KIF = tuple(b"(role |(init |(next |(legal |(true |(does |(not |(or |(distinct ?x ?y)|terminal|(goal |?x|(<= |((f a) b)"
             .split(b"|"))  # fmt: skip

FORMATS = {
    format.name: format
    for format in (
        Format("lud", _game_files, _read_game_file, _LUD),
        Format("kif", _rulesheets, _read_rulesheet, _KIF),
        Format("fen", _fens, _read_fen, (b"/", b"KQkq", b"(", b"9", b" w ")),
        Format("config", _configs, _read_config, (b"[", b"=", b'"""', b"true")),
        Format("metrics", _metrics, _read_metrics, (b"{}", b"[]", b"null")),
        Format("manifest", _manifests, _read_manifest, (b"null", b"[]", b'"../x"', b"{}")),
        Format("match", _match_files, _read_match, (b"NULL", b"'x'")),
        Format("tree", _trees, _read_tree),
        Format("network", _networks, _read_network, (b"1000000", b"blocks", b"null")),
        Format("map", _maps, _read_map, (b"null", b"[]", b"true")),
        Format("features", _features, _read_features, (b"null", b"[]", b"{}")),
        Format("memory", _memories, _read_memory),
        Format("message", _messages, _read_message, (b"START", b"(", b")", b"nil")),
        Format("record", _records, _read_record, (b"null", b"[]", b"{}")),
        Format("player", _players, _read_player, (b",", b"=", b":", b"uct")),
        Format("grid", _grids, _read_grid, (b"[x]", b"[[", b"=")),
    )
}
