"""Tables of the kernels: what pieces attack from each square, and the lines through it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ludoport.chess.layout import signed

STRIDE = 8
"""Bits of a rank in a word."""

Steps = Iterable[tuple[int, int]]

KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
KING_STEPS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


class Squares:
    """The squares of a board within words of eight ranks of eight bits."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def set_of(self, squares: Iterable[tuple[int, int]]) -> int:
        """A set of squares, given by file and rank; those outside of the board are left out."""
        inside = ((x, y) for x, y in squares if 0 <= x < self.width and 0 <= y < self.height)
        return signed(sum(1 << (STRIDE * y + x) for x, y in set(inside)))

    def rank(self, number: int) -> int:
        """The squares of a rank."""
        return self.set_of((x, number) for x in range(self.width))

    def board(self) -> int:
        """All squares."""
        return self.set_of((x, y) for x in range(self.width) for y in range(self.height))

    def without_file(self, number: int) -> int:
        """All squares but those of one file."""
        return self.set_of((x, y) for x in range(self.width) for y in range(self.height) if x != number)

    def table(self, seen: Callable[[int, int], Iterable[tuple[int, int]]]) -> list[int]:
        """A set for each square; squares outside of the board have none."""
        return [
            self.set_of(seen(x, y)) if x < self.width and y < self.height else 0
            for y in range(STRIDE)
            for x in range(STRIDE)
        ]

    def leaps(self, steps: Steps) -> list[int]:
        """For each square, the set of squares that single steps lead to."""
        return self.table(lambda x, y: [(x + dx, y + dy) for dx, dy in steps])

    def lines(self, *steps: tuple[int, int]) -> list[int]:
        """The lines through a square in some directions and back, without the square."""
        return self.table(
            lambda x, y: [(x + k * dx, y + k * dy) for dx, dy in steps for k in range(-STRIDE, STRIDE + 1) if k != 0]
        )


def rank_attacks() -> list[int]:
    """Squares that a rook attacks on its rank, by occupancy of the six inner squares and by its file."""
    return [
        sum(1 << x for step in (-1, 1) for x in _slide(file, step, inner << 1))
        for inner in range(64)
        for file in range(STRIDE)
    ]


def _slide(file: int, step: int, occupied: int) -> Iterator[int]:
    file += step
    while 0 <= file < STRIDE:
        yield file
        if occupied >> file & 1:
            return
        file += step


def tables(squares: Squares) -> dict[str, list[int]]:
    """All tables by name."""
    return {
        "KNIGHT_ATTACKS": squares.leaps(KNIGHT_STEPS),
        "KING_ATTACKS": squares.leaps(KING_STEPS),
        # By player: 0 is not a player.
        "PAWN_ATTACKS": [0] * 64 + squares.leaps(((-1, 1), (1, 1))) + squares.leaps(((-1, -1), (1, -1))),
        "DIAGONAL": squares.lines((1, 1)),
        "ANTIDIAGONAL": squares.lines((1, -1)),
        "COLUMN": squares.lines((0, 1)),
        "BISHOP_LINES": squares.lines((1, 1), (1, -1)),
        "ROOK_LINES": squares.lines((0, 1), (1, 0)),
        "RANK_ATTACKS": rank_attacks(),
    }


def large_tables(width: int, height: int) -> dict[str, list[int]]:
    """Steps from square to square for boards without words, -1 where there is none; one way after another."""
    sites = [(x, y) for y in range(height) for x in range(width)]

    def steps(ways: Steps) -> list[int]:
        return [
            width * (y + dy) + x + dx if 0 <= x + dx < width and 0 <= y + dy < height else -1
            for dx, dy in ways
            for x, y in sites
        ]

    # Straight ways first; 0 leads up, 2 down.
    return {"NEIGHBOURS": steps(KING_STEPS[::2] + KING_STEPS[1::2]), "LEAPS": steps(KNIGHT_STEPS)}
