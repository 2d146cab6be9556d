"""Inside a network for many games: long lists of games, one after another, with kept results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, astuple, dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import ludoport as lp
from ludoport.analysis.inside import believe, rule_vector, token_effects
from ludoport.descriptions.game import describe
from ludoport.errors import LudoportError
from ludoport.files import parse_json, read_text
from ludoport.limited import Limited
from ludoport.nets.universal.files import load_universal
from ludoport.nets.universal.network import UniversalNet


@dataclass(frozen=True)
class Question:
    """A question about one game.

    Attributes:
        game: name of the game, or path of its file.
        options: its options.
        network: file of the network.
        digest: of that file.
        against: player of games to compare with; empty for none.
        plays: number of these games.
        tokens: number of tokens that matter most.
        seed: random seed.
    """

    game: str
    options: tuple[str, ...]
    network: str
    digest: str
    against: str = ""
    plays: int = 40
    tokens: int = 5
    seed: int = 1

    @property
    def key(self) -> str:
        """Identity of a kept answer; the file of the network may have moved."""
        return json.dumps(astuple(replace(self, network="")))


def question(network: Path, **asked: Any) -> Question:
    """A question about a network without a game yet; see ``answers``."""
    return Question("", (), str(network), hashlib.sha256(network.read_bytes()).hexdigest()[:32], **asked)


@lru_cache(maxsize=1)
def _network(path: str) -> UniversalNet:
    return load_universal(path).net


def answer(asked: Question) -> dict[str, Any]:
    """The belief about a game, its tokens that matter, and the vector of its rules."""
    net, game = _network(asked.network), lp.load(asked.game, options=list(asked.options))
    belief = believe(net, game, asked.against, asked.plays, asked.seed)
    effects = token_effects(net, game, seed=asked.seed)[: asked.tokens] if asked.tokens else []
    vector = [round(number, 6) for number in rule_vector(net, describe(game)).tolist()]
    return {**belief.as_json(), "tokens": [asdict(effect) for effect in effects], "rules": vector}


def answers(
    asked: Question, games: Sequence[tuple[str, tuple[str, ...]]], kept: Path | None = None, seconds: float = 60.0
) -> Iterator[dict[str, Any]]:
    """The answers for some games; in a file, a game that cannot be loaded or takes too long has an ``error`` instead.

    Args:
        asked: the question, for any game.
        games: names of games, or paths of their files, with their options.
        kept: file with one answer per line; games that it holds are not asked again. Each game is then asked in another
            process, which a game that takes too much time or memory does not survive.
        seconds: CPU time for each game in that case.
    """
    known = _known(kept) if kept is not None else {}
    with Limited(answer, seconds) if kept is not None else nullcontext(answer) as ask:
        for game, options in games:
            one = replace(asked, game=game, options=options)
            if one.key not in known:
                try:
                    known[one.key] = ask(one)
                except LudoportError as error:
                    if kept is None:
                        raise
                    known[one.key] = {"game": "; ".join((game, *options)), "error": str(error)}
                if kept is not None:
                    _keep(kept, one, known[one.key])
            yield known[one.key]


def _known(kept: Path) -> dict[str, dict[str, Any]]:
    """The answers of a file by their questions; a line that was cut short is left out."""
    found = {}
    for line in read_text(kept).splitlines() if kept.exists() else ():
        try:
            record = parse_json(line)
        except ValueError:
            continue
        if isinstance(record, dict) and {"asked", "answer"} <= record.keys():
            found[str(record["asked"])] = record["answer"]
    return found


def _keep(kept: Path, asked: Question, found: dict[str, Any]) -> None:
    cut_short = kept.exists() and kept.stat().st_size > 0 and not kept.read_bytes().endswith(b"\n")
    with kept.open("a", encoding="utf-8") as file:
        file.write("\n" * cut_short + json.dumps({"asked": asked.key, "answer": found}) + "\n")
