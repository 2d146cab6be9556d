"""Reading reference data, in both forms, and refusing what is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.verify.compact import compact, compact_trial
from ludoport.verify.reference import digest, read_counts, read_trials
from ludoport.verify.variants import BUNDLED, Variant, choose, find_variants, read_variants, variant_id

FULL = {
    "id": "x#1",
    "seed": 1,
    "plies": [
        {"m": 1, "legal": ["1", "0", "pass"], "c": 0, "mv": "1"},
        {"m": 2, "a": 1, "legal": ["pass"], "c": 0, "mv": "pass", "forced": True},
        {"m": 1, "a": 2, "legal": {"n": 200, "sha1": "0123456789" * 4}, "c": 0, "mv": "3-4"},
    ],
    "over": True,
    "winner": 0,
    "utilities": [0, 0],
    "agentUtilities": [0, 0],
    "ranking": [1.5, 1.5],
    "final": {"1": "Disc1", "5": ["Disc1", "Disc2"]},
}


def test_both_forms_say_the_same(tmp_path: Path) -> None:
    (tmp_path / "full.jsonl").write_text(json.dumps(FULL) + "\n")
    (tmp_path / "compact.jsonl.gz").write_bytes(gzip.compress(json.dumps(compact_trial(FULL)).encode()))
    full, short = read_trials(tmp_path / "full.jsonl")[0], read_trials(tmp_path / "compact.jsonl.gz")[0]
    for one, other in zip(full.plies, short.plies, strict=True):
        same = ("mover", "seat", "count", "move", "forced")
        assert [getattr(one, name) for name in same] == [getattr(other, name) for name in same]
        assert (digest(one.legal) if one.legal is not None else one.digest).startswith(other.digest)
    assert (full.over, full.winner, full.final) == (short.over, short.winner, short.final)


def test_digest_is_that_of_the_sorted_list() -> None:
    assert digest(["b", "a"]) == digest(["a", "b"]) == "fcd127ffa1016069006ad91f3f361248f9bdf272"


def test_compact_copies_a_folder(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    for folder in ("perft", "traces"):
        (source / folder).mkdir(parents=True)
    (source / "variants.tsv").write_text("x\tfamily\t/lud/X.lud\tA/1|B/2\n")
    (source / "perft" / "x.json").write_text(json.dumps({"id": "x", "perft": [3, 9], "secs": [0.1, 0.2]}))
    (source / "traces" / "x.jsonl").write_text(json.dumps(FULL) + "\n")
    compact(source, target)
    assert read_counts(target / "perft" / "x.json").perft == (3, 9)
    assert len(read_trials(target / "traces" / "x.jsonl.gz")[0].plies) == 3
    assert find_variants(target / "traces" / "x.jsonl.gz")["x"].options == ("A/1", "B/2")


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b'{"plies": 3}', b"\xff\xfe", b"null"])
def test_nonsense_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    if content:
        with pytest.raises(LudoportError, match=r"x\.jsonl"):
            read_trials(path)
    with pytest.raises(LudoportError, match=r"x\.jsonl"):
        read_counts(path)


def test_damaged_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}" * 1000)[:-12])
    with pytest.raises(LudoportError, match="cannot be read"):
        read_trials(path)


def test_bundled_variants() -> None:
    variants = read_variants(BUNDLED)
    assert len(variants) == 61
    assert variants["hex_7x7"] == Variant("hex_7x7", "hex", "/lud/board/space/connection/Hex.lud", ("Board Size/7x7",))
    assert variants["chess"].options == ()
    assert variants["broken_line_3_5x5_hex"].game == "Broken Line"


def test_unknown_variant_names_the_nearest() -> None:
    with pytest.raises(LudoportError, match="hex_7x7"):
        choose(read_variants(BUNDLED), "hex_7x8")


def test_index_of_a_library_is_a_list_of_variants(tmp_path: Path) -> None:
    (tmp_path / "index.jsonl").write_text(
        json.dumps({"id": "board__asalto", "lud": "/lud/board/hunt/Asalto.lud"}) + "\n"
    )
    (tmp_path / "traces").mkdir()
    variant = find_variants(tmp_path / "traces" / "board__asalto.jsonl.gz")["board__asalto"]
    assert variant.game == "Asalto"
    (tmp_path / "lud" / "board" / "hunt").mkdir(parents=True)
    text = tmp_path / "lud" / "board" / "hunt" / "Asalto.lud"
    with pytest.raises(LudoportError, match="no such file"):
        variant.text(tmp_path / "lud")
    text.write_text("")
    assert variant.text(tmp_path / "lud") == str(text)


@pytest.mark.parametrize("name", ["a.b.jsonl.gz", "a.b.jsonl", "a.b.json", "a.b.json.gz"])
def test_variant_of_a_file(name: str) -> None:
    assert variant_id(Path("/somewhere") / name) == "a.b"
