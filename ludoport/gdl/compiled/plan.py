"""Order in which the conditions of a rule are evaluated, by expected cost.

A mode says which arguments of a relation are known when it is asked for: ``b`` is bound, ``f`` is wanted, ``_`` does
not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from math import prod

from ludoport.gdl.compiled.domains import World
from ludoport.gdl.compiled.flat import Atom, Condition, Flat, FlatRule

MOST_TRIED = 9
"""Rules with more conditions are ordered greedily instead of trying all orders."""

HALF = 0.5
"""Probability that a condition holds of which nothing is known."""

SPREAD = 0.6
"""Estimated answers of a recursive relation, as a power of all that are possible."""

CALL = 4.0
"""Cost of calling a function, in units of reading one number."""


@dataclass(frozen=True, slots=True)
class PlannedCondition:
    """One condition with the mode in which it is asked."""

    condition: Condition
    mode: str = ""

    @property
    def atom(self) -> Atom:
        """The atom of a condition that has one."""
        assert self.condition.atom is not None
        return self.condition.atom


@dataclass(frozen=True, slots=True)
class RuleOrder:
    """The conditions of a rule in order, with the expected number of solutions and the expected work."""

    steps: tuple[PlannedCondition, ...]
    fan: float
    cost: float


def mode_of(atom: Atom, bound: set[str], needed: set[str]) -> str:
    """The mode in which an atom is asked, given what is bound and which variables are needed later."""
    return "".join(
        "b" if not term.startswith("?") or term in bound
        # A variable that stands twice in the atom has to be compared with itself.
        else "f" if term in needed or atom.args.count(term) > 1
        else "_"
        for term in atom.args
    )  # fmt: skip


class ConditionPlanner:
    """Orders conditions.

    Args:
        world: the relations.
        recursive: the relations that depend on themselves.
        followed: whether such a relation can be answered in a mode without working it out as a whole.
    """

    def __init__(self, world: World, recursive: Collection[Flat], followed: Callable[[Flat, str], bool]) -> None:
        self.world, self.recursive, self._followed = world, recursive, followed
        self._known: dict[tuple[Flat, str], tuple[float, float]] = {}
        self._sizes: dict[Flat, tuple[float, list[float]]] = {}
        self._plans: dict[tuple[int, str], RuleOrder] = {}

    def plan(self, body: Sequence[Condition], bound: set[str], needed: set[str]) -> RuleOrder:
        """The best order that is found.

        Args:
            body: the conditions.
            bound: variables that are known at the start.
            needed: variables that are needed at the end.
        """
        if len(body) > MOST_TRIED:
            return self._greedy(list(body), bound, needed)
        everything, names = (1 << len(body)) - 1, [condition.names for condition in body]
        best: dict[int, RuleOrder] = {0: RuleOrder((), 1.0, 0.0)}
        for done in range(everything):
            plan = best.pop(done, None)
            if plan is None:
                continue
            left = [number for number in range(len(body)) if not done >> number & 1]
            known = bound.union(*(names[number] for number in range(len(body)) if done >> number & 1))
            # A test that costs next to nothing is never better made later.
            ready = [number for number in left if self._is_quick(body[number]) and names[number] <= known]
            for number in ready[:1] or left:
                later = needed.union(*(names[other] for other in left if other != number))
                longer = self._extend(plan, body[number], known, later)
                after = done | 1 << number
                if longer is not None and (after not in best or longer.cost < best[after].cost):
                    best[after] = longer
        return best[everything]

    def _is_quick(self, condition: Condition) -> bool:
        """Whether a condition is looked up once its variables are known."""
        if condition.atom is None:
            return True
        return condition.atom.flat in self.world.static or condition.atom.flat.key == "true/1"

    def _greedy(self, waiting: list[Condition], bound: set[str], needed: set[str]) -> RuleOrder:
        plan, known = RuleOrder((), 1.0, 0.0), set(bound)
        while waiting:
            options: list[tuple[float, int, Condition, RuleOrder]] = []
            for condition in waiting:
                later = needed.union(*(x.names for x in waiting if x is not condition))
                longer = self._extend(plan, condition, known, later)
                if longer is not None:
                    share = max(plan.fan, 1e-9)
                    growth, work = longer.fan / share, (longer.cost - plan.cost) / share
                    options.append(((growth - 1) / (work + 1e-9), len(options), condition, longer))
            _, _, condition, plan = min(options, key=lambda option: option[:2])
            waiting.remove(condition)
            known |= condition.names
        return plan

    def _extend(self, plan: RuleOrder, condition: Condition, known: set[str], needed: set[str]) -> RuleOrder | None:
        """The plan with one more condition; None if that cannot be asked yet."""
        if condition.kind != "holds":
            if not condition.names <= known:
                return None
            if condition.atom is None:
                fan, cost, mode = (0.8 if condition.kind == "differ" else 0.2), 0.5, ""
            else:
                mode = "b" * len(condition.atom.args)
                fan, cost = self.estimate(condition.atom.flat, mode)
                fan = max(0.05, 1 - min(fan, 1.0)) if fan < 1 else HALF
        else:
            assert condition.atom is not None
            mode = mode_of(condition.atom, known, needed)
            fan, cost = self.estimate(condition.atom.flat, mode)
        return RuleOrder((*plan.steps, PlannedCondition(condition, mode)), plan.fan * fan, plan.cost + plan.fan * cost)

    def sizes(self, flat: Flat) -> tuple[float, list[float]]:
        """About how many tuples a relation has, and how many different constants in each argument."""
        known = self._sizes.get(flat)
        if known is None:
            known = self._sizes[flat] = self._measure(flat)
        return known

    def _measure(self, flat: Flat) -> tuple[float, list[float]]:
        domains = [float(max(1, len(column))) for column in self.world.domains[flat]]
        if flat.key == "true/1":
            # As many as there are at the start.
            table = self.world.static.get(Flat("init/1", flat.shapes))
            if table is None or table.length < 2:
                return 1.0, domains
        elif flat in self.world.static:
            table = self.world.static[flat]
        else:
            return max(1.0, prod(domains) ** HALF), domains
        return float(table.length), [float(max(1, len(set(column.tolist())))) for column in table.columns]

    def estimate(self, flat: Flat, mode: str) -> tuple[float, float]:
        """Expected number of answers to a question, and its cost."""
        if flat.key == "does/2":
            return 0.9, 2.0
        if flat in self.world.static or flat.key == "true/1" or flat not in self.world.rules:
            rows, different = self.sizes(flat)
            fan = rows / prod(count for count, sign in zip(different, mode, strict=True) if sign == "b")
            if "f" not in mode:
                # A table of all combinations of its constants holds for nearly every question.
                full = flat in self.world.static and rows >= prod(different)
                return (1.0 if full else min(fan, 0.9)), 1.0
            return fan, 1.0 + 0.5 * fan
        known = self._known.get((flat, mode))
        if known is None:
            # While a relation that needs itself is being estimated.
            self._known[flat, mode] = self._guess(flat, mode)
            if flat not in self.recursive:
                self._known[flat, mode] = self._from_rules(flat, mode)
            known = self._known[flat, mode]
        return known

    def _guess(self, flat: Flat, mode: str) -> tuple[float, float]:
        rows, different = self.sizes(flat)
        if flat in self.recursive and not self._followed(flat, mode):
            return (HALF if "f" not in mode else rows**HALF), 3000.0 + 10.0 * rows
        if "f" not in mode:
            return HALF, 30.0
        # Lists of such relations leave nothing out.
        wanted = prod(count for count, sign in zip(different, mode, strict=True) if sign != "b")
        fan = wanted**SPREAD
        return fan, 30.0 + 15.0 * fan

    def _from_rules(self, flat: Flat, mode: str) -> tuple[float, float]:
        fan, cost = 0.0, CALL
        for rule in self.world.rules[flat]:
            plan = self.rule_plan(rule, mode)
            chance = 1.0
            for term, sign, column in zip(rule.head.args, mode, self.world.domains[flat], strict=True):
                if sign == "b" and not term.startswith("?"):
                    chance /= max(1, len(column))
            fan += plan.fan * chance
            cost += 0.5 + plan.cost * chance
        limit = prod(len(c) for c, sign in zip(self.world.domains[flat], mode, strict=True) if sign == "f")
        return min(fan, 1.0 if "f" not in mode else float(limit)), cost

    def rule_plan(self, rule: FlatRule, mode: str) -> RuleOrder:
        """The order for a rule whose head is asked for in a mode."""
        known = self._plans.get((id(rule), mode))
        if known is None:
            known = self._plans[id(rule), mode] = self._rule_plan(rule, mode)
        return known

    def _rule_plan(self, rule: FlatRule, mode: str) -> RuleOrder:
        bound = {t for t, sign in zip(rule.head.args, mode, strict=True) if sign == "b" and t.startswith("?")}
        needed = {t for t, sign in zip(rule.head.args, mode, strict=True) if sign == "f" and t.startswith("?")}
        return self.plan(rule.body, bound, needed)
