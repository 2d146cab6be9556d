"""Meanings of the channels of tensors, in a form that programs can compare."""

from ludoport.kernels.tensors import MoveChannel, MoveKind, StateChannel, StateKind

__all__ = ["MoveChannel", "MoveKind", "StateChannel", "StateKind"]
