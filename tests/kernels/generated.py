"""Generated kernels are what people show each other: nothing in them is without effect."""

from __future__ import annotations

import ast

from ludoport.kernels.library import ENTRIES

CONTRACT = {"setup", "over", "mover", *(f"enter_{name}" for name in ENTRIES)}


def assert_nothing_is_without_effect(source: str) -> None:
    """Every function is called, no condition is known, nothing is divided by 1."""
    tree = ast.parse(source)
    constants = {
        target.id: each.value.value
        for each in tree.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    defined = {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert defined - called <= CONTRACT
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            assert not isinstance(node.test, ast.Constant), ast.unparse(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            by = constants.get(node.right.id) if isinstance(node.right, ast.Name) else node.right
            assert (by.value if isinstance(by, ast.Constant) else by) != 1, ast.unparse(node)
