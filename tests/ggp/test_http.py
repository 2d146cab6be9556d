from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.ggp.client import NoAnswerError, post
from ludoport.ggp.http import RefusedError, Server, ServerLimits
from tests.ggp.helping import answering, behaving

LIMITS = ServerLimits(body=100_000, headers=4096, header_seconds=0.5, body_seconds=0.5)


@asynccontextmanager
async def echo(limits: ServerLimits = LIMITS) -> AsyncIterator[int]:
    async def handler(text: str, arrived: float) -> str:
        assert arrived <= time.monotonic()
        if text == "fail":
            raise ZeroDivisionError
        if text == "refuse":
            raise RefusedError(400, "no")
        return text[::-1]

    server = Server(handler, limits)
    port = await server.listen("127.0.0.1", 0)
    try:
        yield port
    finally:
        await server.close()


async def raw(port: int, *parts: bytes, end: bool = False) -> bytes:
    """Send bytes, read everything that comes back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for part in parts:
            writer.write(part)
            await writer.drain()
        if end:
            writer.write_eof()
    except ConnectionError:
        pass
    try:
        return await asyncio.wait_for(reader.read(), 10)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def status(answer: bytes) -> int:
    return int(answer.split(b" ")[1])


def test_a_message_and_its_answer() -> None:
    async def run() -> None:
        async with echo() as port:
            assert await post("127.0.0.1", port, "( INFO )", seconds=5) == ") OFNI ("
            answer = await raw(port, b"POST / HTTP/1.0\r\nCONTENT-LENGTH: 3\r\n\r\nabc")
            assert answer.startswith(b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: 3\r\n")
            assert answer.endswith(b"\r\n\r\ncba")
            assert b"access-control" not in answer.lower()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("request_", "body"),
    [
        (b"GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: localhost\r\n\r\n", b") OFNI ("),
        (b"GET /%28+INFO+%29 HTTP/1.1\n\n", b") OFNI ("),
        (b"GET / HTTP/1.0\r\n\r\n", b") OFNI ("),
        (b"OPTIONS / HTTP/1.0\r\n\r\n", b""),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n", b"cba"),
        (b"\r\n\r\nPOST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nab", b"ba"),
        # Characters counted instead of bytes: two letters of two bytes each.
        ("POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\n(éé)".encode(), ")éé(".encode()),
        ("POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(éé)".encode(), ")éé(".encode()),
    ],
)
def test_requests_of_all_kinds(request_: bytes, body: bytes) -> None:
    async def run() -> None:
        async with echo() as port:
            answer = await raw(port, request_)
            assert status(answer) == 200
            assert answer.split(b"\r\n\r\n", 1)[1] == body

    asyncio.run(run())


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (b"hello\r\n\r\n", 400),
        (b"\x00\xff\xfe garbage in\r\n\r\n", 400),
        (b"PUT / HTTP/1.0\r\nContent-Length: 0\r\n\r\n", 405),
        (b"POST / HTTP/1.0\r\n\r\n", 411),
        (b"POST / HTTP/1.0\r\nContent-Length: many\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: -5\r\n\r\n", 400),
        (b"POST / HTTP/1.0\r\nContent-Length: 100001\r\n\r\n", 413),
        (b"POST / HTTP/1.0\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\n", 413),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", 413),
        (b"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST / HTTP/1.0\r\n" + b"X: y\r\n" * 1000 + b"\r\n", 431),
        (b"POST / HTTP/1.0\r\nX: " + b"y" * 10_000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.0\r\nContent-Length: 4\r\n\r\nfail", 500),
        (b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\nrefuse", 400),
    ],
)
def test_bad_requests_are_answered_and_the_server_goes_on(request_: bytes, expected: int) -> None:
    async def run() -> None:
        async with echo() as port:
            assert status(await raw(port, request_, end=True)) == expected
            assert await post("127.0.0.1", port, "ab", seconds=5) == "ba"

    asyncio.run(run())


def test_many_small_chunks() -> None:
    async def run() -> None:
        async with echo(ServerLimits(body_seconds=600)) as port:
            head = b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(head + b"1\r\na\r\n" * 100_000 + b"0\r\n\r\n")
            answer = await reader.read()
            writer.close()
            assert (status(answer), answer.count(b"a")) == (200, 100_000 + answer.split(b"\r\n\r\n")[0].count(b"a"))

    asyncio.run(run())


def test_slow_senders_are_let_go() -> None:
    async def run() -> None:
        async with echo() as port:
            begin = time.monotonic()
            answers = await asyncio.gather(
                raw(port, b"POST / HTTP/1.0\r\n"),
                raw(port, b"POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\nabc"),
                post("127.0.0.1", port, "ab", seconds=5),
            )
            assert [status(answer) for answer in answers[:2]] == [408, 408]  # type: ignore[arg-type]
            assert answers[2] == "ba"
            assert time.monotonic() - begin < 8

    asyncio.run(run())


def test_connections_over_the_limit_are_told_so() -> None:
    async def run() -> None:
        async with echo(ServerLimits(connections=2, header_seconds=3)) as port:
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            await asyncio.sleep(0.05)
            assert status(await raw(port, b"GET / HTTP/1.0\r\n\r\n", end=True)) == 503
            for _, writer in idle:
                writer.close()
            await asyncio.sleep(0.05)
            assert await post("127.0.0.1", port, "ab", seconds=5) == "ba"

    asyncio.run(run())


def test_two_hundred_megabytes_are_refused_early() -> None:
    async def run() -> None:
        async with echo() as port:
            head = b"POST / HTTP/1.0\r\nContent-Length: 200000000\r\n\r\n"
            chunk = b"x" * 1_000_000
            assert status(await raw(port, head, *[chunk] * 200)) == 413
            await raw(port, *[chunk] * 200)  # without any header; the answer may be lost
            assert await post("127.0.0.1", port, "ab", seconds=5) == "ba"

    asyncio.run(run())


@given(st.binary(max_size=300))
@settings(max_examples=30, deadline=None)
def test_any_bytes_are_survived(data: bytes) -> None:
    async def run() -> None:
        async with echo() as port:
            await raw(port, data, end=True)
            assert await post("127.0.0.1", port, "ab", seconds=5) == "ba"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (b"", "garbage"),
        (b"hello", "garbage"),
        (b"hello\r\n\r\nworld", "garbage"),
        (b"HTTP/1.0 500 No\r\nContent-length: 2\r\n\r\nno", "garbage"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 20\r\n\r\nshort", "garbage"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 2000000\r\n\r\n", "garbage"),
        (b"HTTP/1.0 200 OK\r\n\r\n" + b"x" * 1_100_000, "garbage"),
        (b"x" * 200_000, "garbage"),
        (answering("\x1b[2J"), "garbage"),
        (b"HTTP/1.0 4\x1b[2J No\r\nContent-length: 0\r\n\r\n", "garbage"),
    ],
)
def test_bad_answers_are_told_apart(answer: bytes, kind: str) -> None:
    async def behaviour(text: str, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)

    async def run() -> None:
        async with behaving(behaviour) as address:
            with pytest.raises(NoAnswerError) as caught:
                await post(address.host, address.port, "( INFO )", seconds=5)
            assert caught.value.kind == kind
            assert "\x1b" not in str(caught.value)

    asyncio.run(run())


def test_nobody_there_and_nobody_answering() -> None:
    async def silent(text: str, writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(5)

    async def run() -> None:
        async with behaving(silent) as address:
            with pytest.raises(NoAnswerError, match=r"within 0\.2 s") as late:
                await post(address.host, address.port, "( INFO )", seconds=0.2)
            assert late.value.kind == "late"
        with pytest.raises(NoAnswerError) as gone:
            await post("127.0.0.1", address.port, "( INFO )", seconds=2)
        assert gone.value.kind == "connection"

    asyncio.run(run())


def test_an_answer_that_ends_with_the_connection() -> None:
    async def behaviour(text: str, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.0 200 OK\r\n\r\nready")

    async def run() -> None:
        async with behaving(behaviour) as address:
            assert await post(address.host, address.port, "( INFO )", seconds=5) == "ready"

    asyncio.run(run())
