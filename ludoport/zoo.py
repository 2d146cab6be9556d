"""Trained networks that come with the package, or are in the folder that ``LUDOPORT_ZOO`` names."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

MOST_HEADER = 16 << 20
"""Bytes; no header of a network is longer."""


@dataclass(frozen=True)
class ZooNetwork:
    """A network file, and the game that it was trained for."""

    game: str
    options: tuple[str, ...]
    path: Path


def zoo_folder() -> Path:
    """Where the networks are."""
    return Path(os.environ.get("LUDOPORT_ZOO") or Path(__file__).parent / "zoo")


def zoo_networks() -> list[ZooNetwork]:
    """All networks in the zoo; files that are not networks are left out."""
    found = (read_header(path) for path in sorted(zoo_folder().rglob("*.safetensors")))
    return [network for network in found if network is not None]


def read_header(path: Path) -> ZooNetwork | None:
    """The game of a network, from the head of its file: the length of a JSON text in eight bytes, then the text."""
    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(min(length, MOST_HEADER)))
        game = json.loads(header["__metadata__"]["ludoport"])["game"]
        return ZooNetwork(str(game["name"]), tuple(map(str, game["options"])), path)
    except (OSError, ValueError, KeyError, TypeError):
        return None
