"""Regions of moves: origins, destinations, and sites between two sites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import Region, ScratchRegion
from ludoport.ludemes.core.registry import condition, generate, number, region_ludeme
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.direction_choice import variants
from ludoport.ludemes.fields.directions import rays


class MarkSink(Sink):
    """Marks the site where each move begins or ends."""

    takes = True

    def __init__(self, marks: str, start: bool) -> None:
        self.marks, self.start = marks, start

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write the mark of one move."""
        site: Expr = spec.frm if self.start else spec.to
        if isinstance(site, int) and site < 0:
            return
        tests = []
        if cx.filters:
            rule = cx.program.rules.rule(cx, spec)
            row = cx.program.rules.scratch_row(cx)
            rule.write(cx, spec, f"{row}[{{}}]")
            tests = [test for test in [rule.keep(cx, row)] if test]
        if not isinstance(site, int) and site not in cx.safe:
            tests.append(f"on_board({site})")
        with cx.when(" and ".join(tests) or True):
            cx.line(f"work[{self.marks} + {site}] = 1")

    def take(self, cx: Cx, row: str) -> None:
        """Write the mark of a listed move."""
        site = cx.name(f"{row}[{'FROM' if self.start else 'TO'}]", "s")
        with cx.block(f"if on_board({site}):"):
            cx.line(f"work[{self.marks} + {site}] = 1")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part as a function of its own."""

        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return 0")

        cx.line(cx.call(stem, node, whole, key=(key, "mark", self.marks, self.start, cx.chain_key())))


@region_ludeme("sites To", "sites From", reads=["board"])
def sites_of_moves(node: Ludeme, cx: Cx) -> Region:
    """The sites where some moves end, or begin."""
    moves = node.args["moves"]
    marks = cx.program.scratch(cx.program.n_sites, "MARKED")
    sink = MarkSink(marks, node.keyword == "sites From")

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        index = inner.fresh("i")
        with inner.block(f"for {index} in range({inner.program.n_sites}):"):
            inner.line(f"work[{marks} + {index}] = 0")
        generate(moves, replace(inner, chain=(), filters=(), buffer=None), sink)
        site = inner.fresh("s")
        with inner.block(f"for {site} in range({inner.program.n_sites}):"):
            with inner.block(f"if work[{marks} + {site}] != 0:"):
                add(site)

    return ScratchRegion(gather)


@region_ludeme("sites Between", reads=["board"])
def sites_between(node: Ludeme, cx: Cx) -> Region:
    """The sites on the first line that leads from one site to another, perhaps with its ends."""
    if node.get("from") is None:
        raise UnsupportedError("`sites Between` of moves is not implemented yet", node.source)

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        program = inner.program
        start, end = inner.name(number(node.args["from"], inner)), inner.name(number(node.args["to"], inner))
        size = program.n_board
        with inner.block(f"if 0 <= {start} and {start} < {size} and 0 <= {end} and {end} < {size}:"):
            place = replace(inner.sure(start, end).bind(frm=start, to=end), owner=None)
            with inner.when(condition(node.get("fromIncluded"), place, False)):
                add(start)
            with inner.when(condition(node.get("toIncluded"), place, False)):
                add(end)
            found = inner.fresh("found")
            inner.line(f"{found} = False")
            for directions, branch in variants(node.get("directions"), place):
                lines = rays(directions, branch)
                with lines.each(branch, start) as ray, inner.block(f"if not {found}:"):
                    with lines.walk(branch, ray) as (site, position):
                        with inner.block(f"if {site} == {end}:"):
                            inner.line(f"{found} = True")
                            k, over = inner.fresh("k"), inner.fresh("over")
                            with inner.block(f"for {k} in range({position}):"):
                                inner.line(f"{over} = {lines.table}[{ray} + {k}]")
                                here = branch.sure(over).bind(btw=over)
                                with inner.when(condition(node.get("cond"), here)):
                                    add(over)
                            inner.line("break")

    return ScratchRegion(gather)
