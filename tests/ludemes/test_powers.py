"""Powers: within 32 bits, rounded towards zero, the same in kernels and where they are known beforehand."""

from __future__ import annotations

from typing import Any

import pytest

from ludoport.kernels import library
from ludoport.ludemes.meanings.ints_arithmetic import _known_power

NUMBERS = (*range(-5, 6), 40, -40, 46340, 46341, -46341, 2**31 - 1, -(2**31))
POWERS = (*range(-5, 40), 63, 64, 1000, 1001, 2**31 - 1, -(2**31))


@pytest.mark.parametrize("a", NUMBERS)
def test_kernels_and_constants_agree(a: int) -> None:
    names: dict[str, Any] = {"kernel": lambda function: function}
    exec(library.PARTS["power"], names)
    assert [names["power"](a, b) for b in POWERS] == [_known_power(a, b) for b in POWERS]


def test_known_powers() -> None:
    assert [_known_power(a, b) for a, b in ((2, 10), (-3, 3), (7, 0), (0, 0), (2, -1), (-1, -3))] == [
        *(1024, -27, 1, 1, 0, -1)
    ]
    assert (_known_power(40, 9), _known_power(-40, 9), _known_power(0, -1)) == (2**31 - 1, -(2**31), 2**31 - 1)
