"""The workbench: what the development extra installs is enough, and exact versions are known."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
FOUND = re.compile(r"importorskip\(\s*\"([\w.]+)\"")


def names(texts: list[str]) -> set[str]:
    return {re.split(r"[<>=!~; \[]", text)[0].lower().replace("_", "-") for text in texts}


def test_no_test_is_skipped_because_the_development_extra_lacks_a_package() -> None:
    wanted = {name for path in (ROOT / "tests").rglob("*.py") for name in FOUND.findall(path.read_text())}
    assert wanted
    missing = {name for name in wanted if importlib.util.find_spec(name.partition(".")[0]) is None}
    assert not missing, "add them to `dev` in pyproject.toml and to constraints.txt"


def test_every_requirement_has_an_exact_version() -> None:
    groups = [PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values()]
    required = set.union(*(names(group) for group in groups)) - {"ludoport"}
    lines = [line for line in (ROOT / "constraints.txt").read_text().splitlines() if not line.startswith("#")]
    assert all("==" in line for line in lines)
    assert required <= names(lines)


@pytest.mark.parametrize("marker", ["slow", "gpu", "ray", "browser"])
def test_markers_are_registered(pytestconfig: pytest.Config, marker: str) -> None:
    assert any(line.startswith(f"{marker}:") for line in pytestconfig.getini("markers"))
    assert "--strict-markers" in pytestconfig.getini("addopts")
    assert marker in (ROOT / "Makefile").read_text(), "`make test-fast` leaves it out"
