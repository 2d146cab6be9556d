"""Options and help texts: one option name has one meaning, one type and one help text; phrases are short."""

from __future__ import annotations

import re
import typing
from collections.abc import Iterator
from typing import Any

import pytest
from typer.models import OptionInfo

from ludoport.cli import app
from tests.cli.conftest import Command
from tools.reference.commands import commands, parameters, spellings

FREE = {"--out", "--preset", "--games"}
"""Options that name different things for different commands, which their metavar says: a file, a folder, a list ..."""

PAIRS = {"--matches": "--games"}
"""Options that share a short name: a match of the GGP protocol is one game."""


class Given(typing.NamedTuple):
    """An option of one command."""

    command: str
    names: tuple[str, ...]
    metavar: str | None
    kind: Any
    help: str

    @property
    def long(self) -> str:
        return next(name for name in self.names if name.startswith("--"))


def options() -> Iterator[Given]:
    for command, function in commands(app, "ludoport"):
        for parameter, kind, info in parameters(function):
            if isinstance(info, OptionInfo):
                inner = typing.get_args(kind)[0] if typing.get_origin(kind) is list else kind
                yield Given(command, tuple(spellings(parameter, kind, info)), info.metavar, inner, info.help or "")


def summaries() -> Iterator[tuple[str, str]]:
    for command, function in commands(app, "ludoport"):
        yield command, (function.__doc__ or "").strip()


def test_one_name_has_one_meaning() -> None:
    first: dict[tuple[str, str | None], Given] = {}
    differ = []
    for given in options():
        key = (given.long, given.metavar if given.long in FREE else None)
        known = first.setdefault(key, given)
        if (known.names, known.kind, known.help) != (given.names, given.kind, given.help):
            differ.append(f"{given.long} of {given.command} differs from that of {known.command}")
    assert not differ


def test_short_names_are_of_one_option() -> None:
    first: dict[str, str] = {}
    for given in options():
        for name in given.names:
            if not name.startswith("--"):
                assert first.setdefault(name, PAIRS.get(given.long, given.long)) == PAIRS.get(given.long, given.long)


@pytest.mark.parametrize("given", list(options()), ids=lambda given: f"{given.command} {given.long}")
def test_help_is_a_short_phrase(given: Given) -> None:
    assert given.help.endswith("."), given.help
    assert given.help[0].isupper(), given.help
    assert len(given.help.split()) <= 10, given.help


@pytest.mark.parametrize(("command", "text"), list(summaries()), ids=lambda part: str(part)[:40])
def test_summary_fits_into_a_line(command: str, text: str) -> None:
    first = re.split(r"\.(?:\s|$)", text)[0]
    assert text, command
    assert len(first) <= 60, first


@pytest.mark.parametrize("flag", ["-h", "--help"])
@pytest.mark.parametrize("command", [(), ("train",), ("tree",), ("tree", "build"), ("study", "line"), ("ggp", "learn")])
def test_help_everywhere(ludoport: Command, command: tuple[str, ...], flag: str) -> None:
    answer = ludoport(*command, flag)
    assert answer.code == 0
    assert answer.out.startswith(f"Usage: {' '.join(['ludoport', *command])}")


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(ludoport: Command, flag: str) -> None:
    from ludoport import __version__

    answer = ludoport(flag)
    assert (answer.code, answer.out) == (0, f"ludoport {__version__}\n")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("trian",), "train"),
        (("tree", "biuld"), "build"),
        (("study", "variants/hx"), "variants/hex"),
        (("verify", "tarce"), "trace"),
        (("train", "Hex", "--minuts", "1"), "--minutes"),
        (("train", "Hex", "--simulation", "64"), "--set simulations=VALUE"),
        (("train", "Hex", "--rating-games=8"), "--set rating_games=VALUE"),
    ],
)
def test_mistyped_words(ludoport: Command, words: tuple[str, ...], meant: str) -> None:
    answer = ludoport(*words)
    assert answer.code == 2
    assert meant in answer.err
    assert "Traceback" not in answer.err
