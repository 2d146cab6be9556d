"""Connections on which no request arrives, or one too slowly, are closed: others need their places."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE = 10.0
"""Seconds after which a connection is looked at again; a request that has not arrived by the next time is late."""


class PatientProtocol(H11Protocol):
    """HTTP that waits for a request, but not for ever; answers may take as long as they like."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait."""
        super().connection_made(transport)
        self._look(None, first=True)

    def _look(self, before: Any, first: bool = False) -> None:
        """Close the connection if it waits for the same request as the last time."""
        if self.transport.is_closing():
            return
        cycle = self.cycle
        waiting = cycle is None or cycle.response_complete or cycle.more_body
        if waiting and cycle is before and not first:
            self.transport.close()
        else:
            self.loop.call_later(PATIENCE, self._look, cycle)
