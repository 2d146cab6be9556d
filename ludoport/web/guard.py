"""Checks of every request: Host, Origin, the secret of this start, sizes; and the headers of every answer.

Listening on loopback is no protection: any web page can make a browser send requests there. So a request counts only if
it names this server, comes from one of its own pages, and carries the cookie given for the printed address.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_200_000
"""Longest body of a request; no game file is longer."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass
class Secrets:
    """The secret of the address, which works once, and the values of the cookies it was exchanged for.

    Attributes:
        port: port of the server; part of the cookie's name, so that two servers do not disturb each other.
        announce: called with the next secret when one was used.
        token: the secret that works next.
    """

    port: int
    announce: Callable[[str], None] = lambda token: None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    sessions: set[str] = field(default_factory=set)

    @property
    def cookie(self) -> str:
        """The name of the cookie."""
        return f"ludoport-{self.port}"

    def exchange(self, token: str) -> str | None:
        """The value of a new cookie for the secret; None if that is not the one that works now."""
        if not hmac.compare_digest(token.encode(), self.token.encode()):
            return None
        session = secrets.token_urlsafe(32)
        self.sessions.add(session)
        self.token = secrets.token_urlsafe(32)
        self.announce(self.token)
        return session

    def knows(self, session: str) -> bool:
        """Whether a cookie was given out by this start of the server."""
        return any(hmac.compare_digest(session.encode(), known.encode()) for known in self.sessions)


class Guard:
    """Refuses requests that do not come from this server's own pages.

    Args:
        app: the app that answers the others.
        secrets: the secret and the cookies.
        hosts: names by which requests may call this server, without port.
    """

    def __init__(self, app: ASGIApp, secrets: Secrets, hosts: Collection[str] = LOOPBACK) -> None:
        self.app, self.secrets, self.hosts = app, secrets, frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nothing here speaks WebSocket
        answer = self._entrance(scope) or self._refusal(scope)
        if answer is not None:
            await answer(scope, receive, _with_headers(send))
            return
        await self.app(scope, _counted(receive), _with_headers(send))

    def _entrance(self, scope: Scope) -> Response | None:
        """The cookie for the secret of the address, and the same address without it."""
        given = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] != "GET" or "token" not in given or not self._host_known(Headers(scope=scope)):
            return None
        session = self.secrets.exchange(given.pop("token")[0])
        if session is None and not self._session_known(Headers(scope=scope)):
            return _refuse(403, "this address was used already; the terminal shows the next one")
        # A path that begins with two slashes would lead to another host.
        rest = "/" + scope["path"].lstrip("/") + (f"?{urlencode(given, doseq=True)}" if given else "")
        answer = RedirectResponse(rest, status_code=303)
        if session is not None:
            answer.set_cookie(self.secrets.cookie, session, httponly=True, samesite="strict", path="/")
        return answer

    def _refusal(self, scope: Scope) -> Response | None:
        headers, method = Headers(scope=scope), scope["method"]
        if not self._host_known(headers):
            name = _host(headers)[:80]
            return _refuse(403, f"this server is not called {name!a}; start it with --allow-host {name!a}")
        if method not in ("GET", "HEAD", "POST", "DELETE"):
            return _refuse(405, f"there is no {method[:20]}")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return _refuse(403, "this request comes from another site")
        if method not in ("GET", "HEAD"):
            if headers.get("origin") != f"{scope['scheme']}://{headers['host']}":
                return _refuse(403, "this request comes from another origin")
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return _refuse(415, "the content type must be application/json")
        if not self._session_known(headers):
            return _refuse(403, "open the address that the terminal shows; it carries the secret of this server")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return _refuse(413, f"at most {MOST_BYTES:,} bytes")
        return None

    def _host_known(self, headers: Headers) -> bool:
        return len(headers.getlist("host")) == 1 and _host(headers) in self.hosts

    def _session_known(self, headers: Headers) -> bool:
        return self.secrets.knows(cookie_parser(headers.get("cookie", "")).get(self.secrets.cookie, ""))


def _host(headers: Headers) -> str:
    """The name in the Host header, without the port."""
    host = headers.get("host", "").lower()
    name, colon, port = host.rpartition(":")
    return name if colon and port.isdecimal() else host


def _refuse(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status_code=status)


class TooLong(Exception):  # noqa: N818 (it ends a request, nothing is broken)
    """A body is longer than it said, or than any may be."""


def _counted(receive: Receive) -> Receive:
    """The body of a request, which may be sent in pieces without its length."""
    total = 0

    async def limited() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > MOST_BYTES:
            raise TooLong
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return sending
