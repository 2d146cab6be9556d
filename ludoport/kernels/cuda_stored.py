"""Device code on disk: what one process has compiled, the next one only loads.

A file holds one kernel for one kind of device (compute capability). Its name is a digest of everything that decides
what the compiler makes of it: the kernel's text, the game's source, the layout, the types of arguments, this room's own
texts, and the version of numba-cuda, which also decides how arguments are handed over. Versions of Python and NumPy do
not matter to finished machine code, so a file may come from another machine (``cuda_absent.py``). It begins with a
digest of the rest, so damaged files are rebuilt; files are moved into place whole, so several processes may write at
once.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ludoport.kernels.cache import cache_folder
from ludoport.kernels.cuda_find import capability
from ludoport.kernels.digested import place, read_digested, write_digested

FORMAT = 2
"""Raised when the files change."""


class StoredDeviceCode:
    """The cache of one kernel, as the dispatcher of numba-cuda asks for it.

    Args:
        name: the kernel's name.
        recipe: all texts that it is made of.
    """

    def __init__(self, name: str, recipe: str) -> None:
        self.name, self.recipe = name, recipe

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(cache_folder() / "cuda")

    def path(self, types: Any) -> Path:
        """The file for arguments of these types on the current device."""
        signature = ", ".join(map(str, types))
        recipe = [str(FORMAT), _versions(), _own_texts(), str(capability()), self.name, signature, self.recipe]
        return place("cuda", self.name, "\n".join(recipe), ".cubin")

    def load_overload(self, types: Any, target_context: Any) -> Any:
        """The kernel for these types; None if there is no file that can be trusted."""
        del target_context
        try:
            kept = read_digested(self.path(types))
        except OSError:
            return None
        if kept is None:
            return None
        size = int.from_bytes(kept[:4], "little")
        try:
            return _rebuilt(self.name, json.loads(kept[4 : 4 + size]), kept[4 + size :], types)
        except Exception:  # another device or driver than the one that was asked
            return None

    def save_overload(self, types: Any, kernel: Any) -> None:
        """Keep a kernel; without room on the disk it is not kept."""
        code = bytes(kernel._codelibrary.get_cubin().code)
        with suppress(OSError):
            self.write(self.path(types), kernel.entry_name, kernel.cooperative, code)

    def write(self, path: Path, entry: str, cooperative: bool, code: bytes) -> None:
        """Write the machine code of a kernel into its file."""
        facts = json.dumps({"entry": entry, "cooperative": cooperative}).encode()
        write_digested(path, len(facts).to_bytes(4, "little") + facts + code)


def _rebuilt(name: str, facts: dict[str, Any], code: bytes, types: Any) -> Any:
    """A kernel of numba-cuda around finished machine code."""
    from numba.cuda import types as kinds
    from numba.cuda.codegen import CUDACodeLibrary
    from numba.cuda.cudadrv.driver import ObjectCode
    from numba.cuda.dispatcher import _Kernel
    from numba.cuda.typing.templates import signature

    library = CUDACodeLibrary(None, name, entry_name=facts["entry"])
    library._llvm_strs = []
    library._cubin_cache[library._ensure_cc(None)] = ObjectCode.from_cubin(code, name=name)
    library._finalized = True
    library.get_cufunc()  # so that code which this device cannot load is found out now
    return _Kernel._rebuild(
        cooperative=facts["cooperative"], name=facts["entry"], signature=signature(kinds.void, *types),
        codelibrary=library, debug=False, lineinfo=False, call_helper=None, extensions=[],
    )  # fmt: skip


@cache
def _versions() -> str:
    """The versions that matter, without their last numbers, which only mend faults."""
    from importlib.metadata import version

    return " ".join(".".join(version(package).split(".")[:2]) for package in ("numba", "numba-cuda"))


@cache
def _own_texts() -> str:
    """A digest of the files of this room that write device code."""
    digest = hashlib.sha256()
    for name in ("fields", "inline", "kernels", "rows", "texts"):
        digest.update(Path(__file__).with_name(f"cuda_{name}.py").read_bytes())
    return digest.hexdigest()
