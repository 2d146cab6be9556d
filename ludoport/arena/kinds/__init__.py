"""The kinds of players, one file each."""
