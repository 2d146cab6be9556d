"""The end of games of self-play: resignation, random moves, openings, and owners of cells."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import ludoport as lp
from ludoport.game import State
from ludoport.nets.network import NetOutput
from ludoport.search.puct import Searches
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.kernels import GAME_FACTS
from ludoport.selfplay.losses import ownership_loss
from ludoport.tensors.encoder import TensorEncoder
from tests.selfplay.test_targets import make, played

FINISHED, RESIGNED, PLAYED_ON, WRONG, RESIGNS, OPENING, RANDOM, IRREGULAR, PLY = map(
    GAME_FACTS.index,
    ("FINISHED", "RESIGNED", "PLAYED_ON", "WRONG", "RESIGNS", "OPENING", "RANDOM", "IRREGULAR", "PLY"),
)


@pytest.fixture(scope="module")
def noughts() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


def hopeless(play: SelfPlay, person: int) -> None:
    """Let everybody think that a person has lost; nothing is proved."""

    def judge(searches: Searches, _: object) -> tuple[NDArray[Any], NDArray[Any]]:
        logits = np.zeros((*searches.depths.shape, play.replay.policies.shape[1]), dtype=np.float32)
        leaves = [State(play.game, row.copy()).seat for row in searches.states[:, 0]]
        return logits, np.where(np.array(leaves) == person, -1.0, 1.0).astype(np.float32)[:, None]

    play._judge = judge  # type: ignore[method-assign]


PLAIN: dict[str, Any] = {"gumbel": False, "completed": False, "solve": False, "terminal": 0.97}


def test_resignation(noughts: lp.Game) -> None:
    """Person 2 is hopeless from the beginning: after three plies of agreement it resigns when it is to move."""
    play = make(noughts, resign=0.9, resign_plies=3, resign_share=1.0, **PLAIN)
    hopeless(play, 2)
    play.counts[:, RESIGNS] = 1
    done = played(play, 8)
    assert len(done) == 8
    for positions in done:
        assert len(positions) == 4  # plies 0, 1 and 2 agree; at ply 3 person 2 is to move
        for number, (place, _) in enumerate(positions):
            assert play.replay.results[place] == (1.0 if number % 2 == 0 else -1.0)
    assert (play.counts[:, RESIGNED] == 2).all()
    assert (play.counts[:, PLAYED_ON] == 0).all()
    progress = play.play(16)
    assert (progress.games, progress.resigned, progress.moves, progress.first_wins) == (4, 4, 12, 4)


def test_disagreement_begins_the_count_anew(noughts: lp.Game) -> None:
    play = make(noughts, resign=0.9, resign_plies=2, resign_share=1.0, **PLAIN)
    play.counts[:, RESIGNS] = 1
    for number, person in enumerate((2, 1, 2, 2)):
        assert play.counts[:, PLY].tolist() == [number] * 4
        hopeless(play, person)
        play.step()
    assert play.counts[:, RESIGNED].tolist() == [1, 1, 1, 1]  # at ply 3, not at 1


def test_games_that_are_played_on_tell_of_wrong_resignations(noughts: lp.Game) -> None:
    play = make(noughts, resign=0.9, resign_plies=2, resign_share=0.0, games=16, **PLAIN)
    hopeless(play, 2)
    progress = play.play(16 * 40)
    assert progress.resigned == 0
    assert progress.played_on == progress.games > 16
    # Person 2 gives up in every game, but first moves are drawn, so that some games are not lost.
    assert progress.wrong == progress.games - progress.first_wins > 0


@pytest.mark.slow
def test_random_moves(noughts: lp.Game) -> None:
    """At the rate of 4 / (t + 10) ** 2 where they are allowed; the policy knows nothing of them."""
    play = make(noughts, random_seats=1.0, games=64, simulations=8, considered=9, solve=False)
    play.counts[:, RANDOM] = 3
    surprised = np.zeros(9)
    steps = 45
    for _ in range(steps):
        plies, finished = play.counts[:, PLY].copy(), play.counts[:, FINISHED].copy()
        play.counts[:, IRREGULAR] = 0
        play.step()
        going = play.counts[:, FINISHED] == finished
        for ply in plies[going & (play.counts[:, IRREGULAR] == 1)]:
            surprised[ply] += 1
    expected = sum(4 / (t + 10) ** 2 for t in range(5)) / 5
    # Games last from 5 to 9 plies; those in which nothing ended are counted.
    rate = surprised[:5].sum() / (64 * steps * 5 / 7.5)
    assert 0.5 * expected < rate < 1.6 * expected
    assert (play.counts[:, RANDOM] == 3).all()


def test_without_permission_nothing_is_random(noughts: lp.Game) -> None:
    play = make(noughts, random_seats=1e-9, games=16)
    for _ in range(20):
        play.step()
    assert (play.counts[:, [RANDOM, IRREGULAR]] == 0).all()


@pytest.mark.slow
def test_openings_as_long_as_games(noughts: lp.Game) -> None:
    play = make(noughts, openings=1.0, opening_plies=0, games=32)
    seen: set[int] = set()
    for _ in range(40):
        play.step()
        seen |= set(play.counts[play.counts[:, FINISHED] > 0, OPENING].tolist())
    assert {0, 1, 4} <= seen <= set(range(9))


def test_owners(noughts: lp.Game) -> None:
    play = make(noughts, ownership_weight=0.1)
    encoder = TensorEncoder(noughts, "compact")
    finished = 0
    for _ in range(24):
        before, roots = play.counts[:, FINISHED].copy(), play.searches.roots.copy()
        places = play.places.copy()
        play.step()
        for g in np.flatnonzero(play.counts[:, FINISHED] > before):
            last = State(noughts, roots[g].copy())
            possible = []
            for move in last.moves():
                after = last.play(move)
                if after.over:
                    planes = encoder.state_tensor(after)[:2]
                    possible.append((planes[0] + 2 * planes[1]).reshape(-1).tolist())
            plies = 9 - len(last.moves())
            numbers = {int(number) for number in places[g, :plies]} | {int(play.replay.written - 4 + g)}
            grids = {tuple(play.replay.finals[number % play.replay.places].tolist()) for number in numbers}
            assert len(grids) == 1
            assert list(grids.pop()) in possible
            finished += 1
    assert finished >= 8
    _, _, _, _, _, owners = play.replay.draw(np.random.default_rng(1), 50)
    assert owners.shape == (50, 9)
    chosen = np.flatnonzero(play.replay.results != 9.0)[np.random.default_rng(1).integers(0, play.replay.ready, 50)]
    people, finals = play.replay.persons[chosen], play.replay.finals[chosen]
    for mine, person, final in zip(owners, people, finals, strict=True):
        assert ((mine == 1) == (final == person)).all()
        assert ((mine == 2) == (final == 3 - person)).all()


def test_owners_are_unknown_where_the_rules_did_not_end_a_game(noughts: lp.Game) -> None:
    play = make(noughts, ownership_weight=0.1, ply_limit=3)
    for _ in range(6):
        play.step()
    assert (play.replay.finals[:24] == -1).all()


def test_loss_of_owners() -> None:
    logits = torch.tensor([[[[1.0, 0.0, 3.0]], [[0.0, 2.0, 0.0]], [[0.0, 0.0, 0.0]]]])
    output = NetOutput(torch.zeros(1, 1, 1, 3), torch.zeros(1, 3), ownership=logits)
    one = -torch.tensor([1.0, 0.0, 0.0]).log_softmax(0)[0]
    two = -torch.tensor([0.0, 2.0, 0.0]).log_softmax(0)[1]
    assert ownership_loss(output, torch.tensor([[0, 1, -1]]), None) == pytest.approx(float(one + two) / 2)
    mask = torch.tensor([[[[1.0, 0.0, 1.0]]]])
    assert ownership_loss(output, torch.tensor([[0, 1, -1]]), mask) == pytest.approx(float(one))


@pytest.mark.slow
def test_what_is_special_about_a_game_is_drawn(noughts: lp.Game) -> None:
    """Permissions to resign and to play at random do not depend on each other."""
    play = make(noughts, games=64, resign=0.5, resign_plies=99, resign_share=0.5, random_seats=0.5, simulations=2)
    seen = np.zeros((2, 4))
    for _ in range(30):
        play.step()
    for resigns, random in itertools.product(range(2), range(4)):
        seen[resigns, random] = ((play.counts[:, RESIGNS] == resigns) & (play.counts[:, RANDOM] == random)).sum()
    assert seen.sum() == 64
    assert (seen > 0).all()
