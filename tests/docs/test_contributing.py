"""The recipes of CONTRIBUTING.md, followed to the letter in a copy of the project."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Fence, fences

PAGE = ROOT / "CONTRIBUTING.md"
RECIPES = {"A ludeme": 2, "A network": 2, "A player": 2}
"""The headings of the recipes, and how many files each adds."""

pytestmark = pytest.mark.slow


def recipe(heading: str) -> tuple[list[Fence], list[str]]:
    """The files and the commands of a recipe."""
    text = PAGE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    files = [fence for fence in fences(PAGE) if fence.file and fence.text in text]
    return files, re.findall(r"^    ((?:pytest|ludoport|python) .*)$", text, re.MULTILINE)


def test_recipes(tmp_path: Path) -> None:
    for folder in ("ludoport", "tests", "tools", "docs"):
        skipped = shutil.ignore_patterns("__pycache__", "results", "data" if folder == "tests" else "")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    written, last = list[Fence](), list[str]()
    for heading, count in RECIPES.items():
        files, commands = recipe(heading)
        assert len(files) == count
        assert len(commands) >= 2
        for file in files:
            assert not (tmp_path / file.file).exists(), "a recipe adds files and changes none"
            (tmp_path / file.file).write_text(file.text, encoding="utf-8")
        written += files
        last.append(commands.pop())
        for command in commands:
            module, *words = shlex.split(command)
            run(tmp_path, module, *words)
    # The last command of every recipe writes the reference, which has all of them after one run.
    assert set(last) == {"python -m tools.reference"}
    run(tmp_path, "tools.reference")
    for tool in (["check"], ["format", "--check"]):
        run(tmp_path, "ruff", *tool, *(file.file for file in written if file.language == "python"))


def run(folder: Path, module: str, *words: str) -> None:
    """Run a Python module in a folder."""
    start = ["-m", module] if module != "python" else []
    done = subprocess.run(
        [sys.executable, *start, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "LUDOPORT_JIT": "0"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, f"{module} {words}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_network_is_that_of_the_architecture_page() -> None:
    (network,) = (fence.text for fence in recipe("A network")[0] if fence.file.startswith("ludoport"))
    assert network in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
