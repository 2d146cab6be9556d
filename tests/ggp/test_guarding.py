"""Protection from strangers: a web page can neither read, start nor stop anything, and nothing takes all the memory."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable

import pytest

from ludoport.ggp.http import ServerLimits
from ludoport.ggp.messages import MessageError, Start, read_message, write_message
from ludoport.ggp.player import GgpPlayer
from ludoport.ggp.playing import WorkerTask
from ludoport.ggp.room import usable_memory
from ludoport.ggp.settings import PlayerSettings
from tests.ggp.helping import COINS, RACE
from tests.ggp.test_http import status

SETTINGS = PlayerSettings("random", jit=False, games=1, limits=ServerLimits(hosts=("player.example.org",)))
START = write_message(Start("m", "left", COINS, 30, 5))


def playing(test: Callable[[GgpPlayer, int], Awaitable[None]], settings: PlayerSettings = SETTINGS) -> None:
    async def run() -> None:
        player = GgpPlayer(settings)
        port = await player.listen()
        try:
            await test(player, port)
        finally:
            await player.close()

    asyncio.run(run())


async def raw(port: int, data: bytes) -> bytes:
    """Send bytes, read everything that comes back; START is answered when the game is ready, which may take a while."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(data)
        return await asyncio.wait_for(reader.read(), 120)
    finally:
        writer.close()


def post(text: str, *headers: str) -> bytes:
    body = text.encode()
    return "\r\n".join(["POST / HTTP/1.0", *headers, f"Content-Length: {len(body)}", "", ""]).encode() + body


GGP_BASE = ("Accept: text/delim", "Host: localhost", "Sender: GAMESERVER", "Receiver: P0", "Content-Type: text/acl")
"""Exactly what the manager of ggp-base sends."""

CLIENTS = {
    "ggp-base": GGP_BASE,
    "Dresden": ("Content-type: text/acl",),
    "by address": ("Host: 127.0.0.1:9147", "Content-Type: text/acl"),
    "by an address of version 6": ("Host: [::1]:9147",),
    "curl": ("Host: localhost:9147", "User-Agent: curl/8.5.0", "Content-Type: application/x-www-form-urlencoded"),
    "Java": ("Host: 192.168.1.7:9147", "User-Agent: Java/17.0.1", "Accept: text/html, image/gif, *; q=.2"),
    "an allowed name": ("Host: Player.Example.org:9147",),
}

