"""Random rulesheets whose relations depend on themselves, on each other and on the state, in circles."""

from __future__ import annotations

import random

VARIABLES = ("?x", "?y", "?z", "?u")
FRAME = """
(role a) (role b) (legal b noop) (goal a 50) (goal b 50) (init (at 0)) (init (step 0))
(<= (legal a (go ?x)) (true (at ?y)) (e ?y ?x)) (<= (next (at ?x)) (does a (go ?x)))
(<= (next (at ?x)) (true (at ?x)) (not (moved))) (<= (moved) (does a (go ?x)))
(<= (next (mark ?y)) (true (mark ?x)) (e ?x ?y)) (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
(<= terminal (true (step 4))) (after 0 1) (after 1 2) (after 2 3) (after 3 4)
"""
"""A walk along the edges ``e``, and a mark that walks by itself."""


class Generator:
    """Writes one rulesheet.

    Args:
        seed: random seed.
    """

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.size = self.chance.choice([3, 4, 5, 6])
        self.arity = {f"r{i}": self.chance.choice([1, 2, 2, 3, 3]) for i in range(self.chance.randrange(1, 5))}
        self.stratum = {name: self.chance.randrange(2) for name in self.arity}

    def text(self) -> str:
        """The rulesheet."""
        chance, size = self.chance, self.size
        edges = {(i, (i + 1) % size) for i in range(size)}
        edges |= {(chance.randrange(size), chance.randrange(size)) for _ in range(chance.randrange(4))}
        lines = [FRAME, f"(init (mark {chance.randrange(size)}))"]
        lines += [f"(e {x} {y})" for x, y in sorted(edges)] + [f"(pos {i})" for i in range(size)]
        lines += [self._rule(name, first=k == 0) for name in self.arity for k in range(chance.randrange(1, 4))]
        lines += [self._question(name, k) for name in self.arity for k in range(chance.randrange(1, 4))]
        return "\n".join(lines)

    def _atom(self, name: str, variables: tuple[str, ...]) -> str:
        chance = self.chance
        terms = [chance.choice(variables) if chance.random() < 0.93 else str(chance.randrange(self.size))
                 for _ in range(self.arity[name])]  # fmt: skip
        return f"({name} {' '.join(terms)})"

    def _rule(self, name: str, first: bool) -> str:
        chance, variables = self.chance, VARIABLES[: self.chance.choice([2, 3, 3, 4])]
        lower = [other for other in self.arity if self.stratum[other] < self.stratum[name]]
        same = [other for other in self.arity if self.stratum[other] == self.stratum[name]]
        body, tests = list[str](), list[str]()
        if not first or chance.random() < 0.3:
            body += [self._atom(chance.choice(same + lower), variables) for _ in range(chance.choice([1, 1, 1, 2]))]
        for _ in range(chance.randrange(3)):
            kind, x, y = chance.choice("eeam"), chance.choice(variables), chance.choice(variables)
            body.append({"e": f"(e {x} {y})", "a": f"(true (at {x}))", "m": f"(true (mark {x}))"}[kind])
        if chance.random() < 0.4:
            tests.append(f"(not (true (mark {chance.choice(variables)})))")
        if lower and chance.random() < 0.3:
            tests.append(f"(not {self._atom(chance.choice(lower), variables)})")
        if chance.random() < 0.2:
            tests.append(f"(distinct {chance.choice(variables)} {chance.choice(variables)})")
        head = self._atom(name, variables)
        # Every variable must be bound by a condition that holds.
        bound, used = " ".join(body), " ".join([head, *tests])
        body += [f"(pos {variable})" for variable in variables if variable in used and variable not in bound]
        conditions = body + tests or ["(true (at 0))"]
        chance.shuffle(conditions)
        return f"(<= {head} {' '.join(conditions)})"

    def _question(self, name: str, number: int) -> str:
        chance = self.chance
        names = VARIABLES[: self.arity[name]]
        args = [chance.choice([v, v, v, str(chance.randrange(self.size))]) for v in names]
        free = [term for term in args if term.startswith("?")]
        asked, label = f"({name} {' '.join(args)})", f"{name} {number} {' '.join(free)}"
        kind = chance.choice(["legal", "next", "bound", "any"])
        if kind == "legal":
            return f"(<= (legal a (do {label})) {asked})"
        if kind == "bound" and free:
            return f"(<= (legal a (bound {label})) (true (at {free[0]})) {asked})"
        if kind == "any" and free:
            return f"(<= (next (some {name} {number} {free[0]})) (pos {free[0]}) {asked})"
        return f"(<= (next (seen {label})) {asked})"
