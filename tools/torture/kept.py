"""Kept files: stores and results of studies, manifests of zoos, networks for many games, lists."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.task import Task
from tools.torture.formats import Format

PLAYED = "tools.torture.kept:played"


def played(task: Task) -> dict[str, Any]:
    """The result of a job of any kind, without any work."""
    wins = task.job.seed % 61
    learned = {"epochs": 3, "seconds": 1.5, "games": 8, "parameters": 9, "device": "cpu"}
    return {**learned, "wins": wins, "draws": 0, "losses": 60 - wins, "source_epochs": 3, "target_epochs": 4}


@cache
def _stores() -> list[bytes]:
    """A study with results, as one plain file."""
    import tempfile

    from ludoport.bench.study import fake_plan
    from ludoport.studies.engine.crew import run_crew
    from ludoport.studies.engine.run import prepare
    from ludoport.studies.engine.store import Store
    from ludoport.studies.engine.store_file import FILE
    from ludoport.studies.engine.work import Place

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        prepare(fake_plan(2, 0.0), folder)
        run_crew(Place(folder, runner=PLAYED))
        with Store(folder, create=False) as store:
            store.settle()
        with closing(sqlite3.connect(folder / FILE, isolation_level=None)) as base:
            # Times and names of processes would make another file each time.
            base.execute(
                "UPDATE jobs SET worker = 'w', heartbeat = 1, seconds = 1.5, commit_id = 'abc', ended = '2024'"
            )
            base.execute("""UPDATE study SET value = '"here"' WHERE name IN ('machine', 'commit')""")
            base.execute("VACUUM")
        return [(folder / FILE).read_bytes()]


def _read_store(data: bytes, folder: Path) -> object:
    from ludoport.bench.study import fake_plan
    from ludoport.studies.engine.run import outcome, prepare
    from ludoport.studies.engine.store_file import FILE
    from ludoport.studies.reports import write_reports
    from ludoport.web.views.study import about_study

    (folder / FILE).write_bytes(data)
    uses = (
        lambda: about_study(folder),
        lambda: write_reports([str(folder)], folder / "report", plots=False),
        lambda: prepare(fake_plan(2, 0.0), folder),
        lambda: outcome(folder),
    )
    for use in uses:
        with suppress(LudoportError):
            use()
    return None


@cache
def _results() -> list[bytes]:
    """Results that the report of that study keeps."""
    import tempfile

    from ludoport.studies.engine.store_file import FILE
    from ludoport.studies.report.page import RESULTS
    from ludoport.studies.reports import write_reports

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / FILE).write_bytes(_stores()[0])
        return [write_reports([place], folder / "report", plots=False).with_name(RESULTS).read_bytes()]


def _read_results(data: bytes, folder: Path) -> object:
    from ludoport.studies.report.page import RESULTS
    from ludoport.studies.reports import write_reports

    (folder / RESULTS).write_bytes(data)
    return write_reports([str(folder)], folder / "report", plots=False)


def _zoos() -> list[bytes]:
    match = {
        "settings": "simulations=50", "against": "uct:800", "wins": 9, "draws": 0, "losses": 1, "score": 0.9,
        "low": 0.6, "high": 0.98, "seed": 1, "precision": "half",
    }  # fmt: skip
    network = {
        "name": "hex-3x3", "game": "Hex", "options": ["Board Size/3x3"], "fingerprint": "abc", "size": 3,
        "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "licence": "MIT",
        "command": "ludoport train Hex", "device": "cpu, 2 cores", "seconds": 6.5, "epochs": 3, "positions": 1000,
        "strength": [match],
    }  # fmt: skip
    return [json.dumps({"format": "ludoport-zoo", "version": 1, "networks": [network]}).encode()]


def _read_zoo(data: bytes, folder: Path) -> object:
    import os
    from unittest.mock import patch

    from ludoport.commands.zoo import _described, _row
    from ludoport.zoo import MANIFEST, zoo_networks

    (folder / MANIFEST).write_bytes(data)
    (folder / "hex-3x3.safetensors").write_bytes(b"abc")
    with patch.dict(os.environ, {"LUDOPORT_ZOO": str(folder)}):
        found = zoo_networks()
        for network in found:
            shown = " ".join((*_row(network), _described(network, "")))
            if not shown.replace("\n", "").isprintable():
                raise AssertionError("characters that a terminal obeys")
            with suppress(LudoportError):
                network.path.read_bytes()
    return found


@cache
def _universal_networks() -> list[bytes]:
    import tempfile

    import torch

    import ludoport as lp
    from ludoport.descriptions.game import describe
    from ludoport.nets.universal.config import UniversalConfig
    from ludoport.nets.universal.files import save_universal
    from ludoport.nets.universal.network import build_universal

    torch.set_num_threads(1)
    shape = UniversalConfig(blocks=2, width=4, pool_every=2, policy_width=3, value_width=3, rule_width=3, way_width=3)
    game = describe(lp.load("Tic-Tac-Toe", jit=False))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.safetensors"
        save_universal(path, build_universal(shape, [game], 1), ["Tic-Tac-Toe"])
        return [path.read_bytes()]


def _read_universal(data: bytes, folder: Path) -> object:
    from ludoport.nets.finding import made_for, search_settings
    from ludoport.nets.universal.files import load_universal

    path = folder / "many.safetensors"
    path.write_bytes(data)
    made_for(path)
    search_settings(path)
    return load_universal(path)


def _lists() -> list[bytes]:
    return [b"# games\nHex; Board Size/3x3\nTic-Tac-Toe\n\nBreakthrough; Board Size/6x6  # small\n"]


def _read_list(data: bytes, folder: Path) -> object:
    from ludoport.selfplay.lists import game_list

    path = folder / "games.txt"
    path.write_bytes(data)
    return game_list(path)


def _journals() -> list[bytes]:
    return [b'[["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]\n[["noop", "noop"]]\n']


def _read_journal(data: bytes, folder: Path) -> object:
    from ludoport.ggp.journal import Journal

    path = folder / "matches.jsonl"
    path.write_bytes(data)
    return list(Journal(path, 2).matches(0))


FORMATS = {
    format.name: format
    for format in (
        Format("store", _stores, _read_store, (b"NULL", b"null", b"[]", b"{}", b"done", b"../x", b"<b>")),
        Format("results", _results, _read_results, (b"null", b"[]", b"{}", b'"../x"', b"1e999", b"-1", b"\\ud800")),
        Format("zoo", _zoos, _read_zoo, (b"null", b"[]", b"{}", b'"../x"', b"\\u001b[2J", b"true")),
        Format("universal", _universal_networks, _read_universal, (b"1000000", b"null", b"blocks", b"[]")),
        Format("list", _lists, _read_list, (b";", b"/", b"../x", b"#")),
        Format("journal", _journals, _read_journal, (b"[]", b"null", b"{}")),
    )
}
"""Formats of files that are kept."""
