"""Generated source becomes functions: plain Python, machine code for the CPU, or CUDA device code.

Modules for the CPU are files in a cache folder, because numba keeps machine code beside the file it came from.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.kernels.cache import cache_folder, private_cache
from ludoport.kernels.checked import Checked, checked_entry, checking

FORMAT = 6
"""Raised whenever the shape of generated modules changes."""

_IMPORT = "from ludoport.kernels.jit import entry, inlined, kernel, wide\n"


def finish_source(source: str) -> str:
    """Run the setup once in plain Python and add its result as a table."""
    plain = plain_functions(source + "\nINITIAL = None\n")
    row = np.zeros(plain["STATE_SIZE"], dtype=np.int64)
    plain["setup"](Checked(row) if checking() else row)
    values = ",".join(map(str, row.tolist()))
    largest = int(np.abs(row).max(initial=0))
    if largest > np.iinfo(np.int32).max:
        raise LudoportError(f"the initial position holds the number {largest:,}; rows hold numbers up to 2,147,483,647")
    kind = "int16" if largest <= np.iinfo(np.int16).max else "int32"
    return f"{source}\nINITIAL = np.array([{values}], dtype=np.{kind})\n"


def defined_names(source: str) -> set[str]:
    """Names of the functions, tables and constants of generated source."""
    return {function or constant for function, constant in re.findall(r"^(?:def (\w+)|(\w+) = )", source, re.MULTILINE)}


def too_deep(error: BaseException) -> LudoportError:
    """What to say where Python cannot read the source of a game."""
    reason = getattr(error, "msg", None) or type(error).__name__
    return LudoportError(f"the rules are too deep or too many for Python's compiler ({reason})")


def plain_functions(source: str) -> dict[str, Any]:
    """The functions as ordinary Python, slow and easy to step through."""
    checks = checking()
    namespace: dict[str, Any] = {
        "kernel": _same,
        "entry": checked_entry if checks else _same,
        "inlined": _same,
        "wide": int,
    }
    try:
        exec(compile(source, "<generated kernels>", "exec"), namespace)  # our own generated text
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise too_deep(error) from None
    for name, value in namespace.items():
        # Products of small integers overflow in plain Python, where machine code widens them.
        if isinstance(value, np.ndarray):
            wide = value.astype(np.int64)
            namespace[name] = Checked(wide) if checks else wide
    return namespace


def _same(function: Any) -> Any:
    return function


def cpu_module(name: str, source: str) -> ModuleType:
    """The functions compiled for the CPU, from the disk cache where possible."""
    text = _IMPORT + source
    checks = "checking every index\n" if checking() else ""
    digest = hashlib.sha256(f"{FORMAT}\n{_versions()}\n{checks}{text}".encode()).hexdigest()[:24]
    stem = re.sub(r"[^a-z0-9]", "_", name.lower())[:40]
    try:
        path = private_cache() / digest[:2] / f"{stem}_{digest}" / "kernels.py"
        _write_once(path, text)
        return _import(f"ludoport_generated_{stem}_{digest}", path, text)
    except OSError as error:
        raise LudoportError(f"cannot write the kernel cache in {cache_folder()}: {error.strerror}") from None


def _versions() -> str:
    import numba

    return f"{numba.__version__} {np.__version__} {sys.version_info[:2]}"


def _write_once(path: Path, text: str) -> None:
    """Write a file atomically unless it is there already; several processes may do this at once."""
    try:
        if path.read_text() == text:
            return
    except (OSError, UnicodeDecodeError):
        pass
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(path.parent / "__pycache__", ignore_errors=True)
    write_atomically(path, text, sync=False)


def _import(name: str, path: Path, text: str) -> ModuleType:
    """Run the text as a module; Python's own cache of modules, which trusts its files, is left out."""
    from ludoport.kernels.direct import remember
    from ludoport.kernels.shared import share

    known = sys.modules.get(name)
    if known is not None:
        return known
    module = ModuleType(name)
    module.__file__ = str(path)
    remember(str(path), text)
    exec(compile(text, str(path), "exec"), module.__dict__)  # our own generated text
    share(module.__dict__)
    sys.modules[name] = module
    return module
