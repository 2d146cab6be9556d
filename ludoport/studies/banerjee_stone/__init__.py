"""Value features from Tic-Tac-Toe (Banerjee and Stone, 2007)."""
