from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from ludoport.errors import LudoportError
from ludoport.gdl.kif import term_text
from ludoport.ggp.client import NoAnswerError
from ludoport.ggp.match import Address
from ludoport.ggp.messages import Play, Stop, read_info, read_reply, write_message
from ludoport.ggp.player import IDLE_GAMES, GgpPlayer
from ludoport.ggp.positions import initial, read_rules
from ludoport.ggp.settings import PlayerSettings, margin
from tests.ggp.helping import COINS, PLAIN, RACE, VAST, crash, serving, slow_compile, start, tell


async def play_all(address: Address, match: str, rules: str, role: int, seed: int = 1) -> None:
    """Play a match to its end as a manager would, and insist on legal moves."""
    position = initial(read_rules(rules))
    rng = random.Random(seed)
    last = None
    while not position.terminal:
        answer = term_text(read_reply(await tell(address, write_message(Play(match, last)))))
        assert answer in position.legal[role]
        moves = [rng.choice(legal) for legal in position.legal]
        moves[role] = answer
        position = position.after(moves)
        last = tuple(read_reply(move) for move in moves)
    assert await tell(address, write_message(Stop(match, last))) == "done"


def test_a_match_from_beginning_to_end() -> None:
    async def run() -> None:
        async with serving() as (player, address):
            info = read_info(await tell(address, "( INFO )"))
            assert info == {"name": "Ludoport_random", "status": "available"}
            assert await tell(address, start("m1", "B", RACE)) == "ready"
            assert list(player.matches) == ["m1"]
            await play_all(address, "m1", RACE, 1)
            assert not player.matches

    asyncio.run(run())


def test_moves_are_spelled_as_in_the_rules() -> None:
    text = (
        "(ROLE ME) (INIT P) (LEGAL ME (INPUT X)) (<= (NEXT Q) (DOES ME (INPUT X))) (<= TERMINAL (TRUE Q)) (GOAL ME 1)"
    )

    async def run() -> None:
        async with serving() as (_, address):
            assert await tell(address, start("M", "ME", text)) == "ready"
            assert await tell(address, "( PLAY M NIL )") == "( INPUT X )"

    asyncio.run(run())


@pytest.mark.slow
def test_several_matches_at_once_and_no_more_than_allowed() -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, matches=3)) as (player, address):
            games = [("a", COINS, "left"), ("b", COINS, "right"), ("c", RACE, "A")]
            answers = await asyncio.gather(*(tell(address, start(name, role, text)) for name, text, role in games))
            assert answers == ["ready"] * 3
            assert len(player.rooms) == 2
            assert read_info(await tell(address, "( INFO )"))["status"] == "busy"
            assert await tell(address, start("d", "A", RACE)) == "busy"
            assert await tell(address, f"( PREVIEW ({RACE}) 5 )") == "busy"
            await asyncio.gather(
                play_all(address, "a", COINS, 0), play_all(address, "b", COINS, 1), play_all(address, "c", RACE, 0)
            )
            assert read_info(await tell(address, "( INFO )"))["status"] == "available"

    asyncio.run(run())


def test_two_starts_of_one_match_at_once() -> None:
    async def run() -> None:
        async with serving() as (player, address):
            same = start("m", "A", RACE)
            assert await asyncio.gather(tell(address, same), tell(address, same)) == ["ready", "ready"]
            assert await tell(address, start("m", "B", RACE)) == "busy"
            assert len(player.matches) == 1
            await play_all(address, "m", RACE, 0)

    asyncio.run(run())


