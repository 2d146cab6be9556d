"""Relative directions, lines through a site, distances, incident sites."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ludoport.boards import Board, facing_directions
from ludoport.boards.directions import COMPASS, ROTATIONAL, SPATIAL, left, opposite, right

SQUARE, POINTS, FLAT, POINTY = (
    "(board (square 8))",
    "(board (square 8) use:Vertex)",
    "(board (hex Diamond 5))",
    "(board (hex 4))",
)


@pytest.mark.parametrize(
    ("text", "facing", "name", "expected"),
    [
        (SQUARE, "N", "Forward", ["N"]),
        (SQUARE, "S", "FR", ["SW"]),
        (SQUARE, "N", "FL", ["NW"]),
        (SQUARE, "N", "BL", ["SE"]),
        (SQUARE, "N", "BR", ["SW"]),
        (SQUARE, "N", "FLLL", ["NW"]),
        (SQUARE, "N", "Forwards", ["NW", "N", "NE"]),
        (SQUARE, "N", "Backwards", ["SE", "S", "SW"]),
        (SQUARE, "N", "Rightwards", ["NE", "E", "SE"]),
        (SQUARE, "N", "Leftwards", ["NW", "W", "SW"]),
        (SQUARE, "E", "Leftward", ["N"]),
        (SQUARE, "N", "SameDirection", []),
        (POINTS, "N", "FL", ["W"]),
        (POINTS, "N", "FR", ["E"]),
        (FLAT, "N", "FL", ["WNW"]),
        (FLAT, "N", "FR", ["ENE"]),
        (POINTY, "N", "Forward", []),
    ],
)
def test_relative_direction(
    text: str, facing: str, name: str, expected: list[str], board: Callable[[str], Board]
) -> None:
    assert facing_directions(board(text).default, facing, name) == expected


def test_relation_of_a_relative_direction(board: Callable[[str], Board]) -> None:
    assert facing_directions(board(SQUARE).default, "N", "Forwards", "Orthogonal") == ["N"]


@pytest.mark.parametrize("name", [*COMPASS, *ROTATIONAL, *SPATIAL])
def test_opposite_twice_is_the_same(name: str) -> None:
    assert opposite(opposite(name)) == name


@pytest.mark.parametrize("name", [*COMPASS, *SPATIAL])
def test_left_undoes_right(name: str) -> None:
    assert left(right(name)) == name


def test_lines_continue_through_the_origin(board: Callable[[str], Board]) -> None:
    sites = board("(board (square 5))").default
    lines = sites.lines(12, "Adjacent")
    assert len(lines) == 4
    assert all(len(opposites) == 1 for _, opposites in lines)
    assert sites.opposites(12, "N", (12, 17, 22)) == [(12, 7, 2)]
    assert sites.lines(0, "Orthogonal") == [((0, 5, 10, 15, 20), []), ((0, 1, 2, 3, 4), [])]


def test_distances(board: Callable[[str], Board]) -> None:
    sites = board("(board (square 5))").default
    assert sites.distances_from([0], "Adjacent")[24] == 4
    assert sites.distances_from([0], "Orthogonal")[24] == 8
    assert max(sites.distances_from(sites.perimeter)) == 2


def test_incident_sites(board: Callable[[str], Board]) -> None:
    made = board("(board (square 2))")
    assert sorted(made.incident(0, "Cell", "Vertex")) == [0, 1, 3, 4]
    assert made.incident(4, "Vertex", "Cell") == [0, 1, 2, 3]
    assert len(made.incident(4, "Vertex", "Edge")) == 4
    edge = next(e for e in range(made.edges.n) if set(made.incident(e, "Edge", "Vertex")) == {1, 4})
    assert made.incident(edge, "Edge", "Cell") == [0, 1]


def test_site_of_a_label(board: Callable[[str], Board]) -> None:
    made = board(SQUARE)
    assert made.site_of("E4") == 28
    assert made.site_of("J9") is None


def test_circular_board_has_circular_directions(board: Callable[[str], Board]) -> None:
    sites = board("(board (concentric {1 8 8}) use:Vertex)").default
    assert sites.n == 17
    ring = sites.radials(3, "CW")[0]
    assert len(ring) == 8
    assert sites.steps(3, "In") == [0]
    assert set(sites.supported_directions("All")) >= {"CW", "CCW", "In", "Out"}


def test_layers_are_joined_upwards(board: Callable[[str], Board]) -> None:
    sites = board("(board (square 4 pyramidal:True) use:Vertex)").default
    assert [len(layer) for layer in sites.layers] == [16, 9, 4, 1]
    assert len(sites.steps(sites.layers[0][0], "Upward")) == 1
    assert len(sites.steps(sites.layers[3][0], "Downward")) == 4
