"""States and moves as tensors whose channels have meanings."""
