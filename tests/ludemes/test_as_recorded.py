"""Details of the reference that recorded games show, each in a small game of its own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import UnsupportedError
from ludoport.game import Game, State

FOLLOWED = (
    "(forEach Piece (move Step (to if:(and (is Empty (to)) (< 0 (count at:(from)))))"
    " (then (fromTo (from (last From)) (to (last To)) count:(count at:(last From))))))"
)
"""A step after which the rest of the pile follows."""

LATE_HOP = (
    "(move Hop (between if:(is Enemy (who at:(between)))"
    " (apply (remove (between) at:EndOfTurn count:(size Stack at:(between))))) (to if:(is Empty (to))) stack:True)"
)
"""A hop over a stack that goes when the turn ends."""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setenv("LUDOPORT_JIT", "0")

    def one(equipment: str, start: str, play: str, players: int = 2, end: str = "(no Moves Mover)") -> Game:
        file = tmp_path / "small.lud"
        file.write_text(
            f'(game "Small" (players {players}) (equipment {{ {equipment} }})'
            f" (rules (start {{ {start} }}) (play {play}) (end (if {end} (result Mover Win)))))"
        )
        return lp.load(file, jit=False)

    return one


def _texts(state: State) -> list[str]:
    return sorted(move.text for move in state.moves())


def test_level_after_a_walk_through_a_stack(load) -> None:  # type: ignore[no-untyped-def]
    """The first move of a piece walks through a stack in its effect; the next one is that of the lowest level."""
    walk = "(apply (forEach Level (to) FromTop (remove (to) level:(level))))"
    piece = (
        '(piece "Disc" Each (forEach Value min:1 max:2 (move (from (from) level:(level))'
        f" (to (+ (from) (value)) if:True {walk}))))"
    )
    game = load(
        f"(board (rectangle 1 5)) {piece}",
        '(place Stack "Disc1" 0 count:2) (place "Disc2" 1)',
        "(forEach Piece)",
    )
    # Both pieces reach site 1 from their own levels; after that walk, both reach site 2 from level 0.
    levels = [text for text in _texts(game.start()) if text.startswith("0-1")]
    assert len(levels) == len(set(levels)) == 2
    assert [text.split("#")[0] for text in _texts(game.start()) if text.startswith("0-2")] == ["0-2", "0-2"]


def test_owner_of_a_hand_on_a_board_of_vertices(load) -> None:  # type: ignore[no-untyped-def]
    """`who` looks for a vertex on the board, where the number of a hand belongs to nobody."""
    rest = '(place "Disc1" (handSite P1)) (place "Disc2" (handSite P2))', "(if {} (move Add (to (sites Empty))))"
    pieces = '(hand Each) (piece "Disc" Each)'
    for use, kind, there in (("Vertex", "", False), ("Vertex", "Cell ", True), ("Cell", "", True)):
        play = rest[1].format(f"(!= 0 (who {kind}at:(handSite Mover)))")
        game = load(f"(board (square 2) use:{use}) {pieces}", rest[0], play)
        assert (_texts(game.start()) != ["pass"]) == there


def test_owner_and_number_of_pieces_on_other_kinds_of_sites(load) -> None:  # type: ignore[no-untyped-def]
    """Edges of a board of vertices have owners and counts, with hands beside the board and without."""
    for hands in ("", "(hand Each)"):
        for asked in ("(= 1 (who Edge at:(site)))", "(= 1 (count Edge at:(site)))"):
            edges = "(sites Incident Edge of:Vertex at:0)"
            play = f"(if (= 2 (count Sites in:(forEach {edges} if:{asked}))) (move Add (to (sites Empty))))"
            game = load(
                f'(board (square 2) use:Vertex) {hands} (piece "Disc" Each)',
                '(place "Disc1" Edge {0 1 2 3})',
                play,
            )
            assert _texts(game.start()) == ["0", "1", "2", "3"]


def test_kinds_of_pieces_in_stacks(load) -> None:  # type: ignore[no-untyped-def]
    """A stack counts for a kind at any level, if the owner of the top piece is the one asked for."""
    pieces = '(piece "Disc" Each) (piece "Flag" Each)'
    start = '(place Stack items:{"Disc1" "Flag1"} 0) (place Stack items:{"Disc1" "Flag2"} 1) (place Stack "Disc1" 2)'
    play = '(move Select (from (sites Occupied by:P1 component:"Disc")))'
    assert _texts(load(f"(board (rectangle 1 4)) {pieces}", start, play).start()) == ["0", "2"]


def test_dice_that_are_used_together(load) -> None:  # type: ignore[no-untyped-def]
    """A move with both dice of a double does not bring them back."""
    piece = '(piece "Disc" Each)'
    play = (
        "(do (if (not (is Prev Mover)) (roll)) next:(forEach Die combined:True replayDouble:True if:(!= (pips) 0)"
        " (move (from 0) (to (pips)) copy:True (then (if (not (all DiceUsed)) (moveAgain))))))"
    )
    game = load(f"(board (rectangle 1 8)) (dice d:2 num:2) {piece}", '(place "Disc1" 0)', play)
    start = next(state for state in map(game.start, range(50)) if _texts(state) == ["0-1/d0", "0-1/d1", "0-2"])
    assert start.play("0-2").mover == 2
    assert start.play("0-1/d0").play("0-1").mover == 1


def test_moves_where_no_other_are_do_not_share_what_follows(load) -> None:  # type: ignore[no-untyped-def]
    piece = '(piece "Disc" Each)'
    play = (
        "(forEach Site (sites Occupied by:Next) (move Remove (site))"
        " noMoveYet:(move Add (to (sites Empty))) (then (moveAgain)))"
    )
    game = load(f"(board (rectangle 1 3)) {piece}", '(place "Disc1" 0)', play)
    second = game.start().play("1")
    assert second.mover == 2
    assert second.play("0").mover == 2


def test_dice_are_pieces_of_all(load) -> None:  # type: ignore[no-untyped-def]
    piece = '(piece "Disc" Each)'
    for role, least in (("All", 4), ("P1", 1)):
        play = f"(do (roll) next:(if (= {least} (count Pieces {role})) (move Add (to (sites Empty))) (move Pass)))"
        game = load(f"(board (rectangle 1 4)) (dice d:2 num:3) {piece}", '(place "Disc1" 0)', play)
        assert len(_texts(game.start())) == 3


def test_level_minus_one_is_the_top(load) -> None:  # type: ignore[no-untyped-def]
    pieces = '(piece "Disc" Each) (piece "Flag" Each)'
    play = "(move (from 0 level:-1) (to 1))"
    game = load(f"(board (rectangle 1 3)) {pieces}", '(place Stack items:{"Disc1" "Flag1"} 0)', play)
    assert game.start().play(game.start().moves()[0]).pieces()[1] == ["Flag1"]


def test_max_distance_keeps_every_move(load) -> None:  # type: ignore[no-untyped-def]
    board = '(board (rectangle 1 6) (track "Track1" {0..5} P1 directed:True))'
    play = '(max Distance "Track1" P1 (or (move (from 0) (to 1)) (move (from 0) (to 4))))'
    assert _texts(load(f'{board} (piece "Disc" Each)', '(place "Disc1" 0)', play).start()) == ["0-1", "0-4"]


def test_name_and_iterated_player_give_the_player(load) -> None:  # type: ignore[no-untyped-def]
    """`(id "Rook" Player)` is the number of the player, whatever the name; `(id "Rook" Mover)` is that of the piece."""
    pieces = '(board (square 2)) (piece "Pawn" Each) (piece "Rook" Each)'
    each = '(forEach Site (sites Occupied by:Player) (if (= (what at:(site)) (id "Rook" {})) (addScore {} 1)))'
    start = '(place "Pawn1" 0) (place "Rook1" 1) (place "Pawn2" 2)'
    for who, scores in (("Player", [1, 1]), ("P1", [1, 0])):
        game = load(pieces, start, f"(move Pass (then (forEach Player {each.format(who, who)})))")
        assert game.start().play("pass").scores == scores


def test_moves_of_another_player_are_tested_as_that_player(load) -> None:  # type: ignore[no-untyped-def]
    """After `ifAfterwards:` a move of the next player's piece, `Mover` is that player and `Next` the real mover."""
    steps = "(sites From (forEach Piece (do (move Step (to if:(is Empty (to)))) ifAfterwards:(is Mover {})) Next))"
    for mover, score in (("P2", 1), ("P1", 0)):
        play = f"(move Pass (then (set Score Mover (count Sites in:{steps.format(mover)}))))"
        game = load('(board (square 2)) (piece "Disc" Each)', '(place "Disc1" 0) (place "Disc2" 3)', play)
        assert game.start().play("pass").scores == [score, 0]


