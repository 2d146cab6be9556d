"""Whose turn it is, what is legal, and what happens when a move is played."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Description, Ludeme, Word
from ludoport.verify.slow import captures, combining, effects, lines, numbers, sowing  # noqa: F401 - they register their ludemes
from ludoport.verify.slow.acting import apply
from ludoport.verify.slow.context import Context, Move, moves, truth
from ludoport.verify.slow.ending import automatic, draw, end_rules
from ludoport.verify.slow.equipment import Equipment, text_of
from ludoport.verify.slow.position import Position
from ludoport.verify.slow.registry import NotCovered, check_covered, means
from ludoport.verify.slow.starting import start_rules

means("phase:phase", "name role play end nextPhase nextPhases")(lambda node, cx: None)
means("phase:nextPhase", "role cond phaseName")(lambda node, cx: None)
means("meta:meta", "rules rule")(lambda node, cx: None)
means("meta:swap")(lambda node, cx: None)
means("meta:no Repeat", "repetitionType")(lambda node, cx: None)

MAX_MOVES = 10_000
TURNS_EACH = 1250


class Interpreter:
    """A game that is played by walking through its text.

    Args:
        description: the game as it was read.

    Raises:
        NotCovered: a ludeme of the game has no meaning here.
    """

    def __init__(self, description: Description) -> None:
        check_covered(description.root)
        self.game = Equipment(description)

    def start(self) -> Context:
        """The position before the first move."""
        n = self.game.n_players
        position = Position(
            next=2 if n > 1 else 1,
            scores=[0] * (n + 2),
            amounts=[0] * (n + 2),
            player_values=[-1] * (n + 2),
            stalemated=[False] * (n + 2),
            active=list(range(1, n + 1)),
            seats=list(range(n + 1)),
        )
        cx = Context(self.game, position)
        self.game.start_sites = {}
        position.phases = [0] * (n + 1)
        for player in range(1, n + 1):
            position.phases[player] = _first_phase(cx, player)
        start_rules(rules(cx).get("start"), cx)
        _remember(cx)
        return cx

    def legal(self, cx: Context) -> list[Move]:
        """The legal moves; one forced pass if there are none."""
        if cx.position.over:
            return []
        found = offered(cx)
        return found or [Move(cx.position.mover, word="pass", forced=True)]

    def play(self, cx: Context, move: Move) -> Context:
        """The position after a move."""
        new = cx.copied().fresh()
        _play(new, move)
        return new


def rules(cx: Context) -> Ludeme:
    """The rules of the game."""
    found = cx.game.root.args["rules"]
    assert isinstance(found, Ludeme)
    return found


def _phases(cx: Context) -> list[Any]:
    listed = rules(cx).get("phases")
    return listed if isinstance(listed, list) else []


def _first_phase(cx: Context, player: int) -> int:
    for index, phase in enumerate(_phases(cx)):
        role = phase.get("role")
        if role is None or str(role) in ("Shared", "All", "Each") or cx.role(role) == player:
            return index
    return 0


def play_moves(cx: Context, longest: bool = True) -> list[Move]:
    """What the play rules of the mover's phase offer."""
    found: list[Move] = []
    listed = _phases(cx)
    plays = [listed[cx.position.phases[cx.position.mover]].args["play"]] if listed else []
    own = rules(cx).get("play")
    if own is not None:
        plays.append(own)
    for play in plays:
        rule = play.args["moves"]
        if not longest and rule.key == "moves:max Moves":
            rule = rule.args["moves"]
        found += moves(rule, cx)
    return found


def _meta(cx: Context) -> list[Ludeme]:
    meta = rules(cx).get("meta")
    if not isinstance(meta, Ludeme):
        return []
    listed = meta.get("rules") if meta.get("rules") is not None else [meta.args["rule"]]
    return [rule for rule in listed if isinstance(rule, Ludeme)]  # type: ignore[union-attr]


