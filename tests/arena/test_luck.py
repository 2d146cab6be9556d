"""Mirrored dice: the games of a pair share their luck."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.luck import Luck, luck_after, replay
from ludoport.arena.player import Player, TakeBack
from ludoport.arena.players import player
from ludoport.arena.playing import PlayedGame, pairing, play_game
from ludoport.selfplay.duel import duel
from ludoport.tensors.encoder import TensorEncoder
from ludoport.web.views.games import replayed
from tests.selfplay.test_duel import fresh

TESTS = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def tables() -> lp.Game:
    """A game with turns of one to four moves."""
    return lp.load(TESTS / "ludemes/games/dice.lud", jit=False)


@pytest.fixture(scope="module")
def race() -> lp.Game:
    return lp.load(TESTS / "search/games/race.lud", jit=False)


def rolls(game: lp.Game, played: PlayedGame) -> dict[tuple[int, int], list[int]]:
    """The dice at the beginning of every turn, by seat and number of the turn."""
    encoder = TensorEncoder(game)
    dice = [c for c, channel in enumerate(encoder.layout.state_channels) if channel.kind in ("die", "roll")]
    found: dict[tuple[int, int], list[int]] = {}
    last, turns = 0, {1: 0, 2: 0}
    for _, state in replay(game, played.pairing.start_seed, played.moves):
        if not state.over and state.seat != last:
            last = state.seat
            turns[last] += 1
            found[last, turns[last]] = encoder.state_tensor(state)[dice, 0, 0].astype(int).tolist()
    return found


@pytest.mark.slow
def test_both_games_of_a_pair_have_the_same_luck(tables: lp.Game) -> None:
    a, b = player("random"), player("random")
    shared = lengths = 0
    for number in (0, 2):
        one, two = (play_game(tables, a, b, pairing(7, number + k)) for k in (0, 1))
        assert one.moves != two.moves
        lengths += len(one.moves) != len(two.moves)
        first, second = rolls(tables, one), rolls(tables, two)
        for turn in first.keys() & second.keys():
            assert first[turn] == second[turn]
            shared += 1
    assert shared > 8
    assert lengths
    other = rolls(tables, play_game(tables, a, b, pairing(7, 4)))
    assert any(other[turn] != first[turn] for turn in other.keys() & first.keys())


class Looks(Player):
    """Tries all moves out, and notes what it saw and what came then."""

    def __init__(self) -> None:
        self.seen: list[tuple[list[int], list[int]]] = []
        self._tried: dict[str, list[int]] = {}

    @property
    def spec(self) -> str:
        return "looks"

    def choose(self, state: lp.State, seed: int) -> lp.Move:
        at = state.game.rules.fields["LUCK"]
        self._tried = {move.text: state.play(move).row[at : at + 6].tolist() for move in state.moves()}
        return state.moves()[-1]

    def played(self, state: lp.State, move: lp.Move) -> None:
        at = state.game.rules.fields["LUCK"]
        if self._tried:
            self.seen.append((self._tried.pop(self._last, []), state.row[at : at + 6].tolist()))
        self._last = move.text

    _last = ""


def test_trying_moves_out_does_not_show_the_game(race: lp.Game) -> None:
    looks = Looks()
    play_game(race, looks, player("random"), pairing(1, 0))
    assert len(looks.seen) > 2
    assert all(tried != came for tried, came in looks.seen)


class Undoes(Player):
    """Plays random moves and takes its third one back once."""

    def __init__(self) -> None:
        self.moves = 0

    @property
    def spec(self) -> str:
        return "undoes"

    def choose(self, state: lp.State, seed: int) -> lp.Move:
        self.moves += 1
        if self.moves == 3:
            raise TakeBack
        return state.moves()[0]


def test_luck_after_a_move_was_taken_back(race: lp.Game) -> None:
    played = play_game(race, Undoes(), player("random"), pairing(3, 0))
    *_, (_, last) = replay(race, played.pairing.start_seed, played.moves)
    assert last.over
    assert len(replayed(race, list(played.moves), played.pairing.start_seed)["positions"]) == len(played.moves) + 1


def test_luck_depends_on_seats_only(race: lp.Game) -> None:
    rows: list[Any] = []
    for luck in (luck_after(race, 5, [1, 1, 2]), luck_after(race, 5, [1, 2])):
        row = race.new_row()
        luck.deal(row, 1)
        rows.append(row)
    assert np.array_equal(*rows)
    other = race.new_row()
    Luck(race, 5).deal(other, 1)
    assert not np.array_equal(rows[0], other)


def test_results_say_so(race: lp.Game) -> None:
    result = lp.match("random", "random", race, 4, workers=1)
    assert "mirrored dice: games 2k and 2k + 1 have the same luck, with seats exchanged" in str(result)
    assert result.as_json()["mirrored_luck"] is True
    # Equal players with equal luck differ by their own choices only.
    noughts = lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), 2, workers=1)
    assert "mirrored" not in str(noughts)
    assert noughts.as_json()["mirrored_luck"] is False


def test_duels_mirror_dice_too(race: lp.Game, tmp_path: Path) -> None:
    from ludoport.arena.storage import MatchStore

    result = duel(race, fresh(race, 1), fresh(race, 2), games=4, simulations=2, store=tmp_path / "duel.db")
    assert result.mirrored
    with MatchStore(tmp_path / "duel.db") as store:
        one, two, *_ = store.games(1)
    first, second = rolls(race, one), rolls(race, two)
    assert len(first.keys() & second.keys()) > 2
    for turn in first.keys() & second.keys():
        assert first[turn] == second[turn]
