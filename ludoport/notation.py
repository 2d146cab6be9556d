"""Moves and pieces as text, in the notation of the reference data."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from numpy.typing import NDArray

from ludoport.ludemes import Compiled


def move_texts(compiled: Compiled, rows: NDArray[Any], mover: int = 0) -> list[str]:
    """The text of every move of one legal list; suffixes tell apart moves that would read the same.

    Args:
        compiled: the game.
        rows: the moves.
        mover: the player to move, whose number is the piece of a placement that names none.
    """
    texts = [_plain(compiled, row) for row in rows]
    for stage in (_piece_suffix, _value_suffix, _between_suffix):
        groups: dict[str, list[int]] = defaultdict(list)
        for index, text in enumerate(texts):
            groups[text].append(index)
        for members in groups.values():
            if len(members) < 2:
                continue
            suffixes = [stage(compiled, rows[index], mover) for index in members]
            if len(set(suffixes)) > 1:
                for index, suffix in zip(members, suffixes, strict=True):
                    texts[index] += suffix
    repeated: dict[str, list[int]] = defaultdict(list)
    for index, text in enumerate(texts):
        repeated[text].append(index)
    for members in repeated.values():
        if len(members) > 1:
            for k, index in enumerate(members):
                texts[index] += f"#{k}"
    return texts


def _site(compiled: Compiled, site: int) -> str:
    for letter, kind in (("c", "Cell"), ("v", "Vertex"), ("e", "Edge")):
        base = compiled.program._kind_base.get(kind)
        if base is not None and base <= site < base + compiled.program.board.sites(kind).n:
            return f"{letter}{site - base}"
    return str(site)


def _plain(compiled: Compiled, row: NDArray[Any]) -> str:
    number, frm, to = (int(row[compiled.columns[name]]) for name in ("RULE", "FROM", "TO"))
    kind = "pass" if number == 0 else compiled.program.rules.rules[number - 1].spec.kind
    if kind in ("pass", "swap") or kind.startswith(("propose:", "vote:")):
        return kind
    if kind == "next player":
        return f"other:[SetNextPlayer:player={int(row[compiled.columns['NUMBER']])},decision=true]"
    if to < 0:
        return f"{_site(compiled, frm)}-off" if frm >= 0 else f"move:{kind}"
    if kind == "select2" or (kind == "move" and frm >= 0):
        return _site(compiled, to) if frm == to else f"{_site(compiled, frm)}-{_site(compiled, to)}"
    return _site(compiled, to)


def _piece_suffix(compiled: Compiled, row: NDArray[Any], mover: int) -> str:
    number = int(row[compiled.columns["RULE"]])
    if number == 0:
        return ""
    rule = compiled.program.rules.rules[number - 1]
    component = rule.fixed.get("what")
    if component is None and "what" in rule.needed:
        component = int(row[compiled.columns["PIECE"]])
    if component is None and rule.spec.kind == "add" and isinstance(rule.spec.variant, int):
        component = rule.spec.variant
    if component is None and rule.spec.node.keyword == "move Add" and rule.spec.node.get("what") is None:
        component = mover
    if not isinstance(component, int) or not 1 <= component < len(compiled.program.components):
        return ""
    return "=" + compiled.program.components[component].name


def _value_suffix(compiled: Compiled, row: NDArray[Any], mover: int) -> str:
    """What else tells moves apart; so far the number of pieces that move."""
    del mover
    number = int(row[compiled.columns["RULE"]])
    if number == 0:
        return ""
    rule = compiled.program.rules.rules[number - 1]
    count = rule.fixed.get("many")
    if count is None and "many" in rule.needed:
        count = int(row[compiled.columns["MANY"]])
    if compiled.program.stacking and rule.spec.kind == "move" and "lvl" in rule.needed:
        return f"/v0/f{int(row[compiled.columns['LEVEL']])}/g0"
    if not isinstance(count, int):
        return ""
    # Such a move also carries a local state, a rotation, a value and levels, which are all 0.
    return f"/t0/r0/v0{f'/n{count}' if count != 1 else ''}/f0/g0"


def _between_suffix(compiled: Compiled, row: NDArray[Any], mover: int) -> str:
    """The sites that a slide passes or a hop jumps over."""
    del mover
    number, frm, to = (int(row[compiled.columns[name]]) for name in ("RULE", "FROM", "TO"))
    rule = compiled.program.rules.rules[number - 1] if number else None
    if rule is None or rule.spec.node.keyword not in ("move Slide", "move Hop"):
        return ""
    if not 0 <= frm < compiled.program.n_board:
        return ""
    line = next((ray for ray in compiled.program.radials(frm, ["All"]) if to in ray), ())
    first, last = 0, line.index(to) if line else 0
    if "run" in rule.needed:
        first = int(row[compiled.columns["SKIP"]])
        last = first + int(row[compiled.columns["RUN"]])
    over = line[first:last]
    return "/b" + ".".join(map(str, over)) if over else ""


def piece_texts(compiled: Compiled, row: NDArray[Any]) -> dict[int, str | list[str]]:
    """What stands on each occupied site."""
    program, fields = compiled.program, compiled.fields
    if program.stacking:
        from ludoport.ludemes.stack_levels import stack_texts

        return stack_texts(compiled, row)
    found: dict[int, str | list[str]] = {}
    # Sites of other kinds than the board's come last and are not shown.
    for site in range(min(program._kind_base.values(), default=program.n_sites)):
        piece = int(row[fields["WHAT"] + site])
        if piece == 0:
            continue
        text = program.components[piece].name if "DOMAIN" not in fields else f"what{piece}"
        if "COUNT" in fields and int(row[fields["COUNT"] + site]) != 1:
            text += f"*{int(row[fields['COUNT'] + site])}"
        if "STATE" in fields and int(row[fields["STATE"] + site]) != 0:
            text += f"/s{int(row[fields['STATE'] + site])}"
        found[site] = text
    return found