def offered(cx: Context) -> list[Move]:
    """All legal moves but the forced pass."""
    found = play_moves(cx.fresh())
    position = cx.position
    if any(rule.keyword == "swap" for rule in _meta(cx)) and position.moves == cx.game.n_players - 1:
        found.append(Move(position.mover, word="swap"))
    return [move for move in found if permitted(move, cx)]


def permitted(move: Move, cx: Context) -> bool:
    """Whether no rule against repetition forbids a move."""
    for rule in _meta(cx):
        if rule.keyword == "no Repeat" and not move.passed and move.word != "swap":
            type_ = str(rule.get("repetitionType") or "Positional")
            copy = cx.copied().fresh()
            apply(move, copy, True)
            _clear(copy)
            seen = copy.position.seen_this_turn if type_.endswith("InTurn") else copy.position.seen
            if type_.startswith("Positional"):
                if _shape(copy) in [shape for shape, _ in seen]:  # type: ignore[misc]
                    return False
            else:
                raise NotCovered(f"meta:no Repeat {type_}")
    return True


def _shape(cx: Context) -> object:
    return cx.position.contents(), tuple(cx.position.phases), tuple(cx.position.seats)


def _remember(cx: Context) -> None:
    if any(rule.keyword == "no Repeat" for rule in _meta(cx)):
        entry = (_shape(cx), cx.position.mover)
        cx.position.seen.append(entry)
        cx.position.seen_this_turn.append(entry)


def _clear(cx: Context) -> None:
    """Removes at the end of a turn what was captured in it."""
    position = cx.position
    if cx.game.captures_later and position.next != position.mover:
        for site in position.to_clear:
            pieces = cx.pieces(site)
            if pieces:
                del pieces[-1]
        position.to_clear.clear()


def after(cx: Context, mover: int) -> None:
    """The turn passes to the next player."""
    position = cx.position
    position.prev = mover
    swapped = position.last is not None and position.last.swapped
    if position.next == mover and not swapped:
        position.moves_this_turn += 1
    else:
        position.turn += 1
        position.moves_this_turn = 0
        position.visited = set()
        position.seen_this_turn = []
    position.mover = position.next
    n = cx.game.n_players
    following = position.mover % n + 1
    while position.active and following not in position.active:
        following = following % n + 1
    position.next = following


def _play(cx: Context, move: Move) -> None:
    position = cx.position
    mover = position.mover
    position.stalemated[mover] = move.passed and not offered(cx)
    position.pending.clear()
    if move.word == "swap":
        position.seats[1], position.seats[2] = position.seats[2], position.seats[1]
        position.next = mover
    apply(move, cx, True)
    _clear(cx)
    fired = False
    listed = _phases(cx)
    has_end = False
    if listed:
        end = listed[position.phases[mover]].get("end")
        has_end = end is not None
        fired = end_rules(end, cx)
    if rules(cx).get("end") is not None:
        has_end = True
        fired |= end_rules(rules(cx).get("end"), cx)
    if has_end and not fired:
        automatic(cx)
    if position.active and (position.moves >= MAX_MOVES or position.turn >= TURNS_EACH * cx.game.n_players):
        draw(cx)
    position.over = not position.active
    position.counter += 1
    if position.over:
        position.prev = mover
        return
    _change_phases(cx)
    if len(position.history) < 2 or position.history[-2].mover != mover:
        _remember(cx)
    else:
        position.seen_this_turn.append((_shape(cx), mover))
    after(cx, mover)


def _change_phases(cx: Context) -> None:
    listed = _phases(cx)
    if not listed:
        return
    names = [text_of(phase.args["name"]) for phase in listed]
    for player in range(1, cx.game.n_players + 1):
        current = cx.position.phases[player]
        phase = listed[current]
        entries = phase.get("nextPhases")
        for entry in entries if isinstance(entries, list) else [phase.get("nextPhase")]:
            if entry is None:
                continue
            role = entry.get("role")
            if isinstance(role, Word) and role.name not in ("Shared", "All") and cx.role(role) != player:
                continue
            if truth(entry.get("cond"), cx):
                name = text_of(entry.get("phaseName"))
                cx.position.phases[player] = names.index(name) if name else (current + 1) % len(listed)
                break
