"""The same question for networks: does what was learned in chess help in Chessplus?

A network learns the source by self-play and is carried over to the target. It plays there as it is (zero-shot), and
after as many epochs in the target as a network that begins from nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.studies.chessplus_results import numbers

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.studies.chessplus import Study

MATCHES = (("carried", "untrained"), ("carried", "fresh"), ("tuned", "fresh"))
"""Who plays whom."""

NAMES = {
    "untrained": "random weights",
    "carried": "learned chess, carried over",
    "tuned": "carried over, then learned Chessplus",
    "fresh": "learned Chessplus from nothing",
}


@dataclass(frozen=True)
class NetworkSize:
    """How large this part is.

    Attributes:
        epochs: of learning, in the source and in the target.
        games: of each match.
        simulations: for a move.
        settings: changes to the preset ``tiny`` of training.
    """

    epochs: int = 10
    games: int = 100
    simulations: int = 64
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("epochs", "games", "simulations"):
            if getattr(self, name) < 1:
                raise LudoportError(f"{name} of networks must be at least 1, not {getattr(self, name)}")


def network_results(study: Study, size: NetworkSize) -> dict[str, Any]:
    """Train, carry over, and play what is not done yet; returns all numbers."""
    from ludoport.selfplay.config import preset
    from ludoport.selfplay.rating import network_player

    files = _networks(study, size)
    config = preset("tiny", game=study.target.name, **size.settings)
    players = {name: network_player(config, file, size.simulations) for name, file in files.items()}
    from ludoport.arena.match import match

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
    from ludoport.nets.build import build_network
    from ludoport.nets.config import preset
    from ludoport.nets.files import save_network
    from ludoport.nets.guide import origin_of
    from ludoport.tensors.layout import tensor_layout

    file = folder / "untrained.safetensors"
    layout = tensor_layout(study.target)
    net = build_network(preset("tiny", layout.shape[0], layout.move_shape[0]), seed=study.seed)
    save_network(file, net, origin_of(study.target, layout), {})
    return file


def network_lines(results: dict[str, Any]) -> Iterator[str]:
    """This part of the report."""
    size = results["size"]
    yield "## Networks"
    yield ""
    yield (
        f"The same question for networks that learn by self-play: {size['epochs']} epochs of chess, carried over by "
        f"the meaning of planes and moves, and {size['epochs']} epochs of Chessplus; {size['games']} games a match, "
        f"{size['simulations']} simulations a move."
    )
    yield ""
    yield "| player | against | won | drawn | lost | score | p two-sided |"
    yield "|---|---|---|---|---|---|---|"
    for match in results["matches"].values():
        record = match["record"]
        yield (
            f"| {NAMES[match['a']]} | {NAMES[match['b']]} | {record['wins']} | {record['draws']} | "
            f"{record['losses']} | {100 * match['score']:.1f} % | {match['p_two_sided']:.4g} |"
        )
