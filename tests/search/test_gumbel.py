"""Gumbel search against a slow and obvious version of its definitions (Danihelka et al. 2022)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import State
from ludoport.search.puct import PuctSettings, Searches, halving_schedule
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import tensor_layout
from tests.search.brute import TWICE, after


class Oracle:
    """Judges positions by a draw that depends on nothing but the position."""

    def __init__(self, game: lp.Game, sharpness: float) -> None:
        self.slots, self.sharpness = math.prod(tensor_layout(game, "compact").move_shape), sharpness

    def judge(self, row: NDArray[Any]) -> tuple[NDArray[np.float32], float]:
        """Logits and the value for who is to move."""
        rng = np.random.default_rng(np.frombuffer(row.astype(np.int64).tobytes(), dtype=np.uint32))
        logits = (self.sharpness * rng.normal(size=self.slots)).astype(np.float32)
        return logits, float(np.float32(rng.uniform(-1, 1)))

    def __call__(self, searches: Searches) -> tuple[NDArray[Any], NDArray[Any]]:
        """The same for the leaves of searches."""
        answers = [self.judge(row) for row in searches.states[:, 0]]
        return np.stack([a[0] for a in answers])[:, None], np.array([[a[1]] for a in answers], dtype=np.float32)


@dataclass
class Node:
    """A position of the obvious search; values are for the person to move."""

    state: State
    value: float
    priors: dict[str, float]
    visits: dict[str, int] = field(default_factory=dict)
    totals: dict[str, float] = field(default_factory=dict)
    behind: dict[str, Node] = field(default_factory=dict)


class Obvious:
    """Gumbel search, written down as the paper defines it.

    Args:
        game: the game.
        oracle: who judges.
        settings: constants.
        noise: Gumbel noise of the root's moves by their texts.
    """

    def __init__(self, game: lp.Game, oracle: Oracle, settings: PuctSettings, noise: dict[str, float]) -> None:
        self.encoder = TensorEncoder(game, "compact")
        self.oracle, self.settings, self.noise = oracle, settings, noise

    def search(self, state: State) -> Node:
        root = self.node(state)
        for turn in schedule(min(self.settings.considered, len(root.priors)), self.settings.simulations):
            scores = {
                move: self.noise[move] + math.log(prior) + self.sigma(root, self.completed(root)[move])
                for move, prior in root.priors.items()
                if root.visits.get(move, 0) == turn
            }
            self.simulate(root, max(scores, key=lambda move: scores[move]))
        return root

    def node(self, state: State) -> Node:
        logits, value = self.oracle.judge(state.row)
        slots = self.encoder.move_slots(state)
        shares = {text: math.exp(float(logits[slot])) for text, slot in slots.items()}
        return Node(state, value, {text: share / sum(shares.values()) for text, share in shares.items()})

    def sigma(self, node: Node, value: float) -> float:
        """Equation 8, with values from 0 to 1."""
        most = max(node.visits.values(), default=0)
        return (self.settings.sigma_visits + most) * self.settings.sigma_scale * (value + 1) / 2

    def completed(self, node: Node) -> dict[str, float]:
        """Equations 10 and 33: visited moves have their mean, the others the mixed value."""
        visited = {move: node.totals[move] / count for move, count in node.visits.items()}
        mixed = node.value
        if visited:
            weight = sum(node.priors[move] for move in visited)
            mean = sum(node.priors[move] * value for move, value in visited.items()) / weight
            count = sum(node.visits.values())
            mixed = (node.value + count * mean) / (1 + count)
        return {move: visited.get(move, mixed) for move in node.priors}

    def improved(self, node: Node) -> dict[str, float]:
        """Equation 11."""
        values = self.completed(node)
        logits = {move: math.log(prior) + self.sigma(node, values[move]) for move, prior in node.priors.items()}
        high = max(logits.values())
        total = sum(math.exp(logit - high) for logit in logits.values())
        return {move: math.exp(logit - high) / total for move, logit in logits.items()}

    def simulate(self, root: Node, first: str) -> None:
        line: list[tuple[Node, str]] = []
        node, move = root, first
        while True:
            line.append((node, move))
            following = node.state.play(move)
            if following.over or move not in node.behind:
                break
            node = node.behind[move]
            move = self.below(node)
        if following.over:
            person, value = 1, following.seat_utilities[0]
        else:
            node.behind[move] = self.node(following)
            person, value = following.seat, node.behind[move].value
        for passed, chosen in line:
            gained = value if passed.state.seat == person else -value
            passed.visits[chosen] = passed.visits.get(chosen, 0) + 1
            passed.totals[chosen] = passed.totals.get(chosen, 0.0) + gained

    def below(self, node: Node) -> str:
        """Equation 14."""
        policy, total = self.improved(node), sum(node.visits.values())
        return max(policy, key=lambda move: policy[move] - node.visits.get(move, 0) / (1 + total))

    def choice(self, root: Node) -> str:
        most, values = max(root.visits.values()), self.completed(root)
        left = [move for move, count in root.visits.items() if count == most]
        return max(left, key=lambda m: self.noise[m] + math.log(root.priors[m]) + self.sigma(root, values[m]))


def schedule(moves: int, simulations: int) -> list[int]:
    """Sequential halving as it is told: in every phase all moves that are left get the same number of visits."""
    if moves == 1:
        return list(range(simulations))
    turns: list[int] = []
    left, visits, phases = moves, 0, math.ceil(math.log2(moves))
    while len(turns) < simulations:
        each = max(1, simulations // (phases * left))
        for visit in range(visits, visits + each):
            turns += [visit for _ in range(left)]
        visits += each
        left = max(2, left // 2)
    return turns[:simulations]


@pytest.mark.parametrize(("moves", "simulations"), [(16, 200), (7, 33), (2, 9), (5, 5), (16, 8)])
def test_schedule(moves: int, simulations: int) -> None:
    assert halving_schedule(16, simulations)[moves].tolist() == schedule(moves, simulations)


def test_schedule_of_the_paper() -> None:
    """200 simulations of 16 moves: 3 visits each, then 6, 12 and 25 for 8, 4 and 2 of them, and what is left."""
    turns = schedule(16, 200)
    assert [turns.count(visit) for visit in (0, 2, 3, 8, 9, 20, 21)] == [16, 16, 8, 8, 4, 4, 2]


@pytest.fixture(scope="module", params=["Hex", "Tic-Tac-Toe", "Twice"])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> lp.Game:
    if request.param == "Twice":
        file: Path = tmp_path_factory.mktemp("texts") / "Twice.lud"
        file.write_text(TWICE)
        return lp.load(file, jit=False)
    return lp.load(request.param, options=["Board Size/3x3"] if request.param == "Hex" else [], jit=False)


@pytest.mark.parametrize("scale", [0.1, 0.25, 1.0])
@pytest.mark.parametrize("simulations", [4, 8, 16, 60])
def test_same_tree(game: lp.Game, scale: float, simulations: int) -> None:
    settings = PuctSettings(
        simulations=simulations, gumbel=True, gumbel_noise=1.0, sigma_scale=scale, considered=6, solve=False
    )
    states = [game.start(), after(game, *[move.text for move in game.start().moves()[:1]])]
    oracle = Oracle(game, 1.0)
    searches = Searches(game, 2, settings, evaluator="batch", layout=tensor_layout(game, "compact"), seed=simulations)
    searches.set_states(states)
    searches.run(oracle)
    policies, best = searches.policies()
    for g, state in enumerate(states):
        found = searches.found(g)
        texts = [move.text for move in found.moves]
        reference = Obvious(game, oracle, settings, dict(zip(texts, map(float, searches.noise[g]), strict=False)))
        root = reference.search(state)
        assert dict(zip(texts, found.visits.tolist(), strict=True)) == {m: root.visits.get(m, 0) for m in texts}
        for text, share in zip(texts, policies[g], strict=False):
            assert share == pytest.approx(reference.improved(root)[text], abs=2e-5)
        assert texts[int(best[g])] == reference.choice(root)


def test_noise_is_a_matter_of_the_settings(game: lp.Game) -> None:
    """Without noise one position has one move; with noise, moves are drawn."""
    chosen: dict[float, set[str]] = {}
    for noise in (0.0, 1.0):
        settings = PuctSettings(simulations=4, gumbel=True, gumbel_noise=noise)
        searches = Searches(game, 24, settings, evaluator="batch", layout=tensor_layout(game, "compact"), seed=1)
        searches.set_states([game.start()] * 24)
        searches.run(Oracle(game, 0.5))
        _, best = searches.policies()
        chosen[noise] = {str(searches.found(g).moves[int(best[g])]) for g in range(24)}
    assert len(chosen[0.0]) == 1 < len(chosen[1.0])
    searches.scales[:12] = 0.0
    searches.set_states([game.start()] * 24)
    searches.run(Oracle(game, 0.5))
    assert (searches.noise[:12] == 0).all()
    assert (searches.noise[12:, : len(game.start().moves())] != 0).all()


@pytest.mark.slow
def test_lasting_noise_draws_by_the_policy(game: lp.Game) -> None:
    """With one simulation a move, the first one is drawn by the priors: the trick after which the search is named."""
    settings = PuctSettings(simulations=1, gumbel=True, gumbel_noise=1.0, sigma_scale=0.0)
    searches = Searches(game, 1500, settings, evaluator="batch", layout=tensor_layout(game, "compact"), seed=4)
    searches.set_states([game.start()] * 1500)
    searches.run(Oracle(game, 1.0))
    n = len(game.start().moves())
    priors = searches.sums[0, 1, searches.edges(0)]
    shares = np.mean([searches.visits(g) for g in range(1500)], axis=0)
    assert len(shares) == n
    assert np.abs(shares - priors).max() < 0.05


def test_answers_of_an_evaluator_are_looked_at_before_kernels_read_them() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    layout = tensor_layout(game)
    slots = int(np.prod(layout.move_shape))
    searches = Searches(game, 2, PuctSettings(simulations=4), evaluator="batch", layout=layout)
    searches.set_states([game.start()] * 2)
    with pytest.raises(LudoportError, match=r"logits of shape \(2, 9\).* wanted are \(2, 1, 27\) and \(2, 1\)"):
        searches.run(lambda _: (np.zeros((2, 9)), np.zeros(2)))
    with pytest.raises(LudoportError, match="needs a layout, and a function"):
        searches.run()
    # Other types and flat shapes with as many numbers mean the same.
    searches.run(lambda _: (np.zeros((2, slots)), np.zeros(2)))
    assert searches.visits(0).sum() == searches.visits(1).sum() == 4
