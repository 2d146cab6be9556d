"""The learner's knowledge of one role of one rulesheet, kept between matches and restarts.

Two files: a journal of all matches that were seen, one a line, and the memory learned from them (values, visits, trees
below afterstates). The memory says how far in the journal it has come. If it is lost or damaged, or was made by another
version, it is learned again from the journal.
"""

from __future__ import annotations

import hashlib
import json
import logging
import random
import threading
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.gdl import GdlRules
from ludoport.ggp.journal import Joint, Journal
from ludoport.ggp.learning import Style
from ludoport.ggp.positions import CompiledPosition, twin
from ludoport.td.lookahead import Template, template_of
from ludoport.td.memory import CODE
from ludoport.td.memory_file import load_memory, save_memory
from ludoport.transfer.features import FeatureSource, FeatureTable, Worth
from ludoport.transfer.features_file import save_features

log = logging.getLogger(__name__)

OPPONENT = "ggp"
"""Values that are learned over the network are recorded for this opponent."""

ENTRIES_A_SAVE = 20_000
"""A memory with more entries is saved less often, after more matches; the journal holds the rest."""

CHUNK = 32
"""Trees below afterstates are looked at in groups of this size, between two looks at the clock."""


class Knowledge:
    """The learner of one role. Several matches may use it at once.

    Args:
        game: the compiled game.
        role: number of the role, from 0.
        style: settings of the learner and folder of its memories.
    """

    def __init__(self, game: Game, role: int, style: Style) -> None:
        self.game, self.role, self.style = twin(game), role, style
        assert isinstance(game.rules, GdlRules)
        self.rules: GdlRules = game.rules
        self.learner = style.learner(self.game, role)
        stem = f"{self.rules.fingerprint[:20]}-{role + 1}"
        self.path = style.folder / f"{stem}.npz"
        self.journal = Journal(style.folder / f"{stem}.matches.jsonl", len(self.rules.roles))
        self.features_path = style.folder / f"{stem}.features.json"
        self.matches = 0
        self._lock = threading.Lock()
        self._read = 0
        self._coded = 0
        self._unsaved = 0
        self._loose: list[list[Joint]] = []
        self._templates: dict[int, Template] = {}
        self._load()

    def choose(self, position: CompiledPosition, rng: random.Random) -> str:
        """The move with the highest value, now and then any; for a role with more than one legal move."""
        with self._lock:
            if position.choosers() == [self.role]:
                seed = np.array([rng.getrandbits(32) | 1, rng.getrandbits(32)], dtype=np.int64)
                return self.learner.choose(position.state, explore=True, rng=seed).text
            return self._choose_joint(position, rng)

    def _choose_joint(self, position: CompiledPosition, rng: random.Random) -> str:
        """A move for a step in which others choose too: an afterstate is the position with the own choice."""
        legal = position.legal[self.role]
        if rng.random() < self.style.epsilon:
            return rng.choice(legal)
        worth = {move: self.learner.value(State(self.game, position.chosen(self.role, move))) for move in legal}
        best = max(worth.values())
        return rng.choice([move for move in legal if worth[move] == best])

    def finished(self, steps: Sequence[Joint]) -> None:
        """A match has come to its end; it is learned from in the next start clock."""
        try:
            self.journal.add(steps)
        except OSError as error:
            log.warning("cannot write a match to %s: %s", self.journal.path, error.strerror)
            with self._lock:
                self._loose.append(list(steps))

    def learn(self, until: float) -> int:
        """Learn from all matches since the last time, and look at what is new, until the time is up.

        Returns:
            How many matches were learned from.
        """
        begin = self.matches
        with self._lock:
            while self._loose:
                self._learn_from(self._loose.pop(0))
            for steps, end in self.journal.matches(self._read):
                self._learn_from(steps)
                self._read = end
                if time.monotonic() >= until:
                    break
            self._look_below(until)
            if self._unsaved >= 1 + len(self.learner.memory) // ENTRIES_A_SAVE:
                self._save(until)
        return self.matches - begin

    def _learn_from(self, steps: Sequence[Joint]) -> None:
        self.matches += 1
        self._unsaved += 1
        try:
            last, path = self._replay(steps)
        except LudoportError as error:
            log.warning("a match cannot be learned from: %s", error)
            return
        self.learner.make_room()
        choice = self.rules.fields["CHOICE"]
        for row in path:
            if row[choice : choice + len(self.rules.roles)].any():
                # No lookahead is possible while other roles still choose without knowing this choice.
                self.learner.note(row)
        self.learner.learn(last, path)
        self.learner.matches = self.matches

    def _replay(self, steps: Sequence[Joint]) -> tuple[State, list[NDArray[Any]]]:
        """The end of a match and the role's afterstates, which the end is the last of."""
        position = CompiledPosition(self.game, self.game.start().row)
        path: list[NDArray[Any]] = []
        for moves in steps:
            found = [position.find(role, move) for role, move in enumerate(moves)]
            known = [move for move in found if move is not None]
            if len(known) < len(found):
                raise LudoportError(f"its moves {' '.join(moves)} are not legal")
            choosers, following = position.choosers(), position.after(known)
            if self.role in choosers:
                alone = len(choosers) == 1
                path.append(following.row if alone else position.chosen(self.role, known[self.role]))
            position = following
        if not position.terminal:
            raise LudoportError("it was not played to the end")
        if not path or path[-1] is not position.row:
            path.append(position.row)
        return position.state, path[-self.learner.settings.limit :]

    def _look_below(self, until: float) -> None:
        """Find the trees below new afterstates, as far as there is time."""
        memory, roles = self.learner.memory, len(self.rules.roles)
        choice = self.rules.fields["CHOICE"]
        while self._coded < len(memory) and time.monotonic() < until:
            stop = min(self._coded + CHUNK, len(memory))
            rows = memory.kept[self._coded : stop]
            plain = ~rows[:, choice : choice + roles].any(axis=1)
            memory.book[CODE, self._coded : stop][plain] = self.learner.codes_of(rows[plain])
            self._coded = stop

    def features(self, until: float) -> FeatureTable | None:
        """Values of features learned so far; None if there is no time to compute them."""
        memory, settings = self.learner.memory, self.learner.settings
        codes, visits = memory.book[CODE, : len(memory)], memory.visits
        if self._coded < len(memory):
            return None
        table: dict[Template, dict[str, Worth]] = {}
        for code in np.unique(codes[(codes & 1 == 1) & (visits > 0)]).tolist():
            entries = np.flatnonzero((codes == code) & (visits > 0))
            if code not in self._templates:
                if time.monotonic() >= until:
                    return None
                example = State(self.game, memory.kept[entries[0]].copy())
                self._templates[code] = template_of(example, self.role + 1, settings)
            value = float(np.average(memory.values[entries], weights=visits[entries]))
            table[self._templates[code]] = {OPPONENT: Worth(value, int(visits[entries].sum()), len(entries))}
        source = FeatureSource(self.rules.name, self.rules.fingerprint, OPPONENT, self.role + 1, 0, self.matches)
        return FeatureTable(table, (source,), settings.depth, settings.loss, settings.win)

    def _wanted(self) -> dict[str, Any]:
        """Entries that the header of the memory must have: keys mean something only for the same rows."""
        network = self.rules.network
        what = json.dumps([network.facts, network.moves, network.sizes]) if network.source else self.rules.source
        rows = hashlib.sha256(what.encode()).hexdigest()[:20]
        return {"fingerprint": self.rules.fingerprint, "role": self.rules.roles[self.role], "rows": rows}

    def _load(self) -> None:
        try:
            header = load_memory(self.learner.memory, self.path, self._wanted())
            self.matches, self._read = int(header["matches"]), int(header["read"])
            # Trees of another depth have to be looked at again.
            self._coded = int(header["coded"]) if header["depth"] == self.learner.settings.depth else 0
            self.learner.matches = self.matches
        except FileNotFoundError:
            return
        except (LudoportError, KeyError, TypeError, ValueError) as error:
            log.warning("the memory cannot be used and is learned again: %s", error)
            self.learner = self.style.learner(self.game, self.role)
            self.matches = self._read = self._coded = 0
            try:
                self.path.replace(self.path.with_suffix(".damaged"))
            except OSError:
                return

    def _save(self, until: float) -> None:
        header = {
            **self._wanted(),
            "roles": list(self.rules.roles),
            "matches": self.matches,
            "read": self._read,
            "coded": self._coded,
            "depth": self.learner.settings.depth,
        }
        try:
            save_memory(self.learner.memory, self.path, header)
            self._unsaved = 0
            table = self.features(until)
            if table is not None and len(table):
                save_features(table, self.features_path)
        except OSError as error:
            log.warning("the memory is not saved in %s: %s", self.style.folder, error.strerror)


_KNOWN: dict[tuple[str, int, Style], Knowledge] = {}
_KNOWN_LOCK = threading.Lock()


def knowledge(game: Game, role: int, style: Style) -> Knowledge:
    """Knowledge of a role; all matches in a process share it."""
    key = (game.rules.fingerprint, role, style)
    with _KNOWN_LOCK:
        found = _KNOWN.get(key)
        if found is None:
            found = _KNOWN[key] = Knowledge(game, role, style)
        return found


def rehearse(game: Game, style: Style) -> None:
    """Compile what learning and choosing need, without any file."""
    state = game.start()
    if state.over:
        return
    learner = style.learner(twin(game), 0)
    learner.choose(state)
    learner.note(state.row)
    learner.learn(state, [state.row])
    learner.codes()
