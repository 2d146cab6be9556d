"""Words that pages, help texts, docstrings and messages avoid; the glossary has better ones."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ludoport.cli import app
from tests.docs.pages import ROOT, WRITTEN, name
from tools.reference.commands import commands, parameters

AVOIDED = re.compile(
    r"\b(so many|somebody|nobody|everybody|whoever|any more|go(?:es)? on(?! the stack)|shall|anew|unless told|need be|"
    r"for good|altogether|is no number|"
    r"where the randomness begins)\b",
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


def test_docstrings_and_messages() -> None:
    found = []
    for folder in ("ludoport", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if AVOIDED.search(text) else ():
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and AVOIDED.search(node.value):
                    found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {AVOIDED.search(node.value)}")
    assert not found
