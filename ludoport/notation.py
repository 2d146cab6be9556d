"""Moves and pieces as text: in the recorded notation, which names sites by number, and as labels for people.

Recorded data, match files and playthroughs use the first, as in ``12-28``. Labels name sites as the board shows them:
``E2-E4``, ``D4``, a drop ``Pawn@C3``, a promotion ``A7-A8=Queen``, ``pass``, ``swap``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes import Compiled
from ludoport.ludemes.core.equipment import Component
from ludoport.ludemes.core.rule import Rule as MoveRule
from ludoport.ludemes.fields.direction_choice import choose, chosen_in_play


def move_texts(compiled: Compiled, rows: NDArray[Any], mover: int = 0, state: NDArray[Any] | None = None) -> list[str]:
    """The recorded text of every move of one legal list; suffixes tell apart moves that would read the same.

    Args:
        compiled: the game.
        rows: the moves.
        mover: the player to move, whose number is the piece of a placement that names none.
        state: the position, where it is known.
    """
    return _Texts(compiled, mover, state).of(rows)


def move_labels(compiled: Compiled, rows: NDArray[Any], state: NDArray[Any]) -> list[str]:
    """The label of every move of one legal list, all different; see `move_texts`."""
    return Labels(compiled, state).of(rows)


def site_label(compiled: Compiled, site: int) -> str:
    """The coordinates of a site; sites beside the board are counted by hand (``hand1.2``)."""
    program = compiled.program
    if site < program.n_board:
        return program.sites.label[site]
    for hand in program.hands:
        if hand.base <= site < hand.base + hand.size:
            return f"hand{hand.owner}.{site - hand.base + 1}"
    for letter, kind in _KINDS:
        base = program._kind_base.get(kind)
        if base is not None and base <= site < base + program.board.sites(kind).n:
            return f"{letter}{program.board.sites(kind).label[site - base]}"
    return str(site)


_KINDS = (("c", "Cell"), ("v", "Vertex"), ("e", "Edge"))


def _only_notes(then: Ludeme) -> bool:
    moves = then.peek("moves")
    return isinstance(moves, Ludeme) and moves.keyword == "note"


def _conditional(value: Value | None) -> bool:
    """Whether a condition decides about directions."""
    return isinstance(value, Ludeme) and any(part.key == "direction:if" for part in value.walk())


class _Texts:
    """The recorded notation."""

    def __init__(self, compiled: Compiled, mover: int, state: NDArray[Any] | None = None) -> None:
        self.compiled, self.mover, self.state = compiled, mover, state
        self.alike: Counter[bytes] = Counter()
        """How often each row of moves with one text was looked at."""

    def of(self, rows: NDArray[Any]) -> list[str]:
        """The texts of the moves of one position."""
        texts = [self.plain(row) for row in rows]
        for stage in (self.piece_suffix, self.value_suffix, self.between_suffix, self.dice_suffix):
            for members in _repeated(texts):
                self.alike.clear()
                suffixes = [stage(rows[index]) for index in members]
                if len(set(suffixes)) > 1:
                    for index, suffix in zip(members, suffixes, strict=True):
                        texts[index] += suffix
        for members in _repeated(texts):
            for k, index in enumerate(members):
                texts[index] += f"#{k}"
        return texts

    def column(self, row: NDArray[Any], name: str) -> int:
        """A number of a move."""
        return int(row[self.compiled.columns[name]])

    def rule(self, row: NDArray[Any]) -> MoveRule | None:
        """The rule that made a move; None for a pass for lack of moves."""
        number = self.column(row, "RULE")
        return self.compiled.program.rules.rules[number - 1] if number else None

    def site(self, site: int) -> str:
        """The name of a site."""
        for letter, kind in _KINDS:
            base = self.compiled.program._kind_base.get(kind)
            if base is not None and base <= site < base + self.compiled.program.board.sites(kind).n:
                return f"{letter}{site - base}"
        return str(site)

    def step(self, frm: int, to: int) -> str:
        """A move from a site to another."""
        return f"{self.site(frm)}-{self.site(to)}"

    def next_player(self, player: int, consequents: int) -> str:
        """A choice of who moves next; the record writes brackets for every consequent but notes."""
        return f"other:[SetNextPlayer:player={player},decision=true]{'[]' * consequents}"

    def bet(self, player: int, value: int, consequents: int) -> str:
        """A bet; the record writes brackets for every consequent but notes."""
        return f"other:[Bet:player={player},bet={value},decision=true]{'[]' * consequents}"

    def plain(self, row: NDArray[Any]) -> str:
        """A move without its distinguishing suffix."""
        frm, to, rule = self.column(row, "FROM"), self.column(row, "TO"), self.rule(row)
        kind = "pass" if rule is None else rule.spec.kind
        if kind in ("pass", "swap") or kind.startswith(("propose:", "vote:")):
            return kind
        noted = [then for then in rule.chain if not _only_notes(then)] if rule is not None else []
        if kind == "bet" and rule is not None:
            player = self.column(row, "PLAYER") if "plr" in rule.needed else rule.fixed.get("plr", self.mover)
            return self.bet(int(player), self.column(row, "NUMBER"), len(noted))
        if kind == "next player":
            return self.next_player(self.column(row, "NUMBER"), len(noted))
        if to < 0 and self.compiled.program.simulation:
            return "step"
        if to < 0:
            return f"{self.site(frm)}-off" if frm >= 0 else f"move:{kind}"
        if kind == "select2" or (kind in ("move", "domino", "laid") and frm >= 0):
            return self.site(to) if frm == to else self.step(frm, to)
        return self.site(to)

    def component(self, row: NDArray[Any]) -> Component | None:
        """The piece that a move puts down, where moves say so."""
        rule, components = self.rule(row), self.compiled.program.components
        if rule is None:
            return None
        number = rule.fixed.get("what")
        if number is None and "what" in rule.needed:
            number = self.column(row, "PIECE")
        if number is None and rule.spec.kind == "add" and isinstance(rule.spec.variant, int):
            number = rule.spec.variant
        if number is None and rule.spec.node.keyword == "move Add" and rule.spec.node.get("what") is None:
            number = self.mover
        return components[number] if isinstance(number, int) and 1 <= number < len(components) else None

    def piece_suffix(self, row: NDArray[Any]) -> str:
        """The piece that a move puts down."""
        component = self.component(row)
        return "" if component is None else f"={component.name}"

    def count(self, row: NDArray[Any]) -> int | None:
        """Number of moving pieces, where moves give it."""
        rule = self.rule(row)
        if rule is None:
            return None
        count = rule.fixed.get("many")
        if count is None and "many" in rule.needed:
            count = self.column(row, "MANY")
        return count if isinstance(count, int) else None

    def level(self, row: NDArray[Any]) -> int | None:
        """The level of a stack from which a move begins, where moves say so."""
        rule = self.rule(row)
        if rule is None or not self.compiled.program.stacking or "lvl" not in rule.needed:
            return None
        return self.column(row, "LEVEL")

    def height(self, site: int) -> int:
        """Number of pieces on a site; 1 if unknown."""
        base = self.compiled.fields.get("HEIGHT")
        return 1 if self.state is None or base is None or site < 0 else int(self.state[base + site])

    def alone(self, row: NDArray[Any]) -> bool:
        """Whether a move only moves a piece; captures depend on the piece at its destination."""
        rule = self.rule(row)
        over, effect = (_effect_at(rule, name) for name in ("between", "to"))
        if over is not None and self.state is not None:
            return not self.acts(row)
        if effect is None:
            return True
        if _always(effect) or self.state is None:
            return False
        program, site = self.compiled.program, self.column(row, "TO")
        if program.stacking:
            return not self.acts(row)
        piece = int(self.state[self.compiled.fields["WHAT"] + site]) if 0 <= site < program.n_sites else 0
        return program.components[piece].owner in (0, self.mover)

    def acts(self, row: NDArray[Any]) -> bool:
        """Whether a move does more than moving its piece, found by doing it and counting its actions."""
        plain = self.compiled.plain
        done = _performing(plain, self.column(row, "RULE"))
        if done is None or self.state is None:
            return False
        position, work = self.state.astype(np.int64), np.zeros(self.compiled.work_size, dtype=np.int64)
        with _counted(plain, self.compiled.program.primitives - _OF_DICE) as calls:
            done(position, row.astype(np.int64), work)
        return len(calls) > 1

    def value_suffix(self, row: NDArray[Any]) -> str:
        """The levels of stacks and the number of pieces that move; the record adds zeros for what it does not hold."""
        rule = self.rule(row)
        if rule is None:
            return ""
        level, count, kind = self.level(row), self.count(row), rule.spec.kind
        if kind == "rotate":
            turned = self.column(row, "NUMBER")
            return f"/t{turned}/r{turned}/v0/n0/f0/g0"
        if kind in ("remove", "select", "select2"):
            deep = level if level is not None and level < self.height(self.column(row, "TO")) - 1 else 0
            return f"/t0/r0/v0/n0/f{deep}/g{deep}"
        if kind in ("domino", "laid"):
            turned = self.column(row, "NUMBER")
            return f"/s{turned}/t{turned}/f0/g0"
        if kind == "add" and not self.compiled.program.stacking:
            piece = rule.spec.node.peek("what")
            told = piece.peek("state") if isinstance(piece, Ludeme) else None
            return f"/t{told}/f0/g0" if isinstance(told, int) else "/f0/g0"
        if kind != "move":
            return ""
        if level is not None:
            own = f"/f{level}/g0" + (f"/l{level}.{level}" if level else "")
            return own if self.alone(row) else f"/v0/f{level}/g0"
        if count is None:
            return "/f0/g0" if self.alone(row) else "/v0/f0/g0"
        if self.compiled.program.stacking and not self.alone(row):
            start, end = self.height(self.column(row, "FROM")) - count, self.height(self.column(row, "TO"))
            return f"/t0/r0/v0/n0/f{start}/g{end}"
        return f"/t0/r0/v0{f'/n{count}' if count != 1 else ''}/f0/g0"

    def between(self, row: NDArray[Any]) -> tuple[int, ...]:
        """The sites that a slide passes or a hop jumps over."""
        frm, to, rule = self.column(row, "FROM"), self.column(row, "TO"), self.rule(row)
        if rule is None or rule.spec.node.keyword not in ("move Slide", "move Hop"):
            return ()
        if not 0 <= frm < self.compiled.program.n_board:
            return ()
        line = self.line(row, rule, frm, to)
        first, last = 0, line.index(to) if to in line else 0
        if "run" in rule.needed:
            first = self.column(row, "SKIP")
            last = first + self.column(row, "RUN")
        return tuple(line[first:last])

    def line(self, row: NDArray[Any], rule: MoveRule, frm: int, to: int) -> tuple[int, ...]:
        """The ray along which a piece moves; of equal moves each has another one, as on a ring in both directions."""
        program, value = self.compiled.program, rule.spec.node.peek("directions")
        if not chosen_in_play(value) and not _conditional(value):
            choice = choose(value, "Adjacent")
            if choice.dynamic is None and not choice.relative:
                rays = program.radials(frm, choice.absolute(program, "N"))
                if "ray" in rule.needed and self.column(row, "RAY") < len(rays):
                    return rays[self.column(row, "RAY")]
                ways = [ray for ray in rays if to in ray]
                if "btw" in rule.needed:
                    ways = [ray for ray in ways if self.column(row, "BTW") in ray[: ray.index(to)]]
                self.alike[row.tobytes()] += 1
                if ways:
                    return ways[(self.alike[row.tobytes()] - 1) % len(ways)]
        return next((ray for ray in program.radials(frm, ["All"]) if to in ray), ())

    def between_suffix(self, row: NDArray[Any]) -> str:
        """The sites between the ends of a move."""
        over = self.between(row)
        return "/b" + ".".join(map(str, over)) if over else ""

    def dice(self, row: NDArray[Any]) -> list[int]:
        """The dice that a move uses, from 0."""
        rule = self.rule(row)
        if rule is None or not ("die" in rule.needed or "die" in rule.fixed):
            return []
        fixed = rule.fixed.get("die")
        used = self.column(row, "DIE") if "die" in rule.needed else int(fixed) if fixed is not None else 0
        return [k for k in range(16) if used > 0 and used >> k & 1]

    def dice_suffix(self, row: NDArray[Any]) -> str:
        """The dice that a move uses."""
        used = self.dice(row)
        return "/d" + ".".join(map(str, used)) if used else ""


class Labels(_Texts):
    """The notation for people."""

    def __init__(self, compiled: Compiled, state: NDArray[Any]) -> None:
        super().__init__(compiled, int(state[compiled.fields["MOVER"]]))
        self.position = state

    def site(self, site: int) -> str:
        """The coordinates of a site."""
        return site_label(self.compiled, site)

    def step(self, frm: int, to: int) -> str:
        """A move from a site to another; a drop names its piece instead of the place in the hand."""
        program = self.compiled.program
        for hand in program.hands:
            if hand.base <= frm < hand.base + hand.size:
                piece = int(self.position[self.compiled.fields["WHAT"] + frm])
                if 1 <= piece < len(program.components):
                    return f"{program.components[piece].label}@{self.site(to)}"
        return super().step(frm, to)

    def next_player(self, player: int, consequents: int) -> str:
        """A choice of who moves next."""
        return f"next:{player}"

    def bet(self, player: int, value: int, consequents: int) -> str:
        """What a player puts in."""
        return f"bet:{value}"

    def piece_suffix(self, row: NDArray[Any]) -> str:
        """The piece that a move puts down; its owner where it is not the mover."""
        component = self.component(row)
        if component is None:
            return ""
        return f"={component.label if component.owner == self.mover else component.name}"

    def value_suffix(self, row: NDArray[Any]) -> str:
        """The level of a stack, counted from 1 at the bottom, or the number of pieces that move."""
        level, count = self.level(row), self.count(row)
        rule = self.rule(row)
        if rule is not None and (rule.spec.kind == "rotate" or rule.spec.variant == "turned"):
            return f"/r{self.column(row, 'NUMBER')}"
        if (chosen := self.puzzle_value(row)) is not None:
            return f"={chosen}"
        if rule is not None and rule.spec.variant == "toggle_value":
            return f"~{self.column(row, 'NUMBER')}"
        return f"^{level + 1}" if level is not None else "" if count is None else f"*{count}"

    def puzzle_value(self, row: NDArray[Any]) -> int | None:
        """The number that a move writes into a site of a puzzle; None for other moves."""
        rule = self.rule(row)
        chosen = rule is not None and rule.spec.variant == "choose_value"
        return self.column(row, "NUMBER") if chosen else None

    def between_suffix(self, row: NDArray[Any]) -> str:
        """The sites between the ends of a move."""
        over = self.between(row)
        return "/" + ".".join(map(self.site, over)) if over else ""


_OF_DICE = {"roll_dice", "use_dice", "use_double", "clear_pending"}
"""Actions around those of a move itself."""


@contextmanager
def _counted(plain: dict[str, Any], names: set[str]) -> Iterator[list[str]]:
    """Note the calls of functions that change positions, without those that they make themselves."""
    kept = {name: plain[name] for name in names if name in plain}
    calls: list[str] = []
    inside = 0

    def noting(name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            nonlocal inside
            if inside == 0:
                calls.append(name)
            inside += 1
            try:
                return kept[name](*arguments)
            finally:
                inside -= 1

        return call

    plain.update({name: noting(name) for name in kept})
    try:
        yield calls
    finally:
        plain.update(kept)


def _performing(plain: dict[str, Any], rule: int) -> Callable[..., Any] | None:
    """The function that does what a rule says; rules that do the same share one."""
    for name, function in plain.items():
        numbers = re.fullmatch(r"do_(\d+)(?:_(\d+))?", name)
        if numbers is not None and int(numbers[1]) <= rule <= int(numbers[2] or numbers[1]):
            found: Callable[..., Any] = function
            return found
    return None


def _effect_at(rule: MoveRule | None, where: str) -> Ludeme | None:
    """Effects of the ludeme of a move at its end or on its way."""
    place = rule.spec.node.peek(where) if rule is not None else None
    effect = place.peek("effect") if isinstance(place, Ludeme) else None
    return effect if isinstance(effect, Ludeme) else None


def _always(effect: Ludeme) -> bool:
    """Whether an effect happens in every position."""
    if effect.keyword in ("apply", "and", "or", "seq"):
        parts = [part for value in effect.parts() for part in (value if isinstance(value, list) else [value])]
        inner = [part for part in parts if isinstance(part, Ludeme) and part.kind == "moves"]
        return effect.peek("if") is None and any(map(_always, inner))
    return effect.keyword != "if" and not effect.keyword.startswith("forEach")


def _repeated(texts: list[str]) -> list[list[int]]:
    """The places of equal texts, where there are at least two."""
    groups: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(texts):
        groups[text].append(index)
    return [members for members in groups.values() if len(members) > 1]


def piece_texts(compiled: Compiled, row: NDArray[Any]) -> dict[int, str | list[str]]:
    """Pieces on each occupied site."""
    program, fields = compiled.program, compiled.fields
    if program.stacking:
        from ludoport.ludemes.fields.stack_levels import stack_texts

        return {**stack_texts(compiled, row), **dice_texts(compiled, row)}
    found: dict[int, str | list[str]] = {}
    # Sites of other kinds than the board's come last and are not shown.
    for site in range(min(program._kind_base.values(), default=program.n_sites)):
        piece = int(row[fields["WHAT"] + site])
        if piece == 0 or piece == (program.cover or None):
            continue
        text = program.components[piece].name if "DOMAIN" not in fields else f"what{piece}"
        if "COUNT" in fields and int(row[fields["COUNT"] + site]) != 1:
            text += f"*{int(row[fields['COUNT'] + site])}"
        if "STATE" in fields and int(row[fields["STATE"] + site]) != 0:
            text += f"/s{int(row[fields['STATE'] + site])}"
        found[site] = text
    return {**found, **dice_texts(compiled, row)}


def dice_texts(compiled: Compiled, row: NDArray[Any]) -> dict[int, str | list[str]]:
    """The dice by their places, which follow those of the hands: names, with the number of the face from 0."""
    program = compiled.program
    if "FACES" not in compiled.fields:
        return {}
    faces = [int(f) for f in row[compiled.fields["FACES"] :][: compiled.program.state.fields["FACES"]]]
    texts = [f"Die{k}/s{face}" if face else f"Die{k}" for k, face in enumerate(faces, 1)]
    return {program.dice_base + k: [text] if program.stacking else text for k, text in enumerate(texts)}
