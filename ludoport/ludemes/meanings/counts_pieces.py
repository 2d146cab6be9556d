"""Numbers of sites in regions and of pieces on sites, and heights of stacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.components import is_named
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, Static
from ludoport.ludemes.core.registry import condition, int_ludeme, number, region, site_number
from ludoport.ludemes.fields.dice import all_faces
from ludoport.ludemes.fields.dominoes import domino_tables
from ludoport.ludemes.fields.named_regions import everywhere, named_region
from ludoport.ludemes.fields.position import count_at, height_at, what_at, who_at
from ludoport.ludemes.fields.teams import owned_by
from ludoport.ludemes.meanings.stack_pieces import count_stacked

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@int_ludeme("count Sites", reads=["board"], known=True)
def count_sites(node: Ludeme, cx: Cx) -> Expr:
    """Number of sites in a region."""
    if node.get("in") is not None:
        if node.get("who") is not None or node.get("what") is not None or node.get("whats") is not None:
            return _count_sites_with(node, cx)
        return region(node.args["in"], cx).count(cx)
    if node.get("at") is not None:
        return 1
    if node.get("name") is not None:
        return named_region(cx, str(node.args["name"]), None, node).count(cx)
    raise LudError("`count Sites` needs `in:` here", node.source)


def _count_sites_with(node: Ludeme, cx: Cx) -> Expr:
    total = cx.fresh("total")
    cx.line(f"{total} = 0")
    with region(node.args["in"], cx).each(cx) as site:
        inner = cx.sure(site)
        tests: list[Bool] = []
        if node.get("who") is not None:
            tests.append(f"{who_at(inner, site)} == {number(node.args['who'], inner)}")
        wanted = (
            node.get("whats")
            if node.get("whats") is not None
            else [node.args["what"]]
            if node.get("what") is not None
            else []
        )
        if wanted:
            assert isinstance(wanted, list)
            piece = what_at(inner, site)
            tests.append("(" + " or ".join(f"{piece} == {number(w, inner)}" for w in wanted) + ")")
        with cx.when(all_of(*tests)):
            cx.line(f"{total} += 1")
    return total


@int_ludeme("count Pieces", reads=["board"], lists=True)
def count_pieces(node: Ludeme, cx: Cx) -> Expr:
    """Number of a role's pieces, on the board and in hands; optionally by name, region, or condition."""
    if cx.program.dominoes and str(node.get("name")) == "Bag":
        domino_tables(cx.program)
        return "wide(state[N_POOL])"
    found = count_stacked(node, cx) if cx.program.stacking else _count_single(node, cx)
    dice = _dice_counted(node, cx.program)
    return f"({found} + {dice})" if dice else found


def _dice_counted(node: Ludeme, program: Program) -> int:
    """How many dice a count includes: they are pieces in containers of their own, which belong to all."""
    of = node.get("of") if node.get("of") is not None else node.get("role")
    everyone = of is None or (isinstance(of, Word) and of.name == "All")
    limited = any(node.get(name) is not None for name in ("name", "in", "if"))
    kind = node.get("type")
    if not everyone or limited or (kind is not None and str(kind) != "Cell"):
        return 0
    return len(all_faces(program))


