"""Names of ``import ludoport as lp``."""

from __future__ import annotations

import inspect
import pydoc
import subprocess
import sys

import pytest

import ludoport as lp


def test_dir_shows_what_is_meant() -> None:
    assert set(dir(lp)) == {*lp.__all__, "__version__"}
    assert lp.__all__ == sorted(lp.__all__, key=lambda name: (not name[0].isupper(), name))
    for name in lp.__all__:
        thing = getattr(lp, name)
        assert callable(thing), name
        assert not inspect.ismodule(thing), name


@pytest.mark.parametrize("name", lp.__all__)
def test_names_are_documented_and_stay(name: str) -> None:
    thing = getattr(lp, name)
    assert getattr(lp, name) is thing
    assert thing.__doc__
    assert name in pydoc.render_doc(thing)


FIRST_AND_LATER = """
import ludoport as lp
from ludoport import {name} as early
first = lp.{name}
import ludoport.transfer.mapping, ludoport.search.uct, ludoport.games, ludoport.transfer, ludoport.search
from ludoport.transfer.sides import find_side
assert early is first is lp.{name}, (early, first, lp.{name})
assert lp.{name}.__name__ == "{name}"
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["transfer", "match", "load"])
def test_same_object_at_first_and_later_use(name: str) -> None:
    subprocess.run([sys.executable, "-c", FIRST_AND_LATER.format(name=name)], check=True)


@pytest.mark.slow
def test_packages_with_a_functions_name_can_be_imported_first() -> None:
    code = "import ludoport.transfer.mapping; import ludoport as lp; assert lp.transfer.__name__ == 'transfer'"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_signature_of_transfer_is_its_own() -> None:
    names = list(inspect.signature(lp.transfer).parameters)
    assert names[:3] == ["thing", "target", "out"]
    assert "discount" in names
