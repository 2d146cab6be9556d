"""Learning by playing: TD(lambda) over afterstates, and what the tree below an afterstate looks like."""
