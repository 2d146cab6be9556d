"""The kernels on a CUDA device: the same generated source, one thread a game.

Nothing here is imported unless it is asked for; it needs the extra ``cuda`` (numba-cuda). Without a device, the
simulator of numba-cuda (``NUMBA_ENABLE_CUDASIM=1``) runs the same text slowly.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from functools import cache
from textwrap import indent
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.kernels.build import plain_functions
from ludoport.kernels.cuda_batch import Playable, PlayoutBatch, seed_words
from ludoport.kernels.cuda_fields import SimulatedSplit, Split, split
from ludoport.kernels.cuda_inline import apart, keep_apart

SHARED_LIMIT = 227 * 1024
"""The most shared memory of a block, in bytes, on current devices."""

LOCAL_LIMIT = 64 * 1024
"""Rows up to this many bytes lie in the memory of the thread, longer ones in global memory."""

TABLES_LIMIT = 4096
"""Tables take at most this many bytes of shared memory."""

SHARED_LEAST = 96
"""Rows that let fewer threads than this share a multiprocessor do not go to shared memory."""

SCRATCH_LIMIT = 8 * 1024**3
"""Rows of all threads take at most this many bytes of global memory."""

STEP = """sample(state, rng, move, moves, work)
play(state, move, work)"""

DRAWN_STEP = """if draw_move(state, work, rng, move) == 0:
    sample(state, rng, move, moves, work)
play(state, move, work)"""

PLAYOUTS = '''
def run_playouts(seed, count, limit, tables, scratch, lengths, utilities, rows):
    """One thread plays the games thread, thread + threads, and so on."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear(work, WORK_SIZE)
{games}
'''

TOGETHER = '''
    while game < count:
        seed_generator(rng, seed, game)
        START
        played = 0
        while state[OVER] == 0 and played < limit:
            STEP
            played += 1
        FINISH
        game += threads
'''
"""The threads of a warp wait for the longest of their games, then all begin the next one."""

STREAM = '''
    played = -1
    while game < count:
        if played < 0:
            seed_generator(rng, seed, game)
            START
            played = 0
        if state[OVER] == 0 and played < limit:
            STEP
            played += 1
        else:
            FINISH
            game += threads
            played = -1
'''
"""Each thread begins its next game as soon as one is over, while others go on."""

FINISH = '''lengths[game] = played
for player in range(N_PLAYERS):
    utilities[game, player] = utility(state, player + 1)
