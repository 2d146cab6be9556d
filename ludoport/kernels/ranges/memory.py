"""Reading and writing arrays: which field an index means, and what it holds."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ludoport.kernels.ranges.base import ModuleKnowledge
from ludoport.kernels.ranges.pairs import ANY, NARROW, Pair, inside, join, narrow
from ludoport.kernels.ranges.places import Env, action_place, key_of, last_name, text_of
from ludoport.kernels.ranges.shapes import Array, CellBlock


class ArrayUse(ModuleKnowledge):
    """What kernels do with arrays."""

    def _forget_memory(self, env: Env) -> None:
        for key in [k for k in env if k[0] == "?" and "[" in k and k[1] != "#"]:
            del env[key]

    def _block_of(self, node: ast.expr, env: Env) -> CellBlock | None:
        """The field or block whose offset is a term of an index."""
        if isinstance(node, ast.Name):
            known = env.get("@" + node.id)
            if known is not None:
                return known  # type: ignore[no-any-return]
            return self._blocks.get(node.id) if node.id not in env else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            found = self._block_of(node.left, env)
            return found if found is not None or isinstance(node.op, ast.Sub) else self._block_of(node.right, env)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "wide":
            return self._block_of(node.args[0], env)
        return None

    def _column(self, index: ast.expr) -> str | None:
        """The column that an index of a move names."""
        if isinstance(index, ast.Name) and index.id in self.shapes.columns:
            return index.id
        if isinstance(index, ast.BinOp) and isinstance(index.right, ast.Name) and index.right.id in self.shapes.columns:
            return index.right.id
        return None

    def _subscript(self, node: ast.Subscript, env: Env) -> Any:
        array = self._value(node.value, env)
        if isinstance(node.slice, ast.Slice):
            return self._slice(node, array, env)
        index = self._pair(node.slice, env)
        if not isinstance(array, Array):
            return ANY
        result = self._load(node, array, index, env)
        known = env.get(key_of(node))
        if known is not None:
            low, high = max(result[0], known[0]), min(result[1], known[1])
            result = (low, high) if low <= high else known
        return result

    def _load(self, node: ast.Subscript, array: Array, index: Pair, env: Env) -> Pair:
        if array.kind == "table":
            otherwise = -1 if self._table_pair(array.name, 0, array.size - 1)[0] < 0 else 0
            self._note(node, "read", index, 0, array.size - 1, otherwise)
            low, high = max(index[0], 0), min(index[1], array.size - 1)
            pair = self._table_pair(array.name, low, high) if low <= high else None
            if pair is None or not inside(index, 0, array.size - 1):
                pair = join(pair, (otherwise, otherwise))
            assert pair is not None
            return pair
        if array.kind in ("move", "moves"):
            self._row_index(node, array, index, "read")
            column = self._column(node.slice)
            return self._column_pair(column, array.rule if array.kind == "move" else None)
        block = self._block_of(node.slice, env)
        if block is None:
            return self._loose(node, array, index, "read")
        self._cell(node, "read", array, index, block)
        if block.name == "BUFFER":
            code = env.get("code")
            rule = code if isinstance(code, tuple) and code[0] == code[1] else None
            return self._column_pair(action_place(node.slice)[1], rule)
        pair = block.fixed if block.fixed is not None else self._computed("cells", block.name)
        if block.array == "work" and block.fixed is None:
            # Scratch space holds whatever was written last, or zeros.
            pair = join(pair, (0, 0))
        if not inside(index, block.offset, block.last):
            pair = join(pair, (block.outside, block.outside))
        if pair is None:
            return (0, 0)
        wall = self.shapes.fields.get("WALL")
        if block.name == "WHAT" and wall is not None and index[1] > block.last - 1:
            pair = (min(pair[0], -1), pair[1])
        return pair

    def _cell(self, node: ast.Subscript, kind: str, array: Array, index: Pair, block: CellBlock) -> None:
        """Note an index into a block; a copy of a row ends where its history would begin."""
        last = block.last
        if block.counter and index[0] == index[1] == last + 1:
            last += 1
        if array.kind == "state" and last >= array.size:
            last = min(last, array.size - 1)
        self._note(node, kind, index, block.offset, last, block.outside, block.name)

    def _loose(self, node: ast.Subscript, array: Array, index: Pair, kind: str) -> Pair:
        """An index that names no field: it may point anywhere into the row, so it must not be written to."""
        size = self.shapes.core_size if array.kind == "state" else int(self.shapes.constants.get("WORK_SIZE", 1))
        if array.kind not in ("state", "work"):
            return ANY
        self._note(node, kind, index, 0, size - 1, 0)
        return ANY

    def _row_index(self, node: ast.Subscript, array: Array, index: Pair, kind: str) -> None:
        size = self.shapes.move_size * (self.shapes.rows + 1 if array.kind == "moves" else 1)
        self._note(node, kind, index, 0, size - 1, 0)

    def _column_pair(self, column: str | None, rule: Pair | None) -> Pair:
        for each in (column,) if column is not None else self.shapes.columns:
            self._readers.setdefault(("moves", each), set()).add(self.function.name)
        pair: Pair | None = None
        for each in (column,) if column is not None else self.shapes.columns:
            by_rule = self._columns.get(each, {})
            if rule is None:
                pair = join(pair, self._whole_columns[each]) if by_rule else pair
                continue
            span = range(rule[0], rule[1] + 1)
            for by in (None, *(span if len(span) < len(by_rule) else by_rule)):
                found = by_rule.get(by) if by is None or by in span else None
                pair = join(pair, found) if found is not None else pair
        return pair if pair is not None else (0, 0)

    def _table_pair(self, name: str, low: int, high: int) -> Pair:
        key = (name, low, high)
        pair = self._table_pairs.get(key)
        if pair is None:
            part = self.shapes.tables[name][low : high + 1]
            pair = (int(np.min(part)), int(np.max(part)))
            self._table_pairs[key] = pair
        return pair

    def _slice(self, node: ast.Subscript, array: Any, env: Env) -> Any:
        assert isinstance(node.slice, ast.Slice)
        lower, upper = node.slice.lower, node.slice.upper
        if lower is None or upper is None or not isinstance(array, Array):
            return Array("other")
        low, high = self._pair(lower, env), self._pair(upper, env)
        text = ast.unparse(upper)
        if array.kind == "moves":
            self._note(node, "slice", (low[0], high[1]), 0, self.shapes.move_size * (self.shapes.rows + 1), 0)
            return Array("move")
        if array.kind == "work":
            block = self._block_of(lower, env)
            if block is not None:
                self._note(node, "slice", (low[0], high[1]), block.offset, block.offset + block.size, 0)
            else:
                self._note(node, "slice", (low[0], high[1]), 0, int(self.shapes.constants.get("WORK_SIZE", 1)), 0)
            if "MAX_MOVES" in text:
                return Array("moves")
            if "CORE_SIZE" in text:
                return Array("state", size=self.shapes.core_size)
            if "STATE_SIZE" in text:
                return Array("state", size=self.shapes.state_size)
            if "MOVE_SIZE" in text:
                return Array("move")
        return Array("other")

    def _store(self, target: ast.Subscript, value: Any, source: ast.expr | None, env: Env) -> None:
        array = self._value(target.value, env)
        index = self._pair(target.slice, env)
        pair = value if isinstance(value, tuple) else ANY
        if not isinstance(array, Array) or array.kind in ("other", "table"):
            return
        if array.kind in ("move", "moves"):
            self._row_index(target, array, index, "write")
            self._store_move(target, array, pair, source, env)
            return
        block = self._block_of(target.slice, env)
        if block is None:
            if self._same_place(target, source, env):
                size = array.size if array.kind == "state" else self.shapes.core_size
                self._note(target, "write", index, 0, size - 1, 0)
                return
            self._note(target, "write", index, 1, 0, 0)
            return
        self._cell(target, "write", array, index, block)
        if block.name == "BUFFER":
            self._store_action(target, pair, env)
            return
        self._forget_memory(env)
        if block.fixed is None:
            if block.name == "WHAT" and index[0] > block.last - 1:
                return
            self._widen_into("cells", block.name, pair)
        if isinstance(value, tuple) and inside(value, *NARROW):
            self._tell(env, key_of(target), value if block.fixed is None else narrow(value, block.fixed))

    def _same_place(self, target: ast.Subscript, source: ast.expr | None, env: Env) -> bool:
        """Whether a cell is copied to the same cell of another row."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "wide":
            source = source.args[0]
        if not isinstance(source, ast.Subscript):
            return False
        other = self._value(source.value, env)
        ours = self._value(target.value, env)
        same = isinstance(other, Array) and isinstance(ours, Array) and (other.kind == ours.kind == "state")
        return same and text_of(source.slice) == text_of(target.slice)

    def _store_move(self, target: ast.Subscript, array: Array, pair: Pair, source: ast.expr | None, env: Env) -> None:
        column = self._column(target.slice)
        base = "?#" + text_of(target.value)
        if isinstance(target.slice, ast.BinOp) and column is not None:
            base += "[" + text_of(target.slice.left)
        if column is None:
            # A row is copied column by column.
            if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "wide":
                source = source.args[0]
            copied = isinstance(source, ast.Subscript) and isinstance(self._value(source.value, env), Array)
            if not copied or last_name(target.slice) != last_name(source.slice):  # type: ignore[union-attr]
                for name in self.shapes.columns:
                    self._widen_into("moves", (None, name), pair)
            return
        if column == "RULE":
            if pair[0] == pair[1]:
                self._tell(env, base, pair)
            else:
                env.pop(base, None)
            self._widen_into("moves", (None, "RULE"), pair)
            return
        rule = env.get(base)
        self._widen_into("moves", (rule[0] if rule is not None and rule[0] == rule[1] else None, column), pair)

    def _store_action(self, target: ast.Subscript, pair: Pair, env: Env) -> None:
        """An action in the buffer: first what to do, then the numbers for it."""
        top, place = action_place(target.slice)
        base = f"?#{top}"
        if place == "BUFFER 0":
            self._tell(env, base, pair)
        code = env.get(base)
        rule = code[0] if code is not None and code[0] == code[1] and place != "BUFFER 0" else None
        self._widen_into("moves", (rule, place), pair)
