"""First games that are not all at their beginning."""

from __future__ import annotations

import numpy as np
import pytest

import ludoport as lp
from ludoport.selfplay.games import PLY
from ludoport.selfplay.kernels import GAME_FACTS, PENDING
from ludoport.selfplay.staggering import staggered_states
from tests.selfplay.test_targets import make

FINISHED = GAME_FACTS.index("FINISHED")


def test_positions_are_spread_over_a_game(noughts: lp.Game) -> None:
    states, plies = staggered_states(noughts, 40, seed=1, limit=100)
    assert not any(state.over for state in states)
    assert [len(state.moves()) for state in states] == [9 - ply for ply in plies]
    assert plies[0] == 0
    assert plies[:10].mean() < 2 < 5 < plies[-10:].mean()
    again = staggered_states(noughts, 40, seed=1, limit=100)
    assert all((one.row == two.row).all() for one, two in zip(states, again[0], strict=True))
    assert (staggered_states(noughts, 40, seed=2, limit=100)[1] != plies).any()


@pytest.mark.slow
def test_games_end_from_the_first_steps_on(noughts: lp.Game) -> None:
    together, apart = (make(noughts, games=32, staggered=staggered) for staggered in (False, True))
    begun = apart.counts[:, PLY].copy()
    for _ in range(3):
        together.step()
        apart.step()
    assert together.counts[:, FINISHED].sum() == 0
    ended = apart.counts[:, FINISHED] > 0
    assert ended.sum() >= 8
    assert begun[ended].mean() > begun[~ended].mean()
    # What was searched of games that ended has a result; random moves before it were not recorded.
    assert (apart.replay.results[:96] != PENDING).sum() >= ended.sum()
    assert apart.replay.written == 96
    assert np.isin(apart.counts[~ended, PLY] - begun[~ended], [3]).all()
