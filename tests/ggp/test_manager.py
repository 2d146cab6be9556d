from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.ggp.manager import Series, find_sheet, load_sheet, manage, roles_to_fill
from ludoport.ggp.match import Address, Match, address
from ludoport.ggp.positions import Interpreted, compiled_game, initial, read_rules
from ludoport.ggp.record import MatchRecord, read_record, standings, write_record
from ludoport.ggp.terms import Terms
from tests.ggp.helping import COINS, DIE, ENDLESS, RACE, Behaviour, answering, behaving, serving

FAST = Terms(startclock=2.0, playclock=0.6, grace=0.1, limit=50)


async def one_match(
    text: str, *players: Address, terms: Terms = FAST, seed: int = 1, compiled: bool = True
) -> MatchRecord:
    rules = read_rules(text)
    game = compiled_game(rules, jit=False) if compiled else None
    return await Match("m", rules, players, terms, seed, game).play()


def replayed(record: MatchRecord, text: str) -> list[int | None]:
    """The goals of a record's moves, which must all be legal."""
    position = initial(read_rules(text))
    for step in record.steps:
        assert step.state == position.facts()
        assert all(move in legal for move, legal in zip(step.moves, position.legal, strict=True))
        position = position.after(step.moves)
    assert record.final == position.facts()
    return position.goals


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("text", [RACE, COINS])
def test_a_match_between_two_players(text: str, compiled: bool) -> None:
    async def run() -> None:
        async with serving() as (first, one), serving() as (second, two):
            record = await one_match(text, one, two, compiled=compiled, terms=Terms(5, 5))
            assert record.ended == "terminal"
            assert record.engine == ("network" if compiled else "interpreter")
            assert record.mistakes() == []
            assert record.start_mistakes == []
            assert record.goals == replayed(record, text)
            assert sorted(goal or 0 for goal in record.goals) == [0, 100]
            assert [player and player["name"] for player in record.players] == ["Ludoport_random"] * 2
            assert 0 < record.longest() < 5
            # Both players were told that the match is over.
            assert not first.matches
            assert not second.matches

    asyncio.run(run())


def well_behaved(move: str) -> Behaviour:
    """A player that always gives the same answer to PLAY."""

    async def behaviour(text: str, writer: asyncio.StreamWriter) -> None:
        word = text.split()[1]
        answers = {"START": "ready", "STOP": "done", "ABORT": "aborted", "INFO": "((name fake)(status available))"}
        writer.write(answering(answers.get(word, move)))

    return behaviour


