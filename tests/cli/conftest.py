"""Running commands as a person does, in this process."""

from __future__ import annotations

import json
from typing import Any, Protocol

import pytest

from ludoport.cli import main


class Answer:
    """Output and end of a command."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Command(Protocol):
    """The command line, called with its arguments."""

    def __call__(self, *arguments: str) -> Answer: ...


@pytest.fixture
def ludoport(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> Answer:
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        printed = capsys.readouterr()
        code = stop.value.code
        return Answer(code if isinstance(code, int) else int(code is not None), printed.out, printed.err)

    return run