def _count_single(node: Ludeme, cx: Cx) -> Expr:
    program = cx.program
    of = node.get("of") if node.get("of") is not None else node.get("role")
    role = str(of) if isinstance(of, Word) else None
    name = str(node.args["name"]) if node.get("name") is not None else None
    everyone = of is None or role in ("All", "Each", "Shared")
    listed = (
        not everyone
        and name is None
        and node.get("in") is None
        and node.get("type") is None
        and node.get("if") is None
        and role not in ("Enemy", "NonMover", "Neutral", "Friend")
        and not str(role).startswith("Team")
    )
    if listed and not program.counts_matter and program.want_own_list():
        return f"state[N_OWN + {number(of, cx)}]"
    if listed and role is not None and program.state.has("OWN"):
        return cx.call("count_pieces", node, lambda inner: _sum_listed(inner, number(of, inner)), key=id(node))

    def body(inner: Cx) -> None:
        inner.line("total = 0")
        # Whose pieces are counted does not depend on the sites looked at.
        given = inner.name(number(of, inner)) if isinstance(of, Ludeme) else None
        where: Region = region(node.args["in"], inner) if node.get("in") is not None else _of_kind(node, program)
        with where.each(inner) as site:
            place = inner.sure(site).bind(site=site)
            piece = inner.name(what_at(place, site))
            tests: list[Bool] = [f"{piece} != 0"]
            if given is not None:
                tests.append(f"{program.owner_of(piece)} == {given}")
            elif not everyone:
                tests.append(owned_by(place, program.owner_of(piece), of))
            if name is not None:
                tests.append(is_named(program, piece, name))
            with inner.when(all_of(*tests)), inner.when(condition(node.get("if"), place)):
                inner.line(f"total += {count_at(place, site)}")
        inner.line("return total")

    return cx.call("count_pieces", node, body, key=id(node))


def _sum_listed(cx: Cx, player: Expr) -> None:
    """Write the number of pieces on the sites in a player's list, and on those beside the board."""
    program, owner = cx.program, cx.name(player)
    cx.line("total = 0")
    with cx.block(f"for i in range(state[N_OWN + {owner}]):"):
        cx.line(f"s = wide(state[OWN + ({owner} - 1) * {program.n_board} + i])")
        cx.line(f"total += {count_at(cx.sure('s'), 's')}")
    if program.n_board < program.n_sites:
        with cx.block(f"for h in range({program.n_board}, {program.n_sites}):"):
            with cx.block(f"if {program.owner_of('state[WHAT + h]')} == {owner}:"):
                cx.line(f"total += {count_at(cx.sure('h'), 'h')}")
    cx.line("return total")


def _of_kind(node: Ludeme, program: Program) -> Region:
    """The sites of the kind that a count names, or all sites; hands are made of cells."""
    kind = node.get("type")
    if kind is None:
        return everywhere(program)
    base, sites = program.kind_block(kind)
    hands = [s for h in program.hands for s in range(h.base, h.base + h.size)] if str(kind) == "Cell" else []
    return Static((*range(base, base + sites.n), *hands), program)


_ALL_PIECES = dict.fromkeys(("name", "who", "what", "whats"), "the reference counts all pieces of the site")


@int_ludeme("count", reads=["board"], counts=True, ignores=_ALL_PIECES)
def count(node: Ludeme, cx: Cx) -> Expr:
    """Number of pieces on a site or in a region."""
    program = cx.program
    if node.get("at") is not None:
        site = cx.name(site_number(node.args["at"], cx))
        if not _counts_hands(node, cx) and not (site.lstrip("-").isdigit() and int(site) < program.n_board):
            return f"({count_at(cx, site)} if {program.outside_hands(site)} else 0)"
        return count_at(cx, site)
    if node.get("in") is not None:
        total = cx.fresh("total")
        cx.line(f"{total} = 0")
        with region(node.args["in"], cx).each(cx) as s:
            with cx.when(True if _counts_hands(node, cx) else program.outside_hands(s)):
                cx.line(f"{total} += {count_at(cx.sure(s), s)}")
        return total
    return count_at(cx, cx.slots["to"])


def _counts_hands(node: Ludeme, cx: Cx) -> bool:
    """Whether a count looks into hands: their sites are cells, which other boards count only when asked to."""
    program = cx.program
    kind = str(node.get("type") or program.board.kind)
    return not program.hands or kind == "Cell"


@int_ludeme("size Stack", reads=["board"], stacks=True, heights=True, given_sites=True)
def size_stack(node: Ludeme, cx: Cx) -> Expr:
    """The height of a stack, that of the last move unless a place is given."""
    if node.get("in") is None:
        return height_at(cx, number(node.get("at"), cx, "state[LAST_TO]"))
    total = cx.fresh("total")
    cx.line(f"{total} = 0")
    with region(node.args["in"], cx).each(cx) as s:
        cx.line(f"{total} += {height_at(cx.sure(s), s)}")
    return total
