"""Generated kernels are what people show each other: nothing in them is without effect."""

from __future__ import annotations

import ast

from ludoport.kernels.library import ENTRIES

CONTRACT = {"setup", "over", "mover", *(f"enter_{name}" for name in ENTRIES)}


def assert_nothing_is_without_effect(source: str) -> None:
    """Every function is called, every value read, no condition known; no division or product by 1, no sum with 0."""
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
        if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.UnaryOp):
            assert not (isinstance(node.op, ast.Not) and isinstance(node.operand.op, ast.Not)), ast.unparse(node)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Add | ast.LShift):
            nothing = 1 if isinstance(node.op, ast.Mult) else 0
            sides = [node.right] if isinstance(node.op, ast.LShift) else [node.left, node.right]
            assert not any(isinstance(each, ast.Constant) and each.value == nothing for each in sides), ast.unparse(
                node
            )
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            by = constants.get(node.right.id) if isinstance(node.right, ast.Name) else node.right
            assert (by.value if isinstance(by, ast.Constant) else by) != 1, ast.unparse(node)
        if isinstance(node, ast.FunctionDef):
            names = [each for each in ast.walk(node) if isinstance(each, ast.Name)]
            read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
            unread = {each.id for each in names if isinstance(each.ctx, ast.Store)} - read - {"_"}
            assert not unread, f"{node.name}: {unread}"
        for block in ("body", "orelse"):
            statements = getattr(node, block, None)
            if isinstance(statements, list):
                assert not any(isinstance(each, ast.Return | ast.Break | ast.Continue) for each in statements[:-1])
                empty = isinstance(node, ast.If) and [type(each) for each in statements] == [ast.Pass]
                assert not empty, ast.unparse(node)
