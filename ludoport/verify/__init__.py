"""Comparing games with recorded reference data: trials (traces) and move counts (perft)."""
