"""Hidden information: what players see, and searches that do not see more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.alphabeta import AlphaBeta
from ludoport.arena.kinds.human import Human
from ludoport.errors import LudoportError
from ludoport.game import State, seeded
from ludoport.search.puct import Searches
from ludoport.search.tree import Tree, UctSettings
from ludoport.tensors.encoder import TensorEncoder

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="module")
def ghosts() -> lp.Game:
    return lp.load(GAMES / "ghosts.lud", jit=False)


def test_players_see_what_they_may(ghosts: lp.Game) -> None:
    state = ghosts.start()
    mine, theirs = state.seen_by(1), state.seen_by(2)
    assert [mine[site] for site in range(4)] == ["Good1", "Evil1", "Evil1", "Good1"]
    assert [mine[site] for site in range(12, 16)] == ["?2"] * 4
    assert [theirs[site] for site in range(4)] == ["?1"] * 4
    assert theirs[13] == "Good2"
    with pytest.raises(LudoportError, match="Ghosts has no player 3; there are 2"):
        state.seen_by(3)
    assert lp.load("Tic-Tac-Toe", jit=False).start().play("4").seen_by(2) == {4: "Disc1"}


def test_what_is_hidden_goes_with_the_piece(ghosts: lp.Game) -> None:
    state = ghosts.start().play("1-5")
    assert state.seen_by(2)[5] == "?1"
    assert 1 not in state.seen_by(2)
    state = state.play("13-9").play("5-9")
    # The ghost that was captured is gone, and the one that captured it is still unknown.
    assert state.seen_by(2)[9] == "?1"
    assert state.seen_by(1)[9] == "Evil1"


def test_tensors_show_what_the_mover_sees(ghosts: lp.Game) -> None:
    encoder = TensorEncoder(ghosts)
    state = ghosts.start()
    for mover in (1, 2):
        tensor = encoder.state_tensor(state)
        for plane, channel in zip(tensor, encoder.layout.state_channels, strict=True):
            if channel.kind == "piece":
                assert plane.sum() == (2 if channel.owner == mover else 0)
        state = state.play(state.moves()[0])


def shuffled(game: lp.Game, state: State, times: int) -> list[State]:
    """Positions that simulations begin with."""
    tree, rng = Tree(state, 500), seeded(3)
    found = []
    for _ in range(times):
        row = game.new_row()
        tree.kernels.call("determinise", state.row, row, rng, tree.hands.moves, tree.hands.work)
        found.append(State(game, row))
    return found


def test_simulations_begin_with_what_the_player_cannot_tell_apart(ghosts: lp.Game) -> None:
    state = ghosts.start().play("1-5").play("13-9")
    positions = shuffled(ghosts, state, 600)
    arrangements = Counter(tuple(position.pieces().items()) for position in positions)
    # Two good and two evil ghosts in four places: six arrangements, each expected 100 times.
    assert len(arrangements) == 6
    assert min(arrangements.values()) > 60
    assert max(arrangements.values()) < 140
    for position in positions[:20]:
        assert position.seen_by(1) == state.seen_by(1)
        assert position.seen_by(2).keys() == state.seen_by(2).keys()
        assert [move.text for move in position.moves()] == [move.text for move in state.moves()]
        after = position.play(position.moves()[0])
        assert {move.text.split("-")[0] for move in after.moves()} <= {"9", "12", "14", "15"}


def test_uct_does_not_see_what_is_hidden(ghosts: lp.Game) -> None:
    """Capturing the last good ghost wins; the player cannot know which of two ghosts it is."""
    values: list[dict[str, float]] = []
    for good, evil in ((5, 6), (6, 5)):
        texts = {9: "Good1", 10: "Good1", 0: "Evil1", good: "Good2", evil: "Evil2"}
        found = Tree(arranged(ghosts, texts), 20_000, UctSettings(solve=True), seed=2)
        found.run(600)
        told = found.found()
        assert np.isnan(told.exact).all()
        named = zip([move.text for move in told.moves], told.values, strict=True)
        values.append({text: value for text, value in named if text in ("9-5", "10-6")})
    for found_values in values:
        for value in found_values.values():
            assert 0.3 < value < 0.7


def arranged(game: lp.Game, texts: dict[int, str]) -> State:
    """A position with these pieces, those of player 2 hidden from player 1."""
    program = game.rules.compiled.program  # type: ignore[attr-defined]
    numbers = {component.name: component.index for component in program.components[1:]}
    row = game.start().row.copy()
    functions = Tree(game.start(), 500).kernels
    for site in range(16):
        functions.call("lift", row, site)
    for site, name in texts.items():
        functions.call("place", row, site, numbers[name])
        if name.endswith("2"):
            row[game.rules.fields["HIDDEN"] + site] = 2
    return State(game, row)


def test_a_person_sees_the_board_as_the_player_does(ghosts: lp.Game) -> None:
    told: list[str] = []
    human = Human(ask=lambda prompt: "1-5", tell=told.append, colours=False)
    human.begin(ghosts, 1, 1)
    human.choose(ghosts.start(), 1)
    assert "4 .  .  .  ." in told[1]
    assert "1 G  E  E  G" in told[1]
    assert told[2] == "  hidden: A4 ?2, B4 ?2, C4 ?2, D4 ?2\n"


def test_the_result_says_so(ghosts: lp.Game) -> None:
    assert "determinised: each simulation draws again what is hidden" in str(lp.search(ghosts.start(), "uct:20"))


def test_what_would_see_everything_is_refused(ghosts: lp.Game, tmp_path: Path) -> None:
    sentence = r"Ghosts hides something from players \(`set Hidden`\), which {} would see; the player `uct`"
    with pytest.raises(LudoportError, match=sentence.format("network-guided search")):
        Searches(ghosts, 1)
    with pytest.raises(LudoportError, match=sentence.format("minimax")):
        AlphaBeta(ghosts)
    with pytest.raises(LudoportError, match=sentence.format("training")):
        lp.train(ghosts, out=tmp_path / "run", epochs=1)


def test_stacks_do_not_keep_what_is_hidden(tmp_path: Path) -> None:
    file = tmp_path / "piles.lud"
    file.write_text(
        '(game "Piles" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)}) (rules'
        ' (start {(place Stack "Disc1" 0 count:2) (set Hidden at:0 to:P2)})'
        " (play (move Add (to (sites Board)) stack:True)) (end (if (= (count Moves) 9) (result Mover Win)))))"
    )
    state = lp.load(file, jit=False).start()
    with pytest.raises(LudoportError, match="Piles hides something from players that positions do not keep"):
        state.seen_by(1)
    with pytest.raises(LudoportError, match="Piles hides something from players that positions do not keep"):
        Tree(state, 500)
