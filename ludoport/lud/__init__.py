"""The ludemic language: from a ``.lud`` text to a checked tree.

>>> from ludoport.lud import read_text
>>> read_text('(game "Hex" (players 2))').name
'Hex'
"""

from __future__ import annotations

from ludoport.lud.printing import format_tree
from ludoport.lud.reading import read_again, read_file, read_text

__all__ = ["format_tree", "read_again", "read_file", "read_text"]
