"""One network for many games: weights come from what channels mean, and rules change the layers."""
