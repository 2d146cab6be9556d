"""Files of one room do not import each other in circles."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import grimp
import pytest

import ludoport

ROOT = Path(ludoport.__file__).parent
ROOMS = sorted(p.name for p in ROOT.iterdir() if (p / "__init__.py").is_file())


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("ludoport", exclude_type_checking_imports=True)


def circle(room: str) -> list[str]:
    """The files that are left when those that import nothing that is left are taken away, again and again."""
    left = {m for m in graph().modules if m.startswith(f"ludoport.{room}.")}
    while True:
        done = {m for m in left if not graph().find_modules_directly_imported_by(m) & left}
        if not done:
            return sorted(left)
        left -= done


@pytest.mark.parametrize("room", ROOMS)
def test_no_circle_of_imports(room: str) -> None:
    assert circle(room) == []


def test_a_circle_would_be_found() -> None:
    a, b = "ludoport.lud.tree", "ludoport.lud.reading"
    graph().add_import(importer=a, imported=b)
    try:
        assert {a, b} <= set(circle("lud"))
    finally:
        graph().remove_import(importer=a, imported=b)


@pytest.mark.slow
def test_ludemes_hide_no_import_in_a_function() -> None:
    hidden = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in sorted((ROOT / "ludemes").rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef)
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert hidden == []
