"""Whether there is a move that needs no trial: a piece that may leave its site has somewhere to go.

Where a followed piece is not threatened, another piece that opens no line to it may move (see ``safety.py``). Then it
is enough to find one destination; nothing is listed, and nothing tried.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.components import component_by_name, one_of
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.sinks import ExistsSink, Spec
from ludoport.ludemes.meanings.first_tried import list_first, of_mover
from ludoport.ludemes.meanings.harmless import PLAIN, QUIET, TAKING, what_it_does
from ludoport.ludemes.meanings.sight_lines import OPENED

if TYPE_CHECKING:
    from ludoport.ludemes.core.trials import Trial


class SureSink(ExistsSink):
    """Returns True as soon as a move passes the test of a trial without being tried."""

    stem = "sure"

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    def leaves(self, cx: Cx, frm: str) -> Bool:
        """Whether the piece on a site is another than the followed one and opens no line to that."""
        one = f"state[COUNT + {frm}] == 1" if cx.program.state.has("COUNT") else True
        return all_of(f"{frm} != spot", one, f"not {OPENED}(state, spot, {frm}, 3 - {cx.slots['mover']})")

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write that there is a move, where it needs no trial."""
        test = self._passes(cx, spec)
        if test is not False:
            with cx.when(test):
                cx.line("return True")

    def _passes(self, cx: Cx, spec: Spec) -> Bool:
        """Code that tests whether a move does no more than lead its piece to its destination."""
        program, trial = cx.program, self.trial
        rule = program.rules.known_rule(cx, spec)
        if rule is None or not any(rule is each for each in trial.rules) or len(cx.filters) != 1:
            return False
        if program.rules.keep(cx, cx.filters[0], "move").split("(")[0] != trial.keep.name:
            return False
        if spec.frm != cx.slots["frm"]:
            return False
        kind = what_it_does(program, rule, trial.outer, turns=True)
        there = f"state[WHAT + {spec.to}]"
        free: dict[int, Bool] = {
            PLAIN: True,
            QUIET: f"{there} == 0",
            TAKING: f"not {one_of(there, sorted(program.spots))}",
        }
        inside = spec.node.keyword != "move" or program.n_board == program.n_sites
        on_board: Bool = True if inside else f"0 <= {spec.to} < {program.n_board}"
        return all_of(on_board, free[kind]) if kind in free else False


def write_sure(node: Ludeme, cx: Cx, name: str, further: str | None) -> None:
    """Write that there is a move, if one is found that needs no trial.

    Args:
        node: the generator of the moves.
        cx: the place, where moves of the mover are looked for.
        name: the piece that must not be threatened.
        further: the table of sites that something beside the moves of pieces might threaten, if any.
    """
    program = cx.program
    trials = program.rules.trials.written
    trial = next((each for each in trials if (each.role, each.name) == ("MOVER", name)), None)
    if trial is None or not of_mover(node):
        return

    def body(inner: Cx) -> None:
        piece = component_by_name(program, name, str(inner.slots["mover"]))
        inner.line(f"followed = {piece}")
        inner.line("spot = state[SPOT + followed]")
        list_first(node, inner, SureSink(trial), every=True)
        inner.line("return False")

    piece = component_by_name(program, name, "state[MOVER]")
    call = replace(cx, owner=None).call("sure", node, body, key=("sure", id(node), cx.chain_key()))
    tests = [f"{piece} >= 1", f"state[SAFE + {piece}] == 1", f"state[SPOT + {piece}] >= 0"]
    if further is not None:
        tests.append(f"{further}[(3 - state[MOVER]) * {program.n_board} + state[SPOT + {piece}]] == 0")
    with cx.block(f"if {' and '.join([*tests, call])}:"):
        cx.line("return True")
