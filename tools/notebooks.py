"""Executes the notebooks in ``examples``, stores their outputs, and turns them into pages of the site.

python -m tools.notebooks                               # all
python -m tools.notebooks examples/a-game-of-ones-own.ipynb
"""

from __future__ import annotations

import base64
import json
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "examples"

SECONDS = 1800.0
"""Time for a cell."""

SHOWN = ("image/svg+xml", "image/png", "text/plain")
"""Forms of an output, the best one first; only one is stored."""


def notebooks() -> list[Path]:
    """All notebooks, in the order in which they are read."""
    return sorted(FOLDER.glob("*.ipynb"))


def read(path: Path) -> dict[str, Any]:
    """A notebook."""
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def source(cell: dict[str, Any]) -> str:
    """The text of a cell, which is stored line by line."""
    return "".join(cell["source"])


def execute(path: Path) -> None:
    """Run all cells of a notebook in a fresh kernel, in its folder, and store what they show.

    Raises:
        RuntimeError: a cell ends with an error.
    """
    from jupyter_client.manager import KernelManager

    book = read(path)
    manager = KernelManager()
    assert manager.kernel_spec is not None
    manager.kernel_spec.argv[0] = sys.executable
    manager.start_kernel(cwd=str(path.parent))
    client: Any = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=SECONDS)
        cells = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(cells, 1):
            messages: list[dict[str, Any]] = []
            answer = client.execute_interactive(source(cell), timeout=SECONDS, output_hook=messages.append)
            if answer["content"]["status"] != "ok":
                raise RuntimeError(f"{path.name}, cell {number}: {answer['content']}")
            cell["execution_count"], cell["outputs"] = number, _outputs(messages, number)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _outputs(messages: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Outputs of a cell: what it printed, as one text, and what it showed."""
    printed = "".join(message["content"]["text"] for message in messages if message["msg_type"] == "stream")
    outputs: list[dict[str, Any]] = []
    if printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)})
    for message in messages:
        kind = message["msg_type"]
        if kind not in ("execute_result", "display_data"):
            continue
        data = message["content"]["data"]
        form = next(form for form in SHOWN if form in data)
        value = data[form] if form == "image/png" else data[form].splitlines(keepends=True)
        output: dict[str, Any] = {"output_type": kind, "data": {form: value}, "metadata": {}}
        if kind == "execute_result":
            output["execution_count"] = number
        outputs.append(output)
    return outputs


def page(path: Path) -> str:
    """A notebook as a page in Markdown."""
    parts = []
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            parts.append(source(cell))
            continue
        parts.append(f"```python\n{source(cell)}\n```")
        parts += [_shown(output) for output in cell["outputs"]]
    parts.append(f"This page is the notebook `examples/{path.name}`.")
    return "\n\n".join(parts) + "\n"


def _shown(output: dict[str, Any]) -> str:
    """An output in Markdown."""
    if output["output_type"] == "stream":
        return _text("".join(output["text"]))
    ((form, value),) = output["data"].items()
    if form == "image/png":
        return f'<img alt="figure" src="data:image/png;base64,{value.strip()}">'
    text = "".join(value)
    if form == "image/svg+xml":  # as an image, so that names inside of several pictures do not meet
        return f'<img alt="board" style="max-width: 24em" src="data:{form};base64,{_encoded(text)}">'
    return _text(text)


def _text(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def main() -> None:
    """Execute the notebooks that are named, or all."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or notebooks():
        execute(path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
