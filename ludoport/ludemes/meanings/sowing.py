"""Sowing: pieces leave a site and are dropped one by one along a track, then some may be captured."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.kernels.turns import turn_test
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.effects import looks_at_board
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, Sink, Spec
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.position import count_at
from ludoport.ludemes.fields.starting import placements
from ludoport.ludemes.meanings.track_tables import TrackTables, track_tables, tracks
from ludoport.ludemes.meanings.tracks import chosen_track


@moves_ludeme("sow", order=Order.OWN, draws=False, pieces="move", counts=True)
def sow(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Drop the pieces of a site one by one along a track."""
    if isinstance(sink, ExistsSink):
        sink.move(cx, Spec(node, "other", -1, -1, lambda place: None))
        return
    if not isinstance(sink, EffectSink):
        raise UnsupportedError("`sow` outside of consequents is not implemented yet", node.source)
    sink.move(cx, Spec(node, "other", -1, -1, lambda place: _sow(node, place), optional(node.get("then"))))


def _track_of(node: Ludeme, cx: Cx) -> Expr:
    """The index of the track to follow: the first, the one with a name, or the owner's whose name contains it."""
    given = node.get("trackName")
    owner = node.get("owner")
    name = str(given) if given is not None else None
    every = tracks(cx.program)

    def choose(player: int | None) -> int:
        for track in every:
            if name is None or (name == track.name if player is None else name in track.name and track.owner == player):
                return track.index
        return -1

    who = number(owner, cx) if owner is not None else None
    return chosen_track(cx, who if who is None or isinstance(who, int) else cx.name(who), choose)


def _sow(node: Ludeme, cx: Cx) -> None:
    program = cx.program
    track = _track_of(node, cx)
    if track == -1:
        return
    if not program.stacking:
        program.state.want("COUNT", program.n_sites)
    pieces = sum(placed.count for placed in placements(program))
    program.buffer_extra = max(program.buffer_extra, 4 * pieces)
    start = cx.name(number(node.get("start"), cx, "state[LAST_TO]"), "start")
    count = node.get("count")
    many = cx.name(number(count, cx) if count is not None else count_at(cx, start), "many")
    way = cx.name(track, "way")
    row = "state"
    if cx.buffer is not None:
        # What is sown must be seen by the capture but by nothing else that is evaluated now.
        offset = program.scratch("STATE_SIZE", "COPY")
        row, index = cx.fresh("copy"), cx.fresh("i")
        cx.line(f"{row} = work[{offset} : {offset} + STATE_SIZE]")
        with cx.block(f"for {index} in range(CORE_SIZE):"):
            cx.line(f"{row}[{index}] = state[{index}]")
    with cx.block(f"if on_board({start}) and {way} >= 0:" if isinstance(track, str) else f"if on_board({start}):"):
        body = _Sowing(node).write
        cx.line(cx.call("sow", node, body, ("start", "many", "way"), (start, many, way), key=id(node), on=row))


