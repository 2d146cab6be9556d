"""The value of transfer: seeds, controls and two measures for every pair of games."""
