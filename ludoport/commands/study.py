"""``ludoport study``: the experiments of the papers, from nothing to their tables."""

from __future__ import annotations

import typer

from ludoport.commands import study_banerjee_stone, study_chessplus

app = typer.Typer(
    no_args_is_help=True,
    help="Experiments, from nothing to tables and pictures; run again to go on.",
    rich_markup_mode=None,
)


@app.callback()
def study() -> None:
    """Experiments, from nothing to tables and pictures; run again to go on."""


app.command("chessplus")(study_chessplus.chessplus)
app.command("banerjee-stone")(study_banerjee_stone.study_banerjee_stone)
