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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("ludoport", "tests", "tools", "docs"):
        skipped = shutil.ignore_patterns("__pycache__", "results", "data" if folder == "tests" else "")
        shutil.copytree(ROOT / folder, copy / folder, ignore=skipped)
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


@pytest.mark.parametrize("heading", RECIPES)
def test_recipe(project: Path, heading: str) -> None:
    files, commands = recipe(heading)
    assert len(files) == RECIPES[heading]
    assert len(commands) >= 2
    for file in files:
        assert not (project / file.file).exists(), "a recipe adds files and changes none"
        (project / file.file).write_text(file.text, encoding="utf-8")
    for command in commands:
        module, *words = shlex.split(command)
        start = ["-m", module] if module != "python" else []
        done = subprocess.run(
            [sys.executable, *start, *words],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(project), "LUDOPORT_JIT": "0"},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    for tool in (["check"], ["format", "--check"]):
        lint = [sys.executable, "-m", "ruff", *tool, *(file.file for file in files if file.language == "python")]
        done = subprocess.run(lint, cwd=project, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stdout[-2000:]


def test_the_network_is_that_of_the_architecture_page() -> None:
    (network,) = (fence.text for fence in recipe("A network")[0] if fence.file.startswith("ludoport"))
    assert network in (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