def test_order_in_a_puzzle_compares_the_values_of_sites(load) -> None:  # type: ignore[no-untyped-def]
    """`<` and its like take numbers for sites, and hold as long as one of the two is open; `=` compares numbers."""
    board = "(board (rectangle 1 3) (values Cell (range 1 3)))"
    constraints = "(all Different (sites Board)) (forAll Cell (or (= (from) 2) (< (from) (+ (from) 1))))"
    state = load(board, "(set {{1 2}})", f"(satisfy {{ {constraints} }})", players=1, end="(is Solved)").start()
    chosen = {move.label for move in state.moves() if "=" in move.label}
    assert chosen == {"A1=1", "C1=3"}


@pytest.mark.parametrize(
    ("play", "refused"),
    [
        (
            f"(if (< 0 (count Pieces Mover)) {FOLLOWED})",
            "`count Pieces` beside moves of several pieces that follow the last one",
        ),
        (
            f"(or (max Moves (forEach Piece {LATE_HOP})) (forEach Piece (move Hop (between if:(is Occupied (between))"
            " (apply (remove (between) at:EndOfTurn))) (to if:(is Empty (to))))))",
            "removing stacks at the end of the turn is not implemented yet outside of `max Moves`",
        ),
        (
            "(do (forEach Piece (move Step (to if:(is Empty (to))))) next:(addScore Mover (count Pieces)))",
            "effects after decisions to move pieces",
        ),
    ],
)
def test_what_the_reference_does_otherwise_is_refused(load, play: str, refused: str) -> None:  # type: ignore[no-untyped-def]
    """Its lists of pieces, or the order of its actions, do not follow the board there."""
    with pytest.raises(UnsupportedError, match=re.escape(refused)):
        load('(board (square 3)) (piece "Disc" Each)', '(place "Disc1" 0) (place "Disc2" 8)', play).start()


