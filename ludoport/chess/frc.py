"""Start positions of Fischer random chess by number."""

from __future__ import annotations

from itertools import combinations

from ludoport.errors import LudoportError

KNIGHT_PAIRS = list(combinations(range(5), 2))


def start_rank(number: int) -> str:
    """White's first rank of a numbered start position; 518 is that of chess.

    The number gives, from its lowest digit on, the light bishop, the dark bishop, the queen and the two knights, each
    among the places that are left; rook, king and rook fill the rest.

    >>> start_rank(518)
    'RNBQKBNR'
    """
    if not 0 <= number < 960:
        raise LudoportError(f"unknown start position {number}; numbers are 0 to 959")
    number, light = divmod(number, 4)
    number, dark = divmod(number, 4)
    knights, queen = divmod(number, 6)
    rank = [""] * 8
    rank[2 * light + 1] = "B"
    rank[2 * dark] = "B"
    rank[_left(rank)[queen]] = "Q"
    left = _left(rank)
    for place in KNIGHT_PAIRS[knights]:
        rank[left[place]] = "N"
    for place, piece in zip(_left(rank), "RKR", strict=True):
        rank[place] = piece
    return "".join(rank)


def _left(rank: list[str]) -> list[int]:
    return [place for place, piece in enumerate(rank) if not piece]
