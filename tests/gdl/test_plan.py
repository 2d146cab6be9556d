"""The order of conditions in compiled rules, and what it is expected to cost."""

from __future__ import annotations

from ludoport.gdl.compiled.domains import explore
from ludoport.gdl.compiled.flat import Flattener
from ludoport.gdl.compiled.plan import ConditionPlanner
from ludoport.gdl.kif import Sheet
from ludoport.gdl.limits import Clock
from ludoport.gdl.program import read_program

ROOMS = range(12)
SHEET = f"""
(role a) (legal a noop) (goal a 100) (init (at r0)) (<= (next (at ?x)) (true (at ?x)))
{" ".join(f"(room r{number})" for number in ROOMS)} (door r0 r1) (door r1 r2)
(<= (rooms {" ".join(f"?x{number}" for number in ROOMS)}) {" ".join(f"(room ?x{number})" for number in ROOMS)})
(<= terminal (door r0 ?x) (rooms {" ".join("?x" for _ in ROOMS)}))
"""


def answers(key: str) -> float:
    """Expected number of answers when all arguments of a relation are known."""
    clock = Clock(60)
    world = explore(Flattener(read_program(Sheet(SHEET)), clock).run(), clock)
    (flat,) = (flat for flat in {*world.static, *world.rules} if flat.key == key)
    return ConditionPlanner(world, {}, lambda *_: False).estimate(flat, "b" * len(world.domains[flat]))[0]


def test_long_chains_of_sure_tests_do_not_make_what_follows_look_free() -> None:
    assert answers("room/1") == 1
    assert answers(f"rooms/{len(ROOMS)}") == 1
    assert answers("door/2") < 1
