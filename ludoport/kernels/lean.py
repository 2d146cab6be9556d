"""A shorter way through numba for modules of many small functions.

By default numba optimises and assembles every function on its own, together with copies of all that it calls,
although only the entry points are ever called from outside. Here the inner functions stop after their intermediate
code, and each entry point links all of it once, optimises once and assembles once. Passes for features that kernels do
not use are left out.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding
from numba.core import codegen, typed_passes, types, untyped_passes
from numba.core.compiler import CompilerBase
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.typed_passes import NativeLowering

from ludoport.kernels.direct import compiled
from ludoport.kernels.quick import quick
from ludoport.signals import deferred


class _QuietCodegen:
    """Replaces the code generator of a library that is never assembled."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def set_env(self, name: str, env: object) -> None:
        """There is no machine code yet that could hold an environment."""


MANY_LOOPS = 210
"""Entry points with more loops are compiled without unrolling any, and with fewer passes: on the copies of loops in the
largest games LLVM takes twenty times as long, and they do not play faster."""


class InnerLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The intermediate code of an inner function, to be linked into entry points."""

    loops = 0
    """Number of its own loops, where that is known."""

    @property
    def codegen(self) -> Any:
        """The code generator, without the part that needs machine code."""
        return _QuietCodegen(self._codegen)

    def finalize(self) -> None:
        """Nothing is optimised or assembled here."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code."""
        del name
        self._ensure_finalized()
        return 0


class EntryLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """An entry point with everything below it."""

    _linking_libraries: Any

    def finalize(self) -> None:
        """Link each inner function once, callers first: the linker drops a function that is not called yet."""
        order: list[Any] = []
        seen: set[Any] = set()

        def visit(library: Any) -> None:
            if library in seen:
                return
            seen.add(library)
            if isinstance(library, InnerLibrary):
                for below in library._linking_libraries:
                    visit(below)
            order.append(library)

        for library in self._linking_libraries:
            visit(library)
        self._linking_libraries = order[::-1]
        with deferred():
            super().finalize()

    def _optimize_final_module(self) -> None:
        """Makes inner functions internal, which lets the optimiser drop arguments that they do not use."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvmlite.binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        loops = sum(library.loops for library in self._linking_libraries if isinstance(library, InnerLibrary))
        if loops <= MANY_LOOPS:
            super()._optimize_final_module()
        else:
            self._optimize_without_unrolling()

    def _optimize_without_unrolling(self) -> None:
        """The usual passes without copies of loops."""
        cheap, builder = self._codegen._module_pass_manager(
            loop_vectorize=False, slp_vectorize=False, opt=0, cost="cheap"
        )
        cheap.run(self._final_module, builder)
        options = llvmlite.binding.create_pipeline_tuning_options()
        options.loop_unrolling = False
        options.speed_level = 1
        builder = llvmlite.binding.create_pass_builder(self._codegen._tm, options)
        builder.getModulePassManager().run(self._final_module, builder)


def _straight_index(context: Any, builder: Any, idxty: Any, idx: Any, size: Any) -> Any:
    """An index as it is. Kernels never count from the end of an array, so nothing has to be added to negative ones."""
    del size
    return context.cast(builder, idx, idxty, types.intp if idxty.signed else types.uintp)


class _Lowering(NativeLowering):  # type: ignore[misc]
    library_class: type = EntryLibrary

    def run_pass(self, state: Any) -> bool:
        generator = state.targetctx.codegen()
        state.library = self.library_class(generator, state.func_id.func_qualname)
        state.library.enable_object_caching()
        from numba.np import arrayobj  # takes long to import, and cached kernels do without it

        # numba holds its compiler lock here, so no other compilation sees the exchanged function.
        usual = arrayobj.fix_integer_index
        arrayobj.fix_integer_index = _straight_index
        try:
            return bool(super().run_pass(state))
        finally:
            arrayobj.fix_integer_index = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(_Lowering):
    """Lowering of inner functions."""

    _name = "ludoport_inner_lowering"
    library_class = InnerLibrary


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(_Lowering):
    """Lowering of entry points."""

    _name = "ludoport_entry_lowering"
    library_class = EntryLibrary


class _Lean(CompilerBase):  # type: ignore[misc]
    lowering: Any = EntryLowering

    def _compile_core(self) -> Any:
        with quick():
            return super()._compile_core()

    def define_pipelines(self) -> list[PassManager]:
        """Only the passes that plain loops over arrays of integers need."""
        # Rows, lists and scratch space that a kernel gets never overlap.
        self.state.flags.noalias = True
        pm = PassManager("ludoport kernels")
        pm.add_pass(untyped_passes.TranslateByteCode, "bytecode")
        pm.add_pass(untyped_passes.FixupArgs, "arguments")
        pm.add_pass(untyped_passes.IRProcessing, "intermediate representation")
        pm.add_pass(untyped_passes.ReconstructSSA, "single assignment")
        pm.add_pass(typed_passes.NopythonTypeInference, "types")
        pm.add_pass(typed_passes.PreLowerStripPhis, "remove phi nodes")
        pm.add_pass(typed_passes.IRLegalization, "legal before lowering")
        pm.add_pass(self.lowering, "lowering")
        pm.add_pass(typed_passes.NoPythonBackend, "backend")
        pm.finalize()
        return [pm]


class InnerCompiler(_Lean):
    """Compiles functions that only other kernels call."""

    lowering = InnerLowering
    inlined = False

    def compile_extra(self, func: Any) -> Any:
        """Simple kernels are written as code of LLVM at once; others take numba's way."""
        found = compiled(self, func, InnerLibrary)
        return super().compile_extra(func) if found is None else found


class InlineCompiler(InnerCompiler):
    """Compiles inner functions that disappear into their callers."""

    inlined = True

    def define_pipelines(self) -> list[PassManager]:
        """The same passes; the code is marked to be inlined always."""
        self.state.flags.forceinline = True
        return super().define_pipelines()


class EntryCompiler(_Lean):
    """Compiles functions that Python calls."""

    lowering = EntryLowering
