"""Every ludeme with every argument, in a small game of its own: it compiles, or a sentence says why not."""

from __future__ import annotations

import random

import pytest

from ludoport.errors import LudoportError
from ludoport.lud import read_text
from ludoport.lud.signatures import language
from ludoport.matches import rules_of
from ludoport.web.views.ludemes import meanings
from tools.reference.examples import fragments, hosted, shown

SEED = 7
TEXTS = sorted(
    {
        whole
        for signatures in language().by_keyword.values()
        for signature in signatures
        for _, text in fragments(signature)
        if (whole := hosted(signature, text)) is not None
    }
)


FAMILIES = ("moves", "boolean", "int", "region", "intarray")
SHOWN = [
    (f"{entry.kind}:{entry.keyword}", found[1])
    for entries in language().by_keyword.values()
    for entry in entries
    if (entry.kind not in FAMILIES or f"{entry.kind}:{entry.keyword}" in meanings()) and (found := shown(entry))
]
"""The examples of the page of ludemes, in their games."""


def refusal(text: str) -> str:
    """Why a game does not compile; empty if it does."""
    try:
        _ = rules_of(read_text(text)).compiled
    except LudoportError as error:
        return str(error)
    return ""


def test_there_are_examples_of_most_ludemes() -> None:
    assert len(TEXTS) > 1000


@pytest.mark.parametrize("text", random.Random(SEED).sample(TEXTS, 24))
def test_compiles_or_says_why_not(text: str) -> None:
    assert "in this combination with others" not in refusal(text)


@pytest.mark.parametrize(("key", "text"), random.Random(SEED).sample(SHOWN, 12))
def test_examples_of_the_page_compile(key: str, text: str) -> None:
    assert refusal(text) == ""


@pytest.mark.slow
def test_all_examples_of_the_page_compile() -> None:
    assert {key: why for key, text in SHOWN if (why := refusal(text))} == {}


@pytest.mark.slow
def test_more_compile_or_say_why_not() -> None:
    # All of them take minutes.
    chosen = random.Random(SEED + 1).sample(TEXTS, 200)
    assert [text for text in chosen if "in this combination with others" in refusal(text)] == []
