"""Lists of numbers in generated code: written out, remembered, made from regions, combined."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Unpack

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import ListedSites, Region, ScratchRegion
from ludoport.ludemes.core.registry import condition, int_ludeme, number, region
from ludoport.ludemes.core.traits import Traits, declare
from ludoport.ludemes.fields.memory import remembered

ARRAYS: dict[str, Callable[[Ludeme, Cx], IntArray]] = {}
"""The meaning of each ludeme that gives a list of numbers."""


def array_ludeme(
    *keywords: str, **declared: Unpack[Traits]
) -> Callable[[Callable[[Ludeme, Cx], IntArray]], Callable[[Ludeme, Cx], IntArray]]:
    """Register the meaning of ludemes that give a list of numbers, and declare what is true of them."""

    def decorate(function: Callable[[Ludeme, Cx], IntArray]) -> Callable[[Ludeme, Cx], IntArray]:
        for keyword in keywords:
            declare(f"intarray:{keyword}", **declared)
            ARRAYS[keyword] = function
        return function

    return decorate


class IntArray:
    """A list of numbers that can be walked through, counted and searched."""

    fixed: list[Expr] | None = None
    """The numbers themselves where they are written out."""

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Write a loop over the numbers; yields the name of the loop variable."""
        raise NotImplementedError(type(self).__name__)
        yield ""

    def count(self, cx: Cx) -> Expr:
        """Code for how many numbers there are."""
        total = cx.fresh("total")
        cx.line(f"{total} = 0")
        with self.each(cx):
            cx.line(f"{total} += 1")
        return total

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Code that tests whether a number is in the list."""
        found, wanted = cx.fresh("found"), cx.name(value)
        cx.line(f"{found} = False")
        with self.each(cx) as item, cx.block(f"if {item} == {wanted}:"):
            cx.line(f"{found} = True")
        return found


class Written(IntArray):
    """Numbers given by expressions."""

    def __init__(self, items: list[Expr]) -> None:
        self.fixed = items

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the numbers."""
        assert self.fixed is not None
        index, name = cx.fresh("i"), cx.fresh("item")
        if all(isinstance(item, int) for item in self.fixed):
            table = cx.program.module.table("NUMBERS", self.fixed)
            with cx.block(f"for {index} in range({len(self.fixed)}):"):
                cx.line(f"{name} = {table}[{index}]")
                yield name
            return
        space = cx.program.scratch(len(self.fixed), "NUMBERS")
        for k, item in enumerate(self.fixed):
            cx.line(f"work[{space} + {k}] = {item}")
        with cx.block(f"for {index} in range({len(self.fixed)}):"):
            cx.line(f"{name} = work[{space} + {index}]")
            yield name

    def count(self, cx: Cx) -> Expr:
        """Number of entries."""
        assert self.fixed is not None
        return len(self.fixed)

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Whether a number is among them."""
        assert self.fixed is not None
        if isinstance(value, int) and all(isinstance(item, int) for item in self.fixed):
            return value in self.fixed
        wanted = cx.name(value)
        return any_of(*[f"{wanted} == {item}" for item in self.fixed])


class Remembered(IntArray):
    """A list of remembered values."""

    def __init__(self, slot: int) -> None:
        self.slot = slot

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the numbers."""
        index, name = cx.fresh("i"), cx.fresh("item")
        with cx.block(f"for {index} in range(state[N_REMEMBERED + {self.slot}]):"):
            cx.line(f"{name} = state[REMEMBERED + {self.slot} * MEMORY_SIZE + {index}]")
            yield name

    def count(self, cx: Cx) -> Expr:
        """Number of entries."""
        return f"state[N_REMEMBERED + {self.slot}]"

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Whether a number is among them."""
        cx.program.primitives.add("is_remembered")
        return f"is_remembered(state, {self.slot}, {value})"


class OfRegion(IntArray):
    """The sites of a region."""

    def __init__(self, base: Region) -> None:
        self.base = base

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the numbers."""
        with self.base.each(cx) as site:
            yield site

    def count(self, cx: Cx) -> Expr:
        """Number of entries."""
        return self.base.count(cx)

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Whether a number is among them."""
        return self.base.contains(cx, value)


class Chosen(IntArray):
    """The numbers of a list for which a test holds."""

    def __init__(self, base: IntArray, test: Callable[[Cx, str], Bool]) -> None:
        self.base, self.test = base, test

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the numbers."""
        with self.base.each(cx) as item, cx.when(self.test(cx, item)):
            yield item

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Whether a number is among them."""
        name = cx.name(value)
        return all_of(self.base.contains(cx, name), self.test(cx, name))


class Collected(IntArray):
    """Numbers collected into scratch space by code of their own."""

    def __init__(self, gather: Callable[[Cx, Callable[[Expr], None]], None], capacity: int) -> None:
        self.gather, self.capacity = gather, capacity

    def _collect(self, cx: Cx) -> tuple[str, str]:
        space = cx.program.scratch(self.capacity, "NUMBERS")
        size = cx.fresh("size")
        cx.line(f"{size} = 0")

        def add(value: Expr) -> None:
            with cx.block(f"if {size} < {self.capacity}:"):
                cx.line(f"work[{space} + {size}] = {value}")
                cx.line(f"{size} += 1")

        self.gather(cx, add)
        return space, size

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the numbers."""
        space, size = self._collect(cx)
        index, name = cx.fresh("i"), cx.fresh("item")
        with cx.block(f"for {index} in range({size}):"):
            cx.line(f"{name} = work[{space} + {index}]")
            yield name

    def count(self, cx: Cx) -> Expr:
        """Number of entries."""
        return self._collect(cx)[1]


