"""``ludoport analyse``."""

from pathlib import Path

import pytest

from tests.cli.conftest import Command


@pytest.mark.slow
def test_command(ludoport: Command, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    arguments = ("analyse", "Tic-Tac-Toe", "--games", "2", "--simulations", "10", "--html", str(page))
    answer = ludoport(*arguments, "--json").json
    assert answer["random"]["games"] == 40
    assert "<svg" in page.read_text()
