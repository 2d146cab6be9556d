"""``ludoport ggp``: players and managers of the general game playing protocol."""

from __future__ import annotations

import typer

from ludoport.commands import ggp_learn, ggp_match, ggp_player

app = typer.Typer(help="Play GDL games over the network, and learn them.", no_args_is_help=True)

app.command()(ggp_player.player)
app.command()(ggp_player.players)
app.command()(ggp_match.manager)
app.command()(ggp_match.match)
app.command("learn")(ggp_learn.ggp_learn)