async def hanging(text: str, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(10)


async def crashing(text: str, writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def broken(text: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"\xff\xfe\x00" * 1000)


async def endless(text: str, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.0 200 OK\r\n\r\n")
    while True:
        writer.write(b"x" * 100_000)
        await writer.drain()


async def dripping(text: str, writer: asyncio.StreamWriter) -> None:
    for byte in answering("( show heads )") * 20:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behaviour", "kinds"),
    [
        (hanging, {"late"}),
        (dripping, {"late"}),
        (crashing, {"connection", "garbage"}),
        (broken, {"garbage"}),
        (endless, {"garbage"}),
        (well_behaved("((("), {"garbage"}),
        (well_behaved(""), {"garbage"}),
        (well_behaved("(show heads) (show tails)"), {"garbage"}),
        (well_behaved("( show edge )"), {"illegal"}),
        (well_behaved("nil"), {"illegal"}),
    ],
)
def test_bad_players_hold_up_nobody(behaviour: Behaviour, kinds: set[str]) -> None:
    terms = Terms(startclock=0.3, playclock=0.3, grace=0.05)

    async def run() -> None:
        async with behaving(behaviour) as bad, behaving(well_behaved("( SHOW heads )")) as good:
            begin = time.monotonic()
            record = await one_match(COINS, bad, good, terms=terms)
            assert time.monotonic() - begin < 6
            assert record.ended == "terminal"
            assert record.goals == replayed(record, COINS)
            assert [mistake.role for mistake in record.mistakes()] == ["left"] * 3
            assert {mistake.kind for mistake in record.mistakes()} <= kinds
            assert all(mistake.detail for mistake in record.mistakes() if mistake.kind != "illegal")
            assert all(step.moves[1] == "(show heads)" for step in record.steps)

    asyncio.run(run())


def test_nobody_at_home() -> None:
    async def run() -> None:
        async with behaving(well_behaved("x")) as gone:
            pass
        record = await one_match(RACE, gone, gone)
        assert record.ended == "terminal"
        assert {mistake.kind for mistake in record.start_mistakes} == {"connection"}
        assert len(record.mistakes()) == 2 * len(record.steps)
        assert record.players[0] == {"address": str(gone), "name": "PLAYER"}

    asyncio.run(run())


def test_replacements_follow_from_the_seed() -> None:
    async def run() -> None:
        async with behaving(well_behaved("nil")) as bad:
            games = [[s.moves for s in (await one_match(COINS, bad, bad, seed=seed)).steps] for seed in (1, 1, 2, 3)]
            assert games[0] == games[1]
            assert games[2] != games[0] or games[3] != games[0]

    asyncio.run(run())


def test_a_refused_start_is_recorded() -> None:
    async def busy(text: str, writer: asyncio.StreamWriter) -> None:
        writer.write(answering("busy"))

    async def run() -> None:
        async with behaving(busy) as address:
            record = await one_match(COINS, address, address)
            assert [(m.kind, m.detail) for m in record.start_mistakes] == [("refused", "busy")] * 2

    asyncio.run(run())


def test_games_that_never_end_are_stopped() -> None:
    told: list[str] = []

    async def listening(text: str, writer: asyncio.StreamWriter) -> None:
        told.append(text)
        await well_behaved("wait")(text, writer)

    async def run() -> None:
        async with behaving(listening) as player:
            record = await one_match(ENDLESS, player, terms=Terms(1, 1, limit=7))
            assert record.ended == "limit"
            assert len(record.steps) == 7
            assert record.mistakes() == []
            assert told[-1] == "( ABORT m )"

    asyncio.run(run())


def test_a_role_without_moves_ends_the_match() -> None:
    text = "(role a) (init p) (<= (legal a go) (true p)) (next q) (<= terminal (true r)) (goal a 50)"

    async def run() -> None:
        async with behaving(well_behaved("go")) as player:
            record = await one_match(text, player)
            assert (record.ended, len(record.steps)) == ("stuck", 1)

    asyncio.run(run())


def test_the_manager_plays_chance_itself() -> None:
    async def run() -> None:
        async with behaving(well_behaved("wait")) as player:
            assert roles_to_fill(read_rules(DIE)) == ["solo"]
            rolls = {(await one_match(DIE, player, seed=seed)).steps[0].moves[0] for seed in range(12)}
            assert rolls == {"(roll 1)", "(roll 2)", "(roll 3)"}
            record = await one_match(DIE, player)
            assert record.players[0] is None
            assert record.steps[0].seconds[0] is None

    asyncio.run(run())


def test_positions_that_take_for_ever_end_only_their_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(position: Interpreted, moves: object) -> Interpreted:
        time.sleep(1)
        return position

    monkeypatch.setattr(Interpreted, "after", slow)

    async def run() -> None:
        async with behaving(well_behaved("( show heads )")) as player:
            record = await one_match(COINS, player, player, terms=Terms(1, 1, compute=0.2), compiled=False)
            assert record.ended == "failed"
            assert record.seconds < 1

    asyncio.run(run())


def test_many_matches_at_once(tmp_path: Path) -> None:
    async def run() -> None:
        async with serving() as (_, one), behaving(well_behaved("nil")) as two:
            plan = Series([one, two], Terms(5, 5), matches=12, parallel=6, folder=tmp_path / "records")
            told: list[MatchRecord] = []
            records = await manage(read_rules(RACE), plan, compiled_game(read_rules(RACE), jit=False), told.append)
            assert [record.ended for record in records] == ["terminal"] * 12
            assert sorted(record.match for record in told) == sorted(record.match for record in records)
            assert len({record.match for record in records}) == 12
            # Seats change from match to match.
            assert [player and player["address"] for player in records[1].players] == [str(two), str(one)]
            table = {row["player"]: row for row in standings(records)}
            good, bad = table[f"Ludoport_random at {one}"], table[f"fake at {two}"]
            assert (good["matches"], good["mistakes"]) == (12, 0)
            assert bad["mistakes"] == sum(len(record.steps) for record in records)
            assert good["mean_goal"] + bad["mean_goal"] == 100
            assert len(list((tmp_path / "records").glob("*.json"))) == 12
            for record in records:
                assert read_record(tmp_path / "records" / f"{record.match}.json") == record

    asyncio.run(run())


def test_records_are_read_as_they_were_written(tmp_path: Path) -> None:
    async def run() -> MatchRecord:
        async with behaving(well_behaved("nil")) as player:
            return await one_match(COINS, player, player, terms=Terms(1, 1, states=False))

    record = asyncio.run(run())
    path = write_record(tmp_path, record)
    assert read_record(path) == record
    assert [path] == list(tmp_path.iterdir())
    assert isinstance(record.final, str)
    assert len(record.final) == 12
    data = json.loads(path.read_text())
    for wrong in ("{}", "no json", "[1]", json.dumps(data | {"format": 99}), json.dumps(data | {"steps": 5})):
        path.write_text(wrong)
        with pytest.raises(LudoportError):
            read_record(path)


def test_an_interrupted_match_is_aborted() -> None:
    told: list[str] = []

    async def listening(text: str, writer: asyncio.StreamWriter) -> None:
        told.append(text.split()[1])
        if "PLAY" in text:
            await asyncio.sleep(5)
        await well_behaved("nil")(text, writer)

    async def run() -> None:
        async with behaving(listening) as player:
            task = asyncio.ensure_future(one_match(COINS, player, player, terms=Terms(1, 10)))
            while "PLAY" not in told:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(run())
    assert told.count("ABORT") == 2


def test_what_is_asked_must_make_sense() -> None:
    rules = read_rules(RACE)
    with pytest.raises(LudoportError, match=r"needs 2 player\(s\), not 1"):
        Match("m", rules, [Address("127.0.0.1", 1)], FAST, 1)
    with pytest.raises(LudoportError, match="playclock must be positive"):
        Terms(playclock=0)
    with pytest.raises(LudoportError, match="grace"):
        Terms(grace=-1)
    with pytest.raises(LudoportError, match="limit"):
        Terms(limit=0)
    with pytest.raises(LudoportError, match="at least 1"):
        Series([], matches=0)
    for wrong in ("", "here", ":80", "host:", "host:0", "host:99999", "host:²"):
        with pytest.raises(LudoportError, match="not the address of a player"):
            address(wrong)
    assert address("http://localhost:9147/") == Address("localhost", 9147)
    with pytest.raises(LudoportError, match="unknown rulesheet"):
        find_sheet("no such game")


def test_rulesheets_from_a_path(tmp_path: Path) -> None:
    (tmp_path / "Race.kif").write_text(RACE)
    rules, game = load_sheet(str(tmp_path / "Race.kif"), jit=False)
    assert rules.name == "Race"
    assert game is not None
    assert load_sheet(str(tmp_path / "Race.kif"), compiled=False)[1] is None
