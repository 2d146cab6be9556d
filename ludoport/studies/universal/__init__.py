"""One network for many games: zero-shot play in families that it was not trained on."""
