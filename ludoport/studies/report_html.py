"""A report as one HTML page that needs nothing else: pictures and styles are inside."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from ludoport.studies.report_blocks import Block, Code, Heading, Items, Picture, Rows, Text
from ludoport.studies.report_draw import blend
from ludoport.studies.report_entries import Entry
from ludoport.studies.report_tables import TransferTable

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 64rem; margin: 2rem auto;
       padding: 0 1rem; }
h1, h2, h3 { line-height: 1.2; margin: 2rem 0 0.6rem; }
h1 { margin-top: 0; }
nav { font-size: 0.9rem; margin: 1rem 0; }
nav a { margin-right: 1rem; white-space: nowrap; }
a { color: #0b5a94; }
.wide { overflow-x: auto; margin: 0.8rem 0; }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
th, td { border: 1px solid #ccc; padding: 0.25rem 0.5rem; text-align: right; white-space: nowrap; }
th { background: #f4f4f4; }
th.word, td.word { text-align: left; font-weight: normal; }
thead th, thead th.word { font-weight: 600; }
table.transfer td { text-align: center; min-width: 5.2rem; line-height: 1.25; color: #000; }
table.transfer thead th { text-align: center; }
table.transfer td.none { background: #ddd; }
table.transfer td.missing { color: #777; font-size: 0.75rem; }
table.transfer b { font-size: 1rem; }
table.transfer small { display: block; font-size: 0.7rem; }
figure { margin: 1rem 0 1.5rem; }
figure img { max-width: 100%; height: auto; }
figcaption { font-size: 0.85rem; color: #444; max-width: 48rem; }
code { background: #f2f2f2; padding: 0 0.2rem; border-radius: 3px; }
pre { background: #f2f2f2; padding: 0.6rem 0.8rem; overflow-x: auto; border-radius: 4px; }
"""


def to_html(blocks: Iterable[Block], folder: Path) -> str:
    """The page.

    Args:
        blocks: the parts of the report; the first is its title.
        folder: where the pictures lie.
    """
    listed = list(blocks)
    headings = [block for block in listed if isinstance(block, Heading)]
    title = headings[0].text if headings else "Report"
    body = []
    for number, block in enumerate(listed):
        body.append(_block(block, folder))
        if number == 0:
            body.append(_contents(headings))
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n" + "\n".join(body) + "\n</body>\n</html>\n"
    )


def _contents(headings: Iterable[Heading]) -> str:
    links = (f'<a href="#{_anchor(one.text)}">{escape(one.text)}</a>' for one in headings if one.level == 2)
    return f"<nav>{' '.join(links)}</nav>"


def _block(block: Block, folder: Path) -> str:
    match block:
        case Heading(text, level):
            return f'<h{level} id="{_anchor(text)}">{_inline(text)}</h{level}>'
        case Text(text):
            return f"<p>{_inline(text)}</p>"
        case Items(texts):
            return "<ul>" + "".join(f"<li>{_inline(text)}</li>" for text in texts) + "</ul>"
        case Rows():
            return _rows(block)
        case Picture():
            return _picture(block, folder)
        case Code(text):
            return f"<pre>{escape(text)}</pre>"
        case TransferTable():
            return _transfer(block)


def _rows(rows: Rows) -> str:
    def line(cells: tuple[str, ...], tag: str) -> str:
        classes = (' class="word"' if k < rows.words else "" for k in range(len(cells)))
        inside = (f"<{tag}{c}>{_inline(text)}</{tag}>" for c, text in zip(classes, cells, strict=True))
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(line(row, "td") for row in rows.rows)
    return f'<div class="wide"><table><thead>{line(rows.head, "th")}</thead><tbody>{body}</tbody></table></div>'


def _picture(picture: Picture, folder: Path) -> str:
    # A picture of its own, not a part of the page: the names inside of two SVGs may be the same.
    content = (folder / picture.path).with_suffix(".svg").read_bytes()
    source = f"data:image/svg+xml;base64,{base64.b64encode(content).decode()}"
    caption = _inline(picture.caption)
    name = escape(picture.caption.split(":")[0].split(".")[0], quote=True)
    return f'<figure><img alt="{name}" src="{source}"><figcaption>{caption}</figcaption></figure>'


def _transfer(table: TransferTable) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.order.columns)
    lines = []
    for source in table.order.rows:
        cells = "".join(_cell(table, source, target) for target in table.order.columns)
        lines.append(f'<tr><th class="word">{escape(source)}</th>{cells}</tr>')
    return (
        f'<div class="wide"><table class="transfer"><thead><tr><th class="word">source \\ target</th>{head}</tr>'
        f"</thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def _cell(table: TransferTable, source: str, target: str) -> str:
    entry, printed = table.at(source, target), table.published_at(source, target)
    if entry is None and not table.is_pair(source, target):
        return '<td class="none"></td>'
    below = "" if printed is None else f"<small><i>published {printed:.1f}</i></small>"
    if entry is None:
        return f'<td class="missing">not played{below}</td>'
    low, high = entry.interval
    mark = f" {entry.mark.replace('-', '−')}" if entry.mark else ""
    said = f"<b>{entry.percentage:.1f}</b>{mark}<small>{low:.1f} to {high:.1f}</small>{below}"
    tip = escape(details(entry), quote=True)
    return f'<td style="background:{blend(entry.percentage)}" title="{tip}">{said}</td>'


def details(entry: Entry) -> str:
    """All that is known about a cell, in one line."""
    parts = [entry.name, f"{entry.games} games"]
    if entry.record is not None:
        parts.append(str(entry.record))
    parts.append(f"p = {entry.p:.3g}, after Holm {entry.p_holm:.3g}")
    if entry.epochs is not None:
        parts.append(f"epochs {entry.epochs[0]} and {entry.epochs[1]}")
    if entry.job:
        parts.append(f"job {entry.job}")
    return "; ".join(parts)


def _inline(text: str) -> str:
    """Plain text with code in backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
