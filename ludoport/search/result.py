"""Result of a search of a position."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.search.hidden import is_hidden
from ludoport.search.pool import DRAWN, LOST, WON
from ludoport.search.tree import EXACT, LINK, VISITS, SearchFindings, Tree

if TYPE_CHECKING:
    from ludoport.game import Move, State

SHOWN = 8
"""Moves that a printed result shows."""

LINES = 4
"""Moves whose expected line of play a result holds."""

LONGEST = 12
"""Moves of the lines after the first."""


@dataclass(frozen=True, eq=False, repr=False)
class SearchResult:
    """The legal moves of a position as a search sees them, the best first.

    Attributes:
        state: the position.
        player: the text of the player that searched, such as ``uct:1000``.
        moves: the legal moves; ``moves[0]`` is the one to play.
        visits: simulations that started with each move, shape (moves,); None where the search does not count them.
        values: expected result of each move for the player to move, from -1 (lost) to 1 (won), NaN where unknown;
            shape (moves,).
        priors: probabilities of the moves before the search, shape (moves,); None for a search without a network.
        proved: whether the value of a move is proved, shape (moves,).
        lines: the line of play that the search expects after each of the best moves, that move first; shorter than
            ``moves``.
        simulations: simulations, or for alpha-beta positions searched.
    """

    state: State
    player: str
    moves: tuple[Move, ...]
    visits: NDArray[np.int64] | None
    values: NDArray[np.float64]
    priors: NDArray[np.float64] | None
    proved: NDArray[np.bool_]
    lines: tuple[tuple[Move, ...], ...]
    simulations: int

    def __post_init__(self) -> None:
        for array in (self.visits, self.values, self.priors, self.proved):
            if array is not None:
                array.flags.writeable = False

    @property
    def best(self) -> Move:
        """The move to play."""
        return self.moves[0]

    @property
    def line(self) -> tuple[Move, ...]:
        """The line of play that the search expects (principal variation)."""
        return self.lines[0] if self.lines else ()

    @property
    def value(self) -> float:
        """Expected result of the best move for the player to move, from -1 (lost) to 1 (won)."""
        return float(self.values[0])

    def as_json(self) -> dict[str, Any]:
        """The result as data for JSON; moves in recorded notation, null where unknown."""
        rows = []
        for number, move in enumerate(self.moves):
            value = float(self.values[number])
            rows.append(
                {
                    "move": move.text,
                    "label": str(move),
                    "visits": None if self.visits is None else int(self.visits[number]),
                    "value": None if math.isnan(value) else round(value, 6),
                    "prior": None if self.priors is None else round(float(self.priors[number]), 6),
                    "proved": bool(self.proved[number]),
                }
            )
        lines = [[move.text for move in line] for line in self.lines]
        return {
            "player": self.player,
            "simulations": self.simulations,
            "moves": rows,
            "line": [move.text for move in self.line],
            "lines": lines,
        }

    def __repr__(self) -> str:
        head = ["move", "visits", "value", "prior"]
        told = [n for n in range(len(self.moves)) if self.visits is not None or not math.isnan(self.values[n])]
        rows = [head, *(self._row(number) for number in told[:SHOWN])]
        used = [column for column in range(len(head)) if any(row[column] for row in rows[1:])]
        widths = [max(len(row[column]) for row in rows) for column in used]
        unit = "positions" if self.visits is None else "simulations"
        lines = [f"{self.state!r}: {self.player}, {self.simulations:,} {unit}"]
        for row in rows:
            cells = [row[c].ljust(w) if c == 0 else row[c].rjust(w) for c, w in zip(used, widths, strict=True)]
            lines.append("  " + "  ".join(cells).rstrip())
        if len(told) > SHOWN:
            lines.append(f"  ... {len(told) - SHOWN} more")
        lines.append(f"  line: {' '.join(str(move) for move in self.line)}")
        if is_hidden(self.state.game):
            lines.append("  determinised: each simulation draws again what is hidden from the player to move")
        return "\n".join(lines)

    def _row(self, number: int) -> list[str]:
        value = float(self.values[number])
        shown = "" if math.isnan(value) else f"{value:+.3f}"
        if self.proved[number]:
            shown = "won" if value > 0 else "lost" if value < 0 else "drawn"
        return [
            str(self.moves[number]),
            "" if self.visits is None else f"{int(self.visits[number]):,}",
            shown,
            "" if self.priors is None else f"{float(self.priors[number]):.3f}",
        ]


def result_of(
    state: State,
    player: str,
    found: SearchFindings,
    follow: Callable[[int], tuple[Move, ...]],
    simulations: int,
    *,
    best: int | None = None,
    priors: NDArray[Any] | None = None,
) -> SearchResult:
    """The result of a search that counts visits.

    Args:
        state: the position.
        player: the text of the player that searched.
        found: findings of the search.
        follow: the line of play that it expects after a move, given by its number in ``found``.
        simulations: simulations done.
        best: the number of the move to play; default: that of ``found``.
        priors: probabilities of the moves before the search, in the order of ``found``; shape (moves,).
    """
    first = found.best_index if best is None else best
    proved = ~np.isnan(found.exact)
    values = 2.0 * np.where(proved, found.exact, found.values) - 1.0
    others = [n for n in np.lexsort((-np.nan_to_num(values, nan=-2.0), -found.visits)).tolist() if n != first]
    order = [first, *others]
    lines = [follow(first), *(follow(n)[:LONGEST] for n in others[: LINES - 1] if found.visits[n] > 0)]
    return SearchResult(
        state, player, tuple(found.moves[n] for n in order), found.visits[order], values[order],
        None if priors is None else np.asarray(priors, dtype=np.float64)[order],
        proved[order], tuple(lines), simulations,
    )  # fmt: skip


def expected_line(
    state: State, nodes: NDArray[Any], rows: NDArray[Any], root: int, first: int | None = None
) -> tuple[Move, ...]:
    """The line of play that a pool expects: a proved win, otherwise the move visited most, again and again.

    Args:
        state: the position of the root.
        nodes: numbers of the pool's entries, shape (columns, entries).
        rows: moves of its edges, shape (entries, move size).
        root: the head of the root.
        first: the number of the first move among the root's edges; default: chosen like the others.
    """
    line: list[Move] = []
    head = root
    while head > 0 and not state.over:
        edges = slice(head + 1, head + 1 + int(nodes[LINK, head]))
        visits, exact = nodes[VISITS, edges], nodes[EXACT, edges]
        if first is None:
            # A won move ends the search for another one; lost moves only count where nothing else is left.
            score = np.where(exact == WON, 2**40, np.where(exact == LOST, 0, visits * 2 + (exact == DRAWN)))
            chosen = int(np.argmax(score))
            if visits[chosen] == 0 and exact[chosen] != WON:
                break
        else:
            chosen, first = first, None
        row = state.game.rules.tidy(rows[head + 1 + chosen][None])[0]
        move = next(move for move in state.moves() if np.array_equal(move.row, row))
        line.append(move)
        state, head = state.play(move), int(nodes[LINK, head + 1 + chosen])
    return tuple(line)


def line_in(tree: Tree, state: State, first: int) -> tuple[Move, ...]:
    """The line of play that a tree expects after the move of its root with this number."""
    return expected_line(state, tree.pool.nodes, tree.pool.moves, tree.pool.root, first)
