"""All the game texts of the reference library, where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ludoport.errors import LudError
from ludoport.lud import format_tree, read_file, read_text
from ludoport.lud.macros import shared_names

SHARED = Path(__file__).resolve().parents[3] / "shared"
TEXTS = SHARED / "ludii"
VARIANTS = SHARED / "oracle" / "mission" / "variants.tsv"

pytestmark = pytest.mark.skipif(not TEXTS.is_dir(), reason="the library of game texts is not here")


def mission() -> list[tuple[Path, list[str]]]:
    rows = [line.split("\t") for line in VARIANTS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(TEXTS / row[2].lstrip("/"), [option for option in row[3].split("|") if option]) for row in rows]


@pytest.mark.slow
def test_every_text_reads() -> None:
    paths = sorted(TEXTS.rglob("*.lud"))
    assert len(paths) > 800
    failures: list[str] = []
    for path in paths:
        try:
            read_file(path)
        except LudError as error:
            failures.append(str(error))
    # Some games that matches name are not in this folder.
    assert [failure for failure in failures if "of this match is missing" not in failure] == []


def test_mission_variants_read_and_print() -> None:
    for path, options in mission():
        printed = format_tree(read_file(path, options).root)
        assert format_tree(read_text(printed).root) == printed


@pytest.mark.slow
def test_every_option_of_the_mission_games() -> None:
    for path in sorted({path for path, _ in mission()}):
        for option in read_file(path).options:
            for item in option.items:
                read_file(path, [f"{option.heading}/{item.label}"])


def test_all_shared_macros_exist() -> None:
    listed = json.loads((SHARED / "spec" / "lud" / "defs.json").read_text(encoding="utf-8"))["macros"]
    assert shared_names() == {macro["name"] for macro in listed}
