"""``ludoport bench study``: what the machinery of studies costs."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import Json, print_json


def study(
    seconds: Annotated[float, typer.Option("--seconds", help="How long each of the 105 jobs waits.")] = 0.5,
    workers: Annotated[int, typer.Option("--workers", help="How many processes.")] = 2,
    json: Json = False,
) -> None:
    """The scheduler's share of a study's time, and how long a study of 1,000 pairs takes to go on."""
    from ludoport.bench.study import measure

    figures = []
    for figure in measure(seconds, workers):
        figures.append(figure)
        if not json:
            value = (
                f"{100 * figure.value:.2f} %" if figure.unit == "of the time" else f"{figure.value:.2f} {figure.unit}"
            )
            goal = f"{100 * figure.goal:g} %" if figure.unit == "of the time" else f"{figure.goal:g} {figure.unit}"
            mark = "reached" if figure.reached else "not reached"
            typer.echo(f"{figure.what}: {value} ({figure.detail}); goal {goal}: {mark}")
    if json:
        print_json({"figures": [figure.record() for figure in figures]})
    if not all(figure.reached for figure in figures):
        raise typer.Exit(1)
