"""Words that pages and help texts avoid, because they leave open who or how many; the glossary has better ones."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludoport.cli import app
from tests.docs.pages import ROOT, WRITTEN, name
from tools.reference.commands import commands, parameters

AVOIDED = re.compile(
    r"\b(so many|somebody|nobody|whoever|any more|go(?:es)? on|shall|anew|where the randomness begins)\b",
    re.I,
)
PAGES = [*WRITTEN, ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_pages(page: Path) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    assert not [f"{number}: {line}" for number, line in enumerate(lines, 1) if AVOIDED.search(line)]


def test_help_texts() -> None:
    found = []
    for command, function in commands(app, "ludoport"):
        texts = [function.__doc__ or "", *(info.help or "" for _, _, info in parameters(function))]
        found += [f"{command}: {text}" for text in texts if AVOIDED.search(text)]
    assert not found