@pytest.mark.parametrize("message", ["( PLAY other NIL )", "( STOP other NIL )", "( ABORT other )"])
def test_messages_for_unknown_matches(message: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with serving() as (_, address):
            assert await tell(address, message) == "busy"

    asyncio.run(run())
    assert "unknown" in caplog.text


def test_abort_ends_a_match_even_while_it_is_thinking() -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, player="uct")) as (player, address):
            await tell(address, start("m", "A", RACE, 8, 30), 20)
            thinking = asyncio.ensure_future(tell(address, "( PLAY m NIL )", 40))
            await asyncio.sleep(0.3)
            begin = time.monotonic()
            assert await tell(address, "( ABORT m )") == "aborted"
            assert await thinking in ("( ADD 1 )", "( ADD 2 )")
            assert time.monotonic() - begin < 5
            assert not player.matches

    asyncio.run(run())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "complaint"),
    [
        ("", "empty"),
        ("role a", "empty"),
        ("(role a) (legal a m) (goal a 0) (<= terminal (true ?x) (not (p ?y)))", "in no positive condition"),
        ("(role a) (legal a m) (<= (p ?x) (q ?y)) (q 1)", "in no positive condition"),
        ("(role a) (legal a m) (<= p (not q)) (<= q (not p))", "own negation"),
        ("(role a) (legal a m) (n 0) (<= (n (s ?x)) (n ?x))", ""),
        ("(role b) (legal b m) (goal b 0) terminal", "no role `a`"),
        ("(legal a m)", "no `role`"),
        ("(role a)" * 3, "no rule for `legal`"),
    ],
)
def test_rules_that_cannot_be_played(rules: str, complaint: str, caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with serving() as (player, address):
            text = f"( START m a ({rules} ) 5 5 )"
            assert await tell(address, text) == "busy"
            assert await tell(address, "( PLAY m NIL )") == "busy"
            assert not player.matches
            assert await tell(address, start("n", "A", RACE)) == "ready"

    asyncio.run(run())
    assert complaint in caplog.text


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "hello",
        "( START )",
        "((((",
        "( PLAY m",
        "( START m a ((role a) (legal a ) 5 5 )",
        "( FLY m )",
        "\x00\x01",
        "é" * 5000,
    ],
)
def test_garbage_is_refused_and_the_player_goes_on(garbage: str) -> None:
    async def run() -> None:
        async with serving() as (_, address):
            with pytest.raises(NoAnswerError, match="status 400"):
                await tell(address, garbage)
            assert read_info(await tell(address, "( INFO )"))["status"] == "available"

    asyncio.run(run())


@pytest.mark.slow
def test_two_hundred_megabytes_do_not_disturb_a_match() -> None:
    async def flood(address: Address) -> None:
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            writer.write(b"POST / HTTP/1.0\r\nContent-Length: 200000000\r\n\r\n")
            for _ in range(200):
                writer.write(b"(" * 1_000_000)
                await writer.drain()
            assert b" 413 " in await reader.read(100)
        except ConnectionError:
            pass
        finally:
            writer.close()

    async def run() -> None:
        async with serving() as (_, address):
            assert await tell(address, start("m", "A", RACE)) == "ready"
            await asyncio.gather(flood(address), flood(address), play_all(address, "m", RACE, 0))

    asyncio.run(run())


@pytest.mark.slow
def test_a_silent_manager_is_given_up(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, expire=0.2)) as (player, address):
            assert await tell(address, start("m", "A", RACE, 1, 0.2)) == "ready"
            for _ in range(100):
                await asyncio.sleep(0.1)
                if not player.matches and not player.rooms:
                    break
            assert not player.matches
            assert not player.rooms
            assert await tell(address, "( PLAY m NIL )") == "busy"

    asyncio.run(run())
    assert "disappeared" in caplog.text


@pytest.mark.slow
def test_a_game_that_is_not_compiled_yet_is_played_legally(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoport.ggp.room.compile_rules", slow_compile)

    async def run() -> None:
        async with serving(replace(PLAIN, player="uct")) as (player, address):
            assert await tell(address, start("m", "A", RACE, 1, 1)) == "ready"
            (room,) = player.rooms.values()
            assert await tell(address, "( PLAY m NIL )") in ("( ADD 1 )", "( ADD 2 )")
            assert room.engine == "interpreter"
            for _ in range(150):
                await asyncio.sleep(0.1)
                if room.engine == "network":
                    break
            assert room.engine == "network"
            # 0 + 1, then the other adds 1: now 2 wins.
            await tell(address, "( PLAY m (( ADD 1 ) NOOP ) )")
            assert await tell(address, "( PLAY m (NOOP ( ADD 1 ) ) )") == "( ADD 2 )"

    asyncio.run(run())


def test_a_game_that_cannot_be_compiled_is_played_legally() -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, player="uct", compile_seconds=1.0)) as (player, address):
            assert await tell(address, start("m", "solo", VAST, 1, 1)) == "ready"
            await play_all(address, "m", VAST, 0)
            (room,) = player.rooms.values()
            assert room.engine == "interpreter"

    asyncio.run(run())


