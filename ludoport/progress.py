"""Progress of long work: a live view in a terminal or a notebook, silence elsewhere."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from typing import TYPE_CHECKING, Any, Literal, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType

Show = Callable[["RenderableType"], None]

REST = 0.2
"""Seconds between two pictures in a notebook."""


def place(stream: TextIO | None = None) -> Literal["notebook", "terminal"] | None:
    """The place of a live view; None if the output is a file or a pipe."""
    if _kernel() is not None:
        return "notebook"
    return "terminal" if (stream or sys.stderr).isatty() else None


def _kernel() -> Any:
    """The running notebook kernel, None outside of notebooks."""
    found = sys.modules.get("IPython")
    shell = found.get_ipython() if found is not None else None
    return getattr(shell, "kernel", None)


@contextmanager
def live(wanted: bool | None = None, *, stream: TextIO | None = None, keep: bool = False) -> Iterator[Show]:
    """A view that is replaced whenever something new is shown.

    Args:
        wanted: show it; default: where it can be seen, in a terminal or a notebook.
        stream: the terminal's stream; default: standard error.
        keep: leave the last picture; otherwise it disappears in the end.
    """
    where = place(stream) or ("terminal" if wanted else None)
    if where is None or wanted is False:
        yield lambda shown: None
    elif where == "notebook":
        with _notebook(keep) as show:
            yield show
    else:
        with _terminal(stream or sys.stderr, keep) as show:
            yield show


@contextmanager
def _terminal(stream: TextIO, keep: bool) -> Iterator[Show]:
    from rich.console import Console
    from rich.live import Live

    transient = not keep and stream.isatty()

    with Live(console=Console(file=stream, highlight=False), transient=transient, auto_refresh=False) as view:
        yield lambda shown: view.update(shown, refresh=True)


@contextmanager
def _notebook(keep: bool) -> Iterator[Show]:
    # Rich's own views need ipywidgets in a notebook; a display that is updated needs nothing.
    from IPython.display import HTML, display

    handle = display(HTML(""), display_id=True)
    latest: list[RenderableType] = []
    drawn = 0.0

    def show(shown: RenderableType) -> None:
        nonlocal drawn
        latest[:] = [shown]
        if time.monotonic() - drawn >= REST:
            drawn = time.monotonic()
            handle.update(HTML(as_html(shown)))

    try:
        yield show
    finally:
        handle.update(HTML(as_html(latest[0]) if keep and latest else ""))


def as_html(shown: RenderableType, width: int = 120) -> str:
    """Terminal output as HTML."""
    from rich.console import Console

    text = io.StringIO()
    # In a notebook, Rich would display what is printed here as well, and kernels ask for the colours of terminals.
    Console(file=text, width=width, force_terminal=False, force_jupyter=False, highlight=False).print(shown)
    lines = "\n".join(line.rstrip() for line in text.getvalue().splitlines())
    return f"<pre style='line-height: 1.2'>{escape(lines)}</pre>"


def bar(done: int, total: int, width: int = 20) -> str:
    """A bar that fills up.

    Example:
        >>> bar(3, 4, width=8)
        '██████░░'
    """
    full = width if total <= 0 else round(width * min(1.0, done / total))
    return "█" * full + "░" * (width - full)
