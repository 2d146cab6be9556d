"""Choices that a mapping leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unmapped = Literal["zero", "fresh"]


@dataclass(frozen=True, kw_only=True)
class TransferOptions:
    """What becomes of the parts that no mapping decides.

    Attributes:
        unmapped: channels without a source are 0, to be used as they are, or new, to be trained.
        reinit_heads: all layers behind the trunk begin anew.
        adjust_width: as many hidden channels as a network made for the target would have: random ones are removed,
            or new ones added. Matters where the width follows from the planes of a state.
        seed: where the randomness begins.
    """

    unmapped: Unmapped = "fresh"
    reinit_heads: bool = False
    adjust_width: bool = False
    seed: int = 1
