from __future__ import annotations

import asyncio
import json
import logging
import random
import time
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.gdl.kif import term_text
from ludoport.ggp.journal import Journal
from ludoport.ggp.kinds.learner import LearnerRole
from ludoport.ggp.knowledge import Knowledge
from ludoport.ggp.learning import Style
from ludoport.ggp.manager import find_sheet
from ludoport.ggp.match import Address
from ludoport.ggp.messages import Play, Stop, read_reply, write_message
from ludoport.ggp.positions import CompiledPosition, SheetPosition, compiled_game, initial, read_rules
from ludoport.ggp.role_player import role_player
from ludoport.ggp.settings import PlayerSettings
from ludoport.transfer.features_file import load_features
from tests.ggp.helping import COINS, RACE, serving, start, tell

TIC_TAC_TOE = find_sheet("tic-tac-toe").read_text()


def later() -> float:
    return time.monotonic() + 60


def known(text: str, folder: Path, role: int = 0) -> Knowledge:
    game = compiled_game(read_rules(text), jit=False)
    assert game is not None
    return Knowledge(game, role, Style(folder=folder, epsilon=0.0))


def race(*numbers: int) -> list[list[str]]:
    """The steps of a race in which the roles add these numbers in turn."""
    moves = [f"(ADD {number})" for number in numbers]
    return [[move, "NOOP"] if k % 2 == 0 else ["NOOP", move] for k, move in enumerate(moves)]


async def play_match(address: Address, match: str, first: SheetPosition, rng: random.Random) -> int:
    """One match of tic-tac-toe over the network against random moves; what the learner got."""
    assert await tell(address, start(match, "cross", TIC_TAC_TOE, 20, 20)) == "ready"
    position, last = first, None
    while not position.terminal:
        answer = term_text(read_reply(await tell(address, write_message(Play(match, last)))))
        moves = [answer, rng.choice(position.legal[1])]
        position = position.after(moves)
        last = tuple(read_reply(move) for move in moves)
    assert await tell(address, write_message(Stop(match, last))) == "done"
    goal = position.goals[0]
    assert goal is not None
    return goal


@pytest.mark.slow
def test_a_player_learns_over_the_network_and_over_restarts(tmp_path: Path) -> None:
    rules = read_rules(TIC_TAC_TOE)
    first = initial(rules, compiled_game(rules, jit=False))
    settings = PlayerSettings(player=f"learner:memory={tmp_path},alpha=0.6", jit=False, idle=30, seed=3)
    rng, goals = random.Random(1), list[int]()

    async def run() -> None:
        for times in range(2):
            async with serving(settings) as (_, address):
                for number in range(90):
                    goals.append(await play_match(address, f"m{times}.{number}", first, rng))

    asyncio.run(run())
    assert mean(goals[-60:]) > mean(goals[:40]) + 10, (mean(goals[:40]), mean(goals[-60:]))
    (memory,) = tmp_path.glob("*.npz")
    with np.load(memory) as file:
        header = json.loads(file["header"].tobytes())
        # The last match waits in the journal for the next start clock.
        assert header["matches"] == 179
        assert file["book"][1].sum() > 3 * 179
    (journal,) = tmp_path.glob("*.jsonl")
    assert len(journal.read_text().splitlines()) == 180
    (features,) = tmp_path.glob("*.json")
    assert len(load_features(features)) > 5


def test_values_follow_the_paper(tmp_path: Path) -> None:
    knows = known(RACE, tmp_path)
    knows.finished(race(1, 1, 2))
    assert knows.learn(later()) == 1
    game = knows.game
    first = game.start().play("(ADD 1)")
    # From 50: the last of the two afterstates learns of the reward, the first one a part of it.
    assert knows.learner.value(first) == pytest.approx(50 + 0.3 * 0.7 * 50)
    assert knows.learner.value(first.play("(ADD 1)").play("(ADD 2)")) == pytest.approx(50 + 0.3 * 50)
    assert [knows.learner.visited(x) for x in (first, first.play("(ADD 1)"))] == [1, 0]
    assert knows.choose(CompiledPosition(game, game.start().row), random.Random(0)) == "(ADD 1)"


def test_nothing_is_learned_twice_and_nothing_is_lost(tmp_path: Path) -> None:
    once, again = known(RACE, tmp_path), known(RACE, tmp_path)
    for numbers in ((1, 1, 2), (2, 2), (1, 2, 1)):
        once.finished(race(*numbers))
        assert once.learn(later()) == 1
        assert once.learn(later()) == 0
    # Another process with the same files learns from all of them.
    assert again.learn(later()) == 3
    restarted = known(RACE, tmp_path)
    assert restarted.matches == 3
    assert restarted.learn(later()) == 0
    for other in (again, restarted):
        assert other.learner.memory.values.tolist() == once.learner.memory.values.tolist()
        assert other.learner.memory.visits.tolist() == once.learner.memory.visits.tolist()
    state = once.game.start().play("(ADD 2)")
    assert restarted.learner.value(state) == once.learner.value(state) < 50


def test_learning_stops_when_the_time_is_up(tmp_path: Path) -> None:
    knows = known(RACE, tmp_path)
    for _ in range(3):
        knows.finished(race(2, 2))
    assert knows.learn(time.monotonic() - 1) == 1
    assert knows.learn(later()) == 2


