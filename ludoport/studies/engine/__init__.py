"""A study as a graph of jobs in SQLite: plans, workers and results."""
