"""Shortcuts through numba that give the same signatures and implementations in less time.

Numba looks up the meaning of every operator again, in a dozen templates for each ``a + b``, and words an error message
for every template that does not fit. Kernels use few types, so what was found is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from numba.core import base, types, utils


def import_arrays() -> None:
    """Import numba's functions of arrays without all of scipy's linear algebra.

    Numba imports that only to see whether it is there, which takes longer than all else that loading kernels imports.
    Functions that need it still import it themselves.
    """
    from numba.np import linalg

    usual = linalg.ensure_blas

    def is_there() -> None:
        if find_spec("scipy") is None:
            raise ImportError

    linalg.ensure_blas = is_there
    try:
        import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = usual


_PLAIN = (types.Number, types.Boolean, types.Array)


class _Depth:
    """Depth of nested compilations."""

    value = 0


@contextmanager
def quick() -> Iterator[None]:
    """Take the shortcuts. Numba holds its compiler lock here, so no other compilation sees them."""
    _Depth.value += 1
    if _Depth.value == 1:
        _swap()
    try:
        yield
    finally:
        _Depth.value -= 1
        if _Depth.value == 0:
            _swap()


_usual_call_type = types.Function.get_call_type
_usual_function = base.BaseContext.get_function


def _call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a built-in function for types of arguments, which is kept for numbers and arrays."""
    if kws or not all(isinstance(arg, _PLAIN) for arg in args):
        return _usual_call_type(self, context, args, kws)
    known = self.__dict__.setdefault("_ludoport_known", {})
    key = (context, args)
    found = known.get(key)
    if found is None:
        found = _usual_call_type(self, context, args, kws)
        # Implementations written in Python depend on more than types.
        if self.get_impl_key(found) is self.typing_key:
            known[key] = found
    return found


def _function(self: Any, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
    """The implementation of a function. Plain arrays wrap nothing, which numba finds out by loading all registries."""
    if fn == "__array__" and type(sig.args[0]) is types.Array:
        raise NotImplementedError
    return _usual_function(self, fn, sig, _firstcall)


def _has_loc(function: Callable[..., Any]) -> bool:
    """Whether an implementation has a parameter ``loc``, read from its code, which is faster than its signature."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        return "loc" in utils.pysignature(function).parameters
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


_OTHERS: list[tuple[Any, str, Any]] = [
    (owner, name, other)
    for owner, name, other in (
        (types.Function, "get_call_type", _call_type),
        (base.BaseContext, "get_function", _function),
        (base, "_has_loc", _has_loc),
    )
    if hasattr(owner, name)  # versions of numba differ
]


def _swap() -> None:
    """Exchange numba's functions and ours."""
    for number, (owner, name, other) in enumerate(_OTHERS):
        _OTHERS[number] = (owner, name, getattr(owner, name))
        setattr(owner, name, other)
