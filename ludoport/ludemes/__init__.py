"""The meaning of ludemes: each emits the kernel code for what it says."""

from ludoport.ludemes import meanings
from ludoport.ludemes.compile import Compiled, compile_description

meanings.register_all()

__all__ = ["Compiled", "compile_description"]
