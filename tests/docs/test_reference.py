"""The reference pages are what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.reference.__main__ import main, stale, write
from tools.reference.commands import commands
from tools.reference.ludemes import written
from tools.reference.markdown import attributes, docstring, entries, table


@pytest.mark.slow
def test_pages_are_up_to_date() -> None:
    assert stale() == [], "the code changed; `make docs` writes the reference pages anew"


def test_width_of_the_terminal_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    from tools.reference import commands as page

    wide = page.page()
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("TERMINAL_WIDTH", "40")
    assert page.page() == wide


def test_what_is_old_is_found_and_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.reference.__main__.pages", lambda: {"a.md": "a", "b.md": "b"})
    (tmp_path / "a.md").write_text("old")
    (tmp_path / "gone.md").write_text("")
    assert stale(tmp_path) == ["a.md", "b.md", "gone.md"]
    write(tmp_path)
    assert stale(tmp_path) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "b.md"]
    assert main(["--wrong"]) == 2


def test_every_command_of_the_help_is_there() -> None:
    import typer

    from ludoport.cli import app

    root = typer.main.get_command(app)
    listed = {name.split()[1] for name, _ in commands(app, "ludoport")}
    assert listed == set(root.commands)  # type: ignore[attr-defined]


def test_ludemes_are_written_with_optional_parts_and_choices() -> None:
    from ludoport.lud.signatures import Alternative, Parameter

    parameters = (
        Parameter("what", "Piece", 0, True, False, 0),
        Parameter("role", "RoleType", 0, False, False, 1),
        Parameter("players", "IntFunction", 1, False, False, 1),
        Parameter("if", "BooleanFunction", 0, True, True, 0),
    )
    way = Alternative(0, parameters, frozenset({1}))
    shown = "(move [<what: Piece>] (<role: RoleType> | {<players: IntFunction>}) [if:<BooleanFunction>])"
    assert written("move", way) == shown


def test_docstrings_become_markdown() -> None:
    def example(a: int) -> int:
        """Adds ``1``.

        Args:
            a: a number, and
                more about it.

        Returns:
            The sum.
        """
        return a + 1

    assert docstring(example) == "Adds `1`.\n\n- `a`: a number, and more about it.\n\nReturns: The sum.\n"
    assert entries("x: one\n    two\ny: three") == {"x": "one two", "y": "three"}
    assert table(("a",), [["x|y"]]) == "| a |\n|---|\n| x\\|y |\n"


def test_every_setting_is_described() -> None:
    from dataclasses import fields

    from ludoport.selfplay.config import TrainConfig

    assert attributes(TrainConfig).keys() == {field.name for field in fields(TrainConfig)}
