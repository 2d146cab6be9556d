"""Kernels become machine code without numba's analysis, where they are simple enough; most kernels are.

Numba finds out types, translates byte code and writes intermediate code by ways that are made for all of Python. That
took most of the first load of a game. ``direct_text.py`` writes the code of LLVM from the text of a kernel; here it
becomes what numba expects of a compiled function. Kernels that numba compiled can call it: a second, thin function
follows numba's convention.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import llvmlite.binding
from numba.core import funcdesc, typing
from numba.core import types as numba_types
from numba.core.compiler import compile_result
from numba.core.dispatcher import Dispatcher
from numba.core.lowering import Environment
from numba.np import numpy_support

from ludoport.kernels.checked import checking
from ludoport.kernels.direct_numbers import Callee, Cells, NotDirectError, table_text
from ludoport.kernels.direct_text import Writer

_SOURCES: dict[str, str | list[str]] = {}
"""Generated modules by the names of their files: their texts, or their lines once a kernel was read."""

_LARGE = 700_000
"""Modules with more characters of code are not optimised: Tai Shogi loads in a sixth of the time. Chess, so compiled,
would be half as fast."""

_UNOPTIMISED: set[str] = set()
"""Files of such modules."""


def remember(path: str, text: str) -> None:
    """Keep the text of a generated module for kernels that are compiled later."""
    _SOURCES[path] = text
    if len(text) - max(text.find("\n@"), 0) > _LARGE:  # tables come before the code
        _UNOPTIMISED.add(path)


@dataclass(eq=False, slots=True)
class _Kernel:
    """A kernel for certain kinds of arguments."""

    callee: Callee
    library: Any


_KNOWN: dict[tuple[Any, tuple[Cells | None, ...]], _Kernel | None] = {}
"""What was written; None for kernels that cannot be, or are being written."""

_BEGUN: dict[tuple[Any, tuple[Cells | None, ...]], list[Any]] = {}
"""Kernels that are being written, with the libraries of the kernels below them that call them again."""

_NESTING = "flush_"
"""Start of the names of kernels by which kernels may call themselves: effects nest no deeper than the text does."""


def compiled(compiler: Any, function: Any, library_class: type) -> Any:
    """The result of a compilation as numba has it; None where the kernel is left to numba.

    Args:
        compiler: numba's object for this compilation.
        function: the kernel as a Python function.
        library_class: what holds the code of a function.
    """
    state = compiler.state
    if checking():
        return None
    try:
        kinds = tuple(map(_kind, state.args))
        dispatcher = function.__globals__.get(function.__name__)
        # Kernels that equal ones of another module replaced are not what their name means.
        if not isinstance(dispatcher, Dispatcher) or dispatcher.py_func is not function:
            return None
        kernel = _kernel(dispatcher, kinds, state.targetctx, library_class)
    except NotDirectError:
        return None
    return _result(state, function, kernel, library_class)


def _kind(numba_type: Any) -> Cells | None:
    """What an argument is to ``direct_text``."""
    if isinstance(numba_type, numba_types.Array) and numba_type.ndim == 1 and numba_type.layout == "C":
        return Cells.of(numpy_support.as_dtype(numba_type.dtype))
    if isinstance(numba_type, numba_types.Boolean):
        return None
    # uint64 is left to numba: together with int64 it becomes a float there.
    if numba_type in numba_types.integer_domain and numba_type != numba_types.uint64:
        return None
    raise NotDirectError(f"an argument of type {numba_type}")


def _kernel(dispatcher: Any, kinds: tuple[Cells | None, ...], context: Any, library_class: type) -> _Kernel:
    key = (dispatcher, kinds)
    if key not in _KNOWN:
        before = len(_KNOWN)
        _KNOWN[key] = None
        _BEGUN[key] = []
        try:
            written = _KNOWN[key] = _written(dispatcher, kinds, context, library_class)
            for library in _BEGUN[key]:
                library._linking_libraries.append(written.library)
        except NotDirectError:
            if _BEGUN[key]:  # what calls it again cannot be written either
                _KNOWN.update(dict.fromkeys(list(_KNOWN)[before:]))
            raise
        except BaseException:  # Ctrl-C, for example: the next caller tries again
            for each in list(_KNOWN)[before:]:
                del _KNOWN[each]
            raise
        finally:
            del _BEGUN[key]
    found = _KNOWN[key]
    if found is None:
        raise NotDirectError(f"{dispatcher.py_func.__name__} cannot be written")
    return found


def _written(dispatcher: Any, kinds: tuple[Cells | None, ...], context: Any, library_class: type) -> _Kernel:
    function = dispatcher.py_func
    inlined = getattr(dispatcher._compiler.pipeline_class, "inlined", None)
    if inlined is None:
        raise NotDirectError(f"{function.__name__} is no kernel")
    below: dict[str, _Kernel] = {}
    above: list[list[Any]] = []

    def call(known: Any, its_kinds: tuple[Cells | None, ...]) -> Callee:
        if not isinstance(known, Dispatcher):
            raise NotDirectError(f"a call of {known}")
        if _nests(known, its_kinds):
            above.append(_BEGUN[known, its_kinds])
            return Callee(_name(known, its_kinds), its_kinds)
        kernel = _kernel(known, its_kinds, context, library_class)
        below[kernel.callee.name] = kernel
        return kernel.callee

    name = _name(dispatcher, kinds)
    writer = Writer(function.__globals__, call)
    node = _parsed(function)
    if len(node.args.args) != len(kinds):
        raise NotDirectError("another number of arguments")
    body = writer.function(node, name, kinds, inlined, function.__code__.co_filename in _UNOPTIMISED)
    tables = [table_text(known, array) for known, array in writer.tables.items()]
    library = _library(library_class, context, name, [*tables, *map(_declared, writer.declared.values()), body])
    library.loops = writer.loops
    for kernel in below.values():
        library.add_linking_library(kernel.library)
    library.finalize()
    for begun in above:
        begun.append(library)
    return _Kernel(Callee(name, kinds), library)


def _nests(dispatcher: Any, kinds: tuple[Cells | None, ...]) -> bool:
    """Whether a kernel is being written, and the way from it to the latest leads through nested effects."""
    begun = list(_BEGUN)
    way = begun[begun.index((dispatcher, kinds)) :] if (dispatcher, kinds) in _BEGUN else []
    return any(each.py_func.__name__.startswith(_NESTING) for each, _ in way)


def _name(dispatcher: Any, kinds: tuple[Cells | None, ...]) -> str:
    """What LLVM calls a kernel."""
    function = dispatcher.py_func
    shapes = "".join("n" if kind is None else f"{'i' if kind.signed else 'u'}{kind.bits}" for kind in kinds)
    return f"ludoport.{function.__module__}.{function.__name__}.{shapes}"


def _parsed(function: Any) -> ast.FunctionDef:
    """The text of a kernel, read."""
    code = function.__code__
    lines = _SOURCES.get(code.co_filename)
    if lines is None or function.__closure__:
        raise NotDirectError(f"the text of {function.__name__} is not known")
    if isinstance(lines, str):
        lines = _SOURCES[code.co_filename] = lines.split("\n")
    begin = code.co_firstlineno - 1
    while not lines[begin].startswith("def "):
        begin += 1
    end = begin + 1
    while end < len(lines) and (not lines[end] or lines[end].startswith((" ", ")"))):
        end += 1
    node = ast.parse("\n".join(lines[begin:end])).body[0]
    assert isinstance(node, ast.FunctionDef)
    assert node.name == function.__name__
    return node


def _library(library_class: type, context: Any, name: str, parts: list[str]) -> Any:
    """A library of numba with the given text."""
    library = library_class(context.codegen(), name)
    module = llvmlite.binding.parse_assembly("\n".join(parts) + "\n")
    empty = library._final_module
    module.name, module.triple, module.data_layout = name, empty.triple, empty.data_layout
    # Linking into the empty module would leave out every function that nothing calls yet.
    library._final_module = module
    return library


def _declared(callee: Callee) -> str:
    params = ", ".join("i64" if kind is None else "ptr" for kind in callee.params)
    return f'declare i64 @"{callee.name}"({params})'


def _result(state: Any, function: Any, kernel: _Kernel, library_class: type) -> Any:
    """What numba keeps about a compiled function, with a function by its convention."""
    context = state.targetctx
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    description = funcdesc.PythonFunctionDescriptor(
        native=True,
        modname=function.__module__,
        qualname=function.__qualname__,
        unique_name=function.__qualname__,
        doc="",
        typemap={},
        restype=numba_types.int64,
        calltypes={},
        args=names,
        kws=(),
        mangler=context.mangler,
        argtypes=tuple(state.args),
        inline=True,
        noalias=True,
        abi_tags=("direct",),
    )
    library = _library(
        library_class, context, description.qualname, [_declared(kernel.callee), _thin(description, kernel)]
    )
    library.add_linking_library(kernel.library)
    library.finalize()
    environment = Environment.from_fndesc(description)
    executable = context.get_executable(library, description, environment)
    context.insert_user_function(executable, description, [library])
    return compile_result(
        typing_context=state.typingctx,
        target_context=context,
        entry_point=executable,
        signature=typing.signature(numba_types.int64, *state.args),
        objectmode=False,
        lifted=(),
        fndesc=description,
        library=library,
        environment=environment,
        metadata={},
        reload_init=[],
    )


def _thin(description: Any, kernel: _Kernel) -> str:
    """A function by numba's convention: results go to a place, arrays come as seven numbers."""
    params, values, lines = ["ptr noalias %result", "ptr noalias %error"], [], []
    for number, numba_type in enumerate(description.argtypes):
        name = f"%a{number}"
        if isinstance(numba_type, numba_types.Array):
            kinds = ("ptr", "ptr", "i64", "i64", "ptr noalias", "i64", "i64")
            params += [f"{kind} {name}.{k}" for k, kind in enumerate(kinds)]
            values.append(f"ptr {name}.4")
            continue
        flag = isinstance(numba_type, numba_types.Boolean)
        bits = 1 if flag else numba_type.bitwidth
        params.append(f"i{bits} {name}")
        if bits < 64:
            word = "zext" if flag or not numba_type.signed else "sext"
            lines.append(f"  {name}.wide = {word} i{bits} {name} to i64")
            name = f"{name}.wide"
        values.append(f"i64 {name}")
    return "\n".join(
        [
            f'define linkonce_odr i32 @"{description.mangled_name}"({", ".join(params)}) alwaysinline nounwind {{',
            *lines,
            f'  %value = call i64 @"{kernel.callee.name}"({", ".join(values)})',
            "  store i64 %value, ptr %result",
            "  ret i32 0",
            "}",
        ]
    )
