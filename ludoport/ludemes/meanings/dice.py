"""Dice: rolling them, moving by them, and what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.dice import Dice
from ludoport.ludemes.core.equipment import role_number
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import (
    boolean_ludeme,
    condition,
    generate,
    int_ludeme,
    moves_ludeme,
    number,
    optional,
)
from ludoport.ludemes.core.sinks import EffectSink, ListSink, Sink, Spec
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.dice import all_faces, face_tables, kept_double, want_dice
from ludoport.ludemes.fields.memory import variable
from ludoport.ludemes.meanings.moves_effects import effect


def _dice(node: Ludeme, cx: Cx) -> list[Dice]:
    """The dice of the game."""
    if not cx.program.dice:
        raise LudError(f"`{node.keyword}` needs `(dice ...)` in the equipment", node.source)
    want_dice(cx.program)
    return cx.program.dice


@moves_ludeme("roll", writes=["dice"], draws=True, pieces="stay", chance=True)
def roll(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All dice are rolled."""
    _dice(node, cx)
    effect(node, cx, sink, "roll_dice")


@int_ludeme("pips", reads=[])
def pips(node: Ludeme, cx: Cx) -> Expr:
    """The value of the die by which moves are being made."""
    return cx.slots["pips"]


@int_ludeme("count Pips", reads=["dice"])
def count_pips(node: Ludeme, cx: Cx) -> Expr:
    """The sum of the faces that all dice of a role show, used or not."""
    program = cx.program
    groups = _dice(node, cx)
    role = node.get("role")
    owner = role_number(role.name, program.n_players) if isinstance(role, Word) else program.n_players + 1
    chosen = next((dice for dice in groups if dice.owner == owner), None)
    if chosen is None:
        raise LudError("there are no dice of this role", node.source)
    values, width = face_tables(program)
    terms = [
        f"{values}[{k * width} + state[FACES + {k}]]" for k in range(chosen.first, chosen.first + len(chosen.faces))
    ]
    return cx.name(" + ".join(terms), "pips_all")


@int_ludeme("face", reads=["dice"])
def face(node: Ludeme, cx: Cx) -> Expr:
    """The number that the die at a place shows."""
    program = cx.program
    _dice(node, cx)
    values, width = face_tables(program)
    place = number(node.args["locn"], cx)
    count, base = len(all_faces(program)), program.dice_base
    if isinstance(place, int):
        k = place - base
        return cx.name(f"{values}[{k * width} + state[FACES + {k}]]", "face") if 0 <= k < count else 0
    k_ = cx.name(f"({place}) - {base}", "k")
    return cx.name(f"({values}[{k_} * {width} + state[FACES + {k_}]] if 0 <= {k_} < {count} else 0)", "face")


@boolean_ludeme("all DiceUsed", reads=["dice"])
def all_used(node: Ludeme, cx: Cx) -> Bool:
    """Whether nothing is left of any die."""
    _dice(node, cx)
    count = len(all_faces(cx.program))
    return "(" + " and ".join(f"state[DICE + {k}] == 0" for k in range(count)) + ")"


@boolean_ludeme("all DiceEqual", reads=["dice"])
def all_equal(node: Ludeme, cx: Cx) -> Bool:
    """Whether all dice showed the same face when they were rolled last."""
    _dice(node, cx)
    return "state[DICE_EQUAL] != 0"


@boolean_ludeme("is AnyDie", reads=["dice"])
def any_die(node: Ludeme, cx: Cx) -> Bool:
    """Whether a die of the first container still has a value."""
    first = _dice(node, cx)[0]
    value = cx.name(number(node.get("value"), cx, cx.slots["pips"]))
    return "(" + " or ".join(f"state[DICE + {k}] == {value}" for k in range(len(first.faces))) + ")"


class ByDie(ListSink):
    """Hands moves on which use up the dice that they are made with."""

    def __init__(self, sink: Sink, dice: Dice, doubles: Value | None, together: bool = False) -> None:
        super().__init__(getattr(sink, "longest", True), getattr(sink, "measuring", False))
        self.sink, self.dice, self.doubles = sink, dice, doubles
        self.together = together
        """Whether several dice make one move; such dice are used up, and a double does not give them back."""
        self.name = ("die", dice.first, id(doubles), together)

    def label(self) -> tuple[int, ...]:
        """Key that differs from those of sinks for other dice."""
        assert isinstance(self.sink, ListSink) or hasattr(self.sink, "label")
        return (-1, self.dice.first, id(self.doubles), int(self.together), *self.sink.label())

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write a move after whose own actions the dice are used."""

        def act(place: Cx) -> None:
            asked = condition(self.doubles, place, False)
            # Asked before the move changes anything.
            twice = place.name(f"1 if {asked} else 0", "twice") if isinstance(asked, str) else int(asked)
            spec.act(place)
            if self.together or not kept_double(place.program):
                place.act("use_dice", place.slots["die"])
                return
            place.act("use_double", place.slots["die"], self.dice.first, len(self.dice.faces), twice)

        self.sink.move(cx, replace(spec, act=act, variant=(spec.variant, *self.name)))

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part as a function of its own."""
        self.sink.split(cx, stem, node, body, (key, *self.name))


@moves_ludeme("forEach Die", order=Order.LOOP, draws=False, pieces="stay")
def for_each_die(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every die, whose value is ``(pips)`` meanwhile; such a move uses the die."""
    refuse_picking(cx)
    groups = _dice(node, cx)
    which = number(node.get("handDiceIndex"), cx, 0)
    if not isinstance(which, int) or not 0 <= which < len(groups):
        raise LudError("`forEach Die` needs the number of a container of dice", node.source)
    dice = groups[which]
    doubles = node.get("replayDouble")
    if kept_double(cx.program):
        variable(cx.program, None)
    uses = sink.lists or isinstance(sink, EffectSink)
    inner: Sink = ByDie(sink, dice, doubles) if uses else sink
    place = cx.inside(optional(node.get("then")))
    die, value, used = cx.fresh("d"), cx.fresh("pips"), cx.fresh("die")
    with cx.block(f"for {die} in range({dice.first}, {dice.first + len(dice.faces)}):"):
        cx.line(f"{value} = state[DICE + {die}]")
        cx.line(f"{used} = 1 << {die}")
        _with_dice(node, place.bind(pips=value, die=used), inner)
    combined = condition(node.get("combined"), cx, False)
    if combined is False:
        return
    with cx.when(combined):
        _combined(node, place, ByDie(sink, dice, doubles, together=True) if uses else sink, dice)


def _combined(node: Ludeme, cx: Cx, sink: Sink, dice: Dice) -> None:
    """The moves that are made with several dice together."""
    every = range(dice.first, dice.first + len(dice.faces))
    sizes = {2: (2,), 3: (3, 2)}.get(len(dice.faces), ())
    for some in (group for size in sizes for group in combinations(every, size)):
        with cx.block("if " + " and ".join(f"state[DICE + {k}] != 0" for k in some) + ":"):
            total = cx.fresh("pips")
            cx.line(f"{total} = " + " + ".join(f"state[DICE + {k}]" for k in some))
            _with_dice(node, cx.bind(pips=total, die=sum(1 << k for k in some)), sink)


def _with_dice(node: Ludeme, place: Cx, sink: Sink) -> None:
    """The moves that are made with some dice, if their condition holds."""
    with place.when(condition(node.get("if"), place)) as possible:
        if possible:
            generate(node.args["moves"], place, sink)
