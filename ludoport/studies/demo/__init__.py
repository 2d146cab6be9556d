"""The whole idea in a few minutes: Hex on a small board, transferred to a larger one."""
