"""Boards observed in the reference: numbers, labels, neighbours, regions, directions and radials are the same."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludoport.boards import Board

DATA = Path(__file__).parent / "data"


def read(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(gzip.decompress((DATA / name).read_bytes()))["boards"]
    return found


OBSERVED = read("boards.json.gz")
VARIANTS = read("variants.json.gz")
REGIONS = [
    *("corners", "convex", "concave", "centre", "top", "bottom", "left", "right"),
    *("outer", "inner", "perimeter", "rows", "columns", "sides"),
]


@pytest.mark.parametrize("seen", OBSERVED, ids=lambda seen: seen["board"])
def test_observed_board(seen: dict[str, Any], board: Callable[[str], Board]) -> None:
    made = board(f"(board {seen['board']})")
    sites = made.default
    assert made.kind == seen["site_type"]
    assert (sites.n, made.cells.n, made.vertices.n, made.edges.n) == tuple(
        seen[key] for key in ("n_sites", "n_cells", "n_vertices", "n_edges")
    )
    for site in seen["sites"]:
        i = site["id"]
        assert (sites.label[i], sites.row[i], sites.col[i]) == (site["label"], site["row"], site["col"])
        assert (sites.x[i], sites.y[i]) == pytest.approx((site["x"], site["y"]), abs=0.001)
        assert sites.phase[i] == site["phase"]
        assert sites.orthogonal[i] == site["orthogonal"]
        assert sites.diagonal[i] == site["diagonal"]
        assert sites.adjacent[i] == site["adjacent"]
        assert sites.off[i] == site["offDiagonal"]
    for name in REGIONS:
        assert getattr(sites, name) == seen[name], name
    for relation, names in seen["supported_directions"].items():
        assert sites.supported_directions(relation) == names


@pytest.mark.parametrize("seen", [s for s in OBSERVED if "directions_from" in s], ids=lambda seen: seen["board"])
def test_observed_directions(seen: dict[str, Any], board: Callable[[str], Board]) -> None:
    sites = board(f"(board {seen['board']})").default
    for origin, directions in seen["directions_from"].items():
        for name, found in directions.items():
            assert list(sites.steps(int(origin), name)) == found["steps"], (origin, name)
            assert [list(r) for r in sites.radials(int(origin), name)] == found["radials"], (origin, name)


@pytest.mark.parametrize("seen", VARIANTS, ids=lambda seen: seen["board"])
def test_board_of_a_variant(seen: dict[str, Any], board: Callable[[str], Board]) -> None:
    made = board(seen["board"])
    sites = made.default
    assert (made.cells.n, made.vertices.n, made.edges.n) == (seen["cells"], seen["vertices"], seen["edges"])
    assert sites.label == seen["labels"].split()
    assert (sites.row, sites.col) == (seen["row"], seen["col"])
    assert sites.x == pytest.approx(seen["x"], abs=0.0002)
    assert sites.y == pytest.approx(seen["y"], abs=0.0002)
    assert sites.adjacent == seen["adj"]
    assert sites.orthogonal == seen["orth"]
    assert sites.diagonal == seen["diag"]
    assert sites.off == seen["off"]
