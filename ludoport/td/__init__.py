"""TD(lambda) over afterstates, and features of the tree below an afterstate."""
