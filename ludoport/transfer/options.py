"""Choices that a mapping leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Unmapped = Literal["zero", "fresh"]


@dataclass(frozen=True, kw_only=True)
class TransferOptions:
    """Treatment of weights that the mapping does not determine.

    Attributes:
        unmapped: weights of channels without a source: ``zero``, so that the network plays at once as the mapping says
            and learns them from there, or ``fresh``, random as in the fine-tuning of the first paper.
        reinit_heads: re-initialise all layers behind the trunk.
        adjust_width: as many hidden channels as a network made for the target: random ones are removed, or new ones
            added. Matters where the width follows from the planes of a state.
        statistics: measure normalisations again on positions of random games of the target; this and the following are
            explained in ``remedies.py``.
        rescale_pooled: multiply the weights of means over the board by the ratio of the numbers of sites.
        move_taps: move the taps of kernels to the cells that lie in the same direction on the target's board.
        turn_value: let win and loss change places, for a misere game.
        seed: random seed.
    """

    unmapped: Unmapped = "zero"
    reinit_heads: bool = False
    adjust_width: bool = False
    statistics: bool = False
    rescale_pooled: bool = False
    move_taps: bool = False
    turn_value: bool = False
    seed: int = 1

    @property
    def remedies(self) -> bool:
        """Whether any remedy is selected."""
        return self.statistics or self.rescale_pooled or self.move_taps or self.turn_value
