"""Adding to a number that several threads share."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


@intrinsic  # type: ignore[untyped-decorator]
def atomic_add(typingctx: Any, array: Any, index: Any, amount: Any) -> Any:
    """Add to one number of a contiguous array as one step that no other thread can divide; returns what was there."""
    del typingctx, index
    signature = array.dtype(array, types.intp, array.dtype)
    operation = "fadd" if isinstance(array.dtype, types.Float) else "add"

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place, number, value = arguments
        data = make_array(signature.args[0])(context, builder, place).data
        return builder.atomic_rmw(operation, builder.gep(data, [number]), value, "monotonic")

    del amount
    return signature, generate
