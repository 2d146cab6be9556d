"""Generated source becomes functions: plain Python, machine code for the CPU, or CUDA device code.

Modules for the CPU are files in a cache folder, because numba keeps machine code beside the file it came from.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.files import write_atomically

FORMAT = 6
"""Raised whenever the shape of generated modules changes."""

_IMPORT = "from ludoport.kernels.jit import entry, inlined, kernel, wide\n"


def cache_folder() -> Path:
    """Where generated modules and their machine code live; ``LUDOPORT_CACHE`` chooses another place."""
    chosen = os.environ.get("LUDOPORT_CACHE")
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "ludoport"


def finish_source(source: str) -> str:
    """Run the setup once in plain Python and add its result as a table."""
    plain = plain_functions(source + "\nINITIAL = None\n")
    row = np.zeros(plain["STATE_SIZE"], dtype=np.int64)
    plain["setup"](row)
    values = ",".join(map(str, row.tolist()))
    return f"{source}\nINITIAL = np.array([{values}], dtype=np.int16)\n"


def plain_functions(source: str) -> dict[str, Any]:
    """The functions as ordinary Python, slow and easy to step through."""
    namespace: dict[str, Any] = {"kernel": _same, "entry": _same, "inlined": _same, "wide": int}
    exec(compile(source, "<generated kernels>", "exec"), namespace)  # our own generated text
    for name, value in namespace.items():
        # Products of small integers overflow in plain Python, where machine code widens them.
        if isinstance(value, np.ndarray):
            namespace[name] = value.astype(np.int64)
    return namespace


def _same(function: Any) -> Any:
    return function


def cpu_module(name: str, source: str) -> ModuleType:
    """The functions compiled for the CPU, from the disk cache where possible."""
    text = _IMPORT + source
    digest = hashlib.sha256(f"{FORMAT}\n{_versions()}\n{text}".encode()).hexdigest()[:24]
    stem = "".join(c if c.isalnum() else "_" for c in name.lower())
    folder = cache_folder() / digest[:2] / f"{stem}_{digest}"
    path = folder / "kernels.py"
    try:
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
    known = sys.modules.get(name)
    if known is not None:
        return known
    module = ModuleType(name)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), module.__dict__)  # our own generated text
    sys.modules[name] = module
    return module
