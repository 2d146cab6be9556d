"""``max Distance``: only the moves that begin the turns which lead farthest along a track."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import generate, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.meanings.moves_longest import DEEPEST, chooses_here, write_keep
from ludoport.ludemes.meanings.track_tables import track_tables, tracks
from ludoport.ludemes.meanings.tracks import chosen_track

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@moves_ludeme("max Distance", writes=["board"], draws=False, pieces="stay", chooses=True)
def max_distance(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves after which the pieces of the mover come farthest along a track in this turn."""
    place = cx.inside(optional(node.get("then")))
    inner = node.args["moves"]
    assert isinstance(inner, Ludeme)
    name, role = node.get("trackName"), node.get("owner")
    if not chooses_here(node, sink, cx.program):
        generate(inner, place, sink)
        return
    program, every = cx.program, tracks(cx.program)

    def choose(player: int | None) -> int:
        found = [t.index for t in every if (name is None or str(name) in t.name) and t.owner in (player, 0)]
        return found[0] if found else -1

    owner = number(role, cx, cx.slots["mover"])
    track = cx.name(chosen_track(cx, owner if isinstance(owner, int) else cx.name(owner), choose), "track")
    program.wants |= {"longest", "farthest"}
    program.memo(_write_farthest)
    start = cx.name("n + 0", "before")
    generate(inner, place, sink)
    program.rules.sieve(place, inner, start)
    with cx.block(f"if n > {start} + 1 and {track} >= 0:"):
        cx.line(f"n = keep_farthest(state, work, moves, {start}, n, {track})")


def _write_farthest(program: Program) -> None:
    """Write the functions that keep the moves of the turns that lead farthest."""
    tables = track_tables(program)
    f = Function("way", ["moves", "k", "track"], "how far a move of a list leads along a track")
    f.line("frm = moves[k * MOVE_SIZE + FROM]")
    f.line("to = moves[k * MOVE_SIZE + TO]")
    f.line(f"start = ({tables.at}[track * {program.n_sites} + frm] if on_board(frm) else -1)")
    f.line(f"end = ({tables.at}[track * {program.n_sites} + to] if on_board(to) else -1)")
    f.line("return end - start if start >= 0 and end >= 0 else 0")
    program.module.functions.append(f)
    rows = program.scratch(f"CORE_SIZE * {DEEPEST}", "TURN")
    cursors = program.scratch(2 * DEEPEST, "CURSORS")
    totals = program.scratch(DEEPEST, "TOTALS")
    f = Function(
        "turn_way", ["state", "work", "moves", "first", "n", "track"], "how far a turn that begins with a move may lead"
    )
    f.line("best = way(moves, first, track)")
    f.line("depth = 0")
    f.line(f"here = work[{rows} : {rows} + CORE_SIZE]")
    with f.block("for i in range(CORE_SIZE):"):
        f.line("here[i] = state[i]")
    f.line("play(here, moves[first * MOVE_SIZE : (first + 1) * MOVE_SIZE], work)")
    with f.block("if here[OVER] != 0 or here[PREV] != here[MOVER]:"):
        f.line("return best")
    f.line(f"work[{cursors}] = n")
    f.line(f"work[{cursors} + 1] = open_play(here, work, moves, n, MAX_MOVES)")
    f.line(f"work[{totals}] = best")
    f.when_full(f"work[{cursors} + 1] >= MAX_MOVES")
    with f.block("while depth >= 0:"):
        f.line(f"k = work[{cursors} + 2 * depth]")
        f.line(f"end = work[{cursors} + 2 * depth + 1]")
        with f.block("if k >= end:"):
            f.line("depth -= 1")
            f.line("continue")
        f.line(f"work[{cursors} + 2 * depth] = k + 1")
        f.line(f"total = work[{totals} + depth] + way(moves, k, track)")
        with f.block("if total > best:"):
            f.line("best = total")
        with f.block(f"if depth + 2 < {DEEPEST}:"):
            f.line(f"here = work[{rows} + depth * CORE_SIZE : {rows} + (depth + 1) * CORE_SIZE]")
            f.line(f"after = work[{rows} + (depth + 1) * CORE_SIZE : {rows} + (depth + 2) * CORE_SIZE]")
            with f.block("for i in range(CORE_SIZE):"):
                f.line("after[i] = here[i]")
            f.line("play(after, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)")
            with f.block("if after[OVER] == 0 and after[PREV] == after[MOVER]:"):
                f.line("depth += 1")
                f.line(f"work[{cursors} + 2 * depth] = end")
                f.line(f"work[{cursors} + 2 * depth + 1] = open_play(after, work, moves, end, MAX_MOVES)")
                f.line(f"work[{totals} + depth] = total")
                f.when_full(f"work[{cursors} + 2 * depth + 1] >= MAX_MOVES")
    f.line("return best")
    program.module.functions.append(f)
    write_keep(
        program, "keep_farthest", "turn_way(state, work, moves, i, n, track)",
        "keep the moves of turns that lead farthest", least="-N_SITES", more=("track",),
    )  # fmt: skip
