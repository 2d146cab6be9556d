"""Kind of the disk of a folder."""

from __future__ import annotations

from pathlib import Path

LOCAL = frozenset({"btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs"})
"""File systems that only one machine uses at a time."""

_MOUNTS = Path("/proc/self/mountinfo")


def is_local(folder: Path) -> bool:
    """Whether a folder certainly belongs to this machine alone; False where that is unknown."""
    try:
        lines = _MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    place, found, longest = str(folder.resolve()), "", -1
    for line in lines:
        left, _, right = line.partition(" - ")
        parts, kinds = left.split(" "), right.split(" ")
        mount = parts[4].replace("\\040", " ") if len(parts) > 4 else ""
        inside = mount == "/" or place == mount or place.startswith(f"{mount}/")
        if mount and inside and len(mount) >= longest:  # later mounts hide earlier ones
            found, longest = kinds[0], len(mount)
    return found in LOCAL
