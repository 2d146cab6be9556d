"""``do ... next:`` after decisions to move pieces: all of them are played as one move, in the recorded order."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError

GAME = """
(game "Together"
    (players 2)
    (equipment {
        (board (square 3))
        (piece "Guard" Each (move Step NE TAKING))
        (piece "King" Each (or (move Step N TAKING) (move Step E (to if:(is Empty (to))))))
        (piece "Stone" Each)
    })
    (rules
        (start { (place "Guard1" 3) (place "King1" 4) (place "Stone2" 7) })
        (play (do PRIOR next:NEXT))
        (end (if (no Pieces Next) (result Next Loss)))
    )
)
"""
TAKING = "(to if:(is Enemy (who at:(to))) (apply (remove (to) (then (set Score Mover 0)))))"
ALL = "(or (forEach Piece {}) (forEach Piece {}) (then (addScore Mover 1)))"
GUARDS_FIRST = ALL.format('"Guard"', '"King"')


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")

    def one(prior: str, following: str = "(addScore Mover -1)", game: str = GAME) -> lp.Game:
        file = tmp_path / "together.lud"
        text = game.replace("PRIOR", prior).replace("NEXT", following).replace("TAKING", TAKING)
        file.write_text(text, encoding="utf-8")
        return lp.load(file, jit=False)

    return one


def _play_all(game: lp.Game) -> tuple[dict[int, str | list[str]], int]:
    state = game.start()
    assert [move.text for move in state.moves()] == ["move:Move"]
    state = state.play("move:Move")
    assert state.over
    return state.pieces(), state.scores[0]


def test_a_move_stands_where_the_size_of_the_one_before_says(load) -> None:  # type: ignore[no-untyped-def]
    """Guard takes (4 actions), king takes (4), king steps (2): the step comes before the king's own capture.

    The king has left when its capture is done, which takes the guard and sets the score to 0 before it counts.
    """
    assert _play_all(load(GUARDS_FIRST)) == ({5: "King1"}, 0)


def test_a_move_is_split_by_the_one_after_it(load) -> None:  # type: ignore[no-untyped-def]
    """With two more consequents the king's capture has 6 actions; its step lies behind the first two of them."""
    noting = '(then (and (set Var "From" (last From)) (set Var "To" (last To))))'
    longer = GAME.replace("(move Step N TAKING)", f"(move Step N TAKING {noting})")
    assert _play_all(load(GUARDS_FIRST, game=longer)) == ({5: "King1"}, 1)


def test_order_of_the_generators(load) -> None:  # type: ignore[no-untyped-def]
    """King takes (4 actions), king steps (2), guard takes: between the king's effect and its move, which is last."""
    assert _play_all(load(ALL.format('"King"', '"Guard"'))) == ({7: "King1"}, 2)


def test_pieces_go_by_kind_and_arrival(load) -> None:  # type: ignore[no-untyped-def]
    """Of two guards that take on one site, the one that arrived last does it last and stays."""
    for first, last in ((3, 4), (4, 3)):
        game = GAME.replace('(place "Guard1" 3) (place "King1" 4)', f'(place "Guard1" {first}) (place "Guard1" {last})')
        game = game.replace("(move Step NE TAKING)", "(move Step (directions {N NE}) TAKING)")
        state = load('(forEach Piece (then (set Var "From" (last From))))', game=game).start().play("move:Move")
        assert state.pieces() == {7: "Guard1"}
        assert int(state.row[state.game.rules.compiled.fields["VAR"] + 1]) == last


@pytest.mark.parametrize(
    ("prior", "following", "named"),
    [
        (GUARDS_FIRST, "(addScore Mover (count Pieces Mover))", "depend on the position"),
        (GUARDS_FIRST, "(forEach Piece)", "depend on the position"),
        ("(forEach Piece (move Hop (to if:(is Empty (to)))))", "(addScore Mover -1)", "include `move Hop`"),
        ("(forEach Piece (then (add (to 0))))", "(addScore Mover -1)", "effects that change more than pieces"),
    ],
)
def test_what_records_do_not_show_is_refused(prior: str, following: str, named: str, load) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnsupportedError, match=named):
        load(prior, following).start()
