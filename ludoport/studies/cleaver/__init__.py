"""Search trees from chess to Chessplus (Cleaver, 2020)."""
