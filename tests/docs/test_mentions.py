"""Commands that pages mention exist, with their options; so do the files of the architecture, which has every room."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludoport.cli import app
from tests.docs.pages import ROOT, WRITTEN, name
from tools.reference.commands import commands, options

KNOWN = {tuple(command.split()[1:]): function for command, function in commands(app, "ludoport")}
GROUPS = {words[:1] for words in KNOWN if len(words) > 1}

EXAMPLE = "ludoport/nets/families/plain.py"
"""The file that a recipe of the architecture adds."""

_INLINE = re.compile(r"`(ludoport [^`]+)`")
_LINE = re.compile(r"^(?: {4}|\$ )?(ludoport [a-z].*)$", re.MULTILINE)


def mentioned(page: Path) -> list[str]:
    """Everything on a page that looks like one of our commands."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    return [*_INLINE.findall(text), *(re.split(r" {2,}|  #", line)[0] for line in _LINE.findall(text))]


def problem(text: str) -> str:
    """Mistake in a command as it is written; empty if there is none."""
    words = text.split()[1:]
    first = words[0].split("|")
    for verb in first:
        if (verb,) not in KNOWN and (verb,) not in GROUPS:
            return f"there is no command `{verb}`"
    if (first[0],) not in KNOWN or (len(words) > 1 and (first[0], words[1].split("|")[0].strip("`,")) in KNOWN):
        return _in_group(first[0], words[1:])
    return _options(KNOWN[first[0],], words[1:])


def _in_group(group: str, words: list[str]) -> str:
    if not words or words[0].startswith("-") or re.search(r"[A-Z]{2}|\.toml$", words[0]):
        return ""  # a name that a person fills in
    for verb in words[0].strip("`,").split("|"):
        if (group, verb) not in KNOWN:
            return f"there is no command `{group} {verb}`"
    return _options(KNOWN[group, words[0].strip("`,").split("|")[0]], words[1:]) if "|" not in words[0] else ""


def _options(function: object, words: list[str]) -> str:
    known = options(function)
    for word in words:
        option = word.strip("[]`,").partition("=")[0]
        if re.fullmatch(r"--?[a-z][\w-]*", option) and option not in known:
            return f"it has no option {option}"
    return ""


@pytest.mark.parametrize("page", WRITTEN, ids=name)
def test_commands_exist(page: Path) -> None:
    wrong = {text: problem(text) for text in mentioned(page) if problem(text)}
    assert not wrong


@pytest.mark.parametrize(
    "text",
    ["ludoport no-such-verb", "ludoport tree grow", "ludoport train Hex --no-such-option 3", "ludoport match|no A B"],
)
def test_mistakes_are_found(text: str) -> None:
    assert problem(text)


@pytest.mark.parametrize("text", ["ludoport tree build|tune|merge", "ludoport train Hex -o A/B --minutes 3 [--json]"])
def test_right_ones_pass(text: str) -> None:
    assert not problem(text)


def test_studies_of_the_map_exist() -> None:
    from ludoport.studies.catalogue import STUDIES

    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\| `([a-z/-]+)` \| \d", text))
    assert len(named) == 13
    assert named <= set(STUDIES)


def test_files_of_the_architecture_exist() -> None:
    """A section names files of its room by their last parts, others with their folders."""
    files = [path.as_posix() for path in ROOT.rglob("*") if ".venv" not in path.parts]
    wrong = []
    for section in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        rooms = [f"/{room}/" for room in re.findall(r"`([\w/]+)`", section.splitlines()[0]) if "/" in room]
        for file in re.findall(r"`([\w/]+\.py)`", section):
            found = [path for path in files if path.endswith(f"/{file}")]
            here = [path for path in found if any(room in path for room in (*rooms, f"/ludoport/{file}"))]
            if not (here if rooms and "/" not in file else found) and file != EXAMPLE:
                wrong.append(file)
    assert not wrong


def test_every_room_is_described() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    rooms = [path.parent for path in (ROOT / "ludoport").glob("*/**/__init__.py")]
    assert not [room for room in rooms if not re.search(rf"`(?:[\w/]+/)?{room.name}/?`", text)]