def int_array(value: Value, cx: Cx) -> IntArray:
    """The list of numbers given by a value."""
    if isinstance(value, list):
        return Written([number(item, cx) for item in value])
    if isinstance(value, Ludeme):
        found = ARRAYS.get(value.keyword) if value.kind == "intarray" else None
        if found is not None:
            return found(value, cx)
        if value.kind == "region":
            return OfRegion(region(value, cx))
        raise UnsupportedError(f"the ludeme `{value.keyword}` ({value.kind}) is not implemented yet", value.source)
    raise LudError("a list of numbers is needed here", getattr(value, "source", None))


# What other ludemes ask of lists -------------------------------------------------------------------


def array_contains(value: Value, cx: Cx, wanted: Expr) -> Bool:
    """Code that tests whether a number is in a list."""
    return int_array(value, cx).contains(cx, wanted)


def array_region(value: Value, cx: Cx) -> Region:
    """The sites that a list of numbers names."""
    array = int_array(value, cx)
    if array.fixed is not None:
        return ListedSites.of(array.fixed, cx)
    return ArraySites(array)


class ArraySites(ScratchRegion):
    """The sites among the numbers of a list, each once."""

    def __init__(self, array: IntArray) -> None:
        def gather(inner: Cx, add: Callable[[str], None]) -> None:
            with array.each(inner) as item, inner.block(f"if 0 <= {item} < {inner.program.n_sites}:"):
                add(item)

        super().__init__(gather)
        self.array = array

    def contains(self, cx: Cx, site: Expr) -> Bool:
        """Look through the list itself; what is not a site is not in it."""
        name = cx.name(site, "s")
        inside = self.array.contains(cx, name)
        return inside if name in cx.safe or isinstance(site, int) else all_of(f"on_board({name})", inside)


def reduce_array(word: str, value: Value, cx: Cx) -> Expr:
    """The smallest or the largest number of a list; -1 for an empty one."""
    array = int_array(value, cx)
    if isinstance(array, OfRegion) and array.base.static:
        return min(array.base.static) if word == "min" else max(array.base.static)
    best, some = cx.fresh("best"), cx.fresh("some")
    cx.line(f"{best} = -1")
    cx.line(f"{some} = False")
    with array.each(cx) as item, cx.block(f"if not {some} or {item} {'<' if word == 'min' else '>'} {best}:"):
        cx.line(f"{best} = {item}")
        cx.line(f"{some} = True")
    return best


@int_ludeme("size Array", reads=[])
def size_array(node: Ludeme, cx: Cx) -> Expr:
    """Number of entries of a list."""
    return int_array(node.args["array"], cx).count(cx)


@int_ludeme("arrayValue", reads=[])
def array_value(node: Ludeme, cx: Cx) -> Expr:
    """The number at a place of a list; -1 behind its end."""
    array = int_array(node.args["array"], cx)
    wanted = cx.name(number(node.args["index"], cx))
    found, index = cx.fresh("found"), cx.fresh("at")
    cx.line(f"{found} = -1")
    cx.line(f"{index} = 0")
    with array.each(cx) as item:
        with cx.block(f"if {index} == {wanted}:"):
            cx.line(f"{found} = {item}")
        cx.line(f"{index} += 1")
    return found


@int_ludeme("count Value", reads=[])
def count_value(node: Ludeme, cx: Cx) -> Expr:
    """Number of times that a number occurs in a list."""
    array = int_array(node.args["in"], cx)
    wanted = cx.name(number(node.args["of"], cx))
    total = cx.fresh("total")
    cx.line(f"{total} = 0")
    with array.each(cx) as item, cx.block(f"if {item} == {wanted}:"):
        cx.line(f"{total} += 1")
    return total


