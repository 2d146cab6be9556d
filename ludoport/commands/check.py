"""``ludoport check``: is a game text right, and can it be played?"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import Json, print_json
from ludoport.errors import LudoportError, UnsupportedError

FEW = 50
"""Up to so many texts are compiled without being asked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about one text.

    Attributes:
        file: the text.
        right: it reads, expands and fits the signatures.
        playable: it can be compiled; None if that was not tried.
        message: what is wrong or missing; empty for nothing.
    """

    file: str
    right: bool
    playable: bool | None
    message: str


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Game texts, or folders of them.")],
    compiled: Annotated[
        bool | None,
        typer.Option(
            "--compile/--no-compile",
            help=f"Also see whether the kernels can be generated (default: for at most {FEW} texts).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Read game texts, expand them, check every ludeme, and say which can be compiled."""
    begin = time.perf_counter()
    findings = []
    paths = list(texts(files))
    if compiled is None:
        compiled = len(paths) <= FEW
    for path in paths:
        finding = examine(path, compiled)
        findings.append(finding)
        if not json:
            _tell(finding)
    wrong = sum(not finding.right for finding in findings)
    playable = sum(finding.playable is True for finding in findings)
    seconds = time.perf_counter() - begin
    if json:
        total = {"files": len(findings), "right": len(findings) - wrong, "playable": playable if compiled else None}
        print_json({"summary": total | {"seconds": round(seconds, 3)}, "files": [asdict(item) for item in findings]})
    elif len(findings) > 1:
        can = f", {playable} can be compiled" if compiled else ""
        typer.echo(f"{len(findings) - wrong} of {len(findings)} texts are right{can} ({seconds:.1f} s)")
    if wrong:
        raise typer.Exit(2)


def texts(paths: Iterable[Path]) -> Iterator[Path]:
    """The files among the paths, and the game texts in the folders among them."""
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.lud"))
            if not found:
                raise LudoportError(f"{path}: holds no .lud files")
            yield from found
        else:
            yield path


def examine(path: Path, compiled: bool) -> Finding:
    """Reads one text and, if asked, generates its kernels."""
    import ludoport as lp
    from ludoport.languages import GDL_SUFFIXES, find_rules
    from ludoport.lud.reading import read_file

    try:
        if path.suffix in GDL_SUFFIXES:
            find_rules(path)
        else:
            read_file(path)
    except LudoportError as error:
        return Finding(str(path), False, None, str(error))
    if not compiled:
        return Finding(str(path), True, None, "")
    try:
        _ = lp.load(str(path)).rules.source
    except UnsupportedError as error:
        return Finding(str(path), True, False, str(error))
    except LudoportError as error:
        return Finding(str(path), False, False, str(error))
    except Exception as error:  # a mistake of ours in one text must not hide what is known about the others
        return Finding(str(path), True, False, f"internal error, {type(error).__name__}: {error}")
    return Finding(str(path), True, True, "")


def _tell(finding: Finding) -> None:
    if not finding.right:
        typer.echo(finding.message, err=True)
    elif finding.playable is False:
        typer.echo(f"{finding.file}: right, but cannot be compiled yet: {finding.message}")
    else:
        typer.echo(f"{finding.file}: right" + (", can be compiled" if finding.playable else ""))
