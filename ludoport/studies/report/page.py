"""The files of a report: one page with everything, the same as Markdown, and all numbers as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.studies.report.blocks import Block, to_markdown
from ludoport.studies.report.html import to_html

REPORT = "report"
"""The folder of a report inside that of its study."""

RESULTS = "results.json"
"""The file of a report that holds all its numbers."""


def write_page(blocks: Iterable[Block], folder: Path, results: Mapping[str, Any]) -> Path:
    """Write ``report.html``, ``report.md`` and ``results.json`` into a folder; returns the HTML page.

    Args:
        blocks: the parts of the report; the first is its title.
        folder: that of the report; its pictures are there already.
        results: all numbers of the report.
    """
    folder.mkdir(parents=True, exist_ok=True)
    # A folder may come from a stranger: a link there is replaced, what it leads to stays as it is.
    listed = list(blocks)
    text = json.dumps(_plain(results), indent=1, ensure_ascii=False)
    write_atomically(folder / RESULTS, text + "\n", sync=False)
    write_atomically(folder / "report.md", to_markdown(listed), sync=False)
    page = folder / "report.html"
    write_atomically(page, to_html(listed, folder), sync=False)
    return page


def has_matplotlib() -> bool:
    """Whether figures can be drawn."""
    return find_spec("matplotlib") is not None


def require_matplotlib() -> None:
    """Refuse figures where nothing can draw them."""
    if not has_matplotlib():
        raise LudoportError('figures need matplotlib: pip install "ludoport[plots]", or use --no-plots')


def _plain(value: Any) -> Any:
    """The same without NaN, which JSON does not have, and with numbers of sensible length."""
    if isinstance(value, Mapping):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.6g}")
    return value
