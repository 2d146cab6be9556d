"""Damaging bytes, reproducibly: what a seed makes of a good file."""

from __future__ import annotations

import random
from collections.abc import Sequence

NUMBERS = (b"0", b"-1", b"2147483647", b"2147483648", b"-9223372036854775808", b"1e999", b"nan", b"9" * 400, b"0.5")
ODD = (b"\xff", b"\x00", b"\xc3\x28", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xc2\x85", b"\x0c", b'"', b"\\", b"\n", b"")
NEST = (b"(", b"[", b"{", b'{"a":', b"(not ", b"<")


def damage(data: bytes, rng: random.Random, words: Sequence[bytes] = ()) -> bytes:
    """A damaged copy: a few changes, from a flipped bit to a part that is repeated thousands of times.

    Args:
        data: a good file.
        rng: what to do.
        words: pieces of the format, which are put in here and there.
    """
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(_CHANGES)(data, rng, words)
    return data[:1_000_000]


def _flip(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    del words
    if not data:
        return b"\x00"
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :]


def _cut(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    del words
    begin = rng.randrange(len(data) + 1)
    return data[:begin] if rng.random() < 0.3 else data[:begin] + data[begin + rng.randrange(1, 40) :]


def _insert(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice([*NUMBERS, *ODD, *words]) + data[place:]


def _number(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    """Replace a number."""
    del words
    places = [k for k in range(len(data)) if 48 <= data[k] < 58]
    if not places:
        return data
    place = end = rng.choice(places)
    while end < len(data) and 48 <= data[end] < 58:
        end += 1
    return data[:place] + rng.choice(NUMBERS) + data[end:]


def _repeat(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    del words
    begin = rng.randrange(len(data) + 1)
    part = data[begin : begin + rng.randrange(1, 60)]
    return data[:begin] + part * rng.choice((2, 3, 10, 300)) + data[begin:]


def _nest(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    del words
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(NEST) * rng.choice((3, 150, 3000, 20000)) + data[place:]


def _swap(data: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    """Exchange two stretches."""
    del words
    a, b, c = sorted(rng.randrange(len(data) + 1) for _ in range(3))
    return data[:a] + data[b:c] + data[a:b] + data[c:]


_CHANGES = (_flip, _flip, _cut, _insert, _insert, _number, _repeat, _nest, _swap)