PAGES = {
    "fetch": ("Host: localhost:9147", "Origin: https://evil.example", "Content-Type: text/plain"),
    "a sandboxed frame": ("Host: localhost:9147", "Origin: null"),
    "another port": ("Host: localhost:9147", "Origin: http://localhost:8000"),
    "a form": ("Host: localhost:9147", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"),
    "the same site": ("Host: localhost:9147", "Sec-Fetch-Site: same-site"),
    "an old browser": ("Host: localhost:9147", "Referer: http://evil.example/", "Content-Type: text/plain"),
    "an old browser without referer": ("Host: localhost:9147", "User-Agent: Mozilla/5.0 (X11)"),
    "rebinding": ("Host: evil.example:9147", "Content-Type: text/acl"),
    "rebinding with the port of an address": ("Host: evil.example:127001",),
    "a name like an address": ("Host: 127.0.0.1.evil.example",),
    "a name like localhost": ("Host: localhost.evil.example",),
    "an address with a zone": ("Host: 127.0.0.1%evil.example",),
    "two names": ("Host: evil.example", "Host: localhost"),
}


@pytest.mark.slow
@pytest.mark.parametrize("headers", CLIENTS.values(), ids=CLIENTS)
def test_real_clients_still_work(headers: tuple[str, ...]) -> None:
    async def test(player: GgpPlayer, port: int) -> None:
        assert status(await raw(port, post("( INFO )", *headers))) == 200
        assert (await raw(port, post(START, *headers))).endswith(b"\r\n\r\nready")
        assert list(player.matches) == ["m"]
        answer = await raw(port, post("( PLAY m NIL )", *headers))
        assert answer.endswith((b"( show heads )", b"( show tails )"))
        assert (await raw(port, post("( ABORT m )", *headers))).endswith(b"aborted")
        assert not player.matches

    playing(test)


@pytest.mark.slow
@pytest.mark.parametrize("headers", PAGES.values(), ids=PAGES)
def test_a_page_can_do_nothing(headers: tuple[str, ...]) -> None:
    async def test(player: GgpPlayer, port: int) -> None:
        answer = await raw(port, post(START, *headers))
        assert status(answer) == 403
        assert not player.matches
        assert not player.rooms
        assert (await raw(port, post(START, *GGP_BASE))).endswith(b"ready")
        for message in ("( ABORT m )", "( STOP m NIL )", "( PLAY m NIL )"):
            assert status(await raw(port, post(message, *headers))) == 403
        answer = await raw(port, post("( INFO )", *headers))
        assert status(answer) == 403
        assert b"name" not in answer.split(b"\r\n\r\n")[1]
        assert list(player.matches) == ["m"]

    playing(test)


def test_nothing_is_done_by_get() -> None:
    """Pictures and links of a page are asked for with GET, by old browsers without any sign."""

    async def test(player: GgpPlayer, port: int) -> None:
        assert (await raw(port, post(START, *GGP_BASE))).endswith(b"ready")
        for message in ("%28ABORT+m%29", "%28%20STOP%20m%20NIL%20%29", "( ABORT m )"):
            answer = await raw(port, f"GET /{message} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            assert status(answer) == 405
        assert list(player.matches) == ["m"]
        typed = "Host: localhost\r\nUser-Agent: Mozilla/5.0\r\nSec-Fetch-Site: none\r\n\r\n"
        assert b"status available" in await raw(port, f"GET /%28+INFO+%29 HTTP/1.1\r\n{typed}".encode())
        assert status(await raw(port, f"GET / HTTP/1.1\r\n{typed}".encode())) == 200

    playing(test)


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_no_answer_can_be_read_by_a_page(method: str) -> None:
    async def test(player: GgpPlayer, port: int) -> None:
        del player
        asked = f"{method} / HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nContent-Length: 0\r\n\r\n"
        answer = await raw(port, asked.encode())
        assert status(answer) == 403
        assert b"access-control" not in answer.lower()

    playing(test)


@pytest.mark.parametrize("clock", ["-1", "1e9", "inf", "nan", "3601", "9" * 5000, "(1)", "x"])
def test_clocks_beyond_bounds_are_refused(clock: str) -> None:
    for text in (f"( START m left ({COINS}) {clock} 5 )", f"( START m left ({COINS}) 5 {clock} )"):
        with pytest.raises(MessageError, match="a clock is a number of seconds from 0 to 3,600, not"):
            read_message(text)


LONG_MESSAGE = """
import resource
from ludoport.ggp.messages import digest, read_message
rules = "(a) " * 2_000_000
text = f"( START m left ({rules}) 5 5 )"
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
message = read_message(text)
digest(message.rules)
print(message.rules == rules, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
"""Kilobytes that a message takes; a process of its own, because the peak of this one may lie far above."""


@pytest.mark.slow
def test_a_long_message_takes_little_memory() -> None:
    """Eight megabytes of rules are kept as text, whatever they say."""
    answer = subprocess.run([sys.executable, "-c", LONG_MESSAGE], capture_output=True, text=True, check=True).stdout
    kept, kilobytes = answer.split()
    assert kept == "True"
    assert int(kilobytes) < 40_000


@pytest.mark.parametrize(
    "text", ["( START m\x1b[2J left ((role left)) 5 5 )", "( PLAY m\x07 NIL )", "( ABORT \x9b2Jm )"]
)
def test_nothing_that_a_terminal_would_obey_is_logged(text: str, caplog: pytest.LogCaptureFixture) -> None:
    async def test(player: GgpPlayer, port: int) -> None:
        assert status(await raw(port, post(text, *GGP_BASE))) == 400
        assert not player.matches
        assert caplog.messages == ["refused a request: a message has control characters"]

    playing(test)


@pytest.mark.parametrize("text", ["( PLAY m (" + "a " * 100_000 + ") )", "( ABORT (" + "a " * 100_000 + ") )"])
def test_long_terms_are_refused(text: str) -> None:
    with pytest.raises(MessageError, match="longer than 100,000 characters"):
        read_message(text)


@pytest.mark.slow
def test_games_have_a_limit_and_a_share_of_the_memory() -> None:
    async def test(player: GgpPlayer, port: int) -> None:
        assert (await raw(port, post(START, *GGP_BASE))).endswith(b"ready")
        other = write_message(Start("n", "A", RACE, 5, 5))
        assert (await raw(port, post(other, *GGP_BASE))).endswith(b"busy"), "one game at once"
        again = write_message(Start("o", "right", COINS, 30, 5))
        assert (await raw(port, post(again, *GGP_BASE))).endswith(b"ready"), "several matches of it"
        assert len(player.rooms) == 1
        (room,) = player.rooms.values()
        assert isinstance(room.task, WorkerTask)
        assert 0 < room.task.memory <= usable_memory() * 4 // 5 // 3
        for name in ("m", "o"):
            await raw(port, post(f"( ABORT {name} )", *GGP_BASE))
        assert (await raw(port, post(other, *GGP_BASE))).endswith(b"ready")

    playing(test)
