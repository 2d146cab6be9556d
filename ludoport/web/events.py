"""One stream of server-sent events a page, which listens to several topics."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

MOST_STREAMS = 40
MOST_TOPICS = 12
MOST_WAITING = 200
"""Events that wait for a slow reader; a stream with more is ended, and the page begins again."""

BEAT = 10.0
"""Seconds after which a silent stream says that it is there."""


class Listener:
    """The events that one page has not been sent."""

    def __init__(self, topics: frozenset[str]) -> None:
        self.topics = topics
        self.waiting: dict[tuple[str, str, int], str] = {}
        self.woken = asyncio.Event()
        self.number = 0
        self.lost = False

    def put(self, topic: str, kind: str, text: str, latest: bool) -> None:
        """Add an event; with ``latest`` it replaces one of its kind that still waits."""
        if self.lost:
            return  # its reader may never read again
        self.number += 1
        key = (topic, kind, 0 if latest else self.number)
        self.waiting.pop(key, None)
        self.waiting[key] = text
        if len(self.waiting) > MOST_WAITING:
            self.lost = True
            self.waiting.clear()
        self.woken.set()


class Hub:
    """Passes events on to the pages that listen."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self.left: list[Callable[[str], None]] = []
        """Called with a topic when the last page that listened to it is gone."""

    def publish(self, topic: str, kind: str, data: Any, latest: bool = False) -> None:
        """Send an event to all pages that listen to its topic; call it in the server's thread.

        Args:
            topic: such as ``table:abc``.
            kind: the name of the event.
            data: anything that JSON can hold; a page gets it with ``topic`` beside it.
            latest: whether only the newest event of this kind matters.
        """
        text = ""
        for listener in self._listeners:
            if topic in listener.topics:
                text = text or f"event: {kind}\ndata: {json.dumps({'topic': topic, 'data': data})}\n\n"
                listener.put(topic, kind, text, latest)

    def listening(self, topic: str) -> bool:
        """Whether a page listens to a topic."""
        return any(topic in listener.topics for listener in self._listeners)

    @property
    def full(self) -> bool:
        """Whether there are as many streams as there may be."""
        return len(self._listeners) >= MOST_STREAMS

    async def stream(self, topics: frozenset[str]) -> AsyncIterator[str]:
        """The events of some topics, until the page is gone."""
        listener = Listener(topics)
        self._listeners.add(listener)
        try:
            yield "retry: 500\n\n"
            while not listener.lost:
                try:
                    await asyncio.wait_for(listener.woken.wait(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                listener.woken.clear()
                texts = list(listener.waiting.values())
                listener.waiting.clear()
                yield "".join(texts)
        finally:
            self._listeners.discard(listener)
            for topic in topics:
                if not self.listening(topic):
                    for call in self.left:
                        call(topic)


async def events(request: Request) -> Response:
    """``GET /api/events?topic=...``: the stream of a page."""
    hub: Hub = request.app.state.desk.hub
    topics = request.query_params.getlist("topic")
    if not 1 <= len(topics) <= MOST_TOPICS or max(map(len, topics)) > 200:
        return JSONResponse({"error": f"a stream has 1 to {MOST_TOPICS} topics"}, status_code=400)
    if hub.full:
        return JSONResponse({"error": f"{MOST_STREAMS} pages are open; close some"}, status_code=429)
    return StreamingResponse(hub.stream(frozenset(topics)), media_type="text/event-stream")


routes = [Route("/api/events", events)]
