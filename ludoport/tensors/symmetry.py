"""Turns and reflections of a board that leave the rules of its game unchanged.

Candidates are the maps of the tensor's grid onto itself that keep neighbours neighbours: eight for square grids, twelve
for hexagonal ones. Whether the rules stay the same is found out by playing: random games and their images must have the
same legal moves, up to the map, and the same end.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.found import found
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import TensorLayout

if TYPE_CHECKING:
    from ludoport.game import Game, State

GAMES = 6
"""Random games that must agree with their images."""

LONGEST = 200
"""Plies of a game that are compared."""


@dataclass(frozen=True)
class Symmetry:
    """One turn or reflection.

    Attributes:
        matrix: the map of displacements.
        planes: for every cell of every plane of an image, where it comes from; shape (channels * x * y,).
        slots: the same for every place of the policy; shape (slots,).
    """

    matrix: tuple[tuple[int, int], tuple[int, int]]
    planes: NDArray[np.int64]
    slots: NDArray[np.int64]


def symmetries(game: Game, layout: TensorLayout, seed: int = 1) -> list[Symmetry]:
    """All symmetries of a game but the identity; found out once for a game and layout."""
    numbers = found(
        game.rules.source, "symmetries", lambda: _find(game, layout, seed), layout.layout, layout.shape, seed
    )
    return [_symmetry(layout, matrix) for number, matrix in enumerate(_matrices()) if number in numbers]


def _find(game: Game, layout: TensorLayout, seed: int) -> list[int]:
    """The numbers of the maps that leave the rules unchanged."""
    encoder = TensorEncoder(game, layout.layout)
    kept = []
    known = {np.arange(int(np.prod(layout.move_shape))).tobytes()}
    for number, matrix in enumerate(_matrices()):
        cells = _cells(layout, matrix)
        slots = _slots(layout, matrix, cells) if cells is not None else None
        if cells is None or slots is None or slots.tobytes() in known:
            continue  # on narrow boards several maps do the same
        known.add(slots.tobytes())
        if _same_rules(game, encoder, layout, cells, slots, seed):
            kept.append(number)
    return kept


def _symmetry(layout: TensorLayout, matrix: tuple[tuple[int, int], tuple[int, int]]) -> Symmetry:
    cells = _cells(layout, matrix)
    assert cells is not None
    slots = _slots(layout, matrix, cells)
    assert slots is not None
    size = layout.shape[1] * layout.shape[2]
    planes = np.concatenate([channel * size + _inverse(cells) for channel in range(layout.shape[0])])
    return Symmetry(matrix, planes, _inverse(slots))


def _matrices() -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Maps of the plane with small whole numbers that keep areas, but the identity."""
    rows = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
    return [
        (a, b) for a, b in product(rows, repeat=2) if abs(a[0] * b[1] - a[1] * b[0]) == 1 and (a, b) != ((1, 0), (0, 1))
    ]


def _inverse(permutation: NDArray[np.int64]) -> NDArray[np.int64]:
    inverse = np.empty_like(permutation)
    inverse[permutation] = np.arange(len(permutation))
    return inverse


def _cells(layout: TensorLayout, matrix: tuple[tuple[int, int], tuple[int, int]]) -> NDArray[np.int64] | None:
    """Image of each cell, if the cells that hold sites go onto themselves; others stay where they are."""
    mask = layout.mask
    if len(layout.containers) > 1:
        return None
    places = np.argwhere(mask)
    images = places @ np.array(matrix).T
    images += np.round(places.mean(axis=0) - images.mean(axis=0)).astype(np.int64)
    height, width = mask.shape
    inside = (images >= 0).all() and (images[:, 0] < height).all() and (images[:, 1] < width).all()
    if not inside or not mask[images[:, 0], images[:, 1]].all():
        return None
    cells = np.arange(height * width)
    cells[places[:, 0] * width + places[:, 1]] = images[:, 0] * width + images[:, 1]
    return cells if len(np.unique(cells)) == len(cells) else None


def _slots(
    layout: TensorLayout, matrix: tuple[tuple[int, int], tuple[int, int]], cells: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Image of each place of the policy; displacements turn with the board."""
    channels = layout.move_channels
    known = {channel: number for number, channel in enumerate(channels)}
    size = len(cells)
    slots = np.empty(len(channels) * size, dtype=np.int64)
    for number, channel in enumerate(channels):
        image, where = number, cells
        if channel.kind == "displacement":
            (a, b), (c, d) = matrix
            turned = type(channel)(
                "displacement", a * channel.dx + b * channel.dy, c * channel.dx + d * channel.dy, channel.level,
                channel.span, channel.text,
            )  # fmt: skip
            if turned not in known:
                return None
            image = known[turned]
        else:
            where = np.arange(size)  # passing and swapping have their fixed place
        slots[number * size : (number + 1) * size] = image * size + where
    return slots if len(np.unique(slots)) == len(slots) else None


def _same_rules(
    game: Game,
    encoder: TensorEncoder,
    layout: TensorLayout,
    cells: NDArray[np.int64],
    slots: NDArray[np.int64],
    seed: int,
) -> bool:
    """Whether random games and their images have the same moves and the same end."""
    rng = random.Random(seed)
    for _ in range(GAMES):
        state, image = game.start(seed), game.start(seed)
        if not _alike(layout, encoder, state, image, cells):
            return False
        for _ in range(LONGEST):
            if state.over or image.over:
                break
            here, there = _by_slot(encoder, state), _by_slot(encoder, image)
            if {int(slots[slot]): len(texts) for slot, texts in here.items()} != {k: len(v) for k, v in there.items()}:
                return False
            slot = rng.choice(sorted(here))
            if len(here[slot]) > 1:
                break  # moves that share a place cannot be told apart; the game so far agreed
            state, image = state.play(here[slot][0]), image.play(there[int(slots[slot])][0])
            if state.over != image.over or not _alike(layout, encoder, state, image, cells):
                return False
        if state.over and state.utilities != image.utilities:
            return False
    return True


def _by_slot(encoder: TensorEncoder, state: State) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for text, slot in encoder.move_slots(state).items():
        found.setdefault(slot, []).append(text)
    return found


def _alike(layout: TensorLayout, encoder: TensorEncoder, state: State, image: State, cells: NDArray[np.int64]) -> bool:
    """Whether one position is the image of the other."""
    here, there = (encoder.state_tensor(s).reshape(layout.shape[0], -1) for s in (state, image))
    turned: NDArray[Any] = np.empty_like(here)
    turned[:, cells] = here
    return bool((turned == there).all())
