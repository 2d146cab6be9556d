"""The size at which a board is refused before it eats the memory."""

from __future__ import annotations

from ludoport.errors import LudoportError

MAX_SITES = 20_000


def check_size(count: int) -> None:
    """Refuse a board of more than `MAX_SITES` sites of one kind.

    Raises:
        LudoportError: if there would be too many.
    """
    if count > MAX_SITES:
        raise LudoportError(f"a board of {count:,} sites is too large; at most {MAX_SITES:,} are supported")
