"""Players, matches between them, and what the results mean."""
