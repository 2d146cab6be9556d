"""Turns: the player to move, legal moves, and the effects of playing a move."""

from __future__ import annotations

from ludoport.lud.tree import Description, Word

# These files register the meanings of their ludemes.
from ludoport.verify.slow import captures, combining, effects, lines, numbers, placing, sowing  # noqa: F401
from ludoport.verify.slow.acting import apply
from ludoport.verify.slow.context import Context, TreeMove, truth
from ludoport.verify.slow.ending import automatic, draw, end_rules
from ludoport.verify.slow.equipment import TreeGame, text_of
from ludoport.verify.slow.offering import after, clear_captured, meta_rules, offered, phases, rules, shape
from ludoport.verify.slow.position import TreePosition
from ludoport.verify.slow.registry import check_covered, means
from ludoport.verify.slow.starting import start_rules

means("phase:phase", "name role play end nextPhase nextPhases")(lambda node, cx: None)
means("phase:nextPhase", "role cond phaseName")(lambda node, cx: None)
means("meta:meta", "rules rule")(lambda node, cx: None)
means("meta:swap")(lambda node, cx: None)
means("meta:no Repeat", "repetitionType")(lambda node, cx: None)

MAX_MOVES = 10_000
TURNS_EACH = 1250


class TreeInterpreter:
    """A game that is played by walking through its text.

    Args:
        description: the game as it was read.

    Raises:
        NotCovered: a ludeme of the game has no meaning here.
    """

    def __init__(self, description: Description) -> None:
        check_covered(description.root)
        self.game = TreeGame(description)

    def start(self) -> Context:
        """The position before the first move."""
        n = self.game.n_players
        position = TreePosition(
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

    def legal(self, cx: Context) -> list[TreeMove]:
        """The legal moves; one forced pass if there are none."""
        if cx.position.over:
            return []
        found = offered(cx)
        return found or [TreeMove(cx.position.mover, word="pass", forced=True)]

    def play(self, cx: Context, move: TreeMove) -> Context:
        """The position after a move."""
        new = cx.copied().fresh()
        _play(new, move)
        return new


def _first_phase(cx: Context, player: int) -> int:
    for index, phase in enumerate(phases(cx)):
        role = phase.get("role")
        if role is None or str(role) in ("Shared", "All", "Each") or cx.role(role) == player:
            return index
    return 0


def _remember(cx: Context) -> None:
    if any(rule.keyword == "no Repeat" for rule in meta_rules(cx)):
        cx.position.seen.append(shape(cx))
        cx.position.seen_this_turn.append(shape(cx))


def _play(cx: Context, move: TreeMove) -> None:
    position = cx.position
    mover = position.mover
    position.stalemated[mover] = move.passed and not offered(cx)
    position.pending.clear()
    if move.word == "swap":
        position.seats[1], position.seats[2] = position.seats[2], position.seats[1]
        position.next = mover
    apply(move, cx, True)
    clear_captured(cx)
    fired = False
    listed = phases(cx)
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
        position.seen_this_turn.append(shape(cx))
    after(cx, mover)


def _change_phases(cx: Context) -> None:
    listed = phases(cx)
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
