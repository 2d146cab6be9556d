"""Matches are the same whoever plays them, lose nothing, and go on where they stopped."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sqlite3
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.arena.match import match
from ludoport.arena.players import player
from ludoport.arena.playing import PlayedGame, derived, pairing, play_game
from ludoport.arena.result import MatchResult
from ludoport.arena.sprt import Sprt
from ludoport.arena.statistics import WinLoss
from ludoport.arena.storage import FORMAT, MatchStore
from tests.arena.fakes import Fake


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


def stored(path: Path, number: int = 1) -> list[PlayedGame]:
    with MatchStore(path) as store:
        return list(store.games(number))


def essence(games: list[PlayedGame]) -> list[tuple[object, ...]]:
    """All of a game but how long it took."""
    return [(g.pairing, g.outcome, g.utilities, g.finished, g.moves) for g in games]


def test_sides_and_seeds() -> None:
    pairs = [pairing(5, number) for number in range(6)]
    assert [pair.first for pair in pairs] == list("ababab")
    assert len({pair.seed for pair in pairs}) == 6
    assert [pair.start_seed for pair in pairs[::2]] == [pair.start_seed for pair in pairs[1::2]]
    assert pairing(6, 0).seed != pairs[0].seed
    assert derived(1, "game", 2) == derived(1, "game", 2) < 2**63


def test_every_game_is_kept_and_can_be_replayed(game: lp.Game, tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    result = match("uct:20", "random", game, 10, seed=3, workers=1, store=path)
    games = stored(path)
    assert [g.pairing for g in games] == [pairing(3, number) for number in range(10)]
    record = WinLoss()
    for g in games:
        state = game.start(seed=g.pairing.start_seed)
        for move in g.moves:
            state = state.play(move)
        assert state.over
        ours, theirs = state.seat_utilities if g.pairing.first == "a" else state.seat_utilities[::-1]
        assert g.utilities == (ours, theirs)
        record += WinLoss(int(ours > theirs), int(ours == theirs), int(ours < theirs))
    assert result.record == record
    assert result.first.games == result.second.games == 5
    assert result.record.score > 0.6
    with MatchStore(path) as store:
        (row,) = store.matches()
    assert (row["a"], row["b"], row["game"], row["seed"]) == ("uct:20", "random", "Tic-Tac-Toe", 3)
    assert row["fingerprint"] == game.rules.fingerprint


@pytest.mark.slow
def test_swapped_colours_do_not_change_who_won() -> None:
    """In Hex a player who swaps keeps the result."""
    hex3 = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    result = match("minimax:exact", "random", hex3, 4, workers=1)
    assert result.second == WinLoss(wins=2)  # with the swap rule, whoever comes second can win


@pytest.mark.slow
def test_workers_play_the_same_games(game: lp.Game, tmp_path: Path) -> None:
    results = [
        match("uct:15", "minimax:2,playouts=1", game, 12, seed=8, workers=n, store=tmp_path / f"{n}.sqlite")
        for n in (1, 2)
    ]
    assert essence(stored(tmp_path / "1.sqlite")) == essence(stored(tmp_path / "2.sqlite"))
    assert results[0].record == results[1].record
    other = match("uct:15", "minimax:2,playouts=1", game, 12, seed=9, workers=1, store=tmp_path / "1.sqlite")
    assert other.record.games == 12
    assert essence(stored(tmp_path / "1.sqlite", 2)) != essence(stored(tmp_path / "1.sqlite", 1))


class Stop:
    """Interrupts this process as Ctrl-C does once so many games have ended, or kills all workers."""

    def __init__(self, after: int, kill: bool = False) -> None:
        self.after, self.kill, self.seen = after, kill, list[MatchResult]()

    def __call__(self, result: MatchResult) -> None:
        self.seen.append(result)
        if result.record.games == self.after:
            if self.kill:
                for child in multiprocessing.active_children():
                    assert child.pid is not None
                    os.kill(child.pid, signal.SIGKILL)
            else:
                os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_match_goes_on(game: lp.Game, tmp_path: Path, workers: int) -> None:
    path = tmp_path / "m.sqlite"
    with pytest.raises(KeyboardInterrupt):
        match("random", "uct:10", game, 12, workers=workers, store=path, progress=Stop(after=5))
    assert not multiprocessing.active_children()
    before = stored(path)
    assert len(before) == 5
    watch = Stop(after=-1)
    result = match("random", "uct:10", game, 12, workers=1, store=path, progress=watch)
    assert [r.record.games for r in watch.seen] == list(range(5, 13))
    assert result.complete
    assert result.record.games == 12
    after = stored(path)
    assert {g.pairing.number for g in after} == set(range(12))
    assert all(g in after for g in before), "what was played is not played again"
    again = Stop(after=-1)
    assert match("random", "uct:10", game, 12, store=path, progress=again).record == result.record
    assert len(again.seen) == 1, "nothing is left to be played"
    assert match("random", "uct:10", game, 4, store=path).record.games == 4


@pytest.mark.slow
def test_killed_workers_lose_nothing(game: lp.Game, tmp_path: Path) -> None:
    killed, undisturbed = tmp_path / "killed.sqlite", tmp_path / "undisturbed.sqlite"
    match("uct:30", "random", game, 10, workers=2, store=killed, progress=Stop(after=3, kill=True))
    match("uct:30", "random", game, 10, workers=1, store=undisturbed)
    assert essence(stored(killed)) == essence(stored(undisturbed))


@pytest.mark.slow
def test_a_worker_that_dies_is_replaced(game: lp.Game, tmp_path: Path) -> None:
    once = Fake("dies once", tmp_path / "died")
    assert match(once, Fake(), game, 4, workers=2).record.games == 4
    assert (tmp_path / "died").exists()
    with pytest.raises(lp.LudoportError, match=r"stopped at game 0: 3 processes died .* exit code 7"):
        match(Fake("dies"), Fake(), game, 1, workers=2)


@pytest.mark.slow
def test_what_goes_wrong_in_a_worker_is_told(game: lp.Game) -> None:
    for workers in (1, 2):
        with pytest.raises(lp.LudoportError, match="player fake: `nonsense` is not a legal move here"):
            match(Fake("cheats"), Fake(), game, 2, workers=workers)
    with pytest.raises(RuntimeError, match="ZeroDivisionError: broken"):
        match(Fake("breaks"), Fake(), game, 2, workers=2)


@pytest.mark.slow
def test_one_object_may_play_itself(game: lp.Game) -> None:
    same = player("minimax:3")
    alone = match(same, same, game, 4, workers=1, seed=2)
    two = match("minimax:3", "minimax:3", game, 4, workers=1, seed=2)
    assert (alone.record, alone.moves) == (two.record, two.moves)


def test_long_games_are_drawn(game: lp.Game, tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    result = match("random", "random", game, 6, workers=1, limit=3, store=path)
    assert result.record == WinLoss(draws=6)
    assert result.unfinished == 6
    assert "6 games drawn after 3 moves" in str(result)
    assert all(not g.finished and len(g.moves) == 3 for g in stored(path))
    assert match("random", "random", game, 6, workers=1, store=path).unfinished == 0, "another limit, another match"


@pytest.mark.slow
def test_sprt_stops_at_the_same_game(game: lp.Game, tmp_path: Path) -> None:
    test = Sprt(0, 150)
    results = [
        match("uct:30", "random", game, 60, workers=n, sprt=test, store=tmp_path / f"{n}.sqlite") for n in (1, 2)
    ]
    assert results[0].verdict == results[1].verdict == "accepted"
    assert results[0].record == results[1].record
    assert results[0].record.games < 60
    assert results[0].record.games % 2 == 0
    assert results[0].as_json()["sprt"]["llr"] >= test.bounds[1]
    resumed = match("uct:30", "random", game, 60, workers=1, sprt=test, store=tmp_path / "2.sqlite")
    assert resumed.record == results[0].record
    shorter = match("uct:30", "random", game, 2, workers=1, sprt=test)
    assert (shorter.verdict, shorter.complete) == ("running", True)


def test_the_answer(game: lp.Game) -> None:
    result = match("minimax:4", "random", game, 4, workers=1)
    answer = result.as_json()
    assert answer["wins"] + answer["draws"] == answer["games"] == answer["wanted"] == 4
    assert answer["losses"] == 0
    assert answer["sprt"] is None
    text = str(result)
    for part in ("minimax:4 against random", "score", "Elo", "two-sided", "one-sided"):
        assert part in text


def test_wrong_calls(game: lp.Game, tmp_path: Path) -> None:
    for keywords, sentence in (
        ({"games": 0}, "number of games"),
        ({"workers": 0}, "workers"),
        ({"limit": 0}, "limit"),
        ({"seed": -1}, "seed"),
        ({"store": tmp_path / "none" / "m.sqlite"}, "does not exist"),
    ):
        with pytest.raises(lp.LudoportError, match=sentence):
            match("random", "random", game, **keywords)
    with pytest.raises(lp.LudoportError, match="one game at a time"):
        match("human", "random", game, workers=2)
    path = tmp_path / "three.lud"
    path.write_text(
        '(game "Three" (players 3) (equipment {(board (square 3)) (piece "Disc" Each)})'
        " (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"
    )
    with pytest.raises(lp.LudoportError, match="Three has 3 players, and 2 were given"):
        match("random", "random", lp.load(path, jit=False))


def test_other_files_are_refused(game: lp.Game, tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all, but long enough to be looked at " * 20)
    foreign = tmp_path / "foreign.sqlite"
    newer = tmp_path / "newer.sqlite"
    with sqlite3.connect(foreign) as base:
        base.execute("CREATE TABLE other (x)")
    before = foreign.read_bytes()
    match("random", "random", game, 2, workers=1, store=newer)
    with sqlite3.connect(newer) as base:
        base.execute(f"PRAGMA user_version = {FORMAT + 1}")
    for path, sentence in ((text, "not a database"), (foreign, "but not of matches"), (newer, "newer Ludoport")):
        with pytest.raises(lp.LudoportError, match=sentence):
            match("random", "random", game, 2, store=path)
    assert foreign.read_bytes() == before
    assert text.read_text().startswith("no database")


def test_one_game_alone(game: lp.Game) -> None:
    played = play_game(game, Fake(), Fake(), pairing(1, 1))
    assert "".join(played.moves) == "08765432"  # b begins, so 6, 4 and 2 are a's
    assert (played.outcome, played.utilities, played.finished) == ("win", (1.0, -1.0), True)
