"""Records of games in the formats of other programs and in a text of our own."""

from __future__ import annotations

from ludoport.bridges.records.convert import FORMATS, format_of, read, write
from ludoport.bridges.records.record import Record

__all__ = ["FORMATS", "Record", "format_of", "read", "write"]
