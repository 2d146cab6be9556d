"""Generated kernels: their text, their layout, and how they become machine code."""
