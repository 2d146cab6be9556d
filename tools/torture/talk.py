"""Input from other programs: lines of UCI and GTP, game records, ONNX files, requests to the page."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from tools.torture.formats import Format


def _lines(data: bytes) -> list[str]:
    """Lines as an engine reads them."""
    return data.decode("utf-8", "replace").splitlines()[:200]


def _uci_lines() -> list[bytes]:
    return [
        b"uci\nisready\nposition startpos moves e2e4 e7e5\ngo nodes 3\nstop\nd\nquit\n",
        b"setoption name Seed value 5\nposition fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4\ngo movetime 20\n",
        b"setoption name Player value random\ngo wtime 100 btime 100 winc 1 binc 1 movestogo 3\nponderhit\nstop\n",
        b"go ponder infinite searchmoves e2e4\nstop\nsetoption name UCI_Variant value gardner\nucinewgame\n",
    ]


def _read_uci(data: bytes, folder: Path) -> object:
    del folder
    from ludoport.bridges.uci import UciEngine, UciSettings

    UciEngine(UciSettings("gardner", "random"), lambda line: None).run(_lines(data))
    return None


def _gtp_lines() -> list[bytes]:
    return [
        b"1 protocol_version\n2 boardsize 3\nclear_board\nkomi 0\nplay black A1\ngenmove white\nundo\nshowboard\n",
        b"time_settings 1 0 0\ntime_left black 1 0\ngenmove black\nfinal_score\nlist_commands\nknown_command play\n",
        b"time_settings 0 1 5\nlz-analyze 10\nreg_genmove black\nludoport-visits\ngenmove_analyze white 5\n",
    ]


def _read_gtp(data: bytes, folder: Path) -> object:
    del folder
    from ludoport.bridges.gtp import GtpEngine, GtpSettings

    GtpEngine(GtpSettings("Tic-Tac-Toe", (), "random", 0.01), lambda text: None).run(_lines(data))
    return None


def _record_texts() -> list[bytes]:
    return [
        b'[Event "?"]\n[White "A \\" B"]\n[Result "1-0"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]\n\n'
        b"1. e4 {a comment} (1. e3 Kd7) Kd7 $1 2. Kf2 1-0\n",
        b"(;FF[4]GM[11]SZ[3]PB[one]PW[two\\]]RE[B+];B[a1];W[b2](;B[c3])(;W[d4]))",
        b"(;GM[11]SZ[3:3];B[swap-pieces];W[];B[c9])",
        b"# Ludoport game record\ngame: Tic-Tac-Toe\nresult: 1-0\nWhite: me\n\nA1, B2,\nC3\n",
    ]


def _read_records(data: bytes, folder: Path) -> object:
    from ludoport.bridges.records.convert import FORMATS, read, write

    path = folder / "game.txt"
    path.write_bytes(data)
    for record in read(path):
        for name in FORMATS:
            with suppress(LudoportError):
                write(record, name)
    return None


@cache
def _onnx_files() -> list[bytes]:
    import tempfile

    import torch

    import ludoport as lp
    from ludoport.nets.build import build_network
    from ludoport.nets.export import export_onnx
    from ludoport.nets.guide import origin_of
    from ludoport.nets.registry import preset
    from ludoport.tensors.layout import tensor_layout

    torch.set_num_threads(1)
    game = lp.load("Tic-Tac-Toe", jit=False)
    layout = tensor_layout(game)
    net = build_network(preset("tiny", layout.shape[0], layout.move_shape[0]), seed=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        export_onnx(net, path, origin=origin_of(game, layout))
        return [path.read_bytes()]


def _read_onnx(data: bytes, folder: Path) -> object:
    import torch

    import ludoport as lp
    from ludoport.nets.onnx_guide import OnnxGuide

    path = folder / "net.onnx"
    path.write_bytes(data)
    guide: Any = OnnxGuide(lp.load("Tic-Tac-Toe", jit=False), str(path))
    return guide.evaluator.evaluate(torch.zeros(2, *guide.layout.shape), guide.mask)


_GAME = {"name": "Tic-Tac-Toe", "options": []}
_REQUESTS: tuple[tuple[str, Any], ...] = (
    ("POST /api/tables", {"game": _GAME, "seats": ["human", "human"], "seed": 1}),
    ("POST /api/tables", {"import": {"game": _GAME, "seats": ["human", "human"], "seed": 1, "nodes": [[-1, ""]]}}),
    ("POST /api/tables/TABLE/play", {"node": 0, "ply": 0, "move": "A1"}),
    ("POST /api/tables/TABLE/go", {"node": 0}),
    ("POST /api/tables/TABLE/resume", {"seats": ["human", "human"]}),
    ("POST /api/tables/TABLE/analyse", {"players": [""]}),
    ("POST /api/tables/TABLE/review", {"player": ""}),
    ("GET /api/tables/TABLE/export?format=text", None),
    ("GET /api/tables/TABLE", None),
    ("GET /api/design/text?name=Hex", None),
    ("POST /api/design/problems", {"text": '(game "G" (players 2))', "options": []}),
    ("POST /api/design/complete", {"text": "(game ", "at": 5}),
    ("POST /api/transfer/x/explain", {"game": _GAME}),
    ("POST /api/trees/x/walk", {"moves": ["A1"], "depth": 2}),
    ("POST /api/runs/x/replay", {"epoch": 1}),
)


def _request_texts() -> list[bytes]:
    """A line with method and path, then the body."""
    return [f"{head}\n{json.dumps(body) if body is not None else ''}".encode() for head, body in _REQUESTS]


@cache
def _visitor() -> tuple[Any, str]:
    """A browser that has entered the page, and a table that it opened."""
    import os
    import tempfile

    from starlette.testclient import TestClient

    from ludoport.web.app import make_app
    from ludoport.web.desk import Desk
    from ludoport.web.guard import Secrets
    from ludoport.web.things import Things

    os.environ["LUDOPORT_JIT"] = "0"
    origin, secrets = "http://127.0.0.1:8765", Secrets(8765)
    app = make_app(Desk(Things(), Path(tempfile.mkdtemp(prefix="torture-")) / "tables"), secrets)
    client = TestClient(app, base_url=origin, headers={"Origin": origin}, raise_server_exceptions=True)
    client.__enter__()
    client.get("/", params={"token": secrets.token})
    table = client.post("/api/tables", json={"game": _GAME, "seats": ["human", "human"], "seed": 1}).json()["id"]
    return client, table


def _read_request(data: bytes, folder: Path) -> object:
    del folder
    import httpx2 as httpx

    client, table = _visitor()
    head, _, body = data.partition(b"\n")
    method, _, path = head.decode("latin-1").replace("TABLE", table).partition(" ")
    if method not in ("GET", "POST", "DELETE") or not path.startswith("/api/"):
        return None
    with suppress(httpx.InvalidURL, UnicodeError):
        return client.request(method, path, content=body, headers={"Content-Type": "application/json"}).status_code
    return None


FORMATS = {
    format.name: format
    for format in (
        Format("uci", _uci_lines, _read_uci, (b"go ", b"position ", b"nodes ", b"-1", b"fen ", b"moves ", b"value ")),
        Format("gtp", _gtp_lines, _read_gtp, (b"play ", b"time_left ", b"time_settings ", b"nan", b"inf", b"black")),
        Format("records", _record_texts, _read_records, (b"{", b"[", b"(;", b"]", b"\\", b"__class__: x\n", b"SZ[")),
        Format("request", _request_texts, _read_request, (b"NaN", b"null", b"[]", b"1e999", b"-1", b"true", b'"../x"')),
        Format("onnx", _onnx_files, _read_onnx),
    )
}
"""Formats of other programs."""
