"""A tiny game in plain Python with the surface of a compiled one, so that comparing can be tested by itself."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.errors import LudoportError

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PIECES = {1: "Disc1", 2: "Cross2"}


class FakeMove(str):
    """A move; its text is itself."""

    @property
    def text(self) -> str:
        return str(self)


@dataclass(frozen=True)
class FakeState:
    """A position of Tic-Tac-Toe; ``forbidden`` is a site that this broken version never offers."""

    cells: tuple[int, ...] = (0,) * 9
    forbidden: int = -1
    passes: int = 0

    @property
    def mover(self) -> int:
        return 1 + (9 - self.cells.count(0) + self.passes) % 2

    @property
    def seat(self) -> int:
        return self.mover

    @property
    def winner(self) -> int:
        for line in LINES:
            a, b, c = (self.cells[site] for site in line)
            if a and a == b == c:
                return a
        return 0 if self.passes == 2 else -1

    @property
    def over(self) -> bool:
        return self.winner >= 0

    @property
    def utilities(self) -> list[float]:
        return {1: [1.0, -1.0], 2: [-1.0, 1.0]}.get(self.winner, [0.0, 0.0])

    @property
    def seat_utilities(self) -> list[float]:
        return self.utilities

    @property
    def match_scores(self) -> None:
        return None

    @property
    def scores(self) -> list[int]:
        return [self.cells.count(1), self.cells.count(2)]

    def pieces(self) -> dict[int, str]:
        return {site: PIECES[owner] for site, owner in enumerate(self.cells) if owner}

    def moves(self) -> list[FakeMove]:
        if self.over:
            return []
        empty = [FakeMove(site) for site, owner in enumerate(self.cells) if not owner and site != self.forbidden]
        return empty or [FakeMove("pass")]

    def play(self, move: str) -> FakeState:
        if move not in self.moves():
            raise LudoportError(f"{move} is not legal here")
        if move == "pass":
            return FakeState(self.cells, self.forbidden, self.passes + 1)
        cells = list(self.cells)
        cells[int(move)] = self.mover
        return FakeState(tuple(cells), self.forbidden)

    def picture(self) -> str:
        rows = ["".join(".XO"[owner] for owner in self.cells[i : i + 3]) for i in (6, 3, 0)]
        return "\n".join(rows)


@dataclass(frozen=True)
class FakeGame:
    """Tic-Tac-Toe."""

    forbidden: int = -1

    def start(self, seed: int = 0) -> FakeState:
        return FakeState(forbidden=self.forbidden)

    def perft(self, depth: int) -> list[int]:
        return [_count(self.start(), d) for d in range(1, depth + 1)]

    def divide(self, depth: int) -> dict[str, int]:
        start = self.start()
        return {move: _count(start.play(move), depth - 1) for move in start.moves()}


def _count(state: FakeState, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(_count(state.play(move), depth - 1) for move in state.moves())
