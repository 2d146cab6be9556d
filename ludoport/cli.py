"""The ``ludoport`` command."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ludoport.commands import (
    analyse,
    bench,
    check,
    compare,
    compile,
    demo,
    doctor,
    export,
    games,
    ggp,
    gtp,
    inside,
    match,
    perft,
    play,
    playouts,
    records,
    report,
    show,
    study,
    train,
    transfer,
    tree,
    uci,
    vary,
    verify,
    web,
    zoo,
)
from ludoport.errors import LudoportError
from ludoport.version import __version__


class Commands(TyperGroup):
    """All commands; an interrupted one says so and exits with code 130."""

    def invoke(self, ctx: Any) -> Any:
        """Runs the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            print("ludoport: interrupted", file=sys.stderr)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="ludoport",
    cls=Commands,
    help="Compile games, learn to play them, and transfer what was learned to other games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ludoport {__version__}")
        raise typer.Exit


@app.callback()
def ludoport(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Print the version and exit.", callback=_print_version, is_eager=True),
    ] = False,
) -> None:
    """Compile games, learn to play them, and transfer what was learned to other games."""


for command in (
    games.games,
    zoo.zoo,
    show.show,
    check.check,
    compile.compile,
    perft.perft,
    playouts.playouts,
    analyse.analyse,
    play.play,
    match.match,
    train.train,
    compare.compare,
    transfer.transfer,
    doctor.doctor,
    report.report,
    demo.demo,
    web.web,
    uci.uci,
    gtp.gtp,
    records.records,
    export.export,
    vary.vary,
    inside.inside,
):
    app.command(cls=train.TrainCommand if command is train.train else None)(command)
app.add_typer(tree.app, name="tree")
app.add_typer(ggp.app, name="ggp")
app.add_typer(study.app, name="study")
app.add_typer(verify.app, name="verify")
app.add_typer(bench.app, name="bench")


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line. Bad input becomes one sentence on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names of files and games may hold anything
    try:
        app(args=arguments, prog_name="ludoport")
    except LudoportError as error:
        _stop(str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has closed the pipe
        sys.exit(141)
    except OSError as error:
        _stop(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except UnicodeEncodeError as error:
        _stop(f"{error.object!a} is not valid UTF-8; rename the file or the folder")
    except MemoryError:
        _stop("not enough memory")


def _stop(sentence: str) -> None:
    print(f"ludoport: {sentence}", file=sys.stderr)
    sys.exit(2)


if __name__ == "__main__":
    main()
