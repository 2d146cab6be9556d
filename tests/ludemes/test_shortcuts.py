"""Every shortcut of the compiler gives what the plain way gives, position by position."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy as np
import pytest

from ludoport.game import seeded
from ludoport.kernels.build import plain_functions
from ludoport.ludemes.core.shortcuts import Shortcut
from ludoport.ludemic import LudemicRules, read_rules

BUNDLED = Path(__file__).parents[2] / "ludoport" / "games"

FAMILIES = Path(__file__).parent / "games"
SOME = ["captures", "control", "grouping", "jumps", "moves_piece", "moves_site"]
"""Games of families whose moves are drawn by numbers, or whose tests have shortcuts."""

OTHERS = sorted(path.stem for path in FAMILIES.glob("*.lud") if path.stem not in SOME and path.stem != "matches")
"""The other families; a match of several games is no game with kernels of its own."""

QUICK = ["Minishogi", "Los Alamos Chess", "Mini Hexchess"]
ASKING = sorted(path.stem for path in BUNDLED.glob("*.lud") if "Threatened" in path.read_text())


KINGS = """
(define "Foe" (is Enemy (who at:(to))))
(define "Free" (not (is Friend (who at:(to)))))
(define "Held" (is Threatened (id "King" #1)))
(game "Kings"
    (players {{(player N) (player S)}})
    (equipment {{
        (board (square 5))
        (hand Each size:2)
        (piece "King" Each (move Step (to if:"Free" (apply (if "Foe" (remove (to)))))))
        (piece "Guard" Each (or
            (move Step Forward (to if:"Free" (apply (remove (to))))
                (then (if (is In (last To) (sites Top)) (moveAgain))))
            (move Slide Backward (to if:"Foe" (apply (remove (to))))))
        )
        (piece "Rider" Each {rider})
    }})
    (rules
        (start {{
            (place "King1" {{{kings1}}}) (place "King2" {{{kings2}}})
            (place "Rider1" "Hand1" count:2) (place "Rider2" "Hand2" count:2)
            (place "Guard1" "Hand1" 1 count:2) (place "Guard2" "Hand2" 1 count:2)
        }})
        (play (if (is Prev Mover) (or (move Promote (last To) (piece "Rider") Mover) (move Pass))
            (do (or {{
                (forEach Piece)
                (move (from (sites Occupied by:Mover container:"Hand")) (to (sites Empty)))
            }}) ifAfterwards:(not ("Held" Mover)))))
        (end {{
            (if (and ("Held" Next) (not (can Move (do (forEach Piece Next) ifAfterwards:(not ("Held" Next))))))
                (result Mover Win))
            (if (no Moves Next) (result Mover Draw))
        }})
    )
)
"""
"""A game in the style of the library, with boards, kings and riders to fill in."""

RIDERS = {
    "slide": '(move Slide (to if:"Foe" (apply (if "Foe" (remove (to))))))',
    "leap": '(move Leap {{F F R F} {F F L F}} (to if:"Free" (apply (remove (to)))))',
    "hop": '(move Hop (between if:(is Occupied (between))) (to if:"Free" (apply (remove (to)))))',
    "pass over": '(move Slide (between if:(not (is Enemy (who at:(between))))) (to if:"Foe" (apply (remove (to)))))',
}
"""Ways to move: the last two break what the short answers rest on, which the compiler must see."""


TOWERS = """
(define "Self" (from (from) level:(level)))
(define "Take" (apply (if (is Enemy (who at:(to))) (forEach Level (to) (remove (to) level:(level))))))
(define "Attacked" (is Threatened (id "King" #1)))
(game "Towers"
    (players {(player N) (player S)})
    (equipment {
        (board (square 5))
        (piece "Guard" Each (move Hop "Self" Diagonal (between if:True) (to if:(not (is Friend (who at:(to)))) "Take")))
        (piece "King" Each (move Step "Self" (to if:(not (is Friend (who at:(to)))) "Take")))
        (piece "Rook" Each (move Slide "Self" Orthogonal (to if:(is Enemy (who at:(to))) "Take")))
        (piece "Pawn" Each (move Step "Self" Forward (to if:(not (is Friend (who at:(to)))) "Take")
            (then (if (is In (last To) (union (sites Top) (sites Bottom)))
                (promote (last To) (piece (id "Rook" Mover)))))))
    })
    (rules
        (start {
            (place "Guard1" (sites {"A1" "E1"})) (place "Guard2" (sites {"A5" "E5"}))
            (place "King1" coord:"C1") (place "King2" coord:"C5")
            (place Stack "Pawn1" (sites {"B2" "C2" "D2"})) (place Stack "Pawn2" (sites {"B4" "C4" "D4"}))
            (place Stack "Pawn1" (sites {"B2"})) (place Stack "Pawn2" (sites {"D4"}))
        })
        (play (do (forEach Piece) ifAfterwards:(not ("Attacked" Mover))))
        (end {
            (if (and ("Attacked" Next) (not (can Move (do (forEach Piece Next) ifAfterwards:(not ("Attacked" Next))))))
                (result Mover Win))
            (if (no Moves Next) (result Mover Draw))
        })
    )
)
"""
"""A game of stacks in which pieces are promoted, so that entries of lists outlive their pieces."""


STONES = """
(game "Stones"
    (players 2)
    (equipment {{(board (square 4) use:Vertex) (piece "Stone" Each)}})
    (rules
        {meta}
        (play (or
            (do
                (move Add (to (sites Empty)) (then {then}))
                ifAfterwards:(> (count Liberties {directions}) 0)
            )
            (move Pass)
        ))
        (end {{(if (all Passed) (result Mover Draw)) (if (< 60 (count Turns)) (result Mover Win))}})
    )
)
"""
"""A game of groups and liberties, with its meta rules, captures and directions to fill in."""

_ENCLOSED = "(enclose (from (last To)) {} (between if:(is Enemy (who at:(between))) (apply (remove (between)))))"

CAPTURES = {
    "orthogonal": {"directions": "Orthogonal"},
    "unlike": {"directions": "All", "then": _ENCLOSED.format("Orthogonal")},
    "flanking": {"directions": "Adjacent", "then": "(custodial (from (last To)))"},
}
"""Ways to capture; in all but the first it is not known beforehand what a move removes."""


BLOCKED = """
(game "Blocked"
    (players 2)
    (equipment {(board (square 3)) (piece "Disc" Each)})
    (rules
        (start {(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))})
        (play (forEach Piece (move Step (to if:(is Empty (to))) (then (if (is In (last To) (sites Centre))
            (remove (last From)) (remove (sites Around (last To) Enemy)))))))
        (end {
            (if (and (no Moves Next) (< (count Pieces Mover) (count Pieces Next))) (result Next Win))
            (if (and (no Moves Next) (> (count Pieces Mover) (count Pieces Next))) (result Mover Win))
            (if (no Moves Next) (result Mover Draw))
            (if (< 30 (count Turns)) (result Mover Draw))
        })
    )
)
"""
"""A game whose end rules ask three times whether the next player can move."""


DIRECTED = """
(game "Directed"
    (players 2)
    (equipment {(board (hex 3)) (piece "Disc" Each)})
    (rules
        (start {(place "Disc1" (sites Bottom)) (place "Disc2" (sites Top))})
        (play (or {
            (move
                (from (sites Occupied by:Mover))
                (to
                    (difference (sites Direction from:(from) E distance:3) (sites Direction from:(from) E distance:1))
                    if:(is Empty (to))
                )
            )
            (move
                (from (sites Occupied by:Mover))
                (to
                    (sites Direction from:(from) NW included:True)
                    if:(is In (to) (sites Direction from:(from) distance:2))
                )
            )
            (move Add (to (intersection (sites Empty) (sites Direction from:(last To)))))
            (move Pass)
        }))
        (end (if (< 40 (count Turns)) (result Mover Draw)))
    )
)
"""
"""A game that asks for sites in fixed directions, in every way."""


ASKED = """
(game "Asked"
    (players 2)
    (equipment {(board (square 4)) (piece "Disc" Each)})
    (rules
        (play (move Add (to (sites Empty))))
        (end {
            (if (< 5 (count Sites in:(sites From
                (do (forEach Piece (move Step (to if:(is Empty (to)))))
                    ifAfterwards:(< 2 (count Sites in:(sites Around (last To) Empty)))))))
                (result Mover Win))
            (if (is Full) (result Mover Draw))
        })
    )
)
"""
"""A game that asks for moves which are never played."""


class Step(NamedTuple):
    """What can be seen of one move."""

    legal: list[str]
    played: list[list[int]]
    rng: list[int]
    fields: list[list[int]]
    key: int


class Way:
    """One text of a game's kernels in plain Python, with rows for it."""

    def __init__(self, rules: LudemicRules) -> None:
        self.rules = rules
        self.kernels = plain_functions(rules.source)
        self.state = np.zeros(rules.state_size, dtype=np.int64)
        self.moves = np.zeros((rules.max_moves + 1) * rules.move_size, dtype=np.int64)
        self.move = np.zeros(rules.move_size, dtype=np.int64)
        self.work = np.zeros(rules.work_size, dtype=np.int64)
        self.rng = seeded(5)
        self.kernels["start"](self.state, self.rng)

    def step(self) -> Step:
        """Draw and play one move; returns all that can be seen of the position, of its moves and of the draw."""
        before = self.state.copy()
        count = self.kernels["legal"](self.state, self.moves, self.work)
        rows = self.moves[: count * self.rules.move_size].reshape(count, -1)
        legal = self.rules.move_texts(self.state, self.rules.tidy(rows))
        if count and "can_play" in self.kernels:
            can = bool(self.kernels["can_play"](self.state, self.work))
            assert can == (self.moves[self.rules.compiled.columns["RULE"]] != 0), "the question for a move errs"
        assert (self.state == before).all(), "looking for moves changed the position"
        self.kernels["sample"](self.state, self.rng, self.move, self.moves, self.work)
        assert (self.state == before).all(), "drawing a move changed the position"
        played = self.move.copy()
        self.kernels["play"](self.state, self.move, self.work)
        fields = self.rules.compiled.program.state
        seen = [
            self.state[fields.offsets[name] : fields.offsets[name] + size].tolist()
            for name, size in fields.fields.items()
            if name not in ("SPOT", "SAFE", "STRIKER", "N_WAYS")
        ]
        tidy = self.rules.tidy(played[None]).tolist()
        return Step(legal, tidy, list(self.rng), seen, self.kernels["key"](self.state))

    def compare_draws(self) -> None:
        """Draw until every listed move has been drawn; nothing else may be drawn."""
        count = self.kernels["legal"](self.state, self.moves, self.work)
        rows = self.rules.tidy(self.moves[: count * self.rules.move_size].reshape(count, -1).copy())
        left = {tuple(row) for row in rows.tolist()}
        listed = set(left)
        for _ in range(40 * count + 200):
            self.kernels["sample"](self.state, self.rng, self.move, self.moves, self.work)
            drawn = tuple(self.rules.tidy(self.move[None].copy()).tolist()[0])
            assert drawn in listed, "a move was drawn that is not listed"
            left.discard(drawn)
            if not left:
                return
        assert not left, "a listed move is not drawn"

    @property
    def over(self) -> bool:
        return bool(self.state[self.rules.fields["OVER"]] != 0)


PLAIN = ",".join(name for name in get_args(Shortcut) if name not in ("width", "low"))
"""All shortcuts but those that change which moves a seed gives, or what is in rows; these have tests of their own."""


def _both(path: Path, monkeypatch: pytest.MonkeyPatch, plain: str = PLAIN) -> tuple[Way, Way]:
    monkeypatch.setenv("LUDOPORT_PLAIN", plain)
    slow = Way(read_rules(path))
    monkeypatch.setenv("LUDOPORT_PLAIN", "")
    return slow, Way(read_rules(path))


def _compare(path: Path, monkeypatch: pytest.MonkeyPatch, positions: int, shortcuts: bool = True) -> None:
    slow, fast = _both(path, monkeypatch)
    differs = slow.rules.source != fast.rules.source
    assert differs or not shortcuts, "no shortcut is taken"
    for _ in range(positions):
        assert slow.step() == fast.step()
        if fast.over:
            for way in (slow, fast):
                way.kernels["start"](way.state, way.rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_both_ways(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(BUNDLED / f"{name}.lud", monkeypatch, 60)


@pytest.mark.slow
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("rider", RIDERS)
def test_both_ways_of_own_texts(rider: str, several: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kings = ("0 2", "22 24") if several else ("2", "22")
    text = KINGS.format(rider=RIDERS[rider], kings1=kings[0], kings2=kings[1])
    path = tmp_path / "Kings.lud"
    path.write_text(text)
    _compare(path, monkeypatch, 150)


@pytest.mark.slow
def test_both_ways_of_stacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Towers.lud"
    path.write_text(TOWERS)
    _compare(path, monkeypatch, 600)


@pytest.mark.slow
@pytest.mark.parametrize("meta", ["", "(meta (no Repeat))"])
@pytest.mark.parametrize("captures", CAPTURES)
def test_both_ways_of_liberties(captures: str, meta: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {"then": _ENCLOSED.format("Orthogonal"), "meta": meta, **CAPTURES[captures]}
    path = tmp_path / "Stones.lud"
    path.write_text(STONES.format(**parts))
    _compare(path, monkeypatch, 300, shortcuts=not meta or captures == "orthogonal")


def test_rows_on_a_tiny_board(monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(BUNDLED / "Tic-Tac-Toe.lud", monkeypatch, 400)


@pytest.mark.parametrize("text", [BLOCKED, DIRECTED])
def test_questions_answered_by_what_is_known(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Known.lud"
    path.write_text(text)
    _compare(path, monkeypatch, 300)


def test_moves_that_are_never_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "Asked.lud"
    path.write_text(ASKED)
    _compare(path, monkeypatch, 40)


@pytest.mark.slow
@pytest.mark.parametrize("family", SOME)
def test_both_ways_of_a_family(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(FAMILIES / f"{family}.lud", monkeypatch, 15, shortcuts=False)


@pytest.mark.slow
@pytest.mark.parametrize("family", OTHERS)
def test_both_ways_of_other_families(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(FAMILIES / f"{family}.lud", monkeypatch, 40, shortcuts=False)


@pytest.mark.slow
@pytest.mark.parametrize("family", SOME)
def test_drawing_gives_the_listed_moves(family: str) -> None:
    way = Way(read_rules(FAMILIES / f"{family}.lud"))
    for _ in range(4):
        way.compare_draws()
        way.step()
        if way.over:
            way.kernels["start"](way.state, way.rng)


class _SecondDraw(Exception):  # noqa: N818  (no mistake: the first candidate was no legal move)
    """A candidate was rejected."""


def _moves_of_all_candidates(way: Way) -> list[tuple[int, ...]]:
    """The moves for which the numbers stand that a draw may give, in one position."""
    found: list[tuple[int, ...]] = []
    draws: list[int] = []
    wanted = 0

    def draw_number(rng: Any, n: int) -> int:
        del rng
        draws.append(n)
        if len(draws) > 1:
            raise _SecondDraw
        return wanted

    usual, way.kernels["draw_number"] = way.kernels["draw_number"], draw_number
    while not draws or wanted < draws[0]:
        draws.clear()
        try:
            way.kernels["sample"](way.state, way.rng, way.move, way.moves, way.work)
            found.append(tuple(way.rules.tidy(way.move[None].copy()).tolist()[0]))
        except _SecondDraw:
            pass
        wanted += 1
    way.kernels["draw_number"] = usual
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_each_candidate_is_one_move(name: str) -> None:
    way = Way(read_rules(BUNDLED / f"{name}.lud"))
    for _ in range(6):
        count = way.kernels["legal"](way.state, way.moves, way.work)
        rows = way.rules.tidy(way.moves[: count * way.rules.move_size].reshape(count, -1).copy())
        assert sorted(_moves_of_all_candidates(way)) == sorted(map(tuple, rows.tolist()))
        for _ in range(5):
            way.step()


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ASKING if name not in QUICK])
def test_both_ways_of_other_games(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _compare(BUNDLED / f"{name}.lud", monkeypatch, 200)
