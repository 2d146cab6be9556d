"""Devices for networks: existence and names."""

from __future__ import annotations

from ludoport.errors import LudoportError

DEVICES = ("cpu", "cuda")
"""Values of ``--device``."""


def require_device(device: str, *, elsewhere: bool = False) -> None:
    """Refuse a device that does not exist, before any work.

    Args:
        device: its name.
        elsewhere: whether other machines do the work, whose devices cannot be seen from here.
    """
    if device not in DEVICES:
        raise LudoportError(f"unknown device `{device}`; choose {' or '.join(DEVICES)}")
    if device == "cuda" and not elsewhere and not cards():
        raise LudoportError("torch finds no CUDA device on this machine; use --device cpu")


def cards() -> list[str]:
    """The names of the graphics cards that torch can use."""
    import torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    return [torch.cuda.get_device_name(number) for number in range(count)]
