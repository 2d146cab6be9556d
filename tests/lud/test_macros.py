"""Splitting arguments and filling bodies."""

from __future__ import annotations

import re

import pytest

from ludoport.lud.macros import Expander, cut_macros, shared_names, split_arguments
from ludoport.lud.text import Sources


def expand(text: str) -> str:
    sources = Sources()
    rest, macros = cut_macros(sources.trace("<text>", text), sources)
    return re.sub(r"\s+", " ", Expander(macros, sources).expand(rest).text).strip()


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("", []),
        ("a  b\nc", ["a", "b", "c"]),
        ("(a (b)) {c d} <e f>", ["(a (b))", "{c d}", "<e f>"]),
        ('"x y" label:(a b) at:1', ['"x y"', "label:(a b)", "at:1"]),
        ("(> a b) (<= c d) ~", ["(> a b)", "(<= c d)", "~"]),
        ('(a ")") b', ['(a ")")', "b"]),
    ],
)
def test_split(text: str, arguments: list[str]) -> None:
    assert [part.text for part in split_arguments(Sources().trace("<text>", text))] == arguments


@pytest.mark.parametrize(
    ("text", "expanded"),
    [
        ('(define "X" 3) (a "X" ("X"))', "(a 3 3)"),
        ('(define "X" (b #1 #2 #1)) ("X" 1 (c 2))', "(b 1 (c 2) 1)"),
        ('(define "X" (b #1 #2)) ("X" ~ 2)', "(b 2)"),
        ('(define "X" (b #1 #2)) ("X" 1)', "(b 1 )"),
        ('(define "X" (b #2)) ("X" 1 2)', "(b #2)"),
        ('(define "X" (b ("Y" #1))) (define "Y" (c #1)) ("X" "Y")', "(b (c (c )))"),
        ('(define "X" 3) (game "X" "X")', '(game "X" 3)'),
        ('(define "SameTurn" mine) ("SameTurn")', "mine"),
        ('("SameTurn")', "(is Prev Mover)"),
        ('(define "A" 1) (define "A" 2) "A"', "1"),
        ('(define "X" (define "Y" (b #1)) (a ("Y" #1))) ("X" 2) ("Y" 3)', "(a (b 2)) (b 3)"),
    ],
)
def test_expand(text: str, expanded: str) -> None:
    assert expand(text) == expanded


def test_shared_macros_are_many() -> None:
    assert len(shared_names()) == 164
