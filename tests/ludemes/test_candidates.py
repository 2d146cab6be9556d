"""Candidates for a random move as tables: which of them tables can tell, and that draws stay the same."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from ludoport.game import seeded
from ludoport.kernels.build import plain_functions
from ludoport.ludemic import LudemicRules, read_rules

GAME = """
(game "Candidates"
    (players {{(player N) (player S)}})
    (equipment {{
        (board (square 5))
        (piece "Rider" Each (move Slide (to if:(is Enemy (who at:(to))) (apply (remove (to))))))
        (piece "Walker" Each (or
            (move Step Forward (to if:(is Empty (to))))
            (move Step (directions {{FR FL}}) (to if:(not (is Friend (who at:(to)))) (apply (remove (to)))))
        ))
        (piece "Leaper" Each (move Leap {{{{F F R}} {{F F L}}}} (to if:(not (is Friend (who at:(to)))))))
        (piece "Guard" Each {guard})
    }})
    (rules
        (start {{
            (place "Rider1" {{"A1" "E1"}}) (place "Walker1" (sites Row 1)) (place "Guard1" {{"C1"}})
            (place "Leaper1" {{"B1"}})
            (place "Rider2" {{"A5" "E5"}}) (place "Walker2" (sites Row 3)) (place "Guard2" {{"C5"}})
            (place "Leaper2" {{"B5"}})
        }})
        (play (forEach Piece))
        (end (if (no Moves Next) (result Mover Win)))
    )
)
"""

TOLD = {
    "leap": "(move Leap {{F F R F} {F F L F}} (to if:(not (is Friend (who at:(to)))) (apply (remove (to)))))",
    "short slide": "(move Slide (between (range 1 2) if:(is Empty (between))) (to if:(is Enemy (who at:(to)))))",
    "both sides": "(if (is Mover P1) (move Step Forward (to if:(is Empty (to)))) (move Step (to if:(is Empty (to)))))",
}
"""Moves that tables tell."""

LEFT = {
    "kind": '(move Step (to if:(= (what at:(to)) (id "Rider" Next)) (apply (remove (to)))))',
    "count": "(move Step (to if:(and (is Empty (to)) (< 3 (count Pieces Mover)))))",
    "hop": "(move Hop (between if:(is Occupied (between))) (to if:(is Empty (to))))",
}
"""Moves about which more decides than who stands on the way and at its end, or in another way."""


@pytest.fixture(autouse=True)
def some_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are also used where much is left to code."""
    monkeypatch.setattr("ludoport.ludemes.core.candidates.MOST_LEFT", 0.5)


def _rules(guard: str, folder: Path) -> LudemicRules:
    path = folder / "Candidates.lud"
    path.write_text(GAME.format(guard=guard))
    rules = read_rules(path)
    assert rules.source
    return rules


def _games(rules: LudemicRules, moves: int) -> list[list[int]]:
    """The moves of random games and the random words behind them."""
    kernels = plain_functions(rules.source)
    state, move = np.zeros(rules.state_size, dtype=np.int64), np.zeros(rules.move_size, dtype=np.int64)
    listed = np.zeros((rules.max_moves + 1) * rules.move_size, dtype=np.int64)
    work, rng, seen = np.zeros(rules.work_size, dtype=np.int64), seeded(3), []
    kernels["start"](state, rng)
    for _ in range(moves):
        kernels["sample"](state, rng, move, listed, work)
        seen.append([*rules.tidy(move[None].copy())[0].tolist(), *map(int, rng)])
        kernels["play"](state, move, work)
        if state[rules.fields["OVER"]]:
            kernels["start"](state, rng)
    return seen


@pytest.mark.parametrize("guard", [*TOLD.values(), *LEFT.values()], ids=[*TOLD, *LEFT])
def test_draws_are_those_of_the_code(guard: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = _rules(guard, tmp_path)
    with monkeypatch.context() as without:
        without.setenv("LUDOPORT_PLAIN", "table")
        plain = _rules(guard, tmp_path)
    assert "CANDIDATES_" in told.source
    assert "CANDIDATES_" not in plain.source
    assert _games(told, 300) == _games(plain, 300)


@pytest.mark.parametrize("guard", [*TOLD.values(), *LEFT.values()], ids=[*TOLD, *LEFT])
def test_only_candidates_that_need_code_have_it(guard: str, tmp_path: Path) -> None:
    source = _rules(guard, tmp_path).source
    draw = source[source.index("def pick_") :].split("\n\n\n")[0]
    needs_code = guard in LEFT.values()
    assert bool(re.search(r"if shape\d+ >= 0:", draw)) == needs_code
    assert ("piece_" in draw) == needs_code
