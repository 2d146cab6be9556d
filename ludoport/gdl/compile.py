"""Makes the text of kernels from a network: tables and constants, then the functions that all networks share."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from ludoport.gdl.effects import Entry
from ludoport.gdl.kernel_loops import LOOPS
from ludoport.gdl.kernel_straight import STRAIGHT
from ludoport.gdl.kernel_text import COMMON
from ludoport.gdl.layout import BLOCK_MOVES, WORD_BITS, NetworkLayout, truth
from ludoport.gdl.limits import Clock
from ludoport.gdl.long_tables import LARGEST, call_readers, reader
from ludoport.gdl.needs import Needs
from ludoport.gdl.propnet import NodeKind
from ludoport.gdl.shared_text import GOALS, joined, row_constants
from ludoport.kernels.build import plain_functions
from ludoport.kernels.library import ALWAYS, entries
from ludoport.kernels.source import quoted
from ludoport.kernels.table_text import UNPACKING, table_text

SET_BITS = 15
"""Moves in one number of a set."""


class TableWriter:
    """Collects constants and tables."""

    def __init__(self) -> None:
        self.constants: dict[str, int] = {}
        self.tables: dict[str, str] = {}
        self.readers: dict[str, str] = {}
        self.work_size = 0

    def table(self, name: str, values: Sequence[int]) -> None:
        """Write a table with the smallest integers that hold it."""
        array = np.array(list(values) or [0], dtype=np.int64)
        small = array.min() >= -32768 and array.max() <= 32767
        array = array.astype(np.int16 if small else np.int32)
        part = LARGEST // array.itemsize
        if len(array) > part:
            parts = -(-len(array) // part)
            self.readers[name] = reader(name, part, parts)
            for number in range(parts):
                self.tables[f"{name}_PART_{number}"] = table_text(array[number * part : (number + 1) * part])
        else:
            self.tables[name] = table_text(array)

    def rows(self, name: str, rows: Sequence[Sequence[int]], start: str) -> None:
        """Write rows of different lengths: a table of where each begins, and one of all numbers."""
        places = [0]
        for row in rows:
            places.append(places[-1] + len(row))
        self.table(start, places)
        self.table(name, [number for row in rows for number in row])

    def room(self, name: str, size: int) -> int:
        """Reserve scratch space."""
        self.constants[name] = self.work_size
        self.work_size += max(1, size)
        return self.constants[name]

    def text(self) -> str:
        """Constants and tables as source."""
        lines = [f"{name} = {value}" for name, value in self.constants.items()]
        lines += [f"{name} = {value}" for name, value in self.tables.items()]
        return "\n".join(lines)


class Compiler:
    """Writes the kernels of one network."""

    def __init__(self, layout: NetworkLayout, clock: Clock) -> None:
        self.clock = clock
        self.layout, self.net, self.wiring = layout, layout.net, layout.wiring
        self.out = TableWriter()
        self.held = truth(layout)

    def source(self, title: str) -> str:
        """The complete text of the kernels."""
        self._shape()
        self._rooms()
        self._edges()
        self._moves()
        self._lists()
        self._goals()
        self._snapshot()
        body = LOOPS if self.layout.loops else STRAIGHT
        head = f"{quoted(title)}\n{UNPACKING}\nimport numpy as np\n"
        common = call_readers(f"{body.strip()}\n\n{joined(COMMON, GOALS)}", self.out.readers)
        functions = [ALWAYS.strip(), *self.out.readers.values(), common, entries()]
        text = "\n\n".join([head, self.out.text(), *functions]) + "\n"
        return text + self._initial(text)

    def _shape(self) -> None:
        roles, facts = len(self.wiring.roles), len(self.wiring.facts)
        words = -(-max(1, facts) // WORD_BITS)
        self.words = words
        most = [0] * roles
        for group in self.layout.groups:
            most[group.role] += len(group.moves)
        self.max_moves = max(1, *most)
        self.out.constants |= {
            **row_constants(roles, words),
            "MAX_MOVES": self.max_moves,
            "WORD_BITS": WORD_BITS,
            "BLOCK_MOVES": BLOCK_MOVES,
        }

    def _rooms(self) -> None:
        """Scratch space: first what the snapshot holds, then what every step writes."""
        layout, out = self.layout, self.out
        out.work_size = len(layout.live)
        out.room("FLAG", layout.slots)
        out.room("BLOCK", layout.slots // BLOCK_MOVES)
        out.room("SHADOW", self.words)
        out.room("MAGIC", 2)
        if layout.loops:
            stages = 1 + max(layout.stage.values())
            out.constants["STAGES"] = stages
            out.room("OUTSIDE", len(layout.live))
            out.room("TOUCHED", len(layout.live))
            out.room("WAITS", stages)
            out.room("BROKEN", len(layout.loops))
            out.room("WAITING", len(layout.live))
        out.constants["SNAPSHOT_SIZE"] = out.work_size
        base = out.room("ASKED", len(layout.asked))
        layout.place.update({node: base + number for number, node in enumerate(layout.asked)})
        edges = sum(len(self.net.inputs[node]) for node in layout.live)
        out.room("STACK", edges + len(layout.live) + 16)
        out.room("FLIPS", 2 * len(self.wiring.facts) + 16)
        out.constants["WORK_SIZE"] = out.work_size

    def _place(self, literal: int) -> int:
        return 2 * self.layout.place[literal >> 1] + (literal & 1)

    def _edges(self) -> None:
        """Writes the edges between gates: those of the same stage first, negated ones last; then later stages."""
        layout = self.layout
        parts: list[list[list[int]]] = [[[] for _ in layout.live] for _ in range(4)]
        for node in layout.live:
            for literal in self.net.inputs[node]:
                later = layout.stage[node] != layout.stage[literal >> 1]
                source = layout.place[literal >> 1]
                parts[2 * later + (literal & 1)][source].append(layout.place[node])
        rows = [[x for part in parts for x in part[place]] for place in range(len(layout.live))]
        self.out.rows("TARGET", rows, "START")
        ends: tuple[list[int], list[int], list[int]] = ([], [], [])
        begin = 0
        for place, row in enumerate(rows):
            at = begin
            for number, end in enumerate(ends):
                at += len(parts[number][place])
                end.append(at)
            begin += len(row)
        self.out.table("MIDDLE", ends[0])
        if layout.loops:
            self.out.table("LATER", ends[1])
            self.out.table("LATER_MIDDLE", ends[2])
            self._stages()

    def _stages(self) -> None:
        layout, out = self.layout, self.out
        stages = [layout.stage[node] for node in layout.live]
        out.table("STAGE", stages)
        sizes = [stages.count(stage) for stage in range(1 + max(stages))]
        out.table("STAGE_START", [sum(sizes[:stage]) for stage in range(len(sizes))])
        loop_of = {node: number for number, loop in enumerate(layout.loops) for node in loop}
        out.table("LOOP_OF", [loop_of.get(node, 0) for node in layout.live])
        out.rows("LOOP_NODE", [[layout.place[node] for node in loop] for loop in layout.loops], "LOOP_START")

    def _moves(self) -> None:
        layout, out = self.layout, self.out
        told: list[list[int]] = [[] for _ in layout.live]
        for group in layout.groups:
            for number, literal in enumerate(group.literals):
                told[layout.place[literal >> 1]].append(2 * (group.first + number) + (literal & 1))
        out.rows("LEGAL", told, "LEGAL_START")
        out.table("GROUP_GUARD", [self._place(group.guard) for group in layout.groups])
        out.table("GROUP_BLOCK", [*(g.first // BLOCK_MOVES for g in layout.groups), layout.slots // BLOCK_MOVES])
        roles = range(len(self.wiring.roles))
        out.table("ROLE_GROUP", [*(self._first_group(role) for role in roles), len(layout.groups)])
        out.table("ROLE_FIRST", [layout.groups[self._first_group(role)].first for role in roles])

    def _first_group(self, role: int) -> int:
        return next(number for number, group in enumerate(self.layout.groups) if group.role == role)

    def _lists(self) -> None:
        layout, effects, out = self.layout, self.layout.effects, self.out
        empty = layout.list_number([])
        out.constants["ALWAYS_LIST"] = layout.list_number(effects.always)
        out.constants["GENERAL_LIST"] = general = layout.list_number(effects.general)
        alone, joint, idle = [empty] * layout.slots, [general] * layout.slots, [0] * layout.slots
        for role, ids in enumerate(layout.move_ids):
            lists = effects.joint[role]
            for move, number in enumerate(ids):
                if number >= 0:
                    alone[number] = layout.list_number(effects.alone[role][move])
                    joint[number] = general if lists is None else layout.list_number(lists[move])
                    idle[number] = effects.idle[role] >> move & 1
        for name, values in (("ALONE", alone), ("JOINT", joint), ("IDLE_SET", idle)):
            out.table(name, values)
        goals: list[Entry] = [(0, literal) for role in self.wiring.goals for _, literal in role]
        needs = Needs(self.net, set(layout.asked))
        plans = []
        for listed in layout.lists:
            self.clock.check()
            plans.append(needs.plan(listed))
        base = out.constants["ASKED"]

        def places(nodes: Sequence[int]) -> list[int]:
            return [layout.place[node] - base for node in nodes]

        out.constants["GOAL_LIST"] = len(plans)
        programs = [*(plan.shared for plan in plans), needs.cone([literal for _, literal in goals])]
        out.rows("PROGRAM", [places(program) for program in programs], "PROGRAM_START")
        out.rows("OWN", [places(own) for plan in plans for own in plan.own], "OWN_START")
        out.rows("NEED", [[self._place(x) for x in need] for plan in plans for need in plan.needs], "NEED_START")
        out.rows("ENTRY_FACT", [[fact for fact, _ in entries] for entries in layout.lists], "ENTRY_START")
        out.table("ENTRY_SOURCE", [self._place(literal) for entries in layout.lists for _, literal in entries])
        self._asked()

    def _asked(self) -> None:
        """The gates that are computed when asked; a leaf for moves holds its role and where its set begins."""
        layout = self.layout
        kinds, inputs, sets = [], [], list[int]()
        for node in layout.asked:
            kind = self.net.kind[node]
            kinds.append({NodeKind.AND: 0, NodeKind.OR: 1}.get(kind, 2))
            if kind == NodeKind.DOES:
                role, moves = self.net.moves[node]
                inputs.append([role, len(sets)])
                sets += self._set(role, moves)
            else:
                inputs.append([self._place(literal) for literal in self.net.inputs[node]])
        self.out.table("ASKED_KIND", kinds)
        self.out.rows("ASKED_INPUT", inputs, "ASKED_START")
        self.out.table("SETS", sets)
        self.out.constants["SET_BITS"] = SET_BITS

    def _set(self, role: int, moves: int) -> list[int]:
        ids = self.layout.move_ids[role]
        first = self.layout.groups[self._first_group(role)].first
        last = max(ids, default=first)
        row = [0] * (1 + (last - first) // SET_BITS)
        for move, number in enumerate(ids):
            if number >= 0 and moves >> move & 1:
                row[(number - first) // SET_BITS] |= 1 << (number - first) % SET_BITS
        return row

    def _goals(self) -> None:
        self.out.rows("GOAL_VALUE", [[value for value, _ in role] for role in self.wiring.goals], "GOAL_START")
        self.out.table("GOAL_SOURCE", [self._place(literal) for role in self.wiring.goals for _, literal in role])
        self.out.constants["TERMINAL"] = self._place(self.wiring.terminal)

    def _holds(self, literal: int) -> bool:
        return self.held[literal >> 1] != bool(literal & 1)

    def _snapshot(self) -> None:
        layout, constants = self.layout, self.out.constants
        work = [0] * constants["SNAPSHOT_SIZE"]
        for place, node in enumerate(layout.live):
            inputs = self.net.inputs[node]
            base = 1 - len(inputs) if self.net.kind[node] == NodeKind.AND else 0
            work[place] = base + sum(self._holds(x) for x in inputs) if inputs else int(self.held[node])
            if layout.loops and layout.stage[node] % 2:
                outside = [x for x in inputs if layout.stage[x >> 1] != layout.stage[node]]
                work[constants["OUTSIDE"] + place] = base + sum(self._holds(x) for x in outside)
        for group in layout.groups:
            for number, literal in enumerate(group.literals):
                if self._holds(literal):
                    work[constants["FLAG"] + group.first + number] = 1
                    work[constants["BLOCK"] + (group.first + number) // BLOCK_MOVES] += 1
        for fact, holds in enumerate(self.wiring.initial):
            if holds:
                work[constants["SHADOW"] + fact // WORD_BITS] |= 1 << fact % WORD_BITS
        told = [text for name, text in self.out.tables.items() if name.startswith("TARGET")]
        digest = hashlib.sha256(repr((work, told)).encode()).digest()
        low, high = (int.from_bytes(digest[i : i + 4], "little") & 0x3FFFFFFF for i in (0, 4))
        constants["MAGIC_LOW"], constants["MAGIC_HIGH"] = low | 1, high | 1
        work[constants["MAGIC"]], work[constants["MAGIC"] + 1] = low | 1, high | 1
        self.out.table("SNAPSHOT", work)
        self.snapshot = work

    def _initial(self, text: str) -> str:
        """The initial row; who chooses first is found by running the kernels once in plain Python."""
        constants = self.out.constants
        row = np.zeros(constants["STATE_SIZE"], dtype=np.int64)
        shadow = constants["SHADOW"]
        row[constants["BITS"] :] = self.snapshot[shadow : shadow + self.words]
        work = np.zeros(constants["WORK_SIZE"], dtype=np.int64)
        work[: len(self.snapshot)] = self.snapshot
        plain_functions(text + "\nINITIAL = None\n")["settle"](row, work)
        return f"\nINITIAL = np.array([{','.join(map(str, row.tolist()))}], dtype=np.int32)\n"
