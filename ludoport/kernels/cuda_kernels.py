"""A game's kernels compiled for a CUDA device, or run by the simulator of numba-cuda."""

from __future__ import annotations

import re
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.kernels.build import plain_functions
from ludoport.kernels.cuda_batch import seed_words
from ludoport.kernels.cuda_fields import SimulatedSplit, Split, split
from ludoport.kernels.cuda_find import numba_cuda, shared_memory, simulated
from ludoport.kernels.cuda_inline import apart, functions_of, marked
from ludoport.kernels.cuda_plan import LaunchPlan
from ludoport.kernels.cuda_stored import StoredDeviceCode
from ludoport.kernels.cuda_texts import (
    COUNTS,
    DEVICE_TEXTS,
    FINISH,
    PLAYOUTS,
    QUICK_START,
    STEP,
    STEPS,
    STREAM,
    TOGETHER,
    WHOLE_SAVE,
    WHOLE_START,
)

LOCAL_LIMIT = 64 * 1024
"""Rows up to this many bytes lie in the memory of the thread, longer ones in global memory."""

SCRATCH_LIMIT = 8 * 1024**3
"""Rows of all threads take at most this many bytes of global memory."""

DEVICE_NAMES = {
    "ROW_BITS", "PACKED", "local_row", "shared_row", "global_row", "copy_word", "clear_word", "stay_apart",
    "stay_small", "make_split",
}  # fmt: skip
"""What device code has beside the texts."""

_PLAIN_START = re.compile(r"for i in range\(STATE_SIZE\):\n {8}state\[i\] = INITIAL\[i\]\n {4}return 0")


