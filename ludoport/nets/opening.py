"""Networks from files, ready to judge positions of a game: those made for it, and those for many games."""

from __future__ import annotations

from pathlib import Path

from ludoport.descriptions.game import describe
from ludoport.game import Game
from ludoport.nets.files import is_universal, load_network
from ludoport.nets.guide import fitting_layout
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.universal.files import load_universal
from ludoport.nets.universal.specialise import specialise
from ludoport.tensors.layout import TensorLayout, tensor_layout


def open_network(file: Path | str, game: Game) -> tuple[PolicyValueNet, TensorLayout]:
    """The network in a file for a game, and how it sees the game; a network for many games is specialised.

    Raises:
        LudoportError: the network is for another game, or the file is damaged.
    """
    if is_universal(file):
        layout = tensor_layout(game, "compact")
        return specialise(load_universal(file).net, describe(game, layout)), layout
    saved = load_network(file)
    return saved.net, fitting_layout(game, saved.header.origin, str(file))