class _CaptureSink(EffectSink):
    """Does captures at once; their consequents see the capture as the last move."""

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write one capture."""
        if spec.then is None and not cx.chain:
            super().move(cx, spec)
            return
        # A consequent of a capture asks for the capture, not for the move that sowed.
        bare = replace(spec, then=None)
        super().move(replace(cx, chain=()), bare)
        for name in ("KEPT_FROM", "KEPT_TO"):
            cx.program.state.want(name)
        cx.act("see_as_last", spec.frm, spec.to)
        for then in ((spec.then,) if spec.then is not None else ()) + cx.chain:
            cx.program.rules.consequent(replace(cx, chain=(), filters=()), then)
        cx.act("see_as_before")


class _Sowing:
    """Writes the function that sows and captures, once for each place in a game."""

    def __init__(self, node: Ludeme) -> None:
        self.node = node
        # While sowing is being worked out the reference position is the one before it.
        watched = [node.get(name) for name in ("skipIf", "numPerHole", "sowEffect", "origin")]
        self.collect = any(looks_at_board(part) for part in watched) or node.get("sowEffect") is not None

    def write(self, cx: Cx) -> None:
        """Write the whole function."""
        program = cx.program
        tables = track_tables(program)
        outer = cx.buffer
        level = 0 if outer is None else outer
        collecting = self.collect or outer is not None
        place = replace(cx, buffer=level) if collecting else cx
        cx.line(f"at = {tables.at}[way * {program.n_sites} + start]")
        with cx.block("if at < 0:"):
            cx.line("return 0")
        cx.line(f"dest = {cx.slots['to']}")
        cx.line(f"left = {cx.slots['val']}")
        cx.line("sown = 0")
        if collecting:
            cx.line(f"base = work[{program.rules.buffer.top()}]")
        self._origin(place.sure("start"))
        self._drop(place.sure("start"), tables)
        if collecting:
            program.rules.buffer.want_level(level)
            if outer is not None:
                cx.line("top = work[BUFFER_TOP]")
            cx.line(f"flush_{level}(state, work, base)")
            if outer is not None:
                # The actions are done on the copy; they stay in the buffer for the position itself.
                cx.line("work[BUFFER_TOP] = top")
        self._capture(cx, tables)
        cx.line("return 0")

    def _origin(self, cx: Cx) -> None:
        """One drop into the site itself before the others."""
        test = condition(self.node.get("origin"), cx.bind(frm="start"), False)
        if test is False:
            return
        with cx.when(test):
            self._effect(cx.bind(frm="start"))
            self._fill(cx, "start")
            cx.line("dest = start")

    def _fill(self, cx: Cx, site: str) -> None:
        """As many pieces as one site gets."""
        per_hole = number(self.node.get("numPerHole"), cx, 1)
        if per_hole == 1:
            cx.act("shift" if cx.program.stacking else "seed", "start", site)
            cx.line("sown += 1")
            return
        each = cx.fresh("each")
        with cx.block(f"for {each} in range({per_hole}):"):
            with cx.block("if sown < many:"):
                cx.act("shift" if cx.program.stacking else "seed", "start", site)
            cx.line("sown += 1")

    def _effect(self, cx: Cx) -> None:
        effect = self.node.get("sowEffect")
        if isinstance(effect, Ludeme):
            generate(effect, cx, EffectSink())

    def _drop(self, cx: Cx, tables: TrackTables) -> None:
        """Walk along the track and drop the pieces."""
        node = self.node
        cx.line("index = 0")
        cx.line("skipped = 0")
        with cx.block("while index < many and sown < many:"):
            if node.get("count") is not None:
                # How many there are is up to the text.
                for line in turn_test("index"):
                    cx.line(line)
            cx.line("left = many - index")
            cx.line(f"beyond = {tables.after}[at]")
            with cx.block("if beyond < 0:"):
                cx.line("break")
            cx.line(f"dest = {tables.site}[beyond]")
            here = cx.sure("dest").bind(to="dest", val="left")
            if node.get("skipIf") is not None:
                with cx.when(condition(node.args["skipIf"], here)):
                    cx.line("at = beyond")
                    cx.line("skipped += 1")
                    with cx.block(f"if skipped > {tables.size}[way]:"):
                        cx.line("break")
                    cx.line("continue")
                cx.line("skipped = 0")
            target = "dest"
            if node.get("includeSelf") is False:
                target = "hole"
                cx.line("hole = dest")
                with cx.block("if hole == start:"):
                    cx.line(f"beyond = {tables.after}[beyond]")
                    with cx.block("if beyond < 0:"):
                        cx.line("break")
                    cx.line(f"hole = {tables.site}[beyond]")
            self._effect(here)
            self._fill(here, target)
            cx.line("at = beyond")
            cx.line("index += 1")

    def _capture(self, cx: Cx, tables: TrackTables) -> None:
        """After the last piece: the effect where it fell, and perhaps backwards or forwards from there."""
        node = self.node
        effect = node.get("apply")
        if not isinstance(effect, Ludeme):
            settle(node.get("backtracking"), node.get("forward"), node.get("if"))  # they say what to capture
            return
        back, ahead = node.get("backtracking"), node.get("forward")
        rule = node.get("if")
        if back is None and ahead is None:
            here = cx.bind(to="dest", val="left")
            with cx.when(condition(rule, here)):
                cx.program.rules.effect(here.bind(frm="start"), effect, sink=_CaptureSink())
            return
        direct = cx.buffer is None
        level = 0 if cx.buffer is None else cx.buffer
        place = replace(cx, buffer=level)
        if direct:
            cx.line(f"first = work[{cx.program.rules.buffer.top()}]")
            cx.program.rules.buffer.want_level(level)
        here = place.bind(to="dest", val="left", frm="origin")
        cx.line(f"origin = {cx.slots['frm']}")
        cx.line("caught = 0")
        with cx.block(f"while caught < {tables.size}[way]:"):
            _stop(cx, negation(condition(rule, here)))
            cx.line("origin = start")
            generate(effect, here, _CaptureSink())
            if back is not None:
                _stop(cx, negation(condition(back, here)))
                cx.line(f"at = {tables.before}[at]")
                _stop(cx, "at < 0")
                cx.line(f"dest = {tables.site}[at]")
                _stop(cx, negation(condition(back, here)))
                _stop(cx, "dest == start")
            else:
                _stop(cx, negation(condition(ahead, here)))
                cx.line(f"at = {tables.after}[at]")
                _stop(cx, "at < 0")
                cx.line(f"dest = {tables.site}[at]")
                _stop(cx, negation(condition(ahead, here)))
            cx.line("caught += 1")
        if direct:
            cx.line(f"flush_{level}(state, work, first)")


def _stop(cx: Cx, test: Bool) -> None:
    if test is True:
        cx.line("break")
    elif test is not False:
        with cx.block(f"if {test}:"):
            cx.line("break")