@pytest.mark.slow
def test_a_worker_that_dies_takes_only_its_matches_along(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with serving() as (_, address):
            assert await tell(address, start("good", "A", RACE)) == "ready"
            with monkeypatch.context() as patch:
                patch.setattr("ludoport.ggp.room.serve", crash)
                assert await tell(address, start("bad", "left", COINS)) == "busy"
            assert await tell(address, "( PLAY bad NIL )") == "busy"
            await play_all(address, "good", RACE, 0)
            assert await tell(address, start("again", "left", COINS)) == "ready"

    asyncio.run(run())


COUNT = """
(role solo) (init (at 0)) (after 0 1) (after 1 2) (after 2 3) (after 3 4)
(<= (legal solo (say ?n)) (true (at ?n))) (<= (next (at ?m)) (true (at ?n)) (after ?n ?m))
(<= terminal (true (at 4))) (goal solo 100)
"""


def test_another_process_takes_over_from_one_that_died_during_a_match(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with serving() as (player, address):
            assert await tell(address, start("m", "solo", COUNT, 10, 10)) == "ready"
            assert await tell(address, "( PLAY m NIL )") == "( say 0 )"
            assert await tell(address, "( PLAY m (( say 0 )) )") == "( say 1 )"
            (room,) = player.rooms.values()
            for process in room._processes:
                process.kill()
            while not room.dead:
                await asyncio.sleep(0.01)
            assert await tell(address, "( PLAY m (( say 1 )) )") == "( say 2 )"
            assert await tell(address, "( PLAY m (( say 2 )) )") == "( say 3 )"
            assert await tell(address, "( STOP m (( say 3 )) )") == "done"

    asyncio.run(run())
    assert "has ended" in caplog.text


def test_moves_that_cannot_be_are_ignored(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        async with serving() as (_, address):
            await tell(address, start("m", "A", RACE))
            legal = ("( ADD 1 )", "( ADD 2 )")
            assert await tell(address, "( PLAY m (( ADD 7 ) NOOP ) )") in legal
            assert await tell(address, "( PLAY m (( ADD 1 )) )") in legal
            assert await tell(address, "( PLAY m (( ADD 1 ) NOOP ) )") == "NOOP"

    asyncio.run(run())


def test_a_preview_prepares_the_game() -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, idle=20)) as (player, address):
            assert await tell(address, f"( PREVIEW ({RACE}) 5 )") == "ready"
            assert len(player.rooms) == 1
            assert await tell(address, start("m", "A", RACE)) == "ready"
            assert len(player.rooms) == 1

    asyncio.run(run())


def test_only_a_few_idle_games_are_kept() -> None:
    async def run() -> None:
        async with serving(replace(PLAIN, idle=60)) as (player, address):
            assert await tell(address, start("m", "A", RACE)) == "ready"
            for number in range(7):
                assert await tell(address, f"( PREVIEW ({COINS} (fact {number})) 5 )") == "ready"
            assert len(player.rooms) == 1 + IDLE_GAMES
            await play_all(address, "m", RACE, 0)

    asyncio.run(run())


def test_every_clock_leaves_some_time() -> None:
    for clock in (0.0, 0.1, 1.0, 5.0, 60.0, 1000.0):
        assert 0 <= margin(clock) <= 0.5 * clock
        assert margin(clock, lag=1e9) <= 0.7 * clock


def test_a_wrong_agent_is_refused_at_once(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        with pytest.raises(LudoportError, match="unknown player"):
            GgpPlayer(PlayerSettings(player="nobody"))

    asyncio.run(run())


def test_a_port_that_is_taken_is_one_sentence() -> None:
    async def run() -> None:
        async with serving() as (_, address):
            with pytest.raises(LudoportError, match="cannot listen"):
                await GgpPlayer(PLAIN).listen("127.0.0.1", address.port)

    asyncio.run(run())


@pytest.fixture(autouse=True)
def _logged(caplog: pytest.LogCaptureFixture) -> Callable[[], None] | None:
    caplog.set_level(logging.INFO, "ludoport.ggp")
    return None
