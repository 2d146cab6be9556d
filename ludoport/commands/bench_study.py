"""``ludoport bench study``: cost of the scheduler of studies."""

from __future__ import annotations

from typing import Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json, Workers, option


def study(
    job_seconds: Annotated[float, option("--job-seconds", help="Length of each of the 105 jobs, in seconds.")] = 0.5,
    workers: Workers = 2,
    json: Json = False,
) -> None:
    """Measure the overhead of the study scheduler.

    Prints its share of a study's time, and the time that a study of 1,000 pairs takes to resume.
    """
    from ludoport.bench.study import measure

    figures = []
    for figure in measure(job_seconds, workers):
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
