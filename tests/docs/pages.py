"""The pages of the documentation, taken apart: what is in their fences, and how to run it in a moment."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITTEN = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs" / "howto").glob("*.md"))]
"""Pages that people write."""

_FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)

TRAINING = "--epochs 1 --set positions=16 --set warmup=8 --set games=4 --set simulations=2 --set rating_share=0"
SHORTER = (
    (r"--(?:minutes|epochs) [\d.]+", TRAINING),
    (r"\b(?:minutes|epochs)=[\d.]+", "epochs=1, positions=16, warmup=8, games=4, simulations=2, rating_share=0.0"),
    (r"--seconds \d+", "--seconds 0.05"),
    (r"\bseconds=\d+", "seconds=0.05"),
    (r"--games \d+", "--games 1 --workers 1"),
    (r"\bgames=\d+\)", "games=1, workers=1)"),
    (r"--simulations \d+", "--simulations 2"),
    (r"\biterations=\d+", "simulations=2"),
    (r"--least \d+", "--least 1"),
    (r"--workers 4", "--workers 2"),
    (r"--matches \d+", "--matches 3"),
    (r"\bmatches=\d+", "matches=3"),
    (r"--runs \d+", "--runs 1"),
    (r"range\(10\)", "range(2)"),
    (r"uct:\d+", "uct:2"),
    (r"uct\(\d+\)", "uct(2)"),
    (r"simulations=\d\d+", "simulations=2"),
    (r"perft\(3\)", "perft(2)"),
    (r"\bgames=\d{3},", "games=2,"),
    (r'"(?:one|other)\.safetensors"', "net.file"),
)
"""Long tasks in examples, with short ones to run in their place."""


@dataclass(frozen=True)
class Fence:
    """A fenced block: its language, the name of its file if there is one, and its text."""

    language: str
    file: str
    text: str


def fences(page: Path) -> list[Fence]:
    """All fences of a page, in order."""
    found = _FENCE.findall(page.read_text(encoding="utf-8"))
    return [Fence(*parts) for parts in found]


def with_fences(language: str) -> list[Path]:
    """Pages that have something in a language."""
    return [page for page in WRITTEN if any(fence.language == language for fence in fences(page))]


def shorter(text: str) -> str:
    """The same work, much less of it."""
    for long, short in SHORTER:
        text = re.sub(long, short, text)
    return text


def commands(text: str) -> list[list[str]]:
    """The commands of a shell block, without their first word, which must be ours."""
    found = []
    for line in text.replace("\\\n", " ").splitlines():
        words = shlex.split(line, comments=True)
        if words:
            assert words[0] == "ludoport", f"only our own commands can be run here: {line}"
            found.append(words[1:])
    return found


def name(page: Path) -> str:
    """Name of a page in tests."""
    return str(page.relative_to(ROOT))
