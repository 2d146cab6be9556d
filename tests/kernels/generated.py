"""Generated kernels are what people show each other: nothing in them is without effect."""

from __future__ import annotations

import ast

from ludoport.kernels.library import ENTRIES

CONTRACT = {"setup", "over", "mover", *(f"enter_{name}" for name in ENTRIES)}


def assert_nothing_is_without_effect(source: str) -> None:
    """Every function is called, no condition is known, nothing is divided or multiplied by 1, and 0 is not added."""
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
        if isinstance(node, ast.BoolOp):
            assert not any(isinstance(each, ast.Constant) for each in node.values), ast.unparse(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add):
            nothing = 1 if isinstance(node.op, ast.Mult) else 0
            given = [each.value for each in (node.left, node.right) if isinstance(each, ast.Constant)]
            assert not any(isinstance(value, int) and value == nothing for value in given), ast.unparse(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            by = constants.get(node.right.id) if isinstance(node.right, ast.Name) else node.right
            assert (by.value if isinstance(by, ast.Constant) else by) != 1, ast.unparse(node)
