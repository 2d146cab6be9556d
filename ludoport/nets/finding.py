"""Networks of runs: where their files are, and how they search; needs no PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.zoo import PREFIX, zoo_network

NETWORK = "network.safetensors"
"""The network's file in the folder of a run."""

_LONGEST = 100_000_000
"""Bytes of the longest header that safetensors allows."""


def find_network(run: Path) -> Path:
    """The file of a network, given itself, the folder that holds it, or a name of the zoo such as ``zoo/hex-11x11``.

    Raises:
        LudoportError: there is none.
    """
    name = in_zoo(run)
    if name:
        return zoo_network(name).path
    if run.is_dir():
        if not (run / NETWORK).is_file():
            raise LudoportError(
                f"{run}: no network here (missing {NETWORK}); train one with: ludoport train GAME --out {run}"
            )
        return run / NETWORK
    if not run.is_file():
        raise LudoportError(f"{run}: no such file or folder")
    return run


def in_zoo(run: Path) -> str:
    """The name of the network of the zoo that is meant; empty if a file or a folder is."""
    return run.name if run.parent.as_posix() + "/" == PREFIX and not run.exists() else ""


def made_for(file: Path) -> tuple[str, tuple[str, ...]]:
    """The game of a network and its options, from the head of its file; empty if that is damaged."""
    game = _record(file).get("game")
    if not isinstance(game, dict) or not isinstance(game.get("options"), list):
        return "", ()
    return str(game.get("name", "")), tuple(map(str, game["options"]))


def search_settings(run: Path) -> dict[str, Any]:
    """Search settings with which a run's network is rated; empty if neither its file nor its folder has any.

    A transferred network searches as its source did.
    """
    training = _training(find_network(run))
    while "search" not in training and isinstance(training.get("transfer"), dict):
        training = training["transfer"].get("source_training", {})
    found = training.get("search")
    return dict(found) if isinstance(found, dict) else {}


def _training(file: Path) -> dict[str, Any]:
    """The facts about training in a network's file."""
    training = _record(file).get("training")
    return training if isinstance(training, dict) else {}


def _record(file: Path) -> dict[str, Any]:
    """Header of a network file; empty if damaged, which is reported when the network is loaded."""
    try:
        with file.open("rb") as opened:
            size = int.from_bytes(opened.read(8), "little")
            header = json.loads(opened.read(min(size, _LONGEST)))
        record = json.loads(header["__metadata__"]["ludoport"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}
