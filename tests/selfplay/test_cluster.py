"""Self-play on Ray: actors that come, go and die, and the finished games that must not be lost with them."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import preset as network_preset
from ludoport.selfplay import cluster_crew
from ludoport.selfplay.actors import ActorStart, News, SelfPlayActor, count_verdicts, part_of, weights_of
from ludoport.selfplay.api import actors_on
from ludoport.selfplay.cluster import ClusterSelfPlay, OnRay
from ludoport.selfplay.games import SelfPlay
from ludoport.selfplay.kernels import PENDING
from ludoport.selfplay.playing import Progress
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.selfplay.shards import Harvest, Inbox, Shard, add_shard, take_finished
from ludoport.selfplay.tournament import POINTS, Tournament
from ludoport.selfplay.train import Budget, Trainer
from ludoport.tensors.layout import TensorLayout, tensor_layout
from tests.selfplay.conftest import small

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def layout(hex3: lp.Game) -> TensorLayout:
    return tensor_layout(hex3, "compact")


@pytest.fixture(scope="module")
def net(layout: TensorLayout) -> PolicyValueNet:
    return build_network(network_preset("tiny", layout.shape[0], layout.move_shape[0]), seed=3).eval()


def rows(shard: Shard) -> Counter[str]:
    """Positions with all that is known of them, and how often each is there."""
    columns = [shard[name] for name in Replay.ARRAYS]
    return Counter("-".join(part.tobytes().hex() for part in row) for row in zip(*columns, strict=True))


def held(replay: Any) -> Counter[str]:
    """Positions of a replay whose result is known."""
    known = replay.results != PENDING
    return rows({name: getattr(replay, name)[known] for name in Replay.ARRAYS})


def arrived(play: Any) -> Counter[str]:
    """All that has arrived: positions in the replay, and those that wait to get there."""
    kept = play.inbox.arrays()
    if "play_inbox_results" not in kept:
        return held(play.replay)
    return held(play.replay) + rows({name: kept[f"play_inbox_{name}"] for name in Replay.ARRAYS})


# Without Ray: what an actor delivers, and what becomes of it.


@pytest.mark.parametrize(
    "changes", [{}, {"openings": 0.5, "opening_plies": 3, "full_share": 0.6, "fast_simulations": 1}]
)
def test_an_actor_delivers_what_one_process_would_record(
    hex3: lp.Game, layout: TensorLayout, net: PolicyValueNet, changes: dict[str, Any]
) -> None:
    """Every labelled position once, though the memory of the actor goes round many times."""
    config = small(games=8, simulations=2, replay=80, **changes)
    actor = SelfPlayActor(part_of(hex3, layout, config, net, "cpu"), 0)
    brought = [actor.step(0, [News(weights_of(net))]) for _ in range(60)]
    whole = replace(actor.config, replay=4096)
    alone = SelfPlay(hex3, layout, whole, Replay(*replay_sizes(whole, layout)), net)
    done = [alone.play(1) for _ in range(60)]
    assert sum((rows(harvest.shard) for harvest in brought), Counter()) == held(alone.replay)
    assert sum(len(harvest) for harvest in brought) > 3 * 80
    for harvest, expected in zip(brought, done, strict=True):
        assert replace(harvest.progress, positions=0, play_seconds=0) == replace(expected, positions=0, play_seconds=0)
        assert harvest.progress.positions == len(harvest)


def test_actors_play_different_games_and_follow_the_weights(
    hex3: lp.Game, layout: TensorLayout, net: PolicyValueNet
) -> None:
    config = small(games=8, simulations=2, gumbel=False, completed=False)
    one, two = (SelfPlayActor(part_of(hex3, layout, config, net, "cpu"), number) for number in (0, 1))
    games = [sum((rows(a.step(0, [News(weights_of(net))]).shard) for _ in range(12)), Counter()) for a in (one, two)]
    assert games[0] != games[1]
    other = build_network(net.config, seed=4).eval()
    with torch.no_grad():
        other.state_dict()[list(other.state_dict())[-1]].add_(1.0)
    one.step(1, [News(weights_of(other))])
    judged = one.play.guide.evaluator.evaluate(torch.ones(1, *layout.shape))[1]  # type: ignore[union-attr]
    fresh = SelfPlayActor(part_of(hex3, layout, config, other, "cpu"), 0)
    fresh.step(0, [News(weights_of(other))])
    assert torch.equal(judged, fresh.play.guide.evaluator.evaluate(torch.ones(1, *layout.shape))[1])  # type: ignore[union-attr]


def shard(*results: float) -> Shard:
    """Positions that can be told apart by their results."""
    empty = Replay(len(results), 2, 3)
    empty.results[:] = results
    return {name: getattr(empty, name) for name in Replay.ARRAYS}


def test_positions_go_round_in_the_replay() -> None:
    replay = Replay(5, 2, 3)
    add_shard(replay, shard(1, 2, 3))
    assert replay.results.tolist() == [1, 2, 3, PENDING, PENDING]
    add_shard(replay, shard(4, 5, 6))
    assert replay.results.tolist() == [6, 2, 3, 4, 5]
    add_shard(replay, shard(*range(10, 22)))
    assert sorted(replay.results.tolist()) == [17, 18, 19, 20, 21]
    add_shard(replay, shard())
    assert replay.written == 18
    assert replay.ready == 5


def test_tensors_do_what_arrays_do() -> None:
    """A replay on a GPU holds tensors; they are the same wherever they lie."""
    arrays = Replay(6, 2, 3)
    arrays.results[:] = [1, PENDING, -1, 0, PENDING, 0.5]
    arrays.seen[:] = np.arange(12).reshape(6, 2)
    tensors: Any = SimpleNamespace(places=6, written=0)
    for name in Replay.ARRAYS:
        setattr(tensors, name, torch.from_numpy(getattr(arrays, name).copy()))
    one, two = take_finished(arrays), take_finished(tensors)
    assert one["seen"].tolist() == [[0, 1], [4, 5], [6, 7], [10, 11]]
    assert rows(one) == rows(two)
    assert {name: part.dtype for name, part in one.items()} == {name: part.dtype for name, part in two.items()}
    assert arrays.ready == 0
    assert (tensors.results == PENDING).all()
    for replay in (arrays, tensors):
        add_shard(replay, one)
        add_shard(replay, one)
        assert replay.written == 8
        assert replay.results.tolist() == [0, 0.5, 0, 0.5, 1, -1]
        assert replay.seen.tolist() == [[6, 7], [10, 11], [6, 7], [10, 11], [0, 1], [4, 5]]


def test_a_checkpoint_keeps_what_was_not_used_yet() -> None:
    inbox = Inbox()
    for number in (1, 2):
        inbox.put(Harvest(Progress(1, 9, 2, 50 * number, 1, 0), shard(number, -number), ((5, number),)))
    other = Inbox()
    other.restore(inbox.arrays())
    assert other.waiting == 4
    harvest = other.take(0.0)
    assert harvest is not None
    assert harvest.shard["results"].tolist() == [1, -1, 2, -2]
    assert harvest.progress == Progress(2, 18, 4, 150, 2, 0)
    assert harvest.verdicts == ((5, 1), (5, 2))
    assert other.take(0.0) is None
    other.restore(other.arrays())
    assert other.waiting == 0


def test_a_tournament_is_played_by_actors_and_rated_by_who_learns(
    tmp_path: Path, hex3: lp.Game, layout: TensorLayout, net: PolicyValueNet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoport.selfplay.tournament.NEWEST_SHARE", 0.0)
    weak = build_network(net.config, seed=9).eval()
    origin = origin_of(hex3, layout)
    save_network(tmp_path / "0.safetensors", weak, origin, {})
    config = small(games=8, simulations=2, tournament=True)
    actor = SelfPlayActor(part_of(hex3, layout, config, net, "cpu"), 0)
    known = Tournament(1, lambda epoch: tmp_path / f"{epoch}.safetensors")
    known.admit(0)
    news = News(weights_of(net), known.rating, known.ratings, {0: known.find(0).read_bytes()})
    brought = [actor.step(0, [news]) for _ in range(80)]
    verdicts = [pair for harvest in brought for pair in harvest.verdicts]
    assert actor.delegate is not None
    assert actor.delegate.opponent == 0
    assert len(verdicts) > 40
    assert {epoch for epoch, _ in verdicts} == {0}
    games, positions = (sum(getattr(h.progress, name) for h in brought) for name in ("games", "positions"))
    moves = sum(harvest.progress.moves for harvest in brought)
    assert games > len(verdicts), "the first games are against itself"
    assert positions < 0.7 * moves, "positions of the opponent are not recorded"
    count_verdicts(known, verdicts)
    points = [POINTS[verdict] for _, verdict in verdicts if verdict in POINTS]
    assert len(points) > 20
    assert known.rating == -known.ratings[0]
    assert (known.rating > 0) == (sum(points) > len(points) / 2)
    # What an actor works out from the same games with the same ratings to begin with is the same.
    assert actor.delegate.rating == pytest.approx(known.rating)


# With Ray: a cluster of one machine with one processor, which others may join.


@pytest.fixture(scope="module")
def machines() -> Iterator[Any]:
    """One cluster for all tests here; starting one takes seconds."""
    from ray.cluster_utils import Cluster

    cluster: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    here = str(Path(__file__).parents[2])
    ray.init(
        address=cluster.address, log_to_driver=False, logging_level="ERROR",
        runtime_env={"env_vars": {"PYTHONPATH": here}},
    )  # fmt: skip
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def journal(folder: Path, deaths: dict[int, int]) -> type[SelfPlayActor]:
    """Actors that write down all they finish, and of which some die, by their number, after so many steps."""

    class Journal(SelfPlayActor):
        def __init__(self, part: ActorStart, number: int) -> None:
            super().__init__(part, number)
            self.file = folder / f"{number}.txt"
            self.left = deaths.get(number, -1)

        def step(self, version: int, box: list[Any]) -> Harvest:
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            self.left -= 1
            harvest = super().step(version, box)
            with self.file.open("a") as file:
                file.write(f"{os.getpid()} {' '.join(rows(harvest.shard).elements())}\n")
            return harvest

    return Journal


def lines(folder: Path) -> dict[int, list[Counter[str]]]:
    """Parts that every actor has finished, by its steps."""
    return {
        int(file.stem): [Counter(line.split()[1:]) for line in file.read_text().splitlines()]
        for file in folder.iterdir()
    }


def pid(folder: Path, number: int) -> int:
    return int((folder / f"{number}.txt").read_text().split()[0])


def added(parts: list[Counter[str]]) -> Counter[str]:
    return sum(parts, Counter())


def wait_for(what: Callable[[], bool], play: ClusterSelfPlay) -> None:
    """Let games go on until something is so."""
    until = time.monotonic() + 120
    while not what():
        assert time.monotonic() < until, "waited too long"
        play.play(16)


def cluster_play(game: lp.Game, layout: TensorLayout, net: PolicyValueNet, on: OnRay) -> ClusterSelfPlay:
    config = small(replay=100_000)
    return ClusterSelfPlay(game, layout, config, Replay(*replay_sizes(config, layout)), net, on)


def test_no_finished_game_is_lost_with_an_actor(
    machines: Any, tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One dies by itself at once after a step, one is killed from outside in the middle of whatever it does."""
    notes = tmp_path / "notes"
    notes.mkdir()
    monkeypatch.setattr(cluster_crew, "SelfPlayActor", journal(notes, {0: 7}))
    trainer = Trainer(small(replay=100_000), tmp_path / "run", game=hex3, on=OnRay(actors=2))
    play, killed, last = trainer.play, set(), {}
    assert isinstance(play, ClusterSelfPlay)

    def watch(record: dict[str, Any]) -> None:
        nonlocal last
        assert play.crew is not None
        last = play.crew.playing
        if record["epoch"] == 1:
            killed.add(min(last.keys() - {0}, default=0))
            os.kill(pid(notes, *killed), signal.SIGKILL)
        if len(killed) == 1 and len(last.keys() - killed - {0}) == 2:
            trainer.stop()

    trainer.train(Budget(epochs=1000), watch)
    assert sum(record["actors_lost"] for record in trainer.records) == 2
    found, done = arrived(play), lines(notes)
    assert len(done) == 4
    # Who is hit from outside may just have written down a step that nobody hears of any more.
    sure = added([part for number, parts in done.items() for part in (parts[:-1] if number in killed else parts)])
    everything = added([part for parts in done.values() for part in parts])
    assert sure <= found <= everything
    assert sum(found.values()) > 256
    assert sum(record["positions"] for record in trainer.records) <= sum(found.values())


