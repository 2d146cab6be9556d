"""Learning to play: games against oneself, a memory of positions, a network that learns from them."""
