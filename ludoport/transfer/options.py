"""Choices that a mapping leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unmapped = Literal["zero", "fresh"]


@dataclass(frozen=True, kw_only=True)
class TransferOptions:
    """What becomes of the weights that no mapping decides.

    Attributes:
        unmapped: weights of channels without a source: ``zero``, so that the network plays at once as the mapping says
            and learns them from there, or ``fresh``, random as in the fine-tuning of the first paper.
        reinit_heads: re-initialise all layers behind the trunk.
        adjust_width: as many hidden channels as a network made for the target: random ones are removed, or new ones
            added. Matters where the width follows from the planes of a state.
        seed: random seed.
    """

    unmapped: Unmapped = "zero"
    reinit_heads: bool = False
    adjust_width: bool = False
    seed: int = 1
