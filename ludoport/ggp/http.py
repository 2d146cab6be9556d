"""Just enough HTTP for the protocol: one message per connection, with limits for everything that a stranger sends."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import time
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import unquote

from ludoport.errors import LudoportError

log = logging.getLogger(__name__)

# No header allows pages of other origins to read an answer; see ``refuse_pages``.
_ANSWER_HEADERS = (
    "Content-type: text/acl",
    "X-Content-Type-Options: nosniff",
    "Cache-Control: no-store",
    "Connection: close",
)
_REASONS = {
    200: "OK", 400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 408: "Request Timeout",
    411: "Length Required", 413: "Content Too Large", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 503: "Service Unavailable",
}  # fmt: skip


@dataclass(frozen=True)
class ServerLimits:
    """Limits of a server.

    Attributes:
        body: most bytes of a message.
        headers: most bytes of all headers, the first line among them.
        header_seconds: time limit of the headers.
        body_seconds: time limit of the body.
        connections: most connections at once; further ones are told to come later.
        hosts: names by which requests may call this machine, beside its own name and addresses.
    """

    body: int = 8_000_000
    headers: int = 65_536
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    connections: int = 512
    hosts: tuple[str, ...] = ()


Handler = Callable[[str, float], Awaitable[str]]
"""Answers a message; also gets when it arrived, by ``time.monotonic``."""


class RefusedError(LudoportError):
    """A request that is answered with a status other than 200, or a handler's wish for that."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Server:
    """Answers messages of the protocol.

    Args:
        handler: answers one message.
        limits: limits of requests.
    """

    def __init__(self, handler: Handler, limits: ServerLimits | None = None) -> None:
        self.handler, self.limits = handler, limits or ServerLimits()
        self._open = 0
        self._hosts = {"localhost", *(name.lower() for name in self.limits.hosts)}
        self._server: asyncio.Server | None = None

    async def listen(self, host: str, port: int) -> int:
        """Begin to listen; returns the port, which the system chooses if 0 was asked for."""
        self._hosts |= {host.lower(), socket.gethostname().lower(), socket.getfqdn().lower()}
        try:
            self._server = await asyncio.start_server(
                self._connected, host, port, limit=self.limits.headers, backlog=512
            )
        except OSError as error:
            raise LudoportError(f"cannot listen on {host}:{port}: {error.strerror}") from None
        return int(self._server.sockets[0].getsockname()[1])

    async def close(self) -> None:
        """Accept nothing more."""
        if self._server is not None:
            self._server.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived = time.monotonic()
        self._open += 1
        try:
            status, text = await self._exchange(reader, arrived)
            writer.write(answer_bytes(status, text))
            await asyncio.wait_for(writer.drain(), 10)
            if status != 200:
                await _let_go(reader, writer)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            log.info("a connection was lost: %s", error or type(error).__name__)
        except asyncio.CancelledError:
            log.info("a connection was left behind by the end of the server")
        finally:
            self._open -= 1
            writer.close()

    async def _exchange(self, reader: asyncio.StreamReader, arrived: float) -> tuple[int, str]:
        try:
            if self._open > self.limits.connections:
                raise RefusedError(503, "too many connections; try again later")
            message = await self._request(reader)
            return 200, "" if message is None else await self.handler(message, arrived)
        except RefusedError as error:
            log.warning("refused a request: %s", error)
            return error.status, str(error)
        except TimeoutError:
            log.warning("refused a request: it came too slowly")
            return 408, "the request came too slowly"
        except (OSError, asyncio.IncompleteReadError):
            raise
        except Exception:
            log.exception("a message could not be answered")
            return 500, "nil"

    async def _request(self, reader: asyncio.StreamReader) -> str | None:
        """The message of a request; None if only the options are asked for."""
        limits = self.limits
        head = await asyncio.wait_for(_head(reader, limits.headers), limits.header_seconds)
        first, headers = parse_head(head)
        parts = first.split(" ")
        if len(parts) < 2 or (len(parts) > 2 and not parts[-1].upper().startswith("HTTP/")):
            raise RefusedError(400, "this is not HTTP")
        method, target = parts[0].upper(), " ".join(parts[1:-1]) if len(parts) > 2 else parts[1]
        refuse_hosts(headers, self._hosts)
        refuse_pages(method, headers)
        if method == "OPTIONS":
            return None
        if method == "GET":
            text = unquote(target.removeprefix("/").removeprefix("?").replace("+", " ")).strip() or "( INFO )"
            if text.strip("() ").upper() != "INFO":
                raise RefusedError(405, "only INFO may be asked for with GET; send other messages with POST")
            return text
        if method != "POST":
            raise RefusedError(405, "messages are sent with POST or GET")
        return await asyncio.wait_for(_body(reader, headers, limits.body), limits.body_seconds)