@pytest.mark.parametrize("damage", ["garbage", "cut", "other rules", "pickle"])
def test_a_damaged_memory_is_learned_again(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str) -> None:
    knows = known(RACE, tmp_path)
    knows.finished(race(1, 1, 2))
    knows.learn(later())
    good = knows.path.read_bytes()
    if damage == "garbage":
        knows.path.write_bytes(b"\x00" * 300)
    elif damage == "cut":
        knows.path.write_bytes(good[: len(good) // 2])
    elif damage == "pickle":
        np.save(knows.path.open("wb"), np.array([{}], dtype=object), allow_pickle=True)
    else:
        other = known(RACE.replace("(init (AT 0))", "(init (AT 1))"), tmp_path)
        other.finished(race(1, 2))
        other.learn(later())
        other.path.replace(knows.path)
    with caplog.at_level(logging.WARNING):
        again = known(RACE, tmp_path)
    assert "the memory cannot be used and is learned again" in caplog.text
    assert again.learn(later()) == 1
    assert again.learner.memory.values.tolist() == knows.learner.memory.values.tolist()
    assert known(RACE, tmp_path).matches == 1


def test_damaged_lines_of_the_journal_are_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    journal = Journal(tmp_path / "j.jsonl", 2)
    assert list(journal.matches(0)) == []
    journal.add([["a", "b"]])
    with journal.path.open("a") as file:
        file.write('[["a"]]\n{]\n[["a", 5]]\n7\n[["unfinished')
    with caplog.at_level(logging.WARNING):
        assert [steps for steps, _ in journal.matches(0)] == [[["a", "b"]]]
    assert caplog.text.count("is damaged and left out") == 4
    journal.add([["c", "d"], ["e", "f"]])
    found = list(journal.matches(0))
    assert [steps for steps, _ in found] == [[["a", "b"]], [["c", "d"], ["e", "f"]]]
    assert found[-1][1] == journal.path.stat().st_size
    assert list(journal.matches(found[-1][1])) == []


def test_impossible_matches_teach_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    knows = known(RACE, tmp_path)
    knows.finished(race(1))
    knows.finished(race(1, 7))
    with caplog.at_level(logging.WARNING):
        assert knows.learn(later()) == 2
    assert "was not played to the end" in caplog.text
    assert "are not legal" in caplog.text
    assert len(knows.learner.memory) == 0


def test_a_folder_that_cannot_be_written(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    knows = known(RACE, tmp_path / "file")
    with caplog.at_level(logging.WARNING):
        knows.finished(race(1, 1, 2))
        assert knows.learn(later()) == 1
    assert "cannot write a match" in caplog.text
    assert "is not saved" in caplog.text
    assert knows.learner.value(knows.game.start().play("(ADD 1)")) > 50


def test_roles_that_choose_at_once_learn_what_their_own_choice_is_worth(tmp_path: Path) -> None:
    knows = known(COINS, tmp_path, role=1)
    same = [["(show heads)", "(show heads)"]] * 2
    knows.finished([*same, ["(show heads)", "(show tails)"]])
    knows.finished([*same, ["(show tails)", "(show tails)"]])
    knows.finished([*same, ["(show heads)", "(show tails)"]])
    assert knows.learn(later()) == 3
    position: SheetPosition = CompiledPosition(knows.game, knows.game.start().row)
    for moves in same:
        position = position.after(moves)
    assert isinstance(position, CompiledPosition)
    assert knows.choose(position, random.Random(0)) == "(show tails)"
    # Three choices in each match, and the two ends.
    assert sorted(knows.learner.memory.visits.tolist()) == [1, 2, 3, 3, 3]


def test_features_of_one_game_begin_another(tmp_path: Path) -> None:
    knows = known(RACE, tmp_path / "source")
    for numbers in ((1, 1, 2), (2, 2), (1, 2, 1)) * 5:
        knows.finished(race(*numbers))
    knows.learn(later())
    table = load_features(knows.features_path)
    assert {str(tree) for tree in table.features} == {"{L,N{W}}", "{N{W,n},N{W}}"}
    player = role_player(f"learner:memory={tmp_path / 'target'},features={knows.features_path},against=ggp")
    assert isinstance(player, LearnerRole)
    learner = player.style.learner(knows.game, 0)
    first = knows.game.start().play("(ADD 1)")
    learner.learn(first, [first.row])
    worth = {str(tree): worths["ggp"].value for tree, worths in table.features.items()}
    assert worth["{N{W,n},N{W}}"] > 50 > worth["{L,N{W}}"]
    assert learner.value(first) == pytest.approx(worth["{N{W,n},N{W}}"] + 0.3 * (50 - worth["{N{W,n},N{W}}"]))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("learner:start=nothing", "values cannot begin with `nothing`"),
        ("learner:start=features", "no features to start with"),
        ("learner:features=/nowhere/x.json", "cannot be read"),
        ("learner:alpha=2", "alpha must be above 0"),
        ("learner:depth=0", "depth must be at least 1"),
        ("learner:lambada=1", "did you mean `lambda`"),
    ],
)
def test_wrong_learners_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence):
        role_player(text)
