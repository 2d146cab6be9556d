"""Past checkpoints as opponents: who is drawn, how they are rated, and what is recorded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoport as lp
from ludoport.game import State
from ludoport.search.puct import Searches
from ludoport.selfplay.games import CURRENT, SEAT, TURN, VERDICT, SelfPlay
from ludoport.selfplay.kernels import GAME_FACTS
from ludoport.selfplay.tournament import GAMES, NEWEST, Tournament
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small
from tests.selfplay.test_run import assert_same, state


def nowhere(epoch: int) -> Path:
    raise AssertionError(f"nobody should look for the checkpoint of epoch {epoch}")


def test_ratings_by_hand() -> None:
    tournament = Tournament(1, nowhere)
    tournament.admit(0)
    tournament.opponent = 0
    tournament.settle([4])
    assert tournament.rating == pytest.approx(3.0)  # K is 6 and a win was even
    assert tournament.ratings[0] == pytest.approx(-3.0)
    tournament.admit(5)
    assert tournament.ratings[5] == pytest.approx(3.0)
    tournament.settle([3, 2, 1])
    first = 6 * (0.5 - 1 / (1 + 10 ** (-6 / 400)))
    second = -6 / (1 + 10 ** (-(6 + 2 * first) / 400))
    assert tournament.rating == pytest.approx(3 + first + second)
    assert tournament.ratings[0] == pytest.approx(-3 - first - second)
    assert tournament.games == 4
    tournament.opponent = NEWEST
    before = dict(tournament.ratings)
    tournament.settle([4, 4])
    assert tournament.ratings == before


def drawn(ratings: dict[int, float], draws: int = 6000) -> dict[int, float]:
    """Share of draws for each opponent."""
    tournament = Tournament(3, nowhere)
    tournament.ratings = ratings
    counts: dict[int, float] = {}
    for _ in range(draws):
        tournament.settle([1] * GAMES)
        counts[tournament.opponent] = counts.get(tournament.opponent, 0) + 1 / draws
    return counts


def test_draws() -> None:
    counts = drawn({0: -300.0, 5: 0.0, 10: 0.0})
    assert counts[NEWEST] == pytest.approx(0.5, abs=0.03)
    # The weak one is among the candidates if x is at most ln(1 + 400 / 300) / 4.
    weak = 0.5 * (0.01 + 0.99 * np.log(1 + 400 / 300) / 4) / 3
    assert counts[0] == pytest.approx(weak, abs=0.012)
    assert counts[5] == pytest.approx(counts[10], abs=0.03)
    assert drawn({}) == {NEWEST: pytest.approx(1.0)}


def test_draws_go_on_after_a_pause() -> None:
    one, two = Tournament(3, nowhere), Tournament(4, nowhere)
    one.admit(0)
    one.settle([4] * (GAMES + 3))
    two.restore(one.arrays())
    for _ in range(20):
        assert one.settle([2] * 7) == two.settle([2] * 7)
        assert (one.opponent, one.rating, one.ratings) == (two.opponent, two.rating, two.ratings)


@pytest.fixture
def trainer(tmp_path: Path) -> Trainer:
    game = lp.load("Tic-Tac-Toe", jit=False)
    config = small(
        game="Tic-Tac-Toe", options=(), games=4, simulations=3, replay=400, tournament=True, symmetries=False,
        warmup=30, positions=32,
    )  # fmt: skip
    return Trainer(config, tmp_path / "run", game=game)


def watch(play: SelfPlay) -> list[tuple[int, bool, int, bool]]:
    """Notes for every root that is searched: its person, whether the opponent judges it, its seat, its record."""
    seen: list[tuple[int, bool, int, bool]] = []
    assert play.opponent is not None
    guides = (False, play.guide), (True, play.opponent)
    for theirs, guide in guides:

        def judge(
            searches: Searches, only: NDArray[np.bool_] | None = None, theirs: bool = theirs, guide: Any = guide
        ) -> tuple[NDArray[Any], NDArray[Any]]:
            chosen = np.flatnonzero(searches.depths[:, 0] >= 0 if only is None else only & (searches.depths[:, 0] >= 0))
            given = play._numbers(True)
            for g in chosen:
                turn = State(play.game, searches.roots[g].copy()).seat
                seen.append((turn, theirs, int(play.counts[g, SEAT]), bool(given[g] >= 0)))
            answer: tuple[NDArray[Any], NDArray[Any]] = guide(searches, only)
            return answer

        setattr(play, "opponent" if theirs else "guide", judge)
    return seen


@pytest.mark.slow
def test_the_opponent_moves_and_is_not_recorded(trainer: Trainer) -> None:
    trainer.train(Budget(epochs=1))
    play, tournament = trainer.play, trainer.tournament
    assert isinstance(play, SelfPlay)
    assert tournament is not None
    assert (trainer.run.folder / "checkpoints/epoch_00000.safetensors").exists()
    tournament.opponent, tournament.games = 0, -1000
    play._call_opponent()
    seen = watch(play)
    before = play.replay.written
    for _ in range(12):
        play.step()
    assert {seat for _, _, seat, _ in seen} == {1, 2}
    for turn, theirs, seat, recorded in seen:
        assert theirs == (turn == seat)
        assert recorded == (not theirs)
    assert 0 < play.replay.written - before < 48
    recorded_people = play.replay.persons[before : play.replay.written]
    assert set(recorded_people.tolist()) == {1, 2}
    seen.clear()
    tournament.opponent = NEWEST
    play.step()
    assert seen
    assert all(not theirs and recorded for _, theirs, _, recorded in seen)


@pytest.mark.slow
def test_games_count_for_who_played_them(trainer: Trainer) -> None:
    """A game counts if nine of ten moves of the opponent came from the network that it has at the end."""
    trainer.train(Budget(epochs=1))
    play, tournament = trainer.play, trainer.tournament
    assert isinstance(play, SelfPlay)
    assert tournament is not None
    verdicts: list[int] = []
    finished = GAME_FACTS.index("FINISHED")

    def settle(these: Sequence[int]) -> bool:
        verdicts.extend(these)
        return False

    tournament.settle = settle  # type: ignore[method-assign, assignment]
    for number in range(60):
        play.counts[0, CURRENT] = 0  # the first game never has an opponent that stays
        before = play.counts[:, finished].copy()
        verdicts.clear()
        play.step()
        ended = play.counts[:, finished] > before
        assert len(verdicts) == ended[1:].sum() or number < 9
        assert set(verdicts) <= {2, 3, 4}
        assert (play.counts[:, VERDICT] == 0).all()
        turns = [State(play.game, row.copy()).seat for row in play.searches.roots]
        assert (play.counts[:, TURN] == (play.counts[:, SEAT] == turns)).all()


@pytest.mark.slow
def test_interrupted_and_gone_on(tmp_path: Path, hex3: lp.Game) -> None:
    """With everything that the paper's program does; the schedule must not know when a run will end."""
    config = small(
        tournament=True, checkpoint_epochs=1, random_seats=0.25, resign=0.3, resign_plies=2, resign_share=0.5,
        openings=0.2, opening_plies=0, schedule="constant", gumbel=False, completed=False, drawing="polygames",
        ownership_weight=0.1, simulations=4,
    )  # fmt: skip
    Trainer(config, tmp_path / "one", game=hex3).train(Budget(epochs=5))
    for epochs in (2, 3):
        Trainer(config, tmp_path / "two", game=hex3).train(Budget(epochs=epochs))
    trainer = Trainer(config, tmp_path / "two", game=hex3)
    assert isinstance(trainer.play, SelfPlay)
    original, steps = trainer.play.step, [0]

    def step() -> None:
        original()
        steps[0] += 1
        if steps[0] == 3:
            trainer.stop()

    trainer.play.step = step  # type: ignore[method-assign]
    trainer.train(Budget(epochs=5))
    assert trainer.interrupted
    Trainer(config, tmp_path / "two", game=hex3).train(Budget(epochs=5))
    assert_same(state(tmp_path / "one"), state(tmp_path / "two"))
    last = Trainer(config, tmp_path / "two", game=hex3)
    assert last.tournament is not None
    assert sorted(last.tournament.ratings) == [0, 1, 2, 3, 4, 5]
    assert len(set(last.tournament.ratings.values())) > 1
