"""Positions and moves of chess and Chessplus as tensors.

A half-piece has a plane for each player, and a merged piece stands in the planes of both its halves; one more plane
shows where pieces are merged, so that two equal halves can be told from one. Rooks that may castle, the square behind a
double step, and steps of the clock have planes in games that know them.

A move lies where it ends, in the channel of its displacement, where longer ways than three squares share a channel.
Channels of their own have: a half that leaves another, by its kind; promotions to something else than a queen; and a
merged piece that takes en passant, since it may come to the same square in another way. What chess and Chessplus have
in common has equal meanings, also in the bundled game Chess.
"""

from __future__ import annotations

from collections.abc import Iterator

from ludoport.chess.layout import NAMES
from ludoport.chess.source import flags, without
from ludoport.chess.tables import KING_STEPS, KNIGHT_STEPS
from ludoport.chess.text.tensors import SQUARE_PLANES, TENSORS, WORD_PLANES
from ludoport.chess.variant import ChessVariant
from ludoport.kernels.tensors import MoveChannel, StateChannel, TensorPlan

CLIP = 3
"""Longer displacements share the channels of this length, as in all games."""

CLOCK_STEP, CLOCKS = 20, 4
"""The clock is drawn in steps: at least 20, 40, 60, 80 moves without progress."""

EN_PASSANT = "en passant"

Way = tuple[int, int]


def tensor_plan(variant: ChessVariant) -> TensorPlan:
    """The tensors of a variant."""
    state, moves = tuple(_state(variant)), tuple(_moves(variant))
    layout, (width, height) = variant.layout, variant.size
    sites = range(layout.stride * height)
    inside = [site % layout.stride < width for site in sites]
    return TensorPlan(
        state,
        moves,
        x=[site % layout.stride if there else -1 for site, there in zip(sites, inside, strict=True)],
        y=[site // layout.stride if there else -1 for site, there in zip(sites, inside, strict=True)],
        shape=(width, height),  # the first axis runs along the files
        text=_text(variant, state, moves),
        kin="Chess",
    )


def _state(variant: ChessVariant) -> Iterator[StateChannel]:
    """The planes; those that are cleared before anything is drawn come first."""
    for name in NAMES:
        for player in (1, 2):
            yield StateChannel("piece", player, f"{name}{player}")
    if variant.chessplus:
        yield StateChannel("merged")
    if variant.castling:
        yield StateChannel("castles")
    if variant.double_step:
        yield StateChannel("passant")
    for ago in (0, 1):
        yield StateChannel("last-from", index=ago)
        yield StateChannel("last-to", index=ago)
    for step in range(1, CLOCKS + 1):
        yield StateChannel("clock", index=CLOCK_STEP * step)
    for player in (1, 2):
        yield StateChannel("to-move", player)
    yield StateChannel("container")


def _moves(variant: ChessVariant) -> Iterator[MoveChannel]:
    for style, ways in enumerate(_styles(variant)):
        for dx, dy in ways:
            yield MoveChannel("displacement", dx, dy, text=_style_name(style))


def _styles(variant: ChessVariant) -> Iterator[list[Way]]:
    """The displacements of each style of moving, as the kernel numbers them."""
    lines = {half: sorted(_lines(half)) for half in "BRQ"}
    knight, pawn = sorted(KNIGHT_STEPS), sorted(_pawn(variant))
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 1)]
    # A king that castles may stay where it is, if it does not begin on the e-file.
    yield sorted([*lines["Q"], *knight, *([(0, 0)] if variant.castling else [])])
    halves = [pawn, knight, lines["B"], lines["R"], lines["Q"]]
    yield from (ways if variant.chessplus else [] for ways in halves)
    for _ in "NBR":
        yield steps
    yield [way for way in steps if way[0]] if variant.chessplus and variant.double_step else []


def _lines(half: str) -> Iterator[Way]:
    """The clipped ways of a slider."""
    for dx, dy in KING_STEPS:
        diagonal = dx != 0 and dy != 0
        if half == "Q" or diagonal == (half == "B"):
            yield from ((k * dx, k * dy) for k in range(1, CLIP + 1))


def _pawn(variant: ChessVariant) -> Iterator[Way]:
    for dy in (-1, 1):
        yield from ((dx, dy) for dx in (-1, 0, 1))
        if variant.double_step:
            yield (0, 2 * dy)


def _style_name(style: int) -> str:
    if style == 0:
        return ""
    if style <= 5:
        return f"{NAMES[style - 1]} leaves"
    return EN_PASSANT if style == 9 else f"={NAMES[style - 5]}"


def _text(variant: ChessVariant, state: tuple[StateChannel, ...], moves: tuple[MoveChannel, ...]) -> str:
    """The kernels, with the numbers of planes."""
    first: dict[str, int] = {}
    for number, channel in enumerate(state):
        first.setdefault(channel.kind, number)
    numbers = {
        "drawn": first["clock"],
        "merged": first.get("merged", -1),
        "castles": first.get("castles", -1),
        "passant": first.get("passant", -1),
        "last": first["last-from"],
        "clock": first["clock"],
        "clocks": CLOCKS,
        "step": CLOCK_STEP,
        "mover": first["to-move"],
        "board": first["container"],
        "stride": variant.layout.stride,
        "clip": CLIP,
        "side": 2 * CLIP + 1,
    }
    text = without((WORD_PLANES if variant.layout.words else SQUARE_PLANES) + TENSORS, flags(variant))
    for name, number in numbers.items():
        text = text.replace(f"{{{name}}}", str(number))
    return f"TENSOR_WAY = np.array([{','.join(map(str, _table(moves)))}], dtype=np.int16)\n{text}"


def _table(moves: tuple[MoveChannel, ...]) -> list[int]:
    """The channel of each style and displacement, -1 where there is none."""
    channels = {(channel.text, channel.dx, channel.dy): number for number, channel in enumerate(moves)}
    reach = range(-CLIP, CLIP + 1)
    return [channels.get((_style_name(style), dx, dy), -1) for style in range(10) for dx in reach for dy in reach]