def test_machines_join_and_leave(
    machines: Any, tmp_path: Path, hex3: lp.Game, layout: TensorLayout, net: PolicyValueNet, monkeypatch: Any
) -> None:
    monkeypatch.setattr(cluster_crew, "SelfPlayActor", journal(tmp_path, {}))
    monkeypatch.setattr(cluster_crew, "RECOUNT", 0.2)
    play = cluster_play(hex3, layout, net, OnRay())
    with play.at_work():
        crew = play.crew
        assert crew is not None
        wait_for(lambda: len(crew.playing) == 1, play)
        other = machines.add_node(num_cpus=1)
        wait_for(lambda: len(crew.playing) == 2, play)
        gone = max(crew.playing)
        machines.remove_node(other)
        wait_for(lambda: crew.lost == 1, play)
        assert gone not in crew.playing
        progress = play.play(64)
        assert progress.positions >= 64
        assert progress.actors == 1
        play.rest()
    done = lines(tmp_path)
    sure = added(done[0]) + added(done[gone][:-1])
    assert sure <= arrived(play) <= sure + done[gone][-1]


def test_interrupted_and_gone_on(machines: Any, tmp_path: Path, hex3: lp.Game) -> None:
    """First on a cluster, then on a cluster again, then in one process."""

    def trainer(on: OnRay | None) -> Trainer:
        return Trainer(small(tournament=True, checkpoint_epochs=1), tmp_path / "run", game=hex3, on=on)

    one = trainer(OnRay(actors=1))
    one.train(Budget(epochs=5), lambda record: one.stop())
    assert (one.interrupted, one.epoch) == (True, 1)
    two = trainer(OnRay(actors=1))
    assert isinstance(two.play, ClusterSelfPlay)
    assert arrived(two.play) == arrived(one.play)
    assert two.play.hired == 1, "the next actor has other random numbers"
    known = np.flatnonzero(two.replay.results != PENDING)
    again = {name: getattr(two.replay, name)[known] for name in Replay.ARRAYS}
    two.play.inbox.put(Harvest(Progress(0, 0, len(known), 0, 0, 0), again))
    assert two.play.inbox.waiting >= two.config.positions, "so much has arrived that actors need not play"
    two.train(Budget(epochs=2))
    three = trainer(None)
    assert held(three.replay) == held(two.replay)
    three.train(Budget(epochs=3))
    assert [record["epoch"] for record in three.run.metrics()] == [1, 2, 3]
    assert three.records[1]["actors"] == 1
    assert "actors" not in three.records[2]
    assert two.tournament is not None
    assert three.tournament is not None
    assert two.tournament.ratings.keys() == {0, 1, 2}
    assert three.tournament.ratings.keys() == {0, 1, 2, 3}
    assert all(np.isfinite(record["policy_loss"]) for record in three.records[1:])