def refuse_hosts(headers: dict[str, str], known: Collection[str]) -> None:
    """Refuse requests that call this machine by a name which is not its own.

    A page can let its name point here (DNS rebinding), and its browser then takes our answers for the page's. It cannot
    do that with an address. Managers that send no Host, as those of HTTP 1.0 may, are not browsers.
    """
    host = headers.get("host", "")
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host
    name = name.strip("[]").rstrip(".").lower()
    if name and name not in known and not _is_address(name):
        raise RefusedError(403, f"this player is not called {name[:80]!a}; start it with --allow-host {name[:80]!a}")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def refuse_pages(method: str, headers: dict[str, str]) -> None:
    """Refuse requests that a web page makes; managers and players are not browsers.

    Browsers tell by Origin (on every POST to another origin) and by Sec-Fetch-Site (on everything); old ones by Referer
    and by their name. A person may look at INFO by typing the address.
    """
    typed = method == "GET" and headers.get("sec-fetch-site", "none") == "none"
    browser = "mozilla/" in headers.get("user-agent", "").lower() or "sec-fetch-site" in headers
    if "origin" in headers or "referer" in headers or (browser and not typed):
        raise RefusedError(403, "web pages may not send messages to this player")


async def _head(reader: asyncio.StreamReader, most: int) -> bytes:
    """Everything up to the empty line; bare line feeds are accepted too."""
    lines: list[bytes] = []
    size = 0
    while True:
        try:
            line = await reader.readline()
        except ValueError:
            raise RefusedError(431, "the headers are too long") from None
        size += len(line)
        if size > most or len(lines) > 100:
            raise RefusedError(431, "the headers are too long")
        if not line:
            raise asyncio.IncompleteReadError(b"", None)
        if not line.strip(b"\r\n"):
            # Empty lines before a request are skipped, as HTTP wants it.
            if lines:
                return b"".join(lines)
            continue
        lines.append(line)


def parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    """The first line and the headers by their name in lower case; one that comes twice is a list."""
    lines = head.decode("latin-1").splitlines()
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        before = headers.get(name.strip().lower())
        headers[name.strip().lower()] = value.strip() if before is None else f"{before}, {value.strip()}"
    return lines[0].strip() if lines else "", headers


async def _body(reader: asyncio.StreamReader, headers: dict[str, str], most: int) -> str:
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return decoded(await _chunks(reader, most))
    length_text = headers.get("content-length", "")
    if not length_text:
        raise RefusedError(411, "the request has no Content-Length")
    if not (length_text.isascii() and length_text.isdigit()):
        raise RefusedError(400, "Content-Length is not a number")
    if len(length_text) > 12 or int(length_text) > most:
        raise RefusedError(413, f"a message may have at most {most} bytes")
    length = int(length_text)
    data = await reader.readexactly(length)
    # Some managers count characters: where a letter takes several bytes, the end of the text is still on its way.
    while (missing := length - _characters(data)) > 0 and data.count(b"(") > data.count(b")"):
        try:
            more = await asyncio.wait_for(reader.read(missing), 0.5)
        except TimeoutError:
            break
        if not more:
            break
        data += more
    return decoded(data)


def _characters(data: bytes) -> int:
    return len(data) if data.isascii() else len(data.decode("utf-8", "ignore"))


async def _chunks(reader: asyncio.StreamReader, most: int) -> bytes:
    data = bytearray()  # a million chunks of a byte take no square of the time
    while True:
        try:
            size = int((await reader.readline()).split(b";")[0].strip() or b"x", 16)
        except ValueError:
            raise RefusedError(400, "a chunk has no size") from None
        if size < 0 or len(data) + size > most:
            raise RefusedError(413, f"a message may have at most {most} bytes")
        if size == 0:
            return bytes(data)
        data += await reader.readexactly(size)
        await reader.readline()


def decoded(data: bytes) -> str:
    """Text from bytes: UTF-8, otherwise Latin-1."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


async def _let_go(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seconds: float = 2.0) -> None:
    """Throw away what is still coming for a moment; closing at once would take our answer from the other side."""
    with suppress(OSError, TimeoutError):
        if writer.can_write_eof():
            writer.write_eof()
        async with asyncio.timeout(seconds):
            while await reader.read(1 << 16):
                pass


def answer_bytes(status: int, text: str) -> bytes:
    """An answer of a player."""
    body = text.encode("utf-8")
    head = [f"HTTP/1.0 {status} {_REASONS.get(status, 'Error')}", *_ANSWER_HEADERS]
    head.insert(2, f"Content-length: {len(body)}")
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body
