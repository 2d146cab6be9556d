"""Self-play: games, a replay of positions, and a network that learns from them."""