if rows.shape[1] == STATE_SIZE:
{save}'''
"""Writing down a game that is over."""

WHOLE_START = "start(state, rng)"
WHOLE_SAVE = """for i in range(STATE_SIZE):
    rows[game, i] = state[i]"""
"""How a row begins and is written down as a whole."""

COUNTS = '''
def run_counts(states, tables, scratch, counts):
    """How many legal moves each position has."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear(work, WORK_SIZE)
    while game < states.shape[0]:
        for i in range(STATE_SIZE):
            state[i] = states[game, i]
        counts[game] = legal(state, moves, work)
        game += threads
'''

STEPS = '''
def run_steps(states, chosen, tables, scratch, counts):
    """Play a move in each position, chosen by its number among the legal ones; the positions change in place."""
    game = cuda.grid(1)
    threads = cuda.gridsize(1)
{rows}
    clear(work, WORK_SIZE)
    while game < states.shape[0]:
        for i in range(STATE_SIZE):
            state[i] = states[game, i]
        n = legal(state, moves, work)
        counts[game] = n
        if 0 <= chosen[game] < n:
            for c in range(MOVE_SIZE):
                move[c] = moves[chosen[game] * MOVE_SIZE + c]
            play(state, move, work)
            for i in range(STATE_SIZE):
                states[game, i] = state[i]
        game += threads
'''


@dataclass(frozen=True)
class Plan:
    """How a batch is laid out on the device.

    Attributes:
        block: threads of a block.
        blocks: blocks of a multiprocessor at most; 0 for as many as it holds at once.
        split: take state rows apart, where the game allows it.
        shared_state: keep state rows in shared memory.
        shared_work: keep scratch space in shared memory.
        shared_tables: copy tables into shared memory as long as they take no more than this many bytes together.
        contiguous: keep the rows of a thread in one piece of global memory, for games that go very different ways.
        stream: begin the next game of a thread at once, not when its neighbours are ready too.
        registers: most registers of a thread; 0 for no limit.
        inline: let every function be a part of its callers.
    """

    block: int = 128
    blocks: int = 0
    split: bool = False
    shared_state: bool = False
    shared_work: bool = False
    shared_tables: int = 0
    contiguous: bool = False
    stream: bool = False
    registers: int = 0
    inline: bool = False


@cache
def numba_cuda() -> Any:
    """The module ``numba.cuda``; all imports of it go through here."""
    # numba-cuda 0.30 still looks up a name that numpy 2.5 no longer has.
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack
    try:
        from numba import cuda
    except ImportError as error:
        raise LudoportError(f"CUDA needs the extra `cuda` (pip install 'ludoport[cuda]'): {error}") from None
    return cuda


def simulated() -> bool:
    """Whether the simulator stands in for a device."""
    numba_cuda()
    from numba.cuda.core import config

    return bool(config.ENABLE_CUDASIM)


def devices() -> list[str]:
    """The names of the CUDA devices here."""
    cuda = numba_cuda()
    if not cuda.is_available() or simulated():
        return []
    return [device.name.decode() if isinstance(device.name, bytes) else str(device.name) for device in cuda.gpus]


def need_device() -> None:
    """Refuses to go on without a device or the simulator."""
    if not numba_cuda().is_available():
        raise LudoportError("there is no CUDA device here; NUMBA_ENABLE_CUDASIM=1 simulates one, slowly")


class CudaKernels:
    """The kernels of one game on the device.

    Args:
        source: the generated source.
        plan: the layout.
    """

    def __init__(self, source: str, plan: Plan) -> None:
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
    def scratch_size(self) -> int:
        """Integers of global memory that one thread needs."""
        return sum(size + size % 2 for _, size, place in self._rows() if place == "global")

    def scratch(self, threads: int) -> Any:
        """Global memory for the long rows of this many threads."""
        size = max(1, threads * self.scratch_size)
        if self._scratch is None or self._scratch.size < size:
            self._scratch = self.cuda.device_array(size, dtype=np.int16)
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
        """How many blocks the device works on at once."""
        if self.simulated:
            return 64
        if id(function) not in self._most_blocks:
            self._most_blocks[id(function)] = self._ask_blocks(function, arguments)
        per_unit = self._most_blocks[id(function)]
        blocks = min(per_unit, self.plan.blocks or per_unit) * self.cuda.get_current_device().MULTIPROCESSOR_COUNT
        if self.scratch_size:
            blocks = min(blocks, SCRATCH_LIMIT // (2 * self.scratch_size * self.plan.block))
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
        step = DRAWN_STEP if "draw_move" in self.functions else STEP
        start, save = (WHOLE_START, WHOLE_SAVE) if self.parts is None else self._split_texts(self.parts)
        finish = FINISH.replace("{save}", indent(save, "    "))
        games = STREAM if self.plan.stream else TOGETHER
        for place, filling in (("START", start), ("STEP", step), ("FINISH", finish)):
            games = re.sub(rf"^( *){place}$", lambda found, filling=filling: indent(filling, found[1]), games, flags=re.MULTILINE)
        text = PLAYOUTS.replace("{games}", games)
        return self._kernel("run_playouts", text if self.parts is None else text.replace("state[OVER]", "state.OVER"))

    def counts(self) -> Any:
        """The kernel that counts the moves of positions."""
        return self._kernel("run_counts", COUNTS)

    def steps(self) -> Any:
        """The kernel that plays a move in each position."""
        return self._kernel("run_steps", STEPS)

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
            long = 2 * size > (32 if plan.contiguous else LOCAL_LIMIT)
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
                lines.append(f"{name} = local_row({size})")
        if self.parts is not None:
            lines.append("state = make_split(rest)")
        lines.append("rng = cuda.local.array(2, np.int64)")
        self.shared_bytes = shared
        if shared > SHARED_LIMIT:
            raise LudoportError(f"a block would need {shared} bytes of shared memory; there are {SHARED_LIMIT}")
        return "\n".join("    " + line for line in lines)

    def _table_bytes(self) -> int:
        return 0 if self.simulated or self.tables.size == 1 else 2 * self.tables.size

    def _kernel(self, name: str, text: str) -> Any:
        if name not in self._launched:
            exec(compile(text.replace("{rows}", self._allocation()), f"<{name}>", "exec"), self.functions)
            options = {"max_registers": self.plan.registers} if self.plan.registers and not self.simulated else {}
            self._launched[name] = self.cuda.jit(**options)(self.functions[name])
        return self._launched[name]

    def _simulate(self) -> None:
        """Plain Python on wide integers, within the simulator's threads."""

        def stay_apart() -> None:
            pass

        f = self.functions
        f |= plain_functions(self._source())
        self.initial = f["INITIAL"]

        def seed_generator(rng: Any, seed: int, game: int) -> None:
            rng[0], rng[1] = seed_words(int(seed) + int(game))

        def clear(row: Any, size: int) -> None:
            row[:size] = 0

        def local_row(size: int) -> Any:
            return np.zeros(size, dtype=np.int64)

        def make_split(rest: Any) -> SimulatedSplit:
            del rest
            assert self.parts is not None
            return SimulatedSplit(self.parts.fields)

        for function in (seed_generator, clear, local_row, make_split, stay_apart):
            f[function.__name__] = function

    def _source(self) -> str:
        """The source as the device compiler gets it."""
        if self.plan.split and _PLAIN_START.search(self.source):
            self.parts = split(self.source)
            if self.parts is not None:
                return self.parts.source
        return self.source if self.plan.inline else keep_apart(self.source, apart(self.source))

    def _compile(self) -> None:
        from ludoport.kernels import cuda_rows

        cuda, f = self.cuda, self.functions

        def kernel(function: Any) -> Any:
            return cuda.jit(device=True, forceinline=self.plan.inline)(function)

        f |= {"kernel": kernel, "inlined": kernel, "entry": lambda function: function, "wide": np.int64}
        for name in ("local_row", "shared_row", "global_row", "copy_word", "clear_word", "stay_apart"):
            f[name] = getattr(cuda_rows, name)
        source = self._source()
        exec(compile(source, "<generated kernels>", "exec"), f)  # our own generated text
        self.initial = f["INITIAL"]
        if self.parts is not None:
            f["make_split"] = cuda_rows.split_row(self.parts.fields)
            f["PACKED"] = self.parts.initial
        arrays = {name: value for name, value in f.items() if isinstance(value, np.ndarray)}
        packed: list[NDArray[np.int16]] = []
        offset = 0
        for name, values in sorted(arrays.items(), key=lambda item: item[1].size):
            even = np.append(values, np.zeros(values.size % 2, dtype=np.int16)).astype(np.int16)
            fits = name not in ("INITIAL", "PACKED") and offset + 2 * even.size <= self.plan.shared_tables
            f[name] = cuda_rows.Table(name, even, offset if fits else None)
            if fits:
                packed.append(even)
                offset += 2 * even.size
        if packed:
            self.tables = np.concatenate(packed)
        for text in _DEVICE_TEXTS:
            exec(compile(text, "<device functions>", "exec"), f)
        if _PLAIN_START.search(self.source):
            exec(compile(_QUICK_START, "<device functions>", "exec"), f)


