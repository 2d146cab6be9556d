"""The tree edit distance, against a plain definition of it."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.kernels.build import plain_functions
from ludoport.transfer import distance as module
from ludoport.transfer.distance import LabelTree, distance, lower_bound, nearest

LABELS = st.sampled_from("abc")
TREES = st.recursive(
    LABELS.map(LabelTree),
    lambda below: st.builds(LabelTree, LABELS, st.lists(below, max_size=3).map(tuple)),
    max_leaves=6,
)


@cache
def forest_distance(a: tuple[LabelTree, ...], b: tuple[LabelTree, ...]) -> int:
    """The definition: delete or insert the rightmost root, or pair the two rightmost roots."""
    if not a or not b:
        return sum(tree.size for tree in (*a, *b))
    *rest_a, last_a = a
    *rest_b, last_b = b
    return min(
        forest_distance((*rest_a, *last_a.children), b) + 1,
        forest_distance(a, (*rest_b, *last_b.children)) + 1,
        forest_distance(tuple(rest_a), tuple(rest_b))
        + forest_distance(last_a.children, last_b.children)
        + (last_a.label != last_b.label),
    )


@given(TREES, TREES)
@settings(max_examples=150, deadline=None)
def test_it_is_the_edit_distance(a: LabelTree, b: LabelTree) -> None:
    expected = forest_distance((a,), (b,))
    assert distance(a, b) == distance(b, a) == expected
    assert lower_bound(a, b) <= expected


@given(TREES, TREES)
@settings(max_examples=30, deadline=None)
def test_plain_python_agrees(a: LabelTree, b: LabelTree) -> None:
    kernel = plain_functions(module.SOURCE)["tree_distance"]
    numbers: dict[str, int] = {}
    arrays = (*module._arrays(a, numbers), *module._arrays(b, numbers))
    scratch = module.np.zeros((2, a.size + 1, b.size + 1), dtype=module.np.int32)
    assert int(kernel(*arrays, scratch[0], scratch[1])) == forest_distance((a,), (b,))


@given(TREES, st.lists(TREES, min_size=1, max_size=5))
@settings(max_examples=80, deadline=None)
def test_nearest_takes_the_first_of_equals(tree: LabelTree, others: list[LabelTree]) -> None:
    distances = [forest_distance((tree,), (other,)) for other in others]
    assert nearest(tree, others) == (distances.index(min(distances)), min(distances))


def test_nothing_is_near_nothing() -> None:
    assert nearest(LabelTree("a"), []) == (-1, 0)


def test_the_example_of_zhang_and_shasha() -> None:
    a, b, c, d, e, f = (LabelTree(label) for label in "abcdef")
    one = LabelTree("f", (LabelTree("d", (a, LabelTree("c", (b,)))), e))
    other = LabelTree("f", (LabelTree("c", (LabelTree("d", (a, b)),)), e))
    assert distance(one, other) == 2
    assert (c, d, f) == (LabelTree("c"), LabelTree("d"), LabelTree("f"))


def test_trees_that_are_too_large_are_compared_by_labels(monkeypatch) -> None:
    one, other = LabelTree("a", (LabelTree("b"), LabelTree("c"))), LabelTree("a", (LabelTree("c"), LabelTree("b")))
    assert distance(one, other) == 2
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    assert distance(one, other) == 0
