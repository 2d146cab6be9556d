"""Combinations of ludemes that the compiler did not foresee end in a sentence that names one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from ludoport.errors import LudoportError, UnsupportedError
from ludoport.lud.tree import Ludeme

UNFORESEEN = (ArithmeticError, AssertionError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)
"""Errors that say nothing to a person who wrote a game."""


@contextmanager
def explained(root: Ludeme) -> Iterator[None]:
    """Turn errors of the compiler itself into a refusal that names the ludeme it was working at."""
    try:
        yield
    except LudoportError:
        raise
    except UNFORESEEN as error:
        node = _innermost(error.__traceback__) or root
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        raise UnsupportedError(
            f"`{node.keyword}` is not implemented in this combination with others ({reason})", node.source
        ) from error


def _innermost(traceback: TracebackType | None) -> Ludeme | None:
    """The ludeme that the innermost function with one was working at."""
    found: Ludeme | None = None
    while traceback is not None:
        node = traceback.tb_frame.f_locals.get("node")
        found = node if isinstance(node, Ludeme) else found
        traceback = traceback.tb_next
    return found