class CudaKernels:
    """The kernels of one game on the device.

    Args:
        source: the generated source.
        plan: the layout.
    """

    def __init__(self, source: str, plan: LaunchPlan) -> None:
        self.source, self.plan = source, plan
        self.simulated = simulated()
        self.cuda = numba_cuda()
        self.functions: dict[str, Any] = {"np": np, "cuda": self.cuda}
        self.tables = np.zeros(1, dtype=np.int16)
        self.parts: Split | None = None
        self.initial: NDArray[np.int16] = self.tables
        self.shared_bytes = 0
        self.warm = False
        self._launched: dict[str, Any] = {}
        self._most_blocks: dict[int, int] = {}
        self._scratch: Any = None
        self._tables: Any = None
        if self.simulated:
            self._simulate()
        else:
            self._compile()

    @property
    def bits(self) -> int:
        """The width of the integers of a row."""
        return self.plan.bits

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of a row."""
        kinds: dict[int, type[np.signedinteger[Any]]] = {16: np.int16, 32: np.int32, 64: np.int64}
        return kinds[self.plan.bits]

    @property
    def scratch_size(self) -> int:
        """Integers of global memory that one thread needs."""
        return sum(size + size % 2 for _, size, place in self._rows() if place == "global")

    def scratch(self, threads: int) -> Any:
        """Global memory for the long rows of this many threads."""
        size = max(1, threads * self.scratch_size)
        if self._scratch is None or self._scratch.size < size:
            self._scratch = self.cuda.device_array(size, dtype=self.dtype)
        return self._scratch

    def device_tables(self) -> Any:
        """The tables that blocks copy to their shared memory."""
        if self._tables is None:
            self._tables = self.cuda.to_device(self.tables)
        return self._tables

    def fill(self, arguments: tuple[Any, ...], threads: int) -> list[Any]:
        """The arguments of a kernel: tables and scratch space take the place of the ellipsis."""
        filled: list[Any] = []
        for argument in arguments:
            filled += [self.device_tables(), self.scratch(threads)] if argument is ... else [argument]
        return filled

    def most_blocks(self, function: Any, arguments: tuple[Any, ...]) -> int:
        """Number of blocks that the device runs at once."""
        if self.simulated:
            return 64
        if id(function) not in self._most_blocks:
            self._most_blocks[id(function)] = self._ask_blocks(function, arguments)
        per_unit = self._most_blocks[id(function)]
        blocks = min(per_unit, self.plan.blocks or per_unit) * self.cuda.get_current_device().MULTIPROCESSOR_COUNT
        if self.scratch_size:
            blocks = min(blocks, SCRATCH_LIMIT // (self.bits // 8 * self.scratch_size * self.plan.block))
        return int(max(1, blocks))

    def _ask_blocks(self, function: Any, arguments: tuple[Any, ...]) -> int:
        """Compile a kernel, let it have the shared memory it needs, and ask how many blocks fit on a multiprocessor."""
        from numba.cuda.cudadrv.driver import binding, driver

        types = tuple(function.typeof_pyval(argument) for argument in self.fill(arguments, 1))
        compiled = function.compile(types)._codelibrary.get_cufunc()
        attribute = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
        driver.cuKernelSetAttribute(attribute, self.shared_bytes, compiled.handle, compiled.device.id)
        context = self.cuda.current_context()
        return int(context.get_active_blocks_per_multiprocessor(compiled, self.plan.block, self.shared_bytes))

    def playouts(self) -> Any:
        """The kernel that plays a batch."""
        start, save = (WHOLE_START, WHOLE_SAVE) if self.parts is None else self._split_texts(self.parts)
        finish = FINISH.replace("{save}", indent(save, "    "))
        games = STREAM if self.plan.stream else TOGETHER
        for place, filling in (("START", start), ("STEP", STEP), ("FINISH", finish)):
            games = _filled(games, place, filling)
        text = PLAYOUTS.replace("{games}", games)
        return self.kernel("run_playouts", text if self.parts is None else text.replace("state[OVER]", "state.OVER"))

    def counts(self) -> Any:
        """The kernel that counts the moves of positions."""
        return self.kernel("run_counts", COUNTS)

    def steps(self) -> Any:
        """The kernel that plays a move in each position."""
        return self.kernel("run_steps", STEPS)

    def _split_texts(self, parts: Split) -> tuple[str, str]:
        """How a state that was taken apart begins, and how it is written down as a row."""
        initial = self.initial
        start = [f"for i in range({parts.words}):", "    copy_word(rest, PACKED, i)"]
        if self.simulated:
            start = ["state.begin(INITIAL)"]
        save = ["for i in range(STATE_SIZE):", "    rows[game, i] = INITIAL[i]"]
        for field in parts.fields:
            if field.single:
                start.append(f"state.{field.name} = {initial[field.begin]}")
                save.append(f"rows[game, {field.begin}] = state.{field.name}")
            else:
                save.append(f"for i in range({field.size}):")
                save.append(f"    rows[game, {field.begin} + i] = state.{field.name}[i]")
        return "\n".join(start), "\n".join(save)

    def _rows(self) -> list[tuple[str, int, str]]:
        """Name, size and memory of the rows of a thread."""
        f, plan = self.functions, self.plan
        sizes = {
            "state": f["STATE_SIZE"] if self.parts is None else 2 * self.parts.words,
            "work": max(f["WORK_SIZE"], 1),
            "moves": (f["MAX_MOVES"] + 1) * f["MOVE_SIZE"],
            "move": f["MOVE_SIZE"],
        }
        shared = {"state": plan.shared_state, "work": plan.shared_work}
        places = {}
        for name, size in sizes.items():
            long = self.bits // 8 * size > (32 if plan.contiguous else LOCAL_LIMIT)
            places[name] = "shared" if shared.get(name) else "global" if long else "local"
        return [(name, size, "local" if self.simulated else places[name]) for name, size in sizes.items()]

    def _allocation(self) -> str:
        """The lines that make the rows of a thread, after tables were copied to shared memory."""
        lines, used, shared = [], 0, self._table_bytes()
        if shared:
            lines.append(f"fill_shared(tables, {(shared + 3) // 4})")
        for given, size, place in self._rows():
            name = "rest" if given == "state" and self.parts is not None else given
            if place == "shared":
                lines.append(f"{name} = shared_row({shared}, {self.plan.block}, cuda.threadIdx.x)")
                shared += (size + 1) // 2 * 4 * self.plan.block
            elif place == "global":
                lines.append(f"{name} = global_row(scratch, game * {self.scratch_size} + {used})")
                used += size + size % 2
            else:
                lines.append(f"{name} = local_row({size}, {self.bits})")
        if self.parts is not None:
            lines.append("state = make_split(rest)")
        lines.append("rng = cuda.local.array(2, np.int64)")
        self.shared_bytes = shared
        if shared > shared_memory():
            raise LudoportError(f"a block would need {shared} bytes of shared memory; there are {shared_memory()}")
        return "\n".join("    " + line for line in lines)

    def _table_bytes(self) -> int:
        return 0 if self.simulated or self.tables.size == 1 else 2 * self.tables.size

    def kernel(self, name: str, text: str) -> Any:
        """A kernel of a text, which may use everything in the game's source; made once."""
        if name not in self._launched:
            text = text.replace("{rows}", self._allocation())
            exec(compile(text, f"<{name}>", "exec"), self.functions)  # our own text
            options = {"max_registers": self.plan.registers} if self.plan.registers and not self.simulated else {}
            self._launched[name] = self.cuda.jit(**options)(self.functions[name])
            if not self.simulated:
                recipe = "\n".join([text, str(self.plan), str(self.shared_bytes), self.source])
                self._launched[name]._cache = StoredDeviceCode(name, recipe)
        return self._launched[name]

    def _simulate(self) -> None:
        """Plain Python on wide integers, within the simulator's threads."""
        f = self.functions
        f["ROW_BITS"] = self.bits
        check_names(self.source)
        f |= plain_functions(self._source())
        self.initial = f["INITIAL"]

        def seed_generator(rng: Any, seed: int, game: int) -> None:
            rng[0], rng[1] = seed_words(int(seed) + int(game))

        def clear_row(row: Any, size: int) -> None:
            row[:size] = 0

        def local_row(size: int, bits: int) -> Any:
            del bits  # nothing overflows here
            return np.zeros(size, dtype=np.int64)

        def make_split(rest: Any) -> SimulatedSplit:
            del rest
            assert self.parts is not None
            return SimulatedSplit(self.parts.fields)

        for function in (seed_generator, clear_row, local_row, make_split):
            f[function.__name__] = function

    def _source(self) -> str:
        """The source as the device compiler gets it."""
        if self.plan.split and self.bits == 16 and _PLAIN_START.search(self.source):
            self.parts = split(self.source)
            if self.parts is not None:
                return self.parts.source
        if self.plan.inline or self.simulated:
            return self.source
        long = apart(self.source, self.plan.long, self.plan.calls)
        source = marked(self.source, long, "stay_apart")
        return marked(source, functions_of(source), "stay_small") if self.plan.small else source

    def _compile(self) -> None:
        from ludoport.kernels import cuda_rows

        cuda, f = self.cuda, self.functions

        def kernel(function: Any) -> Any:
            return cuda.jit(device=True, forceinline=self.plan.inline)(function)

        f["ROW_BITS"] = self.bits
        f |= {"kernel": kernel, "inlined": kernel, "entry": lambda function: function, "wide": np.int64}
        for name in ("local_row", "shared_row", "global_row", "copy_word", "clear_word", "stay_apart", "stay_small"):
            f[name] = getattr(cuda_rows, name)
        source = self._source()
        check_names(source)
        exec(compile(source, "<generated kernels>", "exec"), f)  # our own generated text
        self.initial = f["INITIAL"]
        if self.parts is not None:
            f["make_split"] = cuda_rows.split_row(self.parts.fields)
            f["PACKED"] = self.parts.initial
        arrays = {name: value for name, value in f.items() if isinstance(value, np.ndarray)}
        packed: list[NDArray[np.int16]] = []
        offset = 0
        for name, values in sorted(arrays.items(), key=lambda item: item[1].size):
            even = np.append(values, np.zeros(values.size % 2, dtype=values.dtype)).astype(_narrowest(values))
            small = even.dtype == np.int16 and offset + 2 * even.size <= self.plan.shared_tables
            fits = small and name not in ("INITIAL", "PACKED")
            f[name] = cuda_rows.DeviceTable(name, even, offset if fits else None)
            if fits:
                packed.append(even)
                offset += 2 * even.size
        if packed:
            self.tables = np.concatenate(packed)
        for text in DEVICE_TEXTS:
            exec(compile(text, "<device functions>", "exec"), f)
        if self.plan.words and _PLAIN_START.search(self.source) and self.bits == 16:
            exec(compile(QUICK_START, "<device functions>", "exec"), f)


def check_names(source: str) -> None:
    """Device code has functions beside those of a game; one of the same name would take its place unnoticed."""
    ours = set(re.findall(r"^def (\w+)\(", "\n".join(DEVICE_TEXTS), re.MULTILINE)) | DEVICE_NAMES
    taken = ours & set(re.findall(r"^(?:def )?(\w+)(?:\(| = )", source, re.MULTILINE))
    if taken:
        raise LudoportError(f"the kernels of a game must not be called `{min(taken)}`; device code uses this name")


def _narrowest(values: NDArray[Any]) -> type[np.signedinteger[Any]]:
    """The smallest integers that hold a table; words that are copied whole are of 16 bits."""
    for kind in (np.int16, np.int32):
        limits = np.iinfo(kind)
        if values.size == 0 or limits.min <= int(values.min()) <= int(values.max()) <= limits.max:
            return kind
    return np.int64


def _filled(text: str, place: str, filling: str) -> str:
    """A text with lines in the place of a word, as deep as it stood."""
    found = re.search(rf"^( *){place}$", text, re.MULTILINE)
    assert found is not None, place
    return text[: found.start()] + indent(filling, found[1]) + text[found.end() :]
