"""``ludoport study``: the experiments of the papers, from nothing to their tables."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from ludoport.commands import study_banerjee_stone, study_chessplus
from ludoport.commands.study_transfer import make_command
from ludoport.studies.catalogue import STUDIES, unknown


class StudyGroup(TyperGroup):
    """The studies by name; also those that TOML files describe."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a study; an unknown one is refused with a hint."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        if not cmd_name.endswith(".toml"):
            raise unknown(cmd_name)
        info = CommandInfo(name=cmd_name, callback=make_command(cmd_name))
        return get_command_from_info(info, pretty_exceptions_short=False, rich_markup_mode=None)


app = typer.Typer(
    cls=StudyGroup,
    no_args_is_help=True,
    help="Run experiments of the papers, or your own. The same command resumes.",
    rich_markup_mode=None,
)


@app.callback()
def study() -> None:
    """Run experiments of the papers, or your own. The same command resumes."""


for name in STUDIES:
    app.command(name)(make_command(name))
app.command("chessplus")(study_chessplus.chessplus)
app.command("banerjee-stone")(study_banerjee_stone.study_banerjee_stone)
