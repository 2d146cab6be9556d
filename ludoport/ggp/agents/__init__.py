"""The kinds of agents, one file each."""