_PLAIN_START = re.compile(r"for i in range\(STATE_SIZE\):\n {8}state\[i\] = INITIAL\[i\]\n {4}return 0")

_QUICK_START = '''
@kernel
def start(state, rng):
    """Write the initial position, two integers at a time."""
    for i in range((STATE_SIZE + 1) // 2):
        copy_word(state, INITIAL, i)
    return 0
'''

_DEVICE_TEXTS = (
    '''
@kernel
def seed_generator(rng, seed, game):
    """The same words as ``seed_words``, in 64-bit arithmetic that wraps around."""
    x = np.uint64(seed + game) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(0xD1B54A32D192ED03)
    x ^= x >> np.uint64(30)
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    rng[0] = np.int64(x & np.uint64(0xFFFFFFFF)) | 1
    rng[1] = np.int64(x >> np.uint64(32))
''',
    '''
@kernel
def clear(row, size):
    """Set a row to 0."""
    for i in range((size + 1) // 2):
        clear_word(row, i)
''',
    '''
@kernel
def fill_shared(tables, words):
    """Copy the tables to the beginning of the block's shared memory."""
    to = shared_row(0, 1, 0)
    source = global_row(tables, 0)
    for i in range(cuda.threadIdx.x, words, cuda.blockDim.x):
        copy_word(to, source, i)
    cuda.syncthreads()
''',
)


@cache
def _cached(source: str, plan: Plan) -> CudaKernels:
    return CudaKernels(source, plan)


