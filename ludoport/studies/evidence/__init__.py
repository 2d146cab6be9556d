"""What transfer is worth: seeds, controls and two measures for every pair of games."""