def test_sites_are_listed_as_often_as_pieces_followed(load) -> None:  # type: ignore[no-untyped-def]
    """A site where the rest of a pile arrives is listed twice, and once more than its pieces leave it."""
    state = load(
        '(board (rectangle 1 4)) (piece "Disc" Each)',
        '(place "Disc1" 0 count:3) (place "Disc2" 3)',
        f"(or {FOLLOWED} (move Select (from (sites Occupied by:Mover))))",
    ).start()
    assert _texts(state) == ["0", "0-1"]
    state = state.play("0-1").play("3-2")
    assert state.pieces()[1] == "Disc1*3"
    assert _texts(state) == ["1", "1-0#0", "1-0#1"]
    state = state.play("1-0#0").play("2-3")
    assert _texts(state) == ["0", "0-1#0", "0-1#1", "1"]


@pytest.mark.parametrize(("chosen", "stale"), [("(max Moves {})", True), ("{}", False)])
def test_bottom_of_a_stack_stays_listed(load, chosen: str, stale: bool) -> None:  # type: ignore[no-untyped-def]
    """Where `max Moves` chose the hop, the bottom of the stack that went is still listed for its owner."""
    state = load(
        '(board (rectangle 1 7)) (piece "Disc" Each)',
        '(place "Disc1" 0) (place Stack "Disc2" 1 count:3) (place "Disc2" 6)',
        f"(priority {{{chosen.format(f'(forEach Piece (if (is Occupied (from)) {LATE_HOP}))')}"
        " (forEach Piece (if (is Occupied (from)) (move Step (to if:(is Empty (to))) stack:True)))})",
    ).start()
    state = state.play("0-2")
    assert _texts(state) == ["6-5"]
    state = state.play("6-5").play("2-1")
    assert _texts(state) == ["1-0", "1-2", "5-4", "5-6"] if stale else ["5-4", "5-6"]


