"""The zoo: what its manifest says is true, and networks of a folder or an address are compared with their checksums."""

from __future__ import annotations

import hashlib
import json
import re
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import ludoport as lp
import tools.zoo
from ludoport.arena.statistics import WinLoss
from ludoport.languages import known_games
from ludoport.nets.files import load_network, read_header
from ludoport.zoo import known_networks, zoo_network, zoo_networks
from tests.cli.conftest import Command, ludoport  # noqa: F401

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "zoo"
MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
NETWORKS = MANIFEST["networks"]
SMALLEST = min(NETWORKS, key=lambda entry: int(entry["size"]))


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    monkeypatch.delenv("LUDOPORT_ZOO", raising=False)


@pytest.mark.parametrize("entry", NETWORKS, ids=lambda entry: entry["name"])
def test_entries_are_true(entry: dict[str, object]) -> None:
    path = FOLDER / f"{entry['name']}.safetensors"
    data = path.read_bytes()
    assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["size"], entry["sha256"])
    assert len(data) <= 1 << 20
    assert b'"dtype":"F32"' not in data[: 1 << 16]
    origin = read_header(path).origin
    assert (origin.game, list(origin.options), origin.fingerprint) == (
        entry["game"], entry["options"], entry["fingerprint"],
    )  # fmt: skip
    assert lp.load(origin.game, options=origin.options).rules.fingerprint == origin.fingerprint
    transferred = re.match(rf"ludoport transfer zoo/(\S+) {re.escape(_quoted(origin.game))} ", str(entry["command"]))
    assert not transferred or transferred[1] in {other["name"] for other in NETWORKS}
    trained = str(entry["command"]).split("; ")[-1].startswith(f"ludoport train {_quoted(origin.game)}")
    assert trained == bool(entry["epochs"])
    assert trained or transferred
    assert entry["licence"] == "MIT"
    assert "/work" not in json.dumps(entry)
    assert "/home" not in json.dumps(entry)


def _quoted(name: str) -> str:
    return f'"{name}"' if re.search(r"\W", name.replace("-", "").replace(".", "")) else name


@pytest.mark.parametrize("entry", NETWORKS, ids=lambda entry: entry["name"])
def test_strengths_are_those_of_their_games(entry: dict[str, list[dict[str, float]]]) -> None:
    assert entry["strength"]
    for found in entry["strength"]:
        record = WinLoss(int(found["wins"]), int(found["draws"]), int(found["losses"]))
        expected = (record.score, *record.interval())
        assert [found["score"], found["low"], found["high"]] == pytest.approx(expected, abs=1e-3)


def test_the_page_names_the_weak_networks() -> None:
    page = (ROOT / "docs" / "howto" / "zoo.md").read_text(encoding="utf-8")
    told = re.search(r"^Weak networks,.*?^$", page, re.MULTILINE | re.DOTALL)
    assert told is not None
    weak = {entry["name"] for entry in NETWORKS if all(found["low"] <= 0.5 for found in entry["strength"])}
    assert set(re.findall(r"`([a-z0-9-]+)`", told[0])) == weak


def test_sizes_and_files() -> None:
    assert sum(entry["size"] for entry in NETWORKS) <= 25_000_000
    assert {path.stem for path in FOLDER.glob("*.safetensors")} == {entry["name"] for entry in NETWORKS}
    assert {entry["game"] for entry in NETWORKS} <= {game.name for game in known_games()}


def test_a_network_by_its_game() -> None:
    assert lp.zoo("Hex").spec == "net:zoo/hex-11x11"
    assert lp.zoo("Hex", options=["Board Size/7x7"], simulations=5).spec == "net:zoo/hex-7x7,simulations=5"
    with pytest.raises(lp.LudoportError, match=r"no network for Hex 4x4; lp.transfer carries over `zoo/hex-11x11` or"):
        lp.zoo("Hex", options=["Board Size/4x4"])
    with pytest.raises(lp.LudoportError, match=r"no network `hex-7x8`; did you mean `hex-7x7`"):
        lp.search(lp.load("Hex", ["Board Size/7x7"]).start(), "net:zoo/hex-7x8")


def test_it_plays_and_is_transferred(tmp_path: Path) -> None:
    game = lp.load("Hex", ["Board Size/3x3"])
    result = lp.match("net:zoo/hex-7x7,simulations=2", "random", game, games=2, workers=1)
    assert result.a == "net:zoo/hex-7x7,simulations=2"
    moved = lp.transfer("zoo/hex-7x7", game, tmp_path / "moved.safetensors")
    assert read_header(moved).origin.fingerprint == game.rules.fingerprint


