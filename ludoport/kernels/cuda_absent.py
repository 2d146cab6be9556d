"""Compiling kernels for a CUDA device that is not here, such as that of a cluster's machines.

numba-cuda types and lowers a kernel without a device if it is told its compute capability. What it asks a driver or
NVRTC for beside that is answered here, and machine code is made by ``ptxas`` of the CUDA toolkit.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from ludoport.errors import LudoportError
from ludoport.kernels.cuda_find import Capability, numba_cuda

if TYPE_CHECKING:
    from ludoport.kernels.cuda_stored import StoredDeviceCode

SPECIFIC = 90
"""From this capability on, machine code is made for one kind of device, as numba-cuda does it."""


def read_capability(text: str) -> Capability:
    """A compute capability such as ``9.0``."""
    major, _, minor = text.partition(".")
    if not (major.isdecimal() and minor.isdecimal()):
        raise LudoportError(f"`{text}` is not a compute capability; write it like 9.0")
    return int(major), int(minor)


def compile_absent(function: Any, types: tuple[Any, ...], capability: Capability) -> Path:
    """Compile a kernel for devices of a capability into the cache; returns its file."""
    if which("ptxas") is None:
        raise LudoportError("compiling for a device that is not here needs ptxas, which the CUDA toolkit has")
    stored: StoredDeviceCode = function._cache
    with _answering(capability):
        entry, cooperative, ptx = _ptx(function, types, capability)
    path = stored.path(types)
    stored.write(path, entry, cooperative, _machine_code(ptx, capability, function.targetoptions.get("max_registers")))
    return path


def _ptx(function: Any, types: tuple[Any, ...], capability: Capability) -> tuple[str, bool, str]:
    """The kernel's name, whether its launch is cooperative, and its text for ``ptxas``."""
    from numba.cuda import types as kinds
    from numba.cuda.compiler import compile_cuda, kernel_fixup
    from numba.cuda.cudadrv import nvvm

    options = {"fastmath": False, "opt": 3}
    result = compile_cuda(function.py_func, kinds.void, types, nvvm_options=options, cc=capability)
    library, entry = result.library, result.fndesc.llvm_func_name
    kernel_fixup(library.get_function(entry), False)
    if library._linking_files:
        raise LudoportError("this kernel needs code of other files, which only a machine with the device can add")
    try:
        ptx = nvvm.compile_ir(library.llvm_strs, arch=f"compute_{_architecture(capability)}", **options)
    except Exception as error:  # of a class that each CUDA toolkit has in another place
        raise LudoportError(f"cannot compile for devices of capability {_written(capability)}: {error}") from None
    return entry, bool(library.use_cooperative), ptx.decode().strip("\x00").strip()


def _written(capability: Capability) -> str:
    return ".".join(map(str, capability))


def _architecture(capability: Capability) -> str:
    number = 10 * capability[0] + capability[1]
    return f"{number}a" if number >= SPECIFIC else str(number)


def _machine_code(ptx: str, capability: Capability, registers: int | None) -> bytes:
    with tempfile.TemporaryDirectory(prefix="ludoport-") as folder:
        source, target = Path(folder) / "kernel.ptx", Path(folder) / "kernel.cubin"
        source.write_text(ptx)
        command = ["ptxas", f"-arch=sm_{_architecture(capability)}", "-O3", str(source), "-o", str(target)]
        command += [f"-maxrregcount={registers}"] if registers else []
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            problem = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[0]
            raise LudoportError(f"ptxas cannot compile for devices of capability {_written(capability)}: {problem}")
        return target.read_bytes()


@contextmanager
def _answering(capability: Capability) -> Iterator[None]:
    """Let numba-cuda see a device, and let it do without NVRTC, which no kernel of ours needs."""
    numba_cuda()
    from numba.cuda import cuda_paths, dispatcher

    device = SimpleNamespace(compute_capability=capability)
    with (
        patch.object(dispatcher, "get_current_device", lambda: device),
        patch.object(cuda_paths, "_get_nvrtc_path", lambda: None),
    ):
        yield
