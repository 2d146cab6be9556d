"""The analysis of all functions of a module, statement by statement."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ludoport.kernels.ranges.expressions import Expressions
from ludoport.kernels.ranges.pairs import ANY, HUGE, Pair, fit, inside
from ludoport.kernels.ranges.places import (
    Env,
    covers,
    forget_some,
    limit,
    merge,
    opened,
    words_of,
)
from ludoport.kernels.ranges.shapes import KINDS, AnalysedFunction, Array, CellBlock, EntryTest, Unproved

_ROUNDS = 40
_DEEP = 4
"""Loops inside of that many others are looked at once; the work would be multiplied at every depth."""
_PATIENCE = 200_000
"""Statements looked at before all loops are looked at once, which proves less but takes no longer than reading them."""
_PATIENCE_EACH = 30_000
"""Statements of one function looked at before its loops are looked at once."""


_DOES = re.compile(r"(?:try_)?do_(\d+)(?:_(\d+))?")
"""Names of functions that perform the moves of a rule, or of rules in a row."""


class Ranges(Expressions):
    """The analysis of one module; see ``Knowledge`` for its arguments."""

    def settle(self, roots: Sequence[str]) -> None:
        """Go through all functions until nothing changes."""
        self.called = set(roots)
        order = list(dict.fromkeys([*(name for name in roots if name in self.functions), *self.functions]))
        self._stale = set(order)
        for self.round in range(_ROUNDS):
            todo = [name for name in order if name in self.called and name in self._stale]
            if not todo:
                break
            for name in todo:
                if name in self._stale:
                    self._function(self.functions[name])
        else:
            raise AssertionError("the ranges of a module do not settle")
        self.checking = True

    def check(self, names: Iterable[str]) -> None:
        """Go through functions once more to find what is not proved, and how often loops turn."""
        for name in names:
            if name in self.called and name not in self._checked:
                self._checked.add(name)
                self._function(self.functions[name])

    def findings(self) -> list[Unproved]:
        """Indices that were not proved, and every ``on_board``."""
        open_ = [f for f in self.seen.values() if f.kind != "on_board" and not inside(f.seen, f.low, f.high)]
        # A list of sites that are marked when they enter it is never longer than the marks, if all marks are in place.
        doubtful = {f.block for f in open_}
        proved = {name for name, marks in self.shapes.once.items() if marks not in doubtful}
        found = [f for f in open_ if f.block not in proved or f.seen[0] < f.low]
        return found + [f for f in self.seen.values() if f.kind == "on_board"]

    def _function(self, function: AnalysedFunction) -> None:
        before = self.function, self._loops, self._rule, self._quiet, self._taken
        self.function, self._loops, self._quiet = function, [], False
        self._stale.discard(function.name)
        self._taken = self._entered.get(function.name, 0)
        self._entered[function.name] = self._taken
        self._body(function)
        self._entered[function.name] = self._taken
        self.function, self._loops, self._rule, self._quiet, self._taken = before

    def _body(self, function: AnalysedFunction) -> None:
        name = function.name
        found = _DOES.fullmatch(name)
        self._rule = None if found is None else (int(found[1]), int(found[2] or found[1]))
        env: Env = {}
        for param in function.params:
            if param in KINDS:
                size = self.shapes.core_size if (name, param) in self.short else self.shapes.state_size
                env[param] = Array(KINDS[param], param, size, self._rule)
                continue
            pair = self._computed("params", (name, param))
            if pair is None:
                pair = ANY
            need = function.needs.get(param)
            if need is not None:
                if self.checking and not inside(pair, *need):
                    self.entries[name, param] = EntryTest(name, param, *need, pair)
                pair = (max(pair[0], need[0]), min(pair[1], need[1]))
                if pair[0] > pair[1]:
                    pair = need
            env[param] = self._stated(param, pair)
        end = self._block(function.node.body, env)
        if end is not None:
            self._widen_into("returns", name, (0, 0))

    def _block(self, body: Sequence[ast.stmt], env: Env | None) -> Env | None:
        for statement in body:
            if env is None:
                return None
            self._steps += 1 + len(env) // 100
            self._taken += 1 + len(env) // 100
            env = self._STATEMENTS[type(statement)](self, statement, env)
        return env

    def _assign(self, node: ast.Assign, env: Env) -> Env | None:
        target = node.targets[0]
        if isinstance(target, ast.Name):
            value = self._value(node.value, env)
            block = self._block_of(node.value, env)
            self._set(env, target.id, value, block)
            return env
        assert isinstance(target, ast.Subscript)
        value = self._value(node.value, env)
        self._store(target, value, node.value, env)
        return env

    def _set(self, env: Env, name: str, value: Any, block: CellBlock | None = None) -> None:
        self._forget(env, name)
        forget_some(env)
        env[name] = self._stated(name, value) if isinstance(value, tuple) else value
        if block is not None:
            env["@" + name] = block
        else:
            env.pop("@" + name, None)

    def _forget(self, env: Env, name: str) -> None:
        """Drop what is known about expressions in which a variable occurs."""
        if name in self._told[self.function.name]:
            for key in [k for k in env if k[0] == "?" and name in words_of(k)]:
                del env[key]

    def _augment(self, node: ast.AugAssign, env: Env) -> Env | None:
        value = ast.BinOp(node.target, node.op, node.value)
        ast.copy_location(value, node)
        if isinstance(node.target, ast.Name):
            self._set(env, node.target.id, self._value(value, env))
            return env
        assert isinstance(node.target, ast.Subscript)
        pair = self._value(value, env)
        self._store(node.target, pair, None, env)
        return env

    def _if(self, node: ast.If, env: Env) -> Env | None:
        yes, no = self._branch(node.test, env)
        return merge(self._block(node.body, yes), self._block(node.orelse, no))

    def _for(self, node: ast.For, env: Env) -> Env | None:
        call = node.iter
        assert isinstance(call, ast.Call) and isinstance(node.target, ast.Name)
        bounds = [self._pair(a, env) for a in call.args]
        step: Pair = (1, 1)
        if len(bounds) == 1:
            first, end = (0, 0), bounds[0]
        else:
            first, end = bounds[0], bounds[1]
            if len(bounds) == 3:
                step = bounds[2]
        if step[0] > 0:
            index = (first[0], end[1] - 1)
        elif step[1] < 0:
            index = (end[0] + 1, first[1])
        else:
            index = (min(first[0], end[0]), max(first[1], end[1]))
        if index[0] > index[1]:
            return env
        target = node.target.id

        def enter(here: Env) -> Env | None:
            self._set(here, target, fit(*index) if abs(index[0]) < HUGE else index)
            return here

        trips = min(max(end[1] - first[0], 0), HUGE) if step == (1, 1) else HUGE
        self._turns(node, trips)
        if self.checking:
            self.spans[id(node)] = max(self.spans.get(id(node), 0), index[1] - index[0] + 1)
        return self._loop(node, node.body, env, enter, lambda here: here, trips)

    def _turns(self, loop: ast.For | ast.While, trips: int) -> None:
        """Note how often a loop turns at most."""
        if self.checking and not self._quiet:
            self.trips[id(loop)] = max(self.trips.get(id(loop), 0), trips)

    def _while(self, node: ast.While, env: Env) -> Env | None:
        self._turns(node, self._counted(node, env))

        return self._loop(
            node,
            node.body,
            env,
            lambda here: self._branch(node.test, here)[0],
            lambda here: self._branch(node.test, here)[1],
        )

    def _counted(self, node: ast.While, env: Env) -> int:
        """Number of turns of a loop that counts a variable up to a limit."""
        tests = [node.test]
        if isinstance(node.test, ast.BoolOp) and isinstance(node.test.op, ast.And):
            tests = node.test.values
        for test in tests:
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Lt) and isinstance(test.left, ast.Name):
                first, end = self._pair(test.left, env), self._pair(test.comparators[0], env)
                if end[1] < HUGE and first[0] > -HUGE:
                    return max(end[1] - first[0], 0)
        return HUGE

    def _loop(
        self,
        node: ast.For | ast.While,
        body: Sequence[ast.stmt],
        env: Env,
        enter: Callable[[Env], Env | None],
        leave: Callable[[Env], Env | None],
        trips: int = HUGE,
    ) -> Env | None:
        impatient = self._steps > _PATIENCE or self._taken > _PATIENCE_EACH
        if len(self._loops) >= _DEEP or impatient:
            return self._loop_at_once(body, env, enter, leave)
        if not self._loops:
            return self._turned(body, env, enter, leave, trips)
        # An inner loop is the same again if nothing changed that it mentions: the loops around it try it often.
        words = self._words_in(node)
        relevant = {
            key: value
            for key, value in env.items()
            if key in words or key[0] == "?" or (key[0] == "@" and key[1:] in words)
        }
        rest = {key: value for key, value in env.items() if key not in relevant}
        for quiet in (False, True)[: 1 + self._quiet]:
            version, before, after = self._loops_known.get((id(node), self.checking, quiet), (-1, {}, None))
            if version == self._version and before == relevant:
                return None if after is None else {**rest, **after}
        version = self._version
        before = dict(relevant)
        out = self._turned(body, env, enter, leave, trips)
        if version == self._version:
            kept = None if out is None else {k: value for k, value in out.items() if k not in rest or k[0] == "?"}
            self._loops_known[id(node), self.checking, self._quiet] = version, before, kept
        return out

    def _words_in(self, loop: ast.stmt) -> frozenset[str]:
        """The names that occur in a loop."""
        words = self._words.get(id(loop))
        if words is None:
            words = frozenset(part.id for part in ast.walk(loop) if isinstance(part, ast.Name))
            self._words[id(loop)] = words
        return words

    def _turned(
        self,
        body: Sequence[ast.stmt],
        env: Env,
        enter: Callable[[Env], Env | None],
        leave: Callable[[Env], Env | None],
        trips: int,
    ) -> Env | None:
        """What a loop leaves behind: it is gone through until nothing changes."""
        grown = self._grown.setdefault(id(body), {})
        first = env
        top: Env = dict(env)
        quiet = self._quiet
        narrowing = 0
        for turn in range(40):
            # The first turn counts, because it may happen, and the last one, because all others are part of it.
            self._quiet = quiet or (turn > 0 and narrowing < 2)
            breaks: list[Env] = []
            continues: list[Env] = []
            self._loops.append((breaks, continues))
            inside = enter(dict(top))
            if inside is not None and trips < HUGE:
                # At least this turn is still to come.
                limit(inside, first, body, trips - 1, grown)
            end = self._block(body, inside) if inside is not None else None
            self._loops.pop()
            for other in continues:
                end = merge(end, other)
            again = merge(dict(first), end)
            assert again is not None
            if trips < HUGE:
                limit(again, first, body, trips, grown)
            if narrowing == 0 and not covers(top, again):
                # What still grows after two turns is taken to grow for ever; then comes what the loop allows.
                merged = merge(dict(top), again)
                assert merged is not None
                top = opened(top, merged, self.shapes.rows) if turn >= 1 else merged
                continue
            narrowing += 1
            if narrowing > 2:
                self._quiet = quiet
                out = leave(dict(top))
                for other in breaks:
                    out = merge(out, other)
                return out
            if again == top:
                narrowing = 2
            top = again
        raise AssertionError("the ranges of a loop do not settle")

    def _loop_at_once(
        self,
        body: Sequence[ast.stmt],
        env: Env,
        enter: Callable[[Env], Env | None],
        leave: Callable[[Env], Env | None],
    ) -> Env | None:
        """A deeply nested loop, examined once: everything that it changes may have any value."""
        changed = self._changed.get(id(body))
        if changed is None:
            parts = (part for each in body for part in ast.walk(each))
            changed = {part.id for part in parts if isinstance(part, ast.Name) and not _is_read(part)}
            self._changed[id(body)] = changed
        top: Env = {key: value for key, value in env.items() if key[0] not in "?@"}
        for name in changed & top.keys():
            if isinstance(top[name], tuple):
                top[name] = self._stated(name, ANY)
        breaks: list[Env] = []
        self._loops.append((breaks, []))
        inside = enter(dict(top))
        end = self._block(body, inside) if inside is not None else None
        self._loops.pop()
        out = merge(leave(dict(top)), end)
        for other in breaks:
            out = merge(out, other)
        return out

    def _return(self, node: ast.Return, env: Env) -> None:
        value = self._value(node.value, env) if node.value is not None else (0, 0)
        if isinstance(value, tuple):
            self._widen_into("returns", self.function.name, value)
        return

    def _break(self, node: ast.Break, env: Env) -> None:
        del node
        self._loops[-1][0].append(env)
        return

    def _continue(self, node: ast.Continue, env: Env) -> None:
        del node
        self._loops[-1][1].append(env)
        return

    def _expression(self, node: ast.Expr, env: Env) -> Env:
        self._value(node.value, env)
        return env

    def _pass(self, node: ast.stmt, env: Env) -> Env:
        del node
        return env

    _STATEMENTS: Mapping[type[ast.stmt], Any] = {
        ast.Assign: _assign,
        ast.AugAssign: _augment,
        ast.If: _if,
        ast.For: _for,
        ast.While: _while,
        ast.Return: _return,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.Expr: _expression,
        ast.Pass: _pass,
    }


def _is_read(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)
