"""Rows and tables in device code: plain pointers into a chosen memory.

Arrays of numba carry shape and strides, check for negative indices, and put constants where lanes that read different
places wait for each other. Kernels need none of that. A row is one pointer; its type says which memory it points into
and how many rows are interleaved there. Two neighbouring integers share a word of 32 bits, and the words of interleaved
rows alternate: lanes of a warp that read different places of their rows then never meet in a bank of shared memory.

Importing this module needs numba-cuda; nothing here is used by its simulator.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.cuda import cgutils, types
from numba.cuda.cudadecl import registry as typings
from numba.cuda.cudaimpl import registry as lowerings
from numba.cuda.extending import _intrinsic, core_models, register_model, typeof_impl
from numba.cuda.typing.templates import AbstractTemplate, AttributeTemplate, signature
from numpy.typing import NDArray

from ludoport.kernels.cuda_fields import Field

GLOBAL, SHARED, LOCAL = 1, 3, 5
"""Address spaces of the device."""

_BYTE, _SHORT, _WORD, _LONG = (ir.IntType(bits) for bits in (8, 16, 32, 64))
_SHARED_NAME = "ludoport_shared"
_SHARE = {8: 2, 16: 1, 32: 0, 64: -1}
"""How many integers share a word of 32 bits, as a power of 2; one of 64 bits takes two words, never interleaved."""

intrinsic = _intrinsic(target="cuda", prefer_literal=True)
"""For functions that are written in intermediate code; constants among their arguments are known to them."""


class RowType(types.Type):  # type: ignore[misc]
    """A row of small integers.

    Args:
        space: the address space it lies in.
        lanes: how many rows are interleaved word by word.
        bits: the width of an integer, 8, 16, 32 or 64.
        signed: whether integers may be negative.
        tag: what else tells two types apart.
    """

    def __init__(self, space: int, lanes: int = 1, bits: int = 16, signed: bool = True, tag: str = "") -> None:
        self.space, self.lanes, self.bits, self.signed = space, lanes, bits, signed
        super().__init__(f"Row({space}, {lanes}, {bits}, {signed}{tag and ', '}{tag})")


class TableType(RowType):
    """A table: a row with fixed contents."""


class DeviceTable:
    """A table of the generated module as device code sees it.

    Args:
        name: its name, for the type.
        values: its integers.
        offset: where it begins in shared memory, in bytes; None for a table in global memory.
    """

    def __init__(self, name: str, values: NDArray[Any], offset: int | None = None) -> None:
        self.values, self.offset = values, offset
        tag = f"{name}, {offset}, {hash(values.tobytes())}"
        self.type = TableType(GLOBAL if offset is None else SHARED, bits=8 * values.dtype.itemsize, tag=tag)


@typeof_impl.register(DeviceTable)  # type: ignore[untyped-decorator]
def _typeof_table(table: DeviceTable, context: Any) -> TableType:
    del context
    return table.type


@register_model(RowType)
@register_model(TableType)
class _RowModel(core_models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, row: RowType) -> None:
        super().__init__(manager, row, ir.PointerType(_BYTE, row.space))


@typings.register_global(operator.getitem)
class _GetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        del kws
        row, index = args
        if isinstance(row, RowType) and isinstance(index, types.Integer):
            return signature(types.int64, row, index)
        if isinstance(row, RowType) and row.lanes == 1 and isinstance(index, types.SliceType):
            return signature(RowType(row.space, 1, row.bits), row, index)
        return None


@typings.register_global(operator.setitem)
class _SetItem(AbstractTemplate):  # type: ignore[misc]
    def generic(self, args: Any, kws: Any) -> Any:
        del kws
        row, index, value = args
        if (
            isinstance(row, RowType)
            and isinstance(index, types.Integer)
            and isinstance(value, (types.Integer, types.Boolean))
        ):
            return signature(types.none, row, index, value)
        return None


def _resized(builder: Any, value: Any, size: ir.IntType) -> Any:
    if value.type.width > size.width:
        return builder.trunc(value, size)
    return builder.sext(value, size) if value.type.width < size.width else value


def _at(builder: Any, row: RowType, pointer: Any, offset: Any, size: ir.IntType) -> Any:
    """The address of what lies some bytes behind a pointer."""
    place = builder.gep(pointer, [builder.zext(offset, _LONG)], source_etype=_BYTE)
    return builder.bitcast(place, ir.PointerType(size, row.space))


def _element(builder: Any, row: RowType, pointer: Any, index: Any) -> Any:
    """The address of an element; indices are never negative and fit into 31 bits."""
    place = _resized(builder, index, _WORD)
    size = ir.IntType(row.bits)
    shift = _SHARE[row.bits]
    if row.lanes == 1:
        return _at(builder, row, pointer, builder.shl(place, _WORD(2 - shift)), size)
    word = builder.mul(builder.lshr(place, _WORD(shift)), _WORD(4 * row.lanes))
    part = builder.shl(builder.and_(place, _WORD((1 << shift) - 1)), _WORD(2 - shift))
    return _at(builder, row, pointer, builder.add(word, part), size)


def _load_from(builder: Any, row: RowType, pointer: Any, index: Any) -> Any:
    size = ir.IntType(row.bits)
    value = builder.load(_element(builder, row, pointer, index), align=row.bits // 8, typ=size)
    if row.bits == 64:
        return value
    return builder.sext(value, _LONG) if row.signed else builder.zext(value, _LONG)


def _store_to(context: Any, builder: Any, row: RowType, pointer: Any, index: Any, value: Any, kind: Any) -> None:
    if isinstance(kind, types.Boolean):
        value = context.cast(builder, value, kind, types.int16)
    place = _element(builder, row, pointer, index)
    builder.store(_resized(builder, value, ir.IntType(row.bits)), place, align=row.bits // 8)


@lowerings.lower(operator.getitem, RowType, types.Integer)  # type: ignore[untyped-decorator]
def _load(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    del context
    return _load_from(builder, sig.args[0], *args)


@lowerings.lower(operator.getitem, RowType, types.SliceType)  # type: ignore[untyped-decorator]
def _part(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    begin = context.make_helper(builder, sig.args[1], args[1]).start
    return builder.gep(args[0], [builder.shl(begin, _LONG(2 - _SHARE[sig.args[0].bits]))], source_etype=_BYTE)


@lowerings.lower(operator.setitem, RowType, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
@lowerings.lower(operator.setitem, RowType, types.Integer, types.Boolean)  # type: ignore[untyped-decorator]
def _store(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    row, index, value = args
    _store_to(context, builder, sig.args[0], row, index, value, sig.args[2])
    return context.get_dummy_value()


@lowerings.lower_constant(TableType)  # type: ignore[untyped-decorator]
def _constant(context: Any, builder: Any, table: TableType, value: DeviceTable) -> Any:
    del context
    if value.offset is not None:
        return builder.gep(_shared(builder), [_LONG(0), _LONG(value.offset)])
    data = bytearray(value.values.astype(value.values.dtype.newbyteorder("<")).tobytes())
    contents = ir.Constant(ir.ArrayType(_BYTE, len(data)), data)
    name = builder.module.get_unique_name("ludoport_table")
    variable = ir.GlobalVariable(builder.module, contents.type, name, addrspace=table.space)
    variable.linkage = "internal"
    variable.global_constant = True
    variable.align = 8
    variable.initializer = contents
    return builder.gep(variable, [_LONG(0), _LONG(0)])


def _shared(builder: Any) -> Any:
    """All dynamic shared memory of the block."""
    module = builder.module
    if _SHARED_NAME in module.globals:
        return module.globals[_SHARED_NAME]
    variable = ir.GlobalVariable(module, ir.ArrayType(_BYTE, 0), _SHARED_NAME, addrspace=SHARED)
    variable.linkage = "external"
    variable.align = 16
    return variable


@intrinsic  # type: ignore[untyped-decorator]
def local_row(context: Any, size: Any, bits: Any) -> Any:
    """A row of this many integers of this width in the memory of the thread."""
    del context
    # Loads and stores of 64 bits want memory of that alignment.
    unit = _LONG if bits.literal_value == 64 else _WORD
    units = -(-size.literal_value * bits.literal_value // unit.width)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        del context, sig, args
        memory = cgutils.alloca_once(builder, ir.ArrayType(unit, units), name="row")
        return builder.addrspacecast(memory, ir.PointerType(_BYTE, LOCAL))

    return RowType(LOCAL, 1, bits.literal_value)(size, bits), build


@intrinsic  # type: ignore[untyped-decorator]
def shared_row(context: Any, offset: Any, lanes: Any, lane: Any) -> Any:
    """One of the interleaved rows that begin some bytes into the shared memory of the block."""
    del context
    row = RowType(SHARED, lanes.literal_value)
    begin = offset.literal_value

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        del context, sig
        place = builder.add(builder.shl(_resized(builder, args[2], _WORD), _WORD(2)), _WORD(begin))
        return builder.gep(_shared(builder), [_LONG(0), builder.zext(place, _LONG)])

    return row(offset, lanes, lane), build


@intrinsic  # type: ignore[untyped-decorator]
def global_row(context: Any, array: Any, offset: Any) -> Any:
    """A row that begins some integers into an array in global memory."""
    del context
    row = RowType(GLOBAL, 1, array.dtype.bitwidth)

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        data = context.make_array(sig.args[0])(context, builder, args[0]).data
        begin = builder.addrspacecast(builder.bitcast(data, ir.PointerType(_BYTE)), ir.PointerType(_BYTE, GLOBAL))
        shift = _LONG(2 - _SHARE[row.bits])
        return builder.gep(begin, [builder.shl(_resized(builder, args[1], _LONG), shift)], source_etype=_BYTE)

    return row(array, offset), build


def _word(builder: Any, row: RowType, pointer: Any, index: Any) -> Any:
    place = builder.mul(_resized(builder, index, _WORD), _WORD(4 * row.lanes))
    return _at(builder, row, pointer, place, _WORD)


@intrinsic  # type: ignore[untyped-decorator]
def copy_word(context: Any, to: Any, source: Any, index: Any) -> Any:
    """Copy 32 bits at once; the index counts such words."""
    del context

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = builder.load(_word(builder, sig.args[1], args[1], args[2]), align=4, typ=_WORD)
        builder.store(value, _word(builder, sig.args[0], args[0], args[2]), align=4)
        return context.get_dummy_value()

    return types.none(to, source, index), build


@intrinsic  # type: ignore[untyped-decorator]
def clear_word(context: Any, row: Any, index: Any) -> Any:
    """Set 32 bits to 0; the index counts such words."""
    del context

    def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.store(_WORD(0), _word(builder, sig.args[0], *args), align=4)
        return context.get_dummy_value()

    return types.none(row, index), build


class SplitType(types.Type):  # type: ignore[misc]
    """A state that was taken apart: registers for single integers, a row of words for all else.

    Args:
        rest: the row of words.
        fields: where each field is.
    """

    def __init__(self, rest: RowType, fields: tuple[Field, ...]) -> None:
        self.rest, self.fields = rest, {field.name: field for field in fields}
        self.numbers = {field.name: number for number, field in enumerate(fields)}
        super().__init__(f"Split({rest}, {fields})")


@register_model(SplitType)
class _SplitModel(core_models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, state: SplitType) -> None:
        super().__init__(manager, state, [("single", RowType(LOCAL)), ("rest", state.rest)])


@typings.register_attr
class _SplitAttributes(AttributeTemplate):  # type: ignore[misc]
    key = SplitType

    def generic_resolve(self, state: SplitType, name: str) -> Any:
        field = state.fields[name]
        return types.int64 if field.single else RowType(state.rest.space, state.rest.lanes, field.bits, field.signed)


@lowerings.lower_getattr_generic(SplitType)  # type: ignore[untyped-decorator]
def _get_field(context: Any, builder: Any, state: SplitType, value: Any, name: str) -> Any:
    parts = cgutils.create_struct_proxy(state)(context, builder, value=value)
    field = state.fields[name]
    if field.single:
        return _load_from(builder, RowType(LOCAL), parts.single, _WORD(2 * state.numbers[name]))
    offset = _LONG(4 * state.rest.lanes * field.word)
    return builder.gep(parts.rest, [offset], source_etype=_BYTE)


@lowerings.lower_setattr_generic(SplitType)  # type: ignore[untyped-decorator]
def _set_field(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    state, kind = sig.args
    parts = cgutils.create_struct_proxy(state)(context, builder, value=args[0])
    _store_to(context, builder, RowType(LOCAL), parts.single, _WORD(2 * state.numbers[name]), args[1], kind)


def split_row(fields: tuple[Field, ...]) -> Any:
    """A function that makes a state that was taken apart, out of a row of words for what is not in registers."""

    @intrinsic  # type: ignore[untyped-decorator]
    def make_split(context: Any, rest: Any) -> Any:
        del context
        state = SplitType(rest, fields)

        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            del sig
            memory = cgutils.alloca_once(builder, ir.ArrayType(_WORD, len(fields)), name="single")
            parts = cgutils.create_struct_proxy(state)(context, builder)
            parts.single = builder.addrspacecast(memory, ir.PointerType(_BYTE, LOCAL))
            parts.rest = args[0]
            return parts._getvalue()

        return state(rest), build

    return make_split


def _attribute(name: str, doc: str) -> Any:
    """A function that gives its caller an attribute, and does nothing when it runs."""

    def attribute(context: Any) -> Any:
        del context

        def build(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            del sig, args
            builder.function.attributes.add(name)
            return context.get_dummy_value()

        return types.none(), build

    attribute.__doc__ = doc
    return intrinsic(attribute)


stay_apart = _attribute("noinline", "Keeps a function from becoming a part of its callers.")
stay_small = _attribute("optsize", "Leaves loops as they are, instead of writing their bodies several times.")
