"""Records of games in the formats of other programs and as plain text."""

from __future__ import annotations

from ludoport.bridges.records.convert import FORMATS, format_of, read, write
from ludoport.bridges.records.record import Record

__all__ = ["FORMATS", "Record", "format_of", "read", "write"]
