"""The manager's side of HTTP: sends one message, and distinguishes the reasons for no answer."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from typing import Literal

from ludoport.errors import LudoportError
from ludoport.ggp.http import decoded, parse_head
from ludoport.source import has_controls


def request_bytes(host: str, receiver: str, text: str) -> bytes:
    """A message of a manager."""
    body = text.encode("utf-8")
    head = (
        "POST / HTTP/1.0",
        "Accept: text/delim",
        f"Host: {host}",
        "Sender: GAMESERVER",
        f"Receiver: {receiver}",
        "Content-Type: text/acl",
        f"Content-Length: {len(body)}",
    )
    return "\r\n".join([*head, "", ""]).encode("latin-1", "replace") + body


Failure = Literal["connection", "late", "garbage"]
"""Why there is no answer: no connection, none in time, or none that can be understood."""


class NoAnswerError(LudoportError):
    """A player did not answer as it should have."""

    def __init__(self, kind: Failure, message: str) -> None:
        super().__init__(message)
        self.kind: Failure = kind


MOST_ANSWER = 1_000_000
"""Bytes of an answer; honest ones are short."""


async def post(host: str, port: int, text: str, *, seconds: float, receiver: str = "PLAYER") -> str:
    """Send a message to a player and return the answer.

    Args:
        host: host of the player.
        port: port of the player.
        text: the message.
        seconds: time limit of the whole exchange.
        receiver: the player's name.
    """
    writer: asyncio.StreamWriter | None = None
    try:
        async with asyncio.timeout(seconds):
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(request_bytes(host, receiver, text))
            await writer.drain()
            return await _answer(reader)
    except TimeoutError:
        raise NoAnswerError("late", f"no answer within {seconds:g} s") from None
    except asyncio.IncompleteReadError:
        raise NoAnswerError("garbage", "the answer broke off") from None
    except OSError as error:
        raise NoAnswerError("connection", _reason(error)) from None
    finally:
        if writer is not None:
            writer.transport.abort()


async def require_listening(host: str, port: int, *, seconds: float = 5.0) -> None:
    """Refuses an address at which no player listens.

    Args:
        host: address of the player.
        port: port of the player.
        seconds: time limit for the connection.
    """
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, port)
    except TimeoutError:
        raise LudoportError(f"{host}:{port}: no connection within {seconds:g} s; is a player running there?") from None
    except OSError as error:
        start = f"start a player there with: ludoport ggp player --port {port}"
        raise LudoportError(f"{host}:{port}: {_reason(error).lower()}; {start}") from None
    writer.transport.abort()


def _reason(error: OSError) -> str:
    """Why there is no connection, in the words of the operating system."""
    # A host with several addresses gives one error without a number, whose text lists those of all addresses.
    if error.errno is None and f"[Errno {errno.ECONNREFUSED}]" in str(error):
        return os.strerror(errno.ECONNREFUSED)
    if error.errno is None or isinstance(error, socket.gaierror):
        return error.strerror or str(error) or type(error).__name__
    return os.strerror(error.errno)


async def _answer(reader: asyncio.StreamReader) -> str:
    try:
        head = await reader.readuntil(b"\n\r\n")
    except asyncio.IncompleteReadError as error:
        what = "it closed the connection without an answer" if not error.partial else "the answer is not HTTP"
        raise NoAnswerError("garbage", what) from None
    except asyncio.LimitOverrunError:
        raise NoAnswerError("garbage", "the answer has no end of headers") from None
    first, headers = parse_head(head)
    parts = first.split()
    if len(parts) < 2 or not parts[0].upper().startswith("HTTP/"):
        raise NoAnswerError("garbage", "the answer is not HTTP")
    length = headers.get("content-length", "")
    if length.isascii() and length.isdigit() and len(length) < 12:
        if int(length) > MOST_ANSWER:
            raise NoAnswerError("garbage", f"the answer has {length} bytes")
        body = await reader.readexactly(int(length))
    else:
        body = await _to_end(reader)
    text = decoded(body)
    if has_controls(first + text):
        raise NoAnswerError("garbage", "the answer has control characters")
    if parts[1] != "200":
        raise NoAnswerError("garbage", f"status {parts[1]}: {text[:200].strip()}")
    return text


async def _to_end(reader: asyncio.StreamReader) -> bytes:
    data = b""
    while part := await reader.read(65_536):
        data += part
        if len(data) > MOST_ANSWER:
            raise NoAnswerError("garbage", f"the answer has more than {MOST_ANSWER} bytes")
    return data
