"""Names of moves and pieces in the recorded notation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ludoport.verify.slow.context import Context, TreeMove


def move_texts(found: list[TreeMove], cx: Context) -> list[str]:
    """The names of legal moves; those that would be equal get marks, one kind after another."""
    names = [_plain(move, cx) for move in found]
    stages: list[Callable[[TreeMove], str]] = [
        lambda move: f"={cx.game.components[move.piece].name}" if move.piece else "",
        lambda move: "".join(f"/{mark}{value}" for mark, value in move.marks.items()),
        lambda move: f"/b{'.'.join(map(str, move.between))}" if move.between else "",
    ]
    for stage in stages:
        names = _separated(names, [stage(move) for move in found])
    seen: Counter[str] = Counter()
    counts = Counter(names)
    texts = []
    for name in names:
        texts.append(f"{name}#{seen[name]}" if counts[name] > 1 else name)
        seen[name] += 1
    return texts


def _separated(names: list[str], marks: list[str]) -> list[str]:
    found = list(names)
    for name, count in Counter(names).items():
        group = [i for i, other in enumerate(names) if other == name]
        if count > 1 and len({marks[i] for i in group}) > 1:
            for i in group:
                found[i] += marks[i]
    return found


def _plain(move: TreeMove, cx: Context) -> str:
    if move.word:
        return move.word
    to = _site(move.to, move.to_kind, cx)
    if move.from_ == move.to or move.from_ < 0:
        return to if move.to >= 0 else "other"
    return f"{_site(move.from_, move.from_kind, cx)}-{to}"


def _site(site: int, kind: str, cx: Context) -> str:
    if kind in ("", cx.game.kind) or site >= cx.game.sites(kind).n:
        return str(site)
    return f"{kind[0].lower()}{site}"


def piece_texts(cx: Context) -> dict[int, str | list[str]]:
    """Pieces by site: names, or lists of names from the bottom in games with stacks."""
    found: dict[int, str | list[str]] = {}
    for (kind, site), pieces in cx.position.stacks.items():
        if not pieces or kind != cx.game.kind:
            continue
        if cx.game.stacking:
            found[site] = [cx.game.components[piece.what].name for piece in pieces]
            continue
        piece = pieces[0]
        count = f"*{piece.count}" if piece.count != 1 else ""
        state = f"/s{piece.state}" if piece.state else ""
        found[site] = f"{cx.game.components[piece.what].name}{count}{state}"
    return found
