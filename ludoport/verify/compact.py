"""Writes a compact copy of reference data, small enough to be kept with the tests.

    python -m ludoport.verify.compact SRC DST

``SRC`` holds ``variants.tsv``, ``perft/`` and ``traces/``; ``DST`` gets the same three. Perft files lose their timings;
trials are written in the compact form that ``ludoport.verify.reference`` describes.
"""

from __future__ import annotations

import gzip
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.verify.reference import DIGITS, digest, read_text
from ludoport.verify.variants import variant_id


def compact(source: Path, target: Path) -> None:
    """Copies variants, move counts and trials from ``source`` to ``target`` in the compact form."""
    for folder in ("perft", "traces"):
        (target / folder).mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source / "variants.tsv", target / "variants.tsv")
    for path in sorted((source / "perft").glob("*.json")):
        record = json.loads(read_text(path))
        kept = {key: record[key] for key in ("id", "perft", "divideDepth", "divide") if key in record}
        (target / "perft" / path.name).write_text(_dump(kept) + "\n")
    for path in sorted((source / "traces").glob("*.jsonl*")):
        lines = [_dump(compact_trial(json.loads(line))) for line in read_text(path).splitlines()]
        data = gzip.compress("\n".join(lines).encode() + b"\n", mtime=0)
        (target / "traces" / f"{variant_id(path)}.jsonl.gz").write_bytes(data)


def compact_trial(record: dict[str, Any]) -> dict[str, Any]:
    """One trial, from the full form to the compact one."""
    plies = record["plies"]
    legal = [ply["legal"] for ply in plies]
    hashes = [(digest(moves) if isinstance(moves, list) else moves["sha1"])[:DIGITS] for moves in legal]
    small: dict[str, Any] = {
        "id": record["id"],
        "m": [ply["m"] for ply in plies],
        "mv": [ply["mv"] for ply in plies],
        "n": [len(moves) if isinstance(moves, list) else moves["n"] for moves in legal],
        "hash": "".join(hashes),
    }
    if any("a" in ply for ply in plies):
        small["a"] = [ply.get("a", ply["m"]) for ply in plies]
    if any(ply.get("forced") for ply in plies):
        small["forced"] = [i for i, ply in enumerate(plies) if ply.get("forced")]
    kept = ("over", "winner", "utilities", "agentUtilities", "scores", "final")
    return small | {key: record[key] for key in kept if key in record}


def _dump(record: dict[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":"))


def run_compact(module: str, compact: Callable[[Path, Path], None], arguments: list[str]) -> int:
    """Make a compact copy of recorded data as a command; returns its exit code.

    Args:
        module: name of the module that is run.
        compact: reads a folder and writes another.
        arguments: of the command line.
    """
    if len(arguments) != 2:
        print(f"usage: python -m ludoport.verify.{module} SRC DST", file=sys.stderr)
        return 2
    try:
        compact(Path(arguments[0]), Path(arguments[1]))
    except (LudoportError, OSError) as error:
        print(f"{module}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(run_compact("compact", compact, sys.argv[1:]))
