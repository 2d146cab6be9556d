"""Adds networks to the zoo and measures them.

    python -m tools.zoo add hex-5x5 runs/hex5 --command "ludoport train Hex ..." --device "CPU, one thread"
    python -m tools.zoo measure hex-5x5 uct:100 --games 50

The first command stores the network of a run in half precision and enters it in the manifest; the second plays a match
with the stored network and enters its result.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from ludoport.arena.match import match
from ludoport.files import write_atomically
from ludoport.game import load
from ludoport.nets.files import load_network, save_network
from ludoport.nets.finding import find_network
from ludoport.zoo import FORMAT, MANIFEST, PREFIX, VERSION

FOLDER = Path(__file__).resolve().parents[1] / "zoo"
LICENCE = "MIT"
SETTINGS = "simulations=40,sampled=4"
"""How networks search when they are measured; in the first four moves with noise, so that games differ."""

app = typer.Typer(no_args_is_help=True, add_completion=False)


def entries() -> dict[str, dict[str, Any]]:
    """The entries of the manifest, by name."""
    path = FOLDER / MANIFEST
    if not path.is_file():
        return {}
    return {entry["name"]: entry for entry in json.loads(path.read_text(encoding="utf-8"))["networks"]}


def write(changed: dict[str, dict[str, Any]]) -> None:
    """Write the manifest."""
    record = {"format": FORMAT, "version": VERSION, "networks": [changed[name] for name in sorted(changed)]}
    write_atomically(FOLDER / MANIFEST, json.dumps(record, indent=1, ensure_ascii=False) + "\n")


@app.command()
def add(name: str, run: Path, command: Annotated[str, typer.Option()], device: Annotated[str, typer.Option()]) -> None:
    """Store the network of a run, a folder or a file with its metrics beside it (NAME.safetensors, NAME.jsonl)."""
    file = find_network(run)
    metrics = run / "metrics.jsonl" if run.is_dir() else run.with_suffix(".jsonl")
    lines = [json.loads(line) for line in metrics.read_text(encoding="utf-8").splitlines()]
    saved = load_network(file)
    origin, path = saved.header.origin, FOLDER / f"{name}.safetensors"
    FOLDER.mkdir(exist_ok=True)
    save_network(path, saved.net, origin, saved.header.training, half=True)
    data = path.read_bytes()
    known = entries()
    known[name] = {
        "name": name, "game": origin.game, "options": list(origin.options), "fingerprint": origin.fingerprint,
        "size": len(data), "sha256": hashlib.sha256(data).hexdigest(), "licence": LICENCE, "command": command,
        "device": device, "seconds": round(lines[-1]["seconds"], 1), "epochs": len(lines),
        "positions": sum(line["positions"] for line in lines), "strength": [],
    }  # fmt: skip
    write(known)


@app.command()
def measure(name: str, against: str, games: int = 50, seed: int = 1, settings: str = SETTINGS) -> None:
    """Play a match with a network of the zoo and enter the result."""
    known = entries()
    entry = known[name]
    game = load(entry["game"], options=entry["options"])
    record = match(f"net:{PREFIX}{name},{settings}", against, game, games=games, seed=seed, workers=1).record
    low, high = record.interval()
    found = {
        "settings": settings, "against": against, "wins": record.wins, "draws": record.draws,
        "losses": record.losses, "score": round(record.score, 4), "low": round(low, 4), "high": round(high, 4),
        "seed": seed, "precision": "half",
    }  # fmt: skip
    known = entries()  # another measurement may have ended meanwhile
    same = ("settings", "against", "precision")
    others = [other for other in known[name]["strength"] if any(other[key] != found[key] for key in same)]
    known[name]["strength"] = [*others, found]
    write(known)
    typer.echo(f"{name}: {record} against {against}")


if __name__ == "__main__":
    app()
