"""The kinds of players that only the GGP protocol has, one file each; all others are those of ``arena``."""
