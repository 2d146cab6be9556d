"""One meaning a word: no two public classes of the package have the same name."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import ludoport

ROOT = Path(ludoport.__file__).parent


def test_no_two_classes_share_a_name() -> None:
    places = defaultdict[str, list[str]](list)
    for path in sorted(ROOT.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        # Parsing the whole package takes seconds; a class is found by the words before its name.
        for line in text.splitlines():
            word, _, rest = line.strip().partition(" ")
            name = rest.partition("(")[0].partition(":")[0].partition("[")[0]
            if word == "class" and name.isidentifier() and not name.startswith("_"):
                places[name].append(str(path.relative_to(ROOT)))
    assert len(places) > 100
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