# The lists themselves ------------------------------------------------------------------------------


@array_ludeme("values Remembered", reads=["var"], named="values")
def values_remembered(node: Ludeme, cx: Cx) -> IntArray:
    """Values remembered under a name."""
    return Remembered(remembered(cx.program, node.get("name")))


@array_ludeme("array", reads=[])
def array(node: Ludeme, cx: Cx) -> IntArray:
    """Numbers written out, or the sites of a region."""
    if node.get("region") is not None:
        return OfRegion(region(node.args["region"], cx))
    ints = node.args["ints"]
    assert isinstance(ints, list)
    return Written([number(item, cx) for item in ints])


@array_ludeme("if", reads=[], known=True)
def array_if(node: Ludeme, cx: Cx) -> IntArray:
    """One of two lists."""
    test = condition(node.args["cond"], cx)
    other = node.get("notOk")
    if isinstance(test, bool):
        return int_array(node.args["ok"] if test else other or [], cx)
    chosen = cx.fresh("chosen")
    cx.line(f"{chosen} = {test}")
    yes = Chosen(int_array(node.args["ok"], cx), lambda place, item: chosen)
    if other is None:
        return yes
    no = Chosen(int_array(other, cx), lambda place, item: f"(not {chosen})")
    return Joined([yes, no], 4 * cx.program.n_sites + 64, once=False)


class Joined(Collected):
    """The numbers of several lists, one after another.

    Args:
        parts: the lists.
        capacity: the most numbers.
        once: whether numbers of later lists are left out if they are there already.
    """

    def __init__(self, parts: list[IntArray], capacity: int, once: bool) -> None:
        super().__init__(lambda cx, add: None, capacity)
        self.parts, self.once = parts, once

    def _collect(self, cx: Cx) -> tuple[str, str]:
        space, size = super()._collect(cx)
        new, index = cx.fresh("new"), cx.fresh("i")
        for number_, part in enumerate(self.parts):
            with part.each(cx) as item:
                cx.line(f"{new} = {size} < {self.capacity}")
                if number_ and self.once:
                    with cx.block(f"for {index} in range({size}):"), cx.block(f"if work[{space} + {index}] == {item}:"):
                        cx.line(f"{new} = False")
                with cx.block(f"if {new}:"):
                    cx.line(f"work[{space} + {size}] = {item}")
                    cx.line(f"{size} += 1")
        return space, size

    def contains(self, cx: Cx, value: Expr) -> Bool:
        """Whether a number is among them."""
        name = cx.name(value)
        return any_of(*[part.contains(cx, name) for part in self.parts])


def _two(node: Ludeme, cx: Cx) -> list[IntArray]:
    many = node.get("arrays")
    values = many if isinstance(many, list) else [v for k, v in node.args.items() if k.startswith("array")]
    return [int_array(value, cx) for value in values]


@array_ludeme("union", reads=[], known=True)
def array_union(node: Ludeme, cx: Cx) -> IntArray:
    """The numbers of several lists."""
    return Joined(_two(node, cx), 4 * cx.program.n_sites + 64, once=True)


@array_ludeme("intersection", reads=[], known=True)
def array_intersection(node: Ludeme, cx: Cx) -> IntArray:
    """The numbers of the first list that are in all others."""
    first, *rest = _two(node, cx)
    return Chosen(first, lambda place, item: all_of(*[other.contains(place, item) for other in rest]))


@array_ludeme("difference", reads=[], known=True)
def array_difference(node: Ludeme, cx: Cx) -> IntArray:
    """The numbers of one list that are not in another."""
    source = int_array(node.args["source"], cx)
    gone = node.get("subtraction")
    less = int_array(gone, cx) if gone is not None else Written([number(node.args["intToRemove"], cx)])
    return Chosen(source, lambda place, item: negation(less.contains(place, item)))


@array_ludeme("results", reads=[])
def results(node: Ludeme, cx: Cx) -> IntArray:
    """What a function gives for each pair of a start and an end."""

    def gather(inner: Cx, add: Callable[[Expr], None]) -> None:
        with _sites(node, inner, "from").each(inner) as frm:
            start = inner.bind(frm=frm)
            with _sites(node, start, "to").each(start) as to:
                here = start.sure(frm, to).bind(to=to)
                add(number(node.args["function"], here))

    return Collected(gather, max(64, 8 * cx.program.n_sites))


def _sites(node: Ludeme, cx: Cx, name: str) -> Region:
    value = node.args[name] if node.get(name) is not None else node.args[name.capitalize()]
    return region(value, cx) if isinstance(value, Ludeme) else region([value], cx)
