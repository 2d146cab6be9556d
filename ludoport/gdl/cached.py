"""Compiled rulesheets on disk, so that a game is compiled once."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.gdl.compiled.rules import CompiledRules, Named
from ludoport.gdl.kif import Term
from ludoport.gdl.network import Network
from ludoport.kernels.cache import cache_folder, private_cache


def folder() -> Path:
    """Folder of compiled rulesheets."""
    try:
        return private_cache() / "gdl"
    except OSError as error:
        raise LudoportError(f"cannot write the kernel cache in {cache_folder()}: {error.strerror}") from None


def own_version() -> str:
    """Changes with every change of this room."""
    files = sorted(Path(__file__).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def read_network(path: Path) -> Network | None:
    """The network in a file; None where there is none that can be read."""
    try:
        found = json.loads(gzip.decompress(path.read_bytes()))
        return Network(**{**found, "moves": [[(n, text) for n, text in role] for role in found["moves"]]})
    except (OSError, EOFError, ValueError, TypeError, KeyError):
        return None


def read_rules(path: Path) -> CompiledRules | None:
    """The compiled rules in a file; None where there are none that can be read."""
    try:
        found = json.loads(gzip.decompress(path.read_bytes()))
        named = {
            key: [Named(entry["first"], _shape(entry["shape"]), entry["constants"]) for entry in found[key]]
            for key in ("facts", "moves")
        }
        return CompiledRules(**{**found, **named})
    except (OSError, EOFError, ValueError, TypeError, KeyError):
        return None


def _shape(written: Any) -> Term:
    return written if isinstance(written, str) else tuple(_shape(part) for part in written)


def keep(path: Path, made: Network | CompiledRules) -> None:
    """Write what was compiled."""
    data = gzip.compress(json.dumps(asdict(made)).encode(), 5)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data, sync=False)
    except OSError:
        return  # without room on the disk it is made again next time
