"""Networks of runs: where their files are, and how they search; needs no PyTorch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError

NETWORK = "network.safetensors"
"""The network's file in the folder of a run."""

_LONGEST = 100_000_000
"""Bytes of the longest header that safetensors allows."""


def find_network(run: Path) -> Path:
    """The file of a network, given itself or the folder that holds it.

    Raises:
        LudoportError: there is none.
    """
    if run.is_dir():
        if not (run / NETWORK).is_file():
            raise LudoportError(
                f"{run}: no network here (missing {NETWORK}); train one with: ludoport train GAME --out {run}"
            )
        return run / NETWORK
    if not run.is_file():
        raise LudoportError(f"{run}: no such file or folder")
    return run


def search_settings(run: Path) -> dict[str, Any]:
    """How the network of a run searches when it is rated; empty where neither its file nor its folder says so.

    A transferred network searches as its source did.
    """
    training = _training(find_network(run))
    while "search" not in training and isinstance(training.get("transfer"), dict):
        training = training["transfer"].get("source_training", {})
    found = training.get("search")
    return dict(found) if isinstance(found, dict) else {}


def _training(file: Path) -> dict[str, Any]:
    """The facts about training in a network's file; empty if it is damaged, which is said when it is loaded."""
    try:
        with file.open("rb") as opened:
            size = int.from_bytes(opened.read(8), "little")
            header = json.loads(opened.read(min(size, _LONGEST)))
        training = json.loads(header["__metadata__"]["ludoport"])["training"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return training if isinstance(training, dict) else {}
