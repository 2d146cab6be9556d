"""The same question for networks: does what was learned in chess help in Chessplus?

A network learns the source by self-play and is transferred to the target. It plays there as it is (zero-shot), and
after as many epochs in the target as a network that begins from nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoport.arena.match import match
from ludoport.game import Game
from ludoport.nets import load_torch
from ludoport.studies.cleaver.results import numbers
from ludoport.studies.cleaver.size import NetworkSize
from ludoport.studies.cleaver.study import Study
from ludoport.studies.report.blocks import Block, Heading, Paragraph, rows_of

MATCHES = (("carried", "untrained"), ("carried", "fresh"), ("tuned", "fresh"))
"""Pairs of players."""

NAMES = {
    "untrained": "random weights",
    "carried": "trained on chess, transferred",
    "tuned": "transferred, then trained on Chessplus",
    "fresh": "learned Chessplus from nothing",
}


def network_results(study: Study, size: NetworkSize) -> dict[str, Any]:
    """Train, carry over, and play what is not done yet; returns all numbers."""
    from ludoport.selfplay.config import preset
    from ludoport.selfplay.rating import network_player

    files = _networks(study, size)
    config = preset("tiny", game=study.target.name, **size.settings)
    players = {name: network_player(config, file, size.simulations) for name, file in files.items()}
    matches = {}
    for a, b in MATCHES:
        study.tell(f"networks: {a} against {b}")
        with study.timed(f"games of networks: {a} and {b}"):
            result = match(
                players[a], players[b], study.target, size.games, seed=study.seed, workers=study.workers,
                store=study.out / "games.sqlite",
            )  # fmt: skip
        matches[f"{a}-{b}"] = {"a": a, "b": b, **numbers(result)}
    return {"size": asdict(size), "matches": matches}


def _networks(study: Study, size: NetworkSize) -> dict[str, Path]:
    """The files of all networks; runs that are finished are not run again."""
    from ludoport.transfer.api import transfer

    folder = study.out / "networks"
    folder.mkdir(exist_ok=True)
    learned = _train(study, size, "source", study.source)
    carried = transfer(learned, study.target, folder / "carried")
    return {
        "untrained": _untrained(study, folder),
        "carried": carried,
        "tuned": _train(study, size, "tuned", study.target, carried),
        "fresh": _train(study, size, "fresh", study.target),
    }


def _train(study: Study, size: NetworkSize, name: str, game: Game, init: Path | None = None) -> Path:
    from ludoport.selfplay.api import train

    out = study.out / "networks" / name
    study.tell(f"networks: {name}, {size.epochs} epochs of {game.name}")
    with study.timed(f"network {name}"):
        settings = {"rating_share": 0.0, **size.settings}
        learned = train(game, epochs=size.epochs, out=out, init=init, seed=study.seed, device="cpu", **settings)
    return Path(learned.file)


def _untrained(study: Study, folder: Path) -> Path:
    """A network with random weights."""
    load_torch()
    from ludoport.nets.build import build_network
    from ludoport.nets.files import save_network
    from ludoport.nets.guide import origin_of
    from ludoport.nets.registry import preset_for
    from ludoport.tensors.layout import tensor_layout

    file = folder / "untrained.safetensors"
    layout = tensor_layout(study.target)
    net = build_network(preset_for("tiny", layout), seed=study.seed)
    save_network(file, net, origin_of(study.target, layout), {})
    return file


def network_blocks(results: dict[str, Any]) -> Iterator[Block]:
    """This part of the report."""
    size = results["size"]
    yield Heading("Networks")
    yield Paragraph(
        f"The same question for networks that learn by self-play: {size['epochs']} epochs of chess, transferred by "
        f"the meaning of planes and moves, and {size['epochs']} epochs of Chessplus; {size['games']} games a match, "
        f"{size['simulations']} simulations a move."
    )
    rows = []
    for one in results["matches"].values():
        counts = [one["record"][name] for name in ("wins", "draws", "losses")]
        score, p = f"{100 * one['score']:.1f} %", f"{one['p_two_sided']:.4g}"
        rows.append([NAMES[one["a"]], NAMES[one["b"]], *counts, score, p])
    yield rows_of(["player", "against", "won", "drawn", "lost", "score", "p two-sided"], rows, words=2)