def test_the_command(ludoport: Command) -> None:  # noqa: F811
    table = ludoport("zoo").out.splitlines()
    assert table[0].split()[:2] == ["network", "game"]
    assert len(table) == len(NETWORKS) + 2
    assert table[-1].startswith("Play with one: net:zoo/NAME. No network yet: ")
    assert "(verified)" in ludoport("zoo", "hex-11x11").out
    answer = json.loads(ludoport("zoo", "--json").out)
    assert [entry["name"] for entry in answer["networks"]] == [entry["name"] for entry in NETWORKS]
    assert answer["missing"] == ["rock-paper-scissors.kif", "three-in-a-row-for-three.kif"]  # which cannot have one


def copied(folder: Path) -> Path:
    """A zoo with one network."""
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps({**MANIFEST, "networks": [SMALLEST]}))
    name = f"{SMALLEST['name']}.safetensors"
    (folder / name).write_bytes((FOLDER / name).read_bytes())
    return folder


@pytest.mark.slow
def test_networks_of_another_zoo_are_taken_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tools.zoo.FOLDER", tmp_path / "mine")
    monkeypatch.setenv("LUDOPORT_ZOO", str(tmp_path / "mine"))
    tools.zoo.merge(copied(tmp_path / "theirs"))
    (network,) = zoo_networks()
    assert (network.name, network.sha256) == (SMALLEST["name"], SMALLEST["sha256"])
    tools.zoo.measure(network.name, "random", games=2, seed=5, settings="simulations=2")
    assert zoo_networks()[0].strength[-1].against == "random"
    assert network.path.parent == tmp_path / "mine"


def test_a_transferred_network_is_entered_as_untrained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tools.zoo.FOLDER", tmp_path / "mine")
    lp.transfer("zoo/tic-tac-toe", lp.load("Squava"), tmp_path / "run")
    tools.zoo.add("squava", tmp_path / "run", "ludoport transfer zoo/tic-tac-toe Squava --out RUN", "none")
    entry = tools.zoo.entries()["squava"]
    assert (entry["game"], entry["epochs"], entry["positions"], entry["seconds"]) == ("Squava", 0, 0, 0)
    (tmp_path / "run" / "mapping.json").unlink()
    with pytest.raises(FileNotFoundError):
        tools.zoo.add("squava", tmp_path / "run", "ludoport train Squava --out RUN", "none")


def test_a_changed_file_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = copied(tmp_path / "other")
    monkeypatch.setenv("LUDOPORT_ZOO", str(folder))
    player = lp.zoo(SMALLEST["game"], options=SMALLEST["options"])
    file = folder / f"{SMALLEST['name']}.safetensors"
    file.write_bytes(file.read_bytes()[:-1] + b"\x01")
    with pytest.raises(lp.LudoportError, match="not the network that the zoo describes"):
        player.begin(lp.load(SMALLEST["game"], SMALLEST["options"]), 1, 1)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "not JSON|not the manifest"),
        ('{"format": "other", "version": 1}', "not the manifest of a zoo"),
        ('{"format": "ludoport-zoo", "version": 99, "networks": []}', "newer Ludoport"),
        (json.dumps({**MANIFEST, "networks": [{**SMALLEST, "name": "../up"}]}), "other than small letters"),
    ],
)
def test_damaged_manifests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, problem: str) -> None:
    monkeypatch.setenv("LUDOPORT_ZOO", str(tmp_path))
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(lp.LudoportError, match=problem):
        lp.zoo("Hex")
    assert known_networks() == []


@pytest.fixture
def address(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    """A zoo that is served, and its folder."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *args: object) -> None:
            pass

    folder = copied(tmp_path / "served")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", folder
    server.shutdown()
    server.server_close()


def test_networks_of_an_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, address: tuple[str, Path]) -> None:
    url, folder = address
    digest = hashlib.sha256((folder / "manifest.json").read_bytes()).hexdigest()
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("LUDOPORT_ZOO", f"{url}#sha256={digest}")
    (network,) = zoo_networks()
    path = network.path
    assert path.is_relative_to(tmp_path / "cache")
    assert load_network(path).header.origin.game == network.game
    (folder / network.file).write_bytes(b"something else")
    assert zoo_network(network.name).path == path  # what was downloaded once stays
    path.write_bytes(b"damaged")
    with pytest.raises(lp.LudoportError, match="not the network that the zoo describes"):
        _ = network.path
    monkeypatch.setenv("LUDOPORT_ZOO", f"{url}#sha256={'0' * 64}")
    with pytest.raises(lp.LudoportError, match="which LUDOPORT_ZOO asks for"):
        zoo_networks()


def test_without_a_zoo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ludoport: Command) -> None:  # noqa: F811
    monkeypatch.setattr(sys.modules["ludoport.zoo"], "__file__", str(tmp_path / "ludoport" / "zoo.py"))
    with pytest.raises(lp.LudoportError, match="no network for Hex: no zoo here; a clone"):
        lp.zoo("Hex")
    answer = ludoport("match", "net:zoo/hex-7x7", "random", "--game", "Hex")
    assert answer.code == 2
    assert "a clone of the repository has one" in answer.err