def test_stacks_that_are_taken_count_their_bottom_first(load) -> None:  # type: ignore[no-untyped-def]
    """The hop takes the stack, whose bottom has a value, though the piece on its top has none."""
    state = load(
        '(board (rectangle 1 7)) (piece "Disc" Each)',
        '(place "Disc1" 3) (place "Disc2" 2 value:1) (place "Disc2" 2) (place "Disc2" 4 value:1)',
        f"(max Moves withValue:True (forEach Piece {LATE_HOP}))",
    ).start()
    assert _texts(state) == ["3-1"]


def test_kinds_of_sites_are_compared_by_number(load) -> None:  # type: ignore[no-untyped-def]
    """An edge that is taken keeps the cell with its number out of an intersection, and leaves it to a difference."""
    for algebra, cells in (("intersection", [0, 1, 3]), ("difference", [2])):
        play = f"(move Add (to ({algebra} (sites Empty) (sites Empty Edge))))"
        game = load('(board (square 2)) (piece "Disc" Each)', '(place "Disc1" Edge {2 5})', play)
        assert _texts(game.start()) == [str(cell) for cell in cells]


def test_pieces_on_random_sites_depend_on_earlier_ones(load) -> None:  # type: ignore[no-untyped-def]
    """A setup is drawn step by step, and rules after the draws see what was drawn."""
    game = load(
        '(board (square 4)) (piece "Rook" Each) (piece "King" Each)',
        '(place "Rook1" (sites Random (difference (sites Bottom) (sites Right)) num:2))'
        ' (place "King1" (sites Random (intersection {(expand (sites Occupied by:Mover component:"Rook") steps:3 E)'
        " (sites Bottom) (sites Empty)})))"
        ' (place "King2" (forEach (sites Top) if:(= (id "King1") (what at:(ahead (site) steps:3 S)))))',
        '(move Select (from (sites Start (piece "King1"))))',
    )
    setups = set()
    for seed in range(30):
        state = game.start(seed=seed)
        pieces = {name: [site for site, each in state.pieces().items() if each == name] for name in ("Rook1", "King1")}
        (king,) = pieces["King1"]
        assert len(pieces["Rook1"]) == 2
        assert min(pieces["Rook1"]) < king < 4
        assert state.pieces()[king + 12] == "King2"
        assert _texts(state) == [str(king)]
        setups.add((*sorted(pieces["Rook1"]), king))
    # Two rooks on the three squares on the left, the king on any square between or behind them.
    assert setups == {(0, 1, 2), (0, 1, 3), (0, 2, 1), (0, 2, 3), (1, 2, 3)}


@pytest.mark.parametrize("play", ["(forEach Site (sites Occupied by:Mover) {})", "(forEach Piece {})"])
def test_asking_for_threats_leaves_lists_as_they_are(load, play: str) -> None:  # type: ignore[no-untyped-def]
    """Whether the king would be threatened in the place of each piece is asked while the pieces are walked through."""
    # No move of the rules of play ends on another piece, so nothing is threatened.
    asked = '(if (not (is Threatened (id "King" Mover) at:(to))) (move Select (from (to))))'
    play = play.format(asked if "Site" in play else asked.replace("(to)", "(from)"))
    state = load(
        '(board (square 3)) (piece "Disc" Each) (piece "King" Each)',
        '(place "Disc1" {0 1 3 4}) (place "King1" 6) (place "Disc2" {8})',
        play,
    ).start()
    assert _texts(state) == ["0", "1", "3", "4", "6"]


def test_pieces_within_a_region_are_found_in_stacks(load) -> None:  # type: ignore[no-untyped-def]
    """`is Within` also finds a piece under others."""
    for piece, found in (("Disc1", True), ("Cone1", True), ("Disc2", False)):
        play = f'(if (is Within (id "{piece}") in:(sites Bottom)) (move Add (to (sites Empty))) (move Pass))'
        state = load(
            '(board (square 2)) (piece "Disc" Each) (piece "Cone" Each)',
            '(place Stack items:{"Disc1" "Cone1"} 0) (place "Disc2" 3)',
            play,
        ).start()
        assert (_texts(state) != ["pass"]) == found
