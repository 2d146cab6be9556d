"""Generated source becomes functions: plain Python, machine code for the CPU, or CUDA device code.

Modules for the CPU are files in a cache folder, because numba keeps machine code beside the file it came from.
"""

from __future__ import annotations

import hashlib
import marshal
import re
import shutil
import sys
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.files import write_atomically
from ludoport.kernels.cache import cache_folder, private_cache
from ludoport.kernels.checked import Checked, checked_entry, checking
from ludoport.kernels.digested import read_digested, write_digested
from ludoport.kernels.found import found

FORMAT = 6
"""Raised whenever the shape of generated modules changes."""

_IMPORT = "from ludoport.kernels.jit import entry, inlined, kernel, wide\n"


def finish_source(source: str) -> str:
    """Add the initial position as a table; the setup runs once in plain Python."""
    return f"{source}\nINITIAL = {row_text(initial_row(source))}\n"


def initial_row(source: str) -> list[int]:
    """The initial position of a game."""
    row: list[int] = found(source, "initial", lambda: _initial(source), checking())
    return row


def row_text(row: list[int]) -> str:
    """A position as a table."""
    values = ",".join(map(str, row))
    largest = max(map(abs, row), default=0)
    if largest > np.iinfo(np.int32).max:
        raise LudoportError(f"the initial position holds the number {largest:,}; rows hold numbers up to 2,147,483,647")
    kind = "int16" if largest <= np.iinfo(np.int16).max else "int32"
    return f"np.array([{values}], dtype=np.{kind})"


def _initial(source: str) -> list[int]:
    """The initial position."""
    plain = plain_functions(_needed(source, "setup"))
    row = np.zeros(plain["STATE_SIZE"], dtype=np.int64)
    plain["setup"](Checked(row) if checking() else row)
    return [int(x) for x in row]


_ITEM = re.compile(r"^(?=@|import |\w+ = |(?<!@kernel\n)(?<!@inlined\n)(?<!@entry\n)def )", re.MULTILINE)
_NAMED = re.compile(r"(?:@\w+\s+def )?(\w+)")
_WORD = re.compile(r"\b[A-Za-z_]\w*\b")


def _needed(source: str, root: str) -> str:
    """A function of generated source with what it needs, STATE_SIZE and the imports: all tables take long to read."""
    items = _ITEM.split(source)
    owner = {found[1]: item for item in items if (found := _NAMED.match(item)) is not None and found[1] != "import"}
    needed = {"STATE_SIZE"}
    queue = [root, "STATE_SIZE"]
    while queue:
        item = owner.get(queue.pop(), "")
        new = set(_WORD.findall(item)) & owner.keys() - needed
        needed |= new
        queue += new
    kept = {id(owner[name]) for name in needed}
    return "".join(item for item in items if id(item) in kept or item.startswith("import "))


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
    """Run the text as a module."""
    from ludoport.kernels.direct import remember
    from ludoport.kernels.shared import share

    known = sys.modules.get(name)
    if known is not None:
        return known
    module = ModuleType(name)
    module.__file__ = str(path)
    remember(str(path), text)
    exec(_code(path, text), module.__dict__)  # our own generated text
    share(module.__dict__)
    sys.modules[name] = module
    return module


def _code(path: Path, text: str) -> CodeType:
    """Python's code for a module, kept beside it; Python's own cache of modules trusts its files and is left out."""
    kept = path.with_name(f"kernels_{MAGIC_NUMBER.hex()}.code")
    data = read_digested(kept)
    if data is not None:
        code: CodeType = marshal.loads(data)  # written by this user: see kernels/cache.py
        if code.co_filename == str(path):  # machine code lies beside this file, also where the cache was moved
            return code
    code = compile(text, str(path), "exec")
    write_digested(kept, marshal.dumps(code))
    return code
