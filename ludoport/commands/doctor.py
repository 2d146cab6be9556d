"""``ludoport doctor``: facts to paste into a bug report."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.commands.options import Json, Seconds
from ludoport.errors import LudoportError

PACKAGES = ("ludoport", "numpy", "numba", "llvmlite", "numba-cuda", "torch", "ray", "typer", "rich")


def doctor(
    seconds: Seconds = 10.0,
    json: Json = False,
) -> None:
    """Print versions, devices, the cache, and a speed check. --seconds 0 skips the speed check."""
    at_least("seconds", seconds, 0)
    answers: dict[str, object] = {}
    for name, value in _answers(seconds):
        answers[name] = value
        if not json:
            typer.echo(f"{name:<16} {value}")
    if json:
        print_json(answers)


def _answers(seconds: float) -> Iterator[tuple[str, object]]:
    import os

    yield "python", platform.python_version()
    yield "system", platform.platform()
    yield "processor", f"{_processor()}, {os.cpu_count()} cores"
    for package in PACKAGES:
        yield package, _version(package)
    yield "gpu", _gpu()
    yield "cache", _cache()
    if seconds > 0:
        import ludoport as lp

        game = lp.load("Hex", options=["Board Size/11x11"])
        game.playouts(count=1)
        stats = game.playouts(seconds=seconds)
        speed = f"{stats.playouts_per_second:,.0f} playouts/s, {stats.moves_per_second:,.0f} moves/s"
        yield "Hex 11x11", f"{speed} (one thread, {stats.seconds:.1f} s)"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:  # noqa: PTH123
            return next(line.split(":", 1)[1].strip() for line in file if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _gpu() -> str:
    from ludoport.kernels.cuda import devices

    try:
        return ", ".join(devices()) or "none"
    except Exception as error:  # drivers fail in many ways, and none of them may stop the doctor
        return f"none ({type(error).__name__}: {error})"


def _cache() -> str:
    from ludoport.kernels.cache import cache_folder, private_cache

    folder = cache_folder()
    try:
        private_cache()
    except (LudoportError, OSError) as error:
        return str(error)
    files = [path for path in folder.rglob("*") if path.is_file()] if folder.is_dir() else []
    return f"{folder} ({len(files)} files, {sum(path.stat().st_size for path in files) / 1e6:.1f} MB)"