def test_actors_that_cannot_play(
    machines: Any, tmp_path: Path, hex3: lp.Game, layout: TensorLayout, net: PolicyValueNet, monkeypatch: Any
) -> None:
    class Refusing(SelfPlayActor):
        def step(self, version: int, box: list[Any]) -> Harvest:
            raise LudoportError("this cannot be played")

    trainer = Trainer(small(), tmp_path / "run", game=hex3, on=OnRay(actors=1))
    monkeypatch.setattr(cluster_crew, "SelfPlayActor", Refusing)
    with pytest.raises(LudoportError, match=r"^this cannot be played$"):
        trainer.train(Budget(epochs=1))
    monkeypatch.setattr(cluster_crew, "ATTEMPTS", 0)
    monkeypatch.setattr(cluster_crew, "SelfPlayActor", journal(tmp_path, {0: 0, 1: 0}))
    play = cluster_play(hex3, layout, net, OnRay(actors=1))
    with pytest.raises(LudoportError, match="2 actors died before they had played a step"), play.at_work():
        play.play(1)
    play = cluster_play(hex3, layout, net, OnRay(device="cuda"))
    with pytest.raises(LudoportError, match="Ray at local has no GPU; use --device cpu"), play.at_work():
        pass
    with pytest.raises(LudoportError, match="actors play inside"):
        play.play(1)


def test_bad_input(tmp_path: Path, hex3: lp.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    for address, problem in (
        ("127.0.0.1:1", "no Ray answers at 127.0.0.1:1"),
        ("ray://127.0.0.1:1", "no Ray answers at ray://127.0.0.1:1"),
        ("somewhere", "`somewhere` is not a Ray address"),
    ):
        with pytest.raises(LudoportError, match=problem):
            lp.train(hex3, epochs=1, out=tmp_path / "run", ray_address=address)
    assert not (tmp_path / "run").exists()
    with pytest.raises(LudoportError, match="the number of actors must be at least 1, not 0"):
        actors_on("local", 0, None)
    with pytest.raises(LudoportError, match="a number of actors needs the address of a Ray cluster, or `local`"):
        actors_on(None, 2, None)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(LudoportError, match=r"pip install 'ludoport\[ray\]'"):
        OnRay().check()
