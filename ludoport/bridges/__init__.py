"""Ludoport's games as environments, games and engines of other projects; each file needs that project's package."""
