"""Adds networks to the zoo and measures them.

    python -m tools.zoo add hex-5x5 runs/hex5 --command "ludoport train Hex ..." --device "CPU, one thread"
    python -m tools.zoo measure hex-5x5 uct:100 --games 50
    python -m tools.zoo merge other/zoo

The first command stores the network of a run in half precision and enters it in the manifest; the second plays a match
with the stored network and enters its result; the third takes over what another zoo has. ``LUDOPORT_ZOO`` names another
folder than the one of this clone. Several commands may work on one folder at once.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from ludoport.arena.match import match
from ludoport.arena.statistics import WinLoss
from ludoport.files import write_atomically
from ludoport.game import load
from ludoport.nets.files import load_network, save_network
from ludoport.nets.finding import find_network
from ludoport.zoo import FORMAT, MANIFEST, PREFIX, VERSION

FOLDER = Path(os.environ.get("LUDOPORT_ZOO") or Path(__file__).resolve().parents[1] / "zoo")
LICENCE = "MIT"
SETTINGS = "simulations=40,sampled=4"
"""Settings of networks when they are measured; noise in the first four moves makes games differ."""

TRANSFERRED = "mapping.json"
"""File that ``ludoport transfer`` writes beside a network; runs have none."""

SAME = ("settings", "against", "precision")
"""Two matches of a network that agree in these are the same; the newer one stays."""

app = typer.Typer(no_args_is_help=True, add_completion=False)


def entries(folder: Path | None = None) -> dict[str, dict[str, Any]]:
    """The entries of the manifest, or that of another folder, by name."""
    path = (folder or FOLDER) / MANIFEST
    if not path.is_file():
        return {}
    return {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["networks"]}


@contextmanager
def changing() -> Iterator[dict[str, dict[str, Any]]]:
    """The entries of the manifest, which is written afterwards; other commands wait meanwhile."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    place = os.open(FOLDER, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX)
        known = entries()
        yield known
        record = {"format": FORMAT, "version": VERSION, "networks": [known[name] for name in sorted(known)]}
        write_atomically(FOLDER / MANIFEST, json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    finally:
        os.close(place)


@app.command()
def add(name: str, run: Path, command: Annotated[str, typer.Option()], device: Annotated[str, typer.Option()]) -> None:
    """Store the network of a run, a folder or a file with its metrics beside it (NAME.safetensors, NAME.jsonl).

    The output of ``ludoport transfer`` has no metrics: it is entered with 0 epochs, 0 positions and 0 seconds.
    """
    file = find_network(run)
    metrics = run / "metrics.jsonl" if run.is_dir() else run.with_suffix(".jsonl")
    untrained = run.is_dir() and (run / TRANSFERRED).is_file()
    lines = [] if untrained else [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    saved = load_network(file)
    origin, path = saved.header.origin, FOLDER / f"{name}.safetensors"
    with changing() as known:
        save_network(path, saved.net, origin, saved.header.training, half=True)
        data = path.read_bytes()
        known[name] = {
            "name": name, "game": origin.game, "options": list(origin.options), "fingerprint": origin.fingerprint,
            "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "licence": LICENCE, "command": command,
            "device": device, "seconds": round(lines[-1]["seconds"], 1) if lines else 0, "epochs": len(lines),
            "positions": sum(line["positions"] for line in lines), "strength": [],
        }  # fmt: skip


@app.command()
def measure(
    name: str,
    against: str,
    games: int = 50,
    seed: int = 1,
    settings: str = SETTINGS,
    store: Path | None = None,
    seconds: float = 0.0,
) -> None:
    """Play a match with a network of the zoo and enter the result.

    With --store the games are kept there, and the same command plays those that are missing; with --seconds, which
    needs it, the command stops at an even number of games after this time. The first two games, before which the game
    and the search are compiled, do not count.
    """
    if seconds and store is None:
        raise typer.BadParameter("--seconds needs --store")
    entry, end = entries()[name], float("inf")
    game = load(entry["game"], options=entry["options"])
    for count in range(2, games + 1, 2) if seconds else [games]:
        player = f"net:{PREFIX}{name},{settings}"
        record = match(player, against, game, games=count, seed=seed, workers=1, store=store, progress=False).record
        if count == games or time.monotonic() > end:
            break
        if count == 2:
            end = time.monotonic() + seconds
    with changing() as known:
        others = known[name]["strength"]
        found = _found(record, settings, against, seed)
        known[name]["strength"] = [other for other in others if any(other[key] != found[key] for key in SAME)] + [found]
    typer.echo(f"{name}: {record} against {against}")


def _found(record: WinLoss, settings: str, against: str, seed: int) -> dict[str, Any]:
    """A match as the manifest has it."""
    low, high = record.interval()
    return {
        "settings": settings, "against": against, "wins": record.wins, "draws": record.draws,
        "losses": record.losses, "score": round(record.score, 4), "low": round(low, 4), "high": round(high, 4),
        "seed": seed, "precision": "half",
    }  # fmt: skip


@app.command()
def merge(other: Path, names: Annotated[list[str] | None, typer.Argument()] = None) -> None:
    """Take over networks of another zoo with their matches; default: all that have one."""
    with changing() as known:
        for name, entry in entries(other).items():
            if entry["strength"] and (not names or name in names):
                shutil.copyfile(other / f"{name}.safetensors", FOLDER / f"{name}.safetensors")
                known[name] = entry
                typer.echo(f"{name}: {entry['size']:,} bytes")


if __name__ == "__main__":
    app()
