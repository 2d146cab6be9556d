"""The ``ludoport`` command."""

from __future__ import annotations

import os
import sys

import typer

from ludoport.commands import (
    bench,
    check,
    demo,
    doctor,
    games,
    ggp,
    match,
    perft,
    playouts,
    report,
    show,
    study,
    train,
    transfer,
    tree,
    verify,
)
from ludoport.errors import LudoportError

app = typer.Typer(
    name="ludoport",
    help="Games written as texts, compiled; what a program learned in one, carried over to another.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (
    games.games,
    show.show,
    check.check,
    perft.perft,
    playouts.playouts,
    match.match,
    train.train,
    transfer.transfer,
    doctor.doctor,
    report.report,
    demo.demo,
):
    app.command()(command)
app.add_typer(tree.app, name="tree")
app.add_typer(ggp.app, name="ggp")
app.add_typer(study.app, name="study")
app.add_typer(verify.app, name="verify")
app.add_typer(bench.app, name="bench")


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line; what a person did wrong becomes one sentence and exit code 2."""
    try:
        app(args=arguments)
    except LudoportError as error:
        _stop(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader of our output has gone; be quiet
        sys.exit(141)
    except OSError as error:
        _stop(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        _stop("there is not enough memory for this")
    except KeyboardInterrupt:
        print("ludoport: interrupted", file=sys.stderr)
        sys.exit(130)


def _stop(sentence: str) -> None:
    print(f"ludoport: {sentence}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
