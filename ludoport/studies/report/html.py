"""A report as one HTML page that needs nothing else: pictures and styles are inside."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path

from ludoport.studies.report.blocks import Block, CommandLine, Heading, Items, Paragraph, Picture, Rows

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
        folder: folder of the pictures.
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
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Items(texts):
            return "<ul>" + "".join(f"<li>{_inline(text)}</li>" for text in texts) + "</ul>"
        case Rows():
            return _rows(block)
        case Picture():
            return _picture(block, folder)
        case CommandLine(text):
            return f"<pre>{escape(text)}</pre>"
        case _:
            return block.html()


def _rows(rows: Rows) -> str:
    def line(cells: tuple[str, ...], tag: str) -> str:
        classes = (' class="word"' if k < rows.words else "" for k in range(len(cells)))
        inside = (f"<{tag}{c}>{_inline(text)}</{tag}>" for c, text in zip(classes, cells, strict=True))
        return f"<tr>{''.join(inside)}</tr>"

    body = "".join(line(row, "td") for row in rows.rows)
    return f'<div class="wide"><table><thead>{line(rows.head, "th")}</thead><tbody>{body}</tbody></table></div>'


def _picture(picture: Picture, folder: Path) -> str:
    # A picture of its own, not a part of the page: the names inside of two SVGs may be the same.
    drawn, kind = (folder / picture.path).with_suffix(".svg"), "svg+xml"
    if not drawn.is_file():  # committed reports keep only the PNG
        drawn, kind = drawn.with_suffix(".png"), "png"
    source = f"data:image/{kind};base64,{base64.b64encode(drawn.read_bytes()).decode()}"
    caption = _inline(picture.caption)
    name = escape(picture.caption.split(":")[0].split(".")[0], quote=True)
    return f'<figure><img alt="{name}" src="{source}"><figcaption>{caption}</figcaption></figure>'


def _inline(text: str) -> str:
    """Plain text with code in backticks, links, and emphasis between one or two asterisks."""
    coded = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
    linked = re.sub(r"\[([^\]]+)\]\(([\w./#-]+)\)", r'<a href="\2">\1</a>', coded)
    coded = re.sub(r"\*\*(\w[^*]*)\*\*", r"<strong>\1</strong>", linked)
    return re.sub(r"\*(\w[^*]*)\*", r"<em>\1</em>", coded)


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
