"""Network-guided search of many games at once."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.search.pool import COLUMNS
from ludoport.search.puct import PuctSettings, Searches, halving_schedule
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from tests.search.brute import after

VISITS, LINK = COLUMNS.index("VISITS"), COLUMNS.index("LINK")


@pytest.fixture(scope="module")
def hex5() -> lp.Game:
    return lp.load("Hex", options=["Board Size/5x5"])


@pytest.fixture(scope="module")
def plain5() -> lp.Game:
    """For few simulations; `test_exact.py` has the machine code of rollouts."""
    return lp.load("Hex", options=["Board Size/5x5"], jit=False)


class Fixed:
    """An evaluator that knows one thing: a random logit for every slot, and a value for every position."""

    def __init__(self, slots: int, value: float = 0.0, seed: int = 1) -> None:
        self.logits = np.random.default_rng(seed).normal(size=slots).astype(np.float32)
        self.value = value
        self.batches: list[int] = []

    def __call__(self, searches: Searches) -> tuple[NDArray[Any], NDArray[Any]]:
        games, leaves = searches.depths.shape
        self.batches.append(int((searches.depths >= 0).sum()))
        logits = np.broadcast_to(self.logits, (games, leaves, len(self.logits))).copy()
        return logits, np.full((games, leaves), self.value, dtype=np.float32)


def batch(game: lp.Game, states: list[lp.State], settings: PuctSettings, **options: Any) -> tuple[Searches, Fixed]:
    layout = tensor_layout(game, "compact")
    searches = Searches(game, len(states), settings, evaluator="batch", layout=layout)
    searches.set_states(states)
    evaluator = Fixed(int(np.prod(layout.move_shape)), **options)
    searches.run(evaluator)
    return searches, evaluator


@pytest.mark.slow
@pytest.mark.parametrize("leaves", [1, 4])
@pytest.mark.parametrize("gumbel", [False, True])
def test_visits_add_up(hex5: lp.Game, leaves: int, gumbel: bool) -> None:
    states = [hex5.start(), after(hex5, "12"), after(hex5, "3", "7")]
    searches, evaluator = batch(hex5, states, PuctSettings(simulations=80, leaves=leaves, gumbel=gumbel))
    for g in range(3):
        assert searches.visits(g).sum() == 80
        for head in _heads(searches, g):
            n = searches.nodes[g, LINK, head]
            assert searches.nodes[g, VISITS, head] == searches.nodes[g, VISITS, head + 1 : head + 1 + n].sum()
            assert searches.sums[g, 1, head + 1 : head + 1 + n].sum() == pytest.approx(1, abs=1e-5)
    # All games share their batches.
    assert max(evaluator.batches) > 3 * (leaves - 1)


def _heads(searches: Searches, g: int) -> list[int]:
    heads, head = [], 1
    while head < searches.facts[g, 0]:
        heads.append(head)
        head += 1 + int(searches.nodes[g, LINK, head])
    return heads


@pytest.mark.slow
def test_priors_are_the_softmax_of_the_legal_moves(hex5: lp.Game) -> None:
    state = after(hex5, "12")
    searches, evaluator = batch(hex5, [state], PuctSettings(simulations=1))
    slots = TensorEncoder(hex5, "compact").move_slots(state)
    logits = {text: float(evaluator.logits[slot]) for text, slot in slots.items()}
    total = sum(np.exp(list(logits.values())))
    found = searches.found()
    for move, prior in zip(found.moves, searches.sums[0, 1, searches.edges(0)], strict=True):
        assert prior == pytest.approx(np.exp(logits[move.text]) / total, rel=1e-4)


@pytest.mark.slow
def test_moves_that_share_a_slot_have_equal_priors_and_are_told_apart() -> None:
    # A pawn that arrives may become one of four pieces at one place.
    game = lp.load("Chess", jit=False)
    encoder = TensorEncoder(game, "compact")
    rng = random.Random(2)
    state = game.start()
    while not any("=" in move.text for move in state.moves()):
        state = state.play(rng.choice(state.moves()))
    slots = encoder.move_slots(state)
    shared = [text for text, slot in slots.items() if list(slots.values()).count(slot) > 1]
    searches, _ = batch(game, [state], PuctSettings(simulations=2))
    found = searches.found()
    texts = [move.text for move in found.moves]
    assert sorted(texts) == sorted(move.text for move in state.moves())
    priors = dict(zip(texts, searches.sums[0, 1, searches.edges(0)], strict=True))
    assert shared
    for text in shared:
        same = [priors[other] for other in shared if slots[other] == slots[text]]
        assert np.ptp(same) < 1e-7


def test_the_sign_follows_the_person() -> None:
    knights = lp.load("Breakthrough", options=["Board Size/6x6"], jit=False)
    # Every position is judged as won for its mover; so every move seems to lose.
    searches, _ = batch(knights, [knights.start()], PuctSettings(simulations=50, solve=False), value=1.0)
    found = searches.found()
    first = found.visits == 1
    assert (found.values[first] == 0).all()


@pytest.mark.slow
def test_several_leaves_are_several_positions(hex5: lp.Game) -> None:
    layout = tensor_layout(hex5, "compact")
    searches = Searches(hex5, 1, PuctSettings(simulations=30, leaves=8), evaluator="batch", layout=layout)
    searches.set_states([hex5.start()])
    evaluator = Fixed(int(np.prod(layout.move_shape)))
    searches.facts[:, 5] = 1
    searches.fill()
    searches.grow(*evaluator(searches))
    searches.facts[:, 5] = 30
    found = searches.fill()
    assert 4 <= found <= 8
    assert len({tuple(row) for row in searches.states[0, :found]}) == found


@pytest.mark.slow
def test_inputs_are_the_tensors_of_the_leaves(hex5: lp.Game) -> None:
    layout = tensor_layout(hex5, "compact")
    searches = Searches(hex5, 2, PuctSettings(simulations=40), evaluator="batch", layout=layout)
    states = [hex5.start(), after(hex5, "12")]
    searches.set_states(states)
    encoder = TensorEncoder(hex5, "compact")
    fixed = Fixed(int(np.prod(layout.move_shape)))
    compared = 0

    def evaluate(these: Searches) -> tuple[NDArray[Any], NDArray[Any]]:
        nonlocal compared
        for g in range(2):
            if these.depths[g, 0] >= 0:
                expected = encoder.planes(these.states[g], these.trails[g])
                np.testing.assert_array_equal(these.inputs[g].reshape(expected.shape), expected)
                compared += 1
        return fixed(these)

    searches.run(evaluate)
    assert compared > 60


def test_subtrees_are_used_again(plain5: lp.Game) -> None:
    searches = Searches(plain5, 2, PuctSettings(simulations=200), evaluator="rollouts", entries=30_000)
    searches.set_states([plain5.start(), plain5.start()])
    searches.run()
    found = searches.found(0)
    edge = int(np.argmax(found.visits))
    head = int(searches.nodes[0, LINK, searches.edges(0).start + edge])
    below = searches.nodes[0, VISITS, head + 1 : head + 1 + searches.nodes[0, LINK, head]].tolist()
    state = plain5.start().play(found.best)
    searches.advance(0, edge, state.row)
    assert searches.visits(0).tolist() == below
    searches.run(simulations=50)
    assert searches.visits(0).sum() == sum(below) + 50


@pytest.mark.slow
def test_halving_gives_half_of_the_moves_twice_as_many_visits(hex5: lp.Game) -> None:
    searches, _ = batch(hex5, [hex5.start()], PuctSettings(simulations=64, gumbel=True, considered=8))
    visits = np.sort(searches.visits(0))[::-1]
    assert (visits > 0).sum() == 8
    assert visits[:8].tolist() == sorted(visits[:8], reverse=True)
    assert visits[0] >= 2 * visits[2] >= 4 * visits[7]


@pytest.mark.parametrize(("considered", "simulations"), [(1, 5), (2, 16), (16, 50), (16, 8), (5, 100)])
def test_schedule(considered: int, simulations: int) -> None:
    table = halving_schedule(considered, simulations)
    assert table.shape == (considered + 1, simulations)
    for moves in range(1, considered + 1):
        visits = [0] * moves
        for turn in table[moves]:
            # A move with this number of visits takes the turn.
            visits[visits.index(turn)] += 1


def test_noise_keeps_a_distribution(hex5: lp.Game) -> None:
    plain, _ = batch(hex5, [hex5.start()], PuctSettings(simulations=1))
    noisy, _ = batch(hex5, [hex5.start()], PuctSettings(simulations=1, noise=0.25, alpha=0.3))
    before, mixed = (searches.sums[0, 1, searches.edges(0)] for searches in (plain, noisy))
    assert mixed.sum() == pytest.approx(1, abs=1e-5)
    assert (mixed >= 0.75 * before.min() - 1e-6).all()
    assert not np.allclose(np.sort(mixed), np.sort(before))


def test_forced_visits(hex5: lp.Game) -> None:
    settings = PuctSettings(simulations=200, forced=2.0, weight=0.1, fpu=5.0)
    searches, _ = batch(hex5, [hex5.start()], settings)
    edges = searches.edges(0)
    for prior, visits in zip(searches.sums[0, 1, edges], searches.visits(0), strict=True):
        assert visits == 0 or visits >= int(np.sqrt(2 * prior * 200))


def test_policies(plain5: lp.Game) -> None:
    searches = Searches(plain5, 3, PuctSettings(simulations=60, gumbel=True), evaluator="rollouts", seed=3)
    searches.set_states([plain5.start(), after(plain5, "12"), after(plain5, "3", "7")])
    searches.run()
    policies, best = searches.policies()
    for g in range(3):
        n = len(searches.visits(g))
        assert policies[g, :n].sum() == pytest.approx(1, abs=1e-5)
        assert (policies[g, n:] == 0).all()
        assert searches.visits(g)[best[g]] == searches.visits(g).max()


@pytest.mark.slow
def test_one_seed_one_result_and_plain_python_agrees() -> None:
    found = []
    for jit in (True, True, False):
        game = lp.load("Hex", options=["Board Size/3x3"], jit=jit)
        for gumbel in (False, True):
            searches = Searches(game, 2, PuctSettings(simulations=60, gumbel=gumbel), evaluator="rollouts", seed=9)
            searches.set_states([game.start()] * 2)
            searches.run()
            found.append([searches.visits(g).tolist() for g in range(2)])
    assert found[0:2] == found[2:4] == found[4:6]


def test_a_full_pool_goes_on_without_new_positions(plain5: lp.Game) -> None:
    entries = plain5.rules.max_moves + 10
    searches = Searches(plain5, 1, PuctSettings(simulations=500), evaluator="rollouts", entries=entries)
    searches.set_states([plain5.start()])
    assert searches.run() == 500
    assert searches.found().stopped == "the pool is full"
    assert searches.visits(0).sum() == 500


def test_games_that_are_over_are_left_out(plain5: lp.Game) -> None:
    state = plain5.start()
    while not state.over:
        state = state.play(state.moves()[0])
    searches = Searches(plain5, 2, PuctSettings(simulations=10))
    searches.set_states([state, plain5.start()])
    assert searches.run() == 10


def test_bad_input(hex5: lp.Game) -> None:
    with pytest.raises(LudoportError, match="simulations must be at least 1, not 0"):
        PuctSettings(simulations=0)
    with pytest.raises(LudoportError, match="share of noise must be between 0 and 1"):
        PuctSettings(noise=2)
    with pytest.raises(LudoportError, match="pool of 5 nodes is too small"):
        Searches(hex5, 1, entries=5)
    with pytest.raises(LudoportError, match="number of games must be at least 1"):
        Searches(hex5, 0)
