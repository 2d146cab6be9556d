"""Game texts with a few numbers and roles exchanged, the same for the same random seed."""

from __future__ import annotations

import random
import re

NUMBER = re.compile(r"(?<![\w.:\"])-?\d+(?![\w.\"])")
ROLE = re.compile(r"\b(?:Mover|Next|P1|P2|Each|All|Shared|Neutral)\b(?!\")")
NUMBERS = (-900_000_000, -2, -1, 0, 1, 2, 3, 7, 8, 9, 16, 25, 26, 100, 999, 30_000, 900_000_000)
ROLES = ("Mover", "Next", "Prev", "P1", "P2", "P3", "P9", "All", "Shared", "Neutral", "Player")


def mutant(text: str, seed: int) -> str:
    """A text in which one to three numbers or roles are others."""
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 3)):
        numbers = rng.random() < 0.7
        places = list((NUMBER if numbers else ROLE).finditer(text))
        if places:
            place = rng.choice(places)
            new = str(rng.choice(NUMBERS)) if numbers else rng.choice(ROLES)
            text = text[: place.start()] + new + text[place.end() :]
    return text
