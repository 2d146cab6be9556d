"""The loops of Surakarta boards."""

from __future__ import annotations

from ludoport.boards.board import Board, Loop


def loops_of(board: Board, count: int | None, start: int) -> list[Loop]:
    """The tracks around the corners, forward and backward for each loop.

    Args:
        board: of squares or triangles, played on its vertices.
        count: how many loops; None for as many as fit.
        start: the row of the first loop, counted from the border.
    """
    sites = board.sites("Vertex")
    rows, columns = len(sites.rows), len(sites.columns)
    square = board.graph.basis != "Triangular"
    if count is None:
        count = (min(rows - 1, columns - 1) - 1) // 2 if square else (rows - 1) // 2
    made: list[Loop] = []
    for loop in range(start, start + count):
        track = _around_square(rows, columns, loop) if square else _around_triangle(rows, loop)
        for suffix, walk in (("F", track), ("B", track[::-1])):
            made.append(Loop(f"Track{loop}{suffix}", _with_turns(walk)))
    return made


def _with_turns(track: list[tuple[int, bool]]) -> tuple[int, ...]:
    """Ends of lines appear twice where a piece leaves the grid for a loop."""
    sites: list[int] = []
    for (site, end), (_, following) in zip(track, [*track[1:], track[0]], strict=True):
        sites.append(site)
        if end and following:
            sites.append(site)
    return tuple(sites)


def _line(sites: list[int]) -> list[tuple[int, bool]]:
    # Site 0 has no negative, so the reference never marks it as an end.
    return [(site, n in (0, len(sites) - 1) and site != 0) for n, site in enumerate(sites)]


def _around_square(rows: int, columns: int, loop: int) -> list[tuple[int, bool]]:
    total = rows * columns
    return [
        *_line([loop * columns + c for c in range(columns)]),
        *_line([columns - 1 - loop + r * columns for r in range(rows)]),
        *_line([total - 1 - loop * columns - c for c in range(columns)]),
        *_line([total - columns + loop - r * columns for r in range(rows)]),
    ]


def _around_triangle(rows: int, loop: int) -> list[tuple[int, bool]]:
    length = rows - loop
    start = sum(rows - n for n in range(loop))
    bottom = [start + n for n in range(length)]
    right: list[int] = []
    site, step = rows - 1 - loop, rows - 1
    for _ in range(length):
        right.append(site)
        site += step
        step -= 1
    left: list[int] = []
    step += 3
    for _ in range(length):
        left.append(site)
        site -= step
        step += 1
    return [*_line(bottom), *_line(right), *_line(left)]