def kernels(game: Playable, plan: Plan | None = None) -> CudaKernels:
    """The kernels of a game on the device."""
    need_device()
    chosen = plan or best_plan(game)
    return _cached(game.source, replace(chosen, block=min(chosen.block, 4)) if simulated() else chosen)


def best_plan(game: Playable) -> Plan:
    """A layout that suits the rows of a game.

    Games wait for memory more than they compute. So as many of them as possible share a multiprocessor, as long as their
    rows fit into its shared memory; longer rows lie in the memory of threads, of which then few run at once.
    """
    parts = split(game.source)
    if parts is None:
        return Plan(blocks=4, stream=True)
    row = 4 * parts.words + 4 * ((max(game.compiled.work_size, 1) + 1) // 2)
    block = min(1024, (SHARED_LIMIT - TABLES_LIMIT) // row // 32 * 32)
    if block < SHARED_LEAST:
        return Plan(blocks=4, split=True)
    registers = min(255, 65536 // block // 8 * 8)
    return Plan(block, 0, True, True, True, TABLES_LIMIT, registers=registers)


def playouts(
    game: Playable, count: int, seed: int = 1, limit: int = 1_000_000, *, rows: bool = False, plan: Plan | None = None
) -> PlayoutBatch:
    """Play a batch of uniformly random games on the device.

    Args:
        game: the game.
        count: how many games.
        seed: the seed of the first game; the next one has the next seed.
        limit: most moves of one game.
        rows: also bring back the last position of each game.
        plan: the layout; the best one known unless given.
    """
    if count < 1:
        raise LudoportError(f"the number of playouts must be at least 1, not {count}")
    on_device = kernels(game, plan)
    cuda, sizes = on_device.cuda, game.compiled
    function = on_device.playouts()
    lengths = cuda.device_array(count, dtype=np.int32)
    utilities = cuda.device_array((count, game.n_players), dtype=np.float32)
    last = cuda.device_array((count, sizes.state_size) if rows else (1, 1), dtype=np.int16)
    if not on_device.warm:
        _launch(on_device, function, 1, np.int64(seed), np.int64(1), np.int64(1), ..., lengths, utilities, last)
        on_device.warm = True
    begin = time.perf_counter()
    _launch(on_device, function, count, np.int64(seed), np.int64(count), np.int64(limit), ..., lengths, utilities, last)
    seconds = time.perf_counter() - begin
    kept = last.copy_to_host() if rows else None
    return PlayoutBatch(lengths.copy_to_host(), utilities.copy_to_host(), kept, seconds)


def legal_counts(game: Playable, states: NDArray[np.int16], *, plan: Plan | None = None) -> NDArray[np.int32]:
    """How many legal moves each of a batch of positions has.

    Args:
        game: the game.
        states: one row a position, shape (positions, state size).
        plan: the layout.
    """
    on_device = kernels(game, plan or Plan())
    counts = on_device.cuda.device_array(len(states), dtype=np.int32)
    _launch(on_device, on_device.counts(), len(states), on_device.cuda.to_device(states), ..., counts)
    return np.asarray(counts.copy_to_host())


def play_moves(
    game: Playable, states: NDArray[np.int16], chosen: NDArray[np.int32], *, plan: Plan | None = None
) -> tuple[NDArray[np.int16], NDArray[np.int32]]:
    """Play one move in each of a batch of positions.

    Args:
        game: the game.
        states: one row a position, shape (positions, state size).
        chosen: the number of the move among the legal ones, shape (positions,); a number beyond them plays nothing.
        plan: the layout.

    Returns:
        The positions afterwards, and how many legal moves each had before.
    """
    on_device = kernels(game, plan or Plan())
    counts = on_device.cuda.device_array(len(states), dtype=np.int32)
    there, numbers = on_device.cuda.to_device(states), on_device.cuda.to_device(chosen)
    _launch(on_device, on_device.steps(), len(states), there, numbers, ..., counts)
    return np.asarray(there.copy_to_host()), np.asarray(counts.copy_to_host())


def _launch(on_device: CudaKernels, function: Any, count: int, *arguments: Any) -> None:
    """Run a kernel to its end; tables and scratch space take the place of the ellipsis."""
    cuda, block = on_device.cuda, on_device.plan.block
    blocks = min(-(-count // block), on_device.most_blocks(function, arguments))
    filled = on_device.fill(arguments, blocks * block)
    function[blocks, block, 0, on_device.shared_bytes](*filled)
    cuda.synchronize()


