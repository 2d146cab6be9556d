"""The part of a position that a player may see, in the ludemic language."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.ludemes.compile import Compiled
from ludoport.ludemes.fields.hidden import HIDDEN, UNKNOWN
from ludoport.notation import piece_texts

_NOTHING = HIDDEN[""]
_WHAT, _WHO, _COUNT, _STATE = (HIDDEN[name] for name in ("What", "Who", "Count", "State"))


def seen_texts(compiled: Compiled, row: NDArray[Any], player: int) -> dict[int, str | list[str]]:
    """Pieces that a player sees on each site, as in ``piece_texts``; see ``State.seen_by``.

    Raises:
        LudoportError: positions of this game do not keep what is hidden.
    """
    program, fields = compiled.program, compiled.fields
    if UNKNOWN in program.wants:
        raise LudoportError(f"{program.description.name} hides something from players that positions do not keep")
    texts = piece_texts(compiled, row)
    if "HIDDEN" not in fields:
        return texts
    first = fields["HIDDEN"] + (player - 1) * program.n_sites
    for site, mask in enumerate(row[first : first + program.n_sites].tolist()):
        if mask & _NOTHING:
            texts[site] = "?"
        elif mask and site in texts:
            texts[site] = _partly(compiled, row, site, mask)
    return texts


def _partly(compiled: Compiled, row: NDArray[Any], site: int, mask: int) -> str:
    """A piece of which something is hidden."""
    fields = compiled.fields
    component = compiled.program.components[int(row[fields["WHAT"] + site])]
    # Names of pieces end with the number of their owner, so a kind tells who owns it.
    text = component.name
    if mask & _WHAT or mask & _WHO:
        text = "?" if mask & _WHO else f"?{component.owner}"
    if "COUNT" in fields and not mask & _COUNT and int(row[fields["COUNT"] + site]) != 1:
        text += f"*{int(row[fields['COUNT'] + site])}"
    if "STATE" in fields and not mask & _STATE and int(row[fields["STATE"] + site]) != 0:
        text += f"/s{int(row[fields['STATE'] + site])}"
    return text
