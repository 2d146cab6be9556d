"""``lp.transfer``: transfer knowledge of any kind to another game."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, TypeVar, Unpack, overload

from ludoport.errors import LudoportError
from ludoport.game import Game, load
from ludoport.nets import load_torch
from ludoport.nets.finding import find_network, in_zoo
from ludoport.search.graph import About, SearchGraph
from ludoport.search.graph_files import read_graph, write_graph
from ludoport.td.learner import ValueLearner
from ludoport.transfer.feature_transfer import FeatureTransfer, transfer_features
from ludoport.transfer.features import ALL_OPPONENTS, FeatureTable
from ludoport.transfer.features_file import load_features, save_features
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.search_trees import TreeTransfer, check_discount, transfer_tree

if TYPE_CHECKING:
    from ludoport.transfer.mapping import Mapping
    from ludoport.transfer.network_files import NetworkTransfer
    from ludoport.transfer.specialised import Specialised

Knowledge = Literal["network", "search tree", "value features"]

PLURALS: dict[Knowledge, str] = {
    "network": "networks", "search tree": "search trees", "value features": "value features",
}  # fmt: skip


class HasFile(Protocol):
    """A player of a saved network or tree, such as what ``lp.train`` returns; a dataclass."""

    file: str


P = TypeVar("P", bound=HasFile)


@dataclass(frozen=True, kw_only=True)
class TransferSettings:
    """All settings of a transfer; each kind of knowledge uses its own part.

    Attributes:
        network: networks: weights without a source.
        mapping: networks: how channels correspond; default: by meaning.
        layout: networks: tensor layout of the new network; default: that of the old one.
        discount: search trees: worth of a source visit in the target, above 0 and at most 1.
        source: networks and search trees: the source game; default: the one that the file names.
        opponent: value features: use the values learned against this opponent.
        seed: value features: random seed of the learner.
        tell: search trees: called with the positions compared so far and their number.
    """

    network: TransferOptions = field(default_factory=TransferOptions)
    mapping: Mapping | None = None
    layout: str | None = None
    discount: float = 1.0
    source: Game | str | Path | None = None
    opponent: str = ALL_OPPONENTS
    seed: int = 1
    tell: Callable[[int, int], None] = lambda done, total: None

    def check(self, kind: Knowledge) -> None:
        """Refuse settings of another kind of knowledge."""
        usual = TransferSettings()
        for name, owners in _OWNERS.items():
            if kind not in owners and getattr(self, name) != getattr(usual, name):
                shown = "settings" if name == "network" else name
                owned = " and ".join(PLURALS[owner] for owner in owners)
                raise LudoportError(f"`{shown}` is a setting for {owned}, not for {PLURALS[kind]}")


_OWNERS: dict[str, tuple[Knowledge, ...]] = {
    "mapping": ("network",), "layout": ("network",), "network": ("network",), "discount": ("search tree",),
    "source": ("network", "search tree"), "opponent": ("value features",),
}  # fmt: skip


class _Named(TypedDict, total=False):
    """The keyword arguments of ``transfer``, for its overloads."""

    options: Sequence[str]
    ruleset: str | None
    settings: TransferOptions | None
    discount: float
    opponent: str
    source: Game | str | Path | None
    seed: int


_Target = Game | str | Path
_Out = Path | str | None


@overload
def transfer(thing: Path | str, target: _Target, out: _Out = None, **named: Unpack[_Named]) -> Path: ...
@overload
def transfer(thing: SearchGraph, target: _Target, out: _Out = None, **named: Unpack[_Named]) -> SearchGraph: ...
@overload
def transfer(thing: FeatureTable, target: _Target, out: _Out = None, **named: Unpack[_Named]) -> ValueLearner: ...
@overload
def transfer(thing: P, target: _Target, out: _Out = None, **named: Unpack[_Named]) -> P: ...
def transfer(
    thing: Any,
    target: Game | str | Path,
    out: Path | str | None = None,
    *,
    options: Sequence[str] = (),
    ruleset: str | None = None,
    settings: TransferOptions | None = None,
    discount: float = 1.0,
    opponent: str = ALL_OPPONENTS,
    source: Game | str | Path | None = None,
    seed: int = 1,
) -> Any:
    """Carry a network, a search tree or value features over to another game.

    A network for many games, which ``lp.train`` made from a list, is specialised to the target.

    Args:
        thing: what was learned: the player that ``lp.train`` returned, the folder of a run, a network of the zoo
            (``zoo/hex-11x11``), the file of a network, of a saved tree or of value features, a ``SearchGraph``, or a
            ``FeatureTable``.
        target: the game to carry it to: a game, its name, or the path of its file.
        out: where to write: a file, or for networks also a folder; default: beside the source, or in ``runs`` for a
            network of the zoo. Trees and features that are given as objects are only written where ``out`` is given.
        options: options of the target, if it is given by name.
        ruleset: ruleset of the target, if it is given by name.
        settings: networks: what becomes of weights without a source; default: they are zero, so that the network plays
            at once.
        discount: search trees: worth of a source visit in the target, above 0 and at most 1.
        opponent: value features: use the values learned against this opponent; default: against all together.
        source: networks and search trees: the source game, if it is not found by the name in the file.
        seed: value features: random seed of the learner.

    Returns:
        For a file or a folder, the new file. For a player, the same player with the new file. For a ``SearchGraph``,
        the tree in the target. For a ``FeatureTable``, a ``ValueLearner`` of the target that starts with these values.
    """
    game = _target(target, options, ruleset)
    given = TransferSettings(
        network=settings or TransferOptions(), discount=discount, source=source, opponent=opponent, seed=seed
    )
    loaded = (str(target) if not isinstance(target, Game) else "", tuple(options), ruleset)
    if isinstance(thing, SearchGraph):
        return carry_tree(thing, game, None if out is None else Path(out), given, loaded).graph
    if isinstance(thing, FeatureTable):
        return carry_features(thing, game, None if out is None else Path(out), given).learner
    file = Path(thing if isinstance(thing, (str, Path)) else _file(thing))
    report = carry(file, game, Path(out) if out is not None else None, given, loaded)
    return report.file if isinstance(thing, (str, Path)) else replace(thing, file=str(report.file))


def carry(
    path: Path,
    target: Game,
    out: Path | None,
    settings: TransferSettings,
    loaded: tuple[str, Sequence[str], str | None],
) -> NetworkTransfer | Specialised | TreeTransfer | FeatureTransfer:
    """Carry the knowledge in a file over, write it, and report on it.

    Args:
        path: a run's folder, a network of the zoo, or the file of a network, a saved tree or value features.
        target: the game to carry it to.
        out: file to write; default: beside the source, or in ``runs`` for a network of the zoo.
        settings: of the transfer.
        loaded: the name or path that the target was loaded by, its options and its ruleset.
    """
    kind = knowledge_in(path)
    settings.check(kind)
    if kind == "network":
        return _carry_network(path, target, out, settings)
    out = out or path.with_name(f"{path.stem} for {_tag(target)}{path.suffix}")
    if out.is_dir() or not out.parent.is_dir():
        raise LudoportError(
            f"{out}: {'this is a folder; name a file' if out.is_dir() else 'its folder does not exist'}"
        )
    if kind == "search tree":
        return carry_tree(read_graph(path), target, out, settings, loaded)
    return carry_features(load_features(path), target, out, settings)


def knowledge_in(path: Path) -> Knowledge:
    """The kind of knowledge in a file; a folder holds the network of a run, and the zoo has networks only."""
    if path.is_dir() or in_zoo(path):
        return "network"
    try:
        with path.open("rb") as file:
            head = file.read(9)
    except FileNotFoundError:
        raise LudoportError(f"{path}: no such file or folder") from None
    except OSError as error:
        raise LudoportError(f"{path}: cannot be read ({error.strerror})") from None
    if head.startswith(b"PK"):
        return "search tree"
    if head[8:] == b"{" or path.suffix == ".safetensors":  # eight bytes of length, then the header of safetensors
        return "network"
    if head.lstrip().startswith(b"{"):
        return "value features"
    raise LudoportError(f"{path}: not a network, a saved tree or value features")


def _carry_network(
    path: Path, target: Game, out: Path | None, settings: TransferSettings
) -> NetworkTransfer | Specialised:
    load_torch()
    from ludoport.nets.files import is_universal  # these need PyTorch, which may be missing
    from ludoport.transfer.network_files import transfer_network_file
    from ludoport.transfer.specialised import specialise_file

    file, name = find_network(path), in_zoo(path)
    out = out or (Path("runs") / f"{name} for {_tag(target)}" if name else file.parent / f"for {_tag(target)}")
    if is_universal(file):
        _check_specialised(file, settings)
        return specialise_file(file, target, out)
    return transfer_network_file(
        file, target, out, options=settings.network,
        mapping=settings.mapping, layout=settings.layout, source=settings.source,
    )  # fmt: skip


def _check_specialised(path: Path, settings: TransferSettings) -> None:
    """Refuse settings of a mapping: a network for many games needs none."""
    usual = TransferSettings()
    for name in ("mapping", "layout", "source", "network"):
        if getattr(settings, name) != getattr(usual, name):
            shown = "settings" if name == "network" else name
            raise LudoportError(f"{path}: a network for many games, which is specialised without `{shown}`")


def carry_tree(
    graph: SearchGraph,
    target: Game,
    out: Path | None,
    settings: TransferSettings,
    loaded: tuple[str, Sequence[str], str | None] = ("", (), None),
) -> TreeTransfer:
    """Carry a search tree over; write it if ``out`` is given."""
    settings.check("search tree")
    check_discount(settings.discount)
    source = settings.source
    if not isinstance(source, Game):
        source = game_of_tree(graph.about, source, "--source (source=)")
    moved = transfer_tree(graph, source, target, discount=settings.discount, loaded=loaded, tell=settings.tell)
    if out is not None:
        write_graph(moved.graph, out)
    return replace(moved, file=out)


def game_of_tree(about: About, name: str | Path | None = None, setting: str = "--game") -> Game:
    """The game of a tree.

    Args:
        about: origin of the tree.
        name: the game's name or path; default: the one that the tree remembers.
        setting: option that gives another name, for the message about a name that leads nowhere.
    """
    try:
        return load(name or about.source or about.game, options=about.options, ruleset=about.ruleset)
    except LudoportError as error:
        if name is not None:
            raise
        raise LudoportError(f"{error}\nThis is the name in the tree's file; give another one with {setting}.") from None


def carry_features(table: FeatureTable, target: Game, out: Path | None, settings: TransferSettings) -> FeatureTransfer:
    """Start a learner of the target with value features; write the features if ``out`` is given."""
    settings.check("value features")
    moved = transfer_features(table, target, opponent=settings.opponent, seed=settings.seed)
    if out is not None:
        save_features(table, out)
    return replace(moved, file=out)


def _target(target: Game | str | Path, options: Sequence[str], ruleset: str | None) -> Game:
    if not isinstance(target, Game):
        return load(target, options=options, ruleset=ruleset)
    if options or ruleset:
        raise LudoportError(f"options belong to a game given by name; {target.name} is already loaded")
    return target


def _file(thing: Any) -> str:
    file = getattr(thing, "file", None)
    if not isinstance(file, (str, Path)):
        raise LudoportError(
            f"nothing to transfer in {thing!r}; give a player of a network or tree, a run, a file, a SearchGraph or a "
            "FeatureTable"
        )
    return str(file)


def _tag(game: Game) -> str:
    """A name for files that belong to a game."""
    return re.sub(r"[^\w .-]", "-", f"{game.name} {game.rules.fingerprint[:8]}")
