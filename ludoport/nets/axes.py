"""Axes of a network's tensors: the meanings of their dimensions, so that channels can be moved by meaning.

A family says for each of its layers what goes in and what comes out (`Flow`). Everything else follows: a weight has the
dimensions (outputs, inputs, ...), while biases and the tensors of normalisations have outputs only.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Literal

from ludoport.errors import LudoportError

Axis = Literal["state", "move", "hidden", "pooled", "block input", "units", "cells", "move cells", "same"]
"""Planes of a state; planes of moves; hidden channels; their maxima and means; hidden channels and the pooled ones
beside them; twice as many units as there are hidden channels; hidden channels or planes of moves times the board's
cells; anything whose number depends neither on the game nor on the width, so that both networks have it."""

Flow = tuple[Axis, Axis]
"""Axes of a layer's inputs and outputs."""

Flows = Mapping[str, Flow]
"""Flows by the names of layers; ``*`` stands for any part of a name, and the last pattern that fits counts."""


def axes_of(tensor: str, dimensions: int, flows: Flows) -> tuple[Axis, ...]:
    """The axes of a tensor; trailing ones that are ``same`` are left out.

    >>> axes_of("blocks.2.convs.0.conv.weight", 4, {"stem": ("state", "hidden"), "blocks.*": ("hidden", "hidden")})
    ('hidden', 'hidden')

    Args:
        tensor: its name in the state of the network.
        dimensions: number of its dimensions.
        flows: those of its family.

    Raises:
        LudoportError: the family says nothing about the layer of this tensor.
    """
    if dimensions == 0:
        return ()
    layer, _, _ = tensor.rpartition(".")
    found = [
        flow for pattern, flow in flows.items() if fnmatchcase(layer, pattern) or fnmatchcase(layer, f"{pattern}.*")
    ]
    if not found:
        raise LudoportError(f"the network does not say what goes into its layer `{layer}` and what comes out")
    inputs, outputs = found[-1]
    return (outputs, inputs) if dimensions > 1 else (outputs,)
