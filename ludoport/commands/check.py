"""``ludoport check``: check game files."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.examining import FileFinding, examine_all
from ludoport.commands.options import Json, option
from ludoport.errors import LudoportError

FEW = 50
"""Most files that are compiled without --compile."""


def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Game files, or folders of them.")],
    compiled: Annotated[
        bool | None,
        option("--compile/--no-compile", help="Generate the kernels too.", default=f"for at most {FEW} files"),
    ] = None,
    json: Json = False,
) -> None:
    """Check game files: syntax, ludemes, and whether they compile.

    Each file gets 1.6 GB and 16 s of CPU time, 1 s more for each 1,000 bytes, at most 90 s. Exit code: 0 if all files
    compile, 1 if one does not, 2 for a bad call.
    """
    begin = time.perf_counter()
    findings = []
    paths = list(texts(files))
    if compiled is None:
        compiled = len(paths) <= FEW
    for finding in examine_all(paths, compiled):
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
        can = f", {playable} compile" if compiled else ""
        typer.echo(f"{len(findings) - wrong} of {len(findings)} game files are correct{can} ({seconds:.1f} s)")
    if wrong or (compiled and playable < len(findings)):
        raise typer.Exit(1)


def texts(paths: Iterable[Path]) -> Iterator[Path]:
    """The files among the paths, and the game files in the folders among them."""
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.lud"))
            if not found:
                raise LudoportError(f"{path}: no .lud files in this folder")
            yield from found
        elif path.is_file():
            yield path
        else:
            raise LudoportError(f"{path}: no such file")


def _tell(finding: FileFinding) -> None:
    if not finding.right:
        typer.echo(finding.message, err=True)
    elif finding.playable is False:
        typer.echo(f"{finding.file}: correct, but does not compile yet: {finding.message}")
    else:
        typer.echo(f"{finding.file}: OK" + (": compiles" if finding.playable else ""))
        for warning in finding.warnings:
            typer.echo(f"warning: {warning}")
