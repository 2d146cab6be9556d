"""Dominoes: what joins the line of play, compared with a plain model of the rules; and turns that begin with a pass."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError
from ludoport.game import State

TEXT = (Path(__file__).parent / "games" / "dominoes.lud").read_text(encoding="utf-8")
WIDTH = 25
STEPS = [((0, 1), (1, 0)), ((-1, 0), (0, 1)), ((0, -1), (-1, 0)), ((1, 0), (0, -1))]
"""Along and across a domino, as rows and columns, for each local state."""

Cell = tuple[int, int]


def _cells(site: int, turn: int) -> list[Cell]:
    (a, b), (c, d) = STEPS[turn]
    row, column = divmod(site, WIDTH)
    return [(row + i * a + j * c, column + i * b + j * d) for i in range(4) for j in range(2)]


def _ends(site: int, turn: int, pips: tuple[int, int]) -> list[tuple[int, Cell]]:
    """The numbers that are open, each with the direction in which the line leads on."""
    (a, b), (c, d) = STEPS[turn]
    ends = [(pips[0], (-a, -b)), (pips[1], (a, b))]
    return ends + [(pips[0], (-c, -d)), (pips[0], (c, d))] * (pips[0] == pips[1])


def _open(site: int, turn: int, lead: Cell) -> set[Cell]:
    """The two cells that a domino must cover to join in a direction."""
    along = STEPS[turn][0]
    cells = _cells(site, turn)
    middle = cells if lead in (along, (-along[0], -along[1])) else cells[2:6]
    furthest = max(row * lead[0] + column * lead[1] for row, column in cells)
    return {(r + lead[0], c + lead[1]) for r, c in middle if r * lead[0] + c * lead[1] == furthest}


def _pips(name: str) -> tuple[int, int]:
    return int(name[6]), int(name[7])


def _expected(state: State) -> set[tuple[int, int, int]]:
    """Every move as origin, site and direction."""
    pieces = {site: str(piece) for site, piece in state.pieces().items()}
    laid = {s: (int(p.split("/s")[1]) if "/s" in p else 0, _pips(p)) for s, p in pieces.items() if s < WIDTH**2}
    hand = range(WIDTH**2 + 10 * (state.mover - 1), WIDTH**2 + 10 * state.mover)
    own = {site: _pips(pieces[site]) for site in hand if site in pieces}
    covered = {cell for site, (turn, _) in laid.items() for cell in _cells(site, turn)}
    found = set()
    for site, (turn, pips) in laid.items():
        for number, lead in _ends(site, turn, pips):
            wanted = _open(site, turn, lead)
            for there in {r * WIDTH + c for r, c in (_far(cell, lead, n) for cell in wanted for n in (0, 3)) if c >= 0}:
                for way in range(4):
                    cells = _cells(there, way)
                    inside = all(0 <= r < WIDTH and 0 <= c < WIDTH and (r, c) not in covered for r, c in cells)
                    for origin, own_pips in own.items():
                        ends = (set(cells[:2]), own_pips[0]), (set(cells[6:]), own_pips[1])
                        if inside and (wanted, number) in ends:
                            found.add((origin, there, way))
    return found


def _far(cell: Cell, lead: Cell, steps: int) -> Cell:
    return cell[0] + steps * lead[0], cell[1] + steps * lead[1]


@pytest.mark.parametrize("seed", range(8))
def test_line_of_play(seed: int, tmp_path: Path) -> None:
    file = tmp_path / "Few dominoes.lud"
    file.write_text(TEXT, encoding="utf-8")
    game, choose = lp.load(file, jit=False), random.Random(seed)
    state = game.start(seed)
    state = state.play(choose.choice(state.moves()))
    while not state.over:
        moves = state.moves()
        columns = game.rules.compiled.columns
        rows = [move.row for move in moves if move.text != "pass"]
        got = [tuple(int(row[columns[name]]) for name in ("FROM", "TO", "NUMBER")) for row in rows]
        assert len(got) == len(set(got))
        assert set(got) == _expected(state)
        state = state.play(choose.choice(moves))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ifAfterwards:(is PipsMatch)", "ifAfterwards:(is Occupied (last To))"),
        ("(sites LineOfPlay)", "(sites Empty)"),
        ("(boardless Square 25)", "(board (square 25))"),
        ("(dominoes upTo:3)", '(dominoes upTo:3) (piece "Disc" Each)'),
        ("(deal Dominoes 3)", "(deal Cards 3)"),
    ],
)
def test_what_records_do_not_show_is_refused(old: str, new: str, tmp_path: Path) -> None:
    file = tmp_path / "Other dominoes.lud"
    file.write_text(TEXT.replace(old, new), encoding="utf-8")
    with pytest.raises(UnsupportedError):
        lp.load(file, jit=False).start()


PASSES = """
(game "Again"
    (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules
        (play (or (move Add (to (sites Empty))) (move Pass (then (if (is In 0 (sites Empty)) (moveAgain))))))
        (end (if (all Passed) (result Mover Draw)))
    )
)
"""


@pytest.mark.parametrize(
    ("moves", "over"),
    [
        (["1", "2", "pass", "3", "pass"], True),
        (["1", "2", "pass", "pass", "3", "pass"], False),
        (["1", "2", "pass", "3", "4", "5", "pass"], False),
    ],
)
def test_turns_that_go_on_after_a_pass(moves: list[str], over: bool, tmp_path: Path) -> None:
    """A turn counts as passed if its only pass was its first move."""
    file = tmp_path / "Again.lud"
    file.write_text(PASSES, encoding="utf-8")
    state = lp.load(file, jit=False).start()
    for move in moves:
        assert not state.over
        state = state.play(move)
    assert state.over == over


@pytest.mark.parametrize(("count", "dealt"), [("-5", 0), ("3", 6), ("5", 10), ("2147483647", 10)])
def test_no_more_dominoes_are_dealt_than_there_are(count: str, dealt: int, tmp_path: Path) -> None:
    """Two billion rounds of dealing would take minutes."""
    file = tmp_path / "Few.lud"
    file.write_text(TEXT.replace("(deal Dominoes 3)", f"(deal Dominoes {count})"), encoding="utf-8")
    assert len(lp.load(file, jit=False).start(seed=1).pieces()) == dealt
