"""The package that users get: a wheel that works in an empty environment, and files that other programs read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

from ludoport.version import __version__

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

PLAY = """
import ludoport as lp
game = lp.load("Tic-Tac-Toe")
print(lp.__file__, game.perft(2), lp.search(game.start(), "uct:20").best)
print(lp.match("uct:5", "random", game, games=2, workers=1))
for bridge in ("openspiel", "pettingzoo", "gymnasium"):
    try:
        __import__(f"ludoport.bridges.{bridge}")
    except lp.LudoportError as error:
        assert "pip install 'ludoport[" in str(error)
    else:
        raise AssertionError(bridge)
print(len(lp.games()), lp.load("tic-tac-toe.kif").start().moves()[0], len(lp.load("chess-8x8").start().moves()))
"""


COUNTS = {
    "id": "tic_tac_toe", "perft": [9, 72, 504], "divideDepth": 2, "divide": {str(site): 8 for site in range(9)},
}  # fmt: skip
"""Reference data as ``ludoport verify perft`` reads it."""


def test_citation_names_the_version_and_all_papers() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == __version__ == PROJECT["version"]
    entries = re.findall(
        r"^  title\s*= \{(.*)\}", (ROOT / "docs" / "cite.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(entries) == sorted([cited["title"], *(paper["title"] for paper in cited["references"])])


def test_the_workflow_runs_targets_that_exist() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    lines = [step.get("run", "") for job in workflow["jobs"].values() for step in job["steps"]]
    wanted = {word for line in lines if line.startswith("make ") for word in line.split()[1:]}
    assert wanted
    assert wanted <= targets
    tested = workflow["jobs"]["fast"]["strategy"]["matrix"]["python"]
    named = [line.rsplit(" ", 1)[1] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    assert tested == named


@pytest.mark.parametrize(
    "path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")), ids=lambda path: path.stem
)
def test_issue_templates_are_complete(path: Path) -> None:
    template = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.stem != "config":
        assert {"name", "description", "body"} <= template.keys()


@pytest.mark.slow
def test_a_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "ludoport", copy / "ludoport", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(copy)],
        check=True, capture_output=True,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    assert not [name for name in zipfile.ZipFile(wheel).namelist() if "zoo/" in name or name.endswith(".safetensors")]
    venv.create(tmp_path / "empty", with_pip=True)
    python = tmp_path / "empty" / "bin" / "python"
    install = [str(python), "-m", "pip", "install", "--quiet", "-c", str(ROOT / "constraints.txt"), str(wheel)]
    subprocess.run(install, check=True)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"LUDOPORT_JIT": "0"}
    done = subprocess.run([str(python), "-c", PLAY], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout
    assert "[9, 72]" in done.stdout
    (tmp_path / "tic_tac_toe.json").write_text(json.dumps(COUNTS))
    ludoport = str(python.with_name("ludoport"))
    for command in (
        ["show", "Hex", "-o", "Board Size/3x3"],
        ["perft", "Tic-Tac-Toe", "--depth", "2"],
        ["verify", "perft", "tic_tac_toe.json"],
        ["zoo"],
        ["games"],
    ):
        subprocess.run([ludoport, *command], cwd=tmp_path, env=env, check=True, capture_output=True)
