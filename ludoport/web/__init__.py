"""A page to play any game, watch searches and look at what was learned; needs the extra ``web``."""
